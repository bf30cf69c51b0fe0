package leaderboard

import (
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
)

// part is a column that shows N/A if something is missing.
func part(title, node string) column {
	return column{title, func(r *row) string { return r.groups[node].String() }}
}

// always is a column that shows a number even if something is missing.
func always(title, node string) column {
	return column{title, func(r *row) string { return r.groups[node].Percent() }}
}

func by(node string) func(*row) Figure {
	return func(r *row) Figure { return known(r.groups[node].Value) }
}

var modelColumn = column{"Model", func(r *row) string { return cellText(r.Model.Name) }}

var (
	linkColumn    = column{"Model Link", func(r *row) string { return cellText(r.Model.URL) }}
	orgColumn     = column{"Organization", func(r *row) string { return cellText(r.Model.Org) }}
	licenseColumn = column{"License", func(r *row) string { return cellText(r.Model.License) }}
)

func spendColumns(cost string) []column {
	return []column{
		{cost, func(r *row) string { return r.Spend.Cost.String() }},
		{"Latency Mean (s)", func(r *row) string { return r.Spend.Mean.String() }},
		{"Latency Standard Deviation (s)", func(r *row) string { return r.Spend.StdDev.String() }},
		{"Latency 95th Percentile (s)", func(r *row) string { return r.Spend.P95.String() }},
	}
}

var sensitivityColumns = []column{
	{"Format Sensitivity Max Delta", func(r *row) string { return r.format().MaxDelta.String() }},
	{"Format Sensitivity Standard Deviation", func(r *row) string { return r.format().StdDev.String() }},
}

// format is zero if the category was not run.
func (r *row) format() Sensitivity {
	if r.Format == nil {
		return Sensitivity{}
	}
	return *r.Format
}

// v4Tables are the files of upstream's generate_leaderboard_csv with the
// titles of its column_headers.
func v4Tables() []table {
	formats := append([]column{modelColumn}, sensitivityColumns...)
	for _, c := range prompt.Configs() {
		formats = append(formats, column{"Config " + c.String(), func(r *row) string { return r.Format.of(c.String()).String() }})
	}
	return []table{
		{"data_overall.csv", overallColumns(), by("overall")},
		{"data_live.csv", liveColumns, by("live")},
		{"data_non_live.csv", nonLiveColumns, by("non_live")},
		{"data_multi_turn.csv", multiTurnColumns, by("multi_turn")},
		{"data_agentic.csv", agenticColumns, by("agentic")},
		{"data_format_sensitivity.csv", formats, func(r *row) Figure { return r.format().MaxDelta }},
	}
}

func overallColumns() []column {
	columns := []column{always("Overall Acc", "overall"), modelColumn, linkColumn}
	columns = append(columns, spendColumns("Total Cost ($)")...)
	columns = append(columns,
		part("Non-Live AST Acc", "non_live"),
		part("Non-Live Simple AST", "simple_ast"),
		part("Non-Live Multiple AST", "multiple"),
		part("Non-Live Parallel AST", "parallel"),
		part("Non-Live Parallel Multiple AST", "parallel_multiple"),
		always("Live Acc", "live"),
		part("Live Simple AST", "live_simple"),
		part("Live Multiple AST", "live_multiple"),
		part("Live Parallel AST", "live_parallel"),
		part("Live Parallel Multiple AST", "live_parallel_multiple"),
		always("Multi Turn Acc", "multi_turn"),
		part("Multi Turn Base", "multi_turn_base"),
		part("Multi Turn Miss Func", "multi_turn_miss_func"),
		part("Multi Turn Miss Param", "multi_turn_miss_param"),
		part("Multi Turn Long Context", "multi_turn_long_context"),
		part("Web Search Acc", "web_search"),
		part("Web Search Base", "web_search_base"),
		part("Web Search No Snippet", "web_search_no_snippet"),
		part("Memory Acc", "memory"),
		part("Memory KV", "memory_kv"),
		part("Memory Vector", "memory_vector"),
		part("Memory Recursive Summarization", "memory_rec_sum"),
		part("Relevance Detection", "live_relevance"),
		part("Irrelevance Detection", "hallucination"),
	)
	columns = append(columns, sensitivityColumns...)
	return append(columns, orgColumn, licenseColumn)
}

var liveColumns = []column{
	modelColumn,
	always("Live Overall Acc", "live"),
	part("AST Summary", "live"),
	part("Python Simple AST", "live_simple"),
	part("Python Multiple AST", "live_multiple"),
	part("Python Parallel AST", "live_parallel"),
	part("Python Parallel Multiple AST", "live_parallel_multiple"),
	part("Irrelevance Detection", "live_irrelevance"),
	part("Relevance Detection", "live_relevance"),
}

var nonLiveColumns = []column{
	modelColumn,
	always("Non-Live Overall Acc", "non_live"),
	part("AST Summary", "non_live"),
	part("Simple AST", "simple_ast"),
	part("Python Simple AST", "simple_python"),
	part("Java Simple AST", "simple_java"),
	part("JavaScript Simple AST", "simple_javascript"),
	part("Multiple AST", "multiple"),
	part("Parallel AST", "parallel"),
	part("Parallel Multiple AST", "parallel_multiple"),
	part("Irrelevance Detection", "irrelevance"),
}

var multiTurnColumns = []column{
	modelColumn,
	always("Multi Turn Overall Acc", "multi_turn"),
	part("Base", "multi_turn_base"),
	part("Miss Func", "multi_turn_miss_func"),
	part("Miss Param", "multi_turn_miss_param"),
	part("Long Context", "multi_turn_long_context"),
}

var agenticColumns = []column{
	modelColumn,
	always("Agentic Overall Acc", "agentic"),
	part("Web Search Summary", "web_search"),
	part("Web Search Base", "web_search_base"),
	part("Web Search No Snippet", "web_search_no_snippet"),
	part("Memory Summary", "memory"),
	part("Memory KV", "memory_kv"),
	part("Memory Vector", "memory_vector"),
	part("Memory Recursive Summarization", "memory_rec_sum"),
}

// v1Table is the V1 leaderboard's data.csv, which shows a number everywhere.
var v1Table = table{name: "data.csv", key: by("overall"), columns: append([]column{
	always("Overall Acc", "overall"), modelColumn, linkColumn, orgColumn, licenseColumn,
	{"AST Summary", func(r *row) string { ast, _ := score.V1Summaries(r.groups); return ast.Percent() }},
	{"Exec Summary", func(r *row) string { _, exec := score.V1Summaries(r.groups); return exec.Percent() }},
	always("Simple Function AST", "simple_ast"),
	always("Python Simple Function AST", "simple"),
	always("Java Simple Function AST", "java"),
	always("JavaScript Simple Function AST", "javascript"),
	always("Multiple Functions AST", "multiple_function"),
	always("Parallel Functions AST", "parallel_function"),
	always("Parallel Multiple AST", "parallel_multiple_function"),
	always("Simple Function Exec", "simple_exec"),
	always("Python Simple Function Exec", "executable_simple"),
	always("REST Simple Function Exec", "rest"),
	always("Multiple Functions Exec", "executable_multiple_function"),
	always("Parallel Functions Exec", "executable_parallel_function"),
	always("Parallel Multiple Exec", "executable_parallel_multiple_function"),
	always("Relevance Detection", "relevance"),
}, spendColumns("Cost ($ Per 1k Function Calls)")...)}
