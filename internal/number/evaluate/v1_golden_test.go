package evaluate_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// v1AST are the first release's categories that are judged without running
// anything.
var v1AST = []string{
	"simple", "java", "javascript", "multiple_function", "parallel_function", "parallel_multiple_function", "relevance",
}

func v1Dataset(t testing.TB) *fixtures.Dataset {
	t.Helper()
	return testkit.Must(fixtures.Open("v1", testkit.Shared(t, "bfcl")))(t)
}

// TestGoldenV1 evaluates the published answers of the first leaderboard's
// models: accuracy, failing cases, error types and texts are upstream's.
func TestGoldenV1(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v1")
	published := v1Published(t, recorded)
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{
		Dataset: v1Dataset(t), ResultDir: recorded, Categories: strings.Join(v1AST, ","),
	}, out)
	require.NoError(t, err)
	assert.Len(t, report.Models, len(published))
	var n comparison
	for _, m := range report.Models {
		for _, c := range m.Parts {
			assert.InDelta(t, published[m.Name][c.Category.Name], c.Accuracy(), 0, "accuracy.tsv, %s of %s", c.Category.Name, m.Name)
			file := c.Category.Name + "_score.json"
			n.compare(t, filepath.Join(recorded, m.Name, "score", file), filepath.Join(out, m.Name, file))
		}
	}
	assert.Equal(t, len(published)*len(v1AST), n.Files)
	t.Logf("%+v", n)
	climbs(t, report)
	v1Table(t, published, filepath.Join(out, "data.csv"))
}

// v1Lines are a score file's lines by case; the first is "header".
func v1Lines(t *testing.T, path string) map[string]string {
	out := map[string]string{}
	for i, line := range lines(t, path) {
		id := "header"
		if i > 0 {
			id = "case " + field(t, line, "id")
		}
		out[id] = line
	}
	return out
}

// v1Published are the published accuracies: model, then column.
func v1Published(t *testing.T, recorded string) map[string]map[string]float64 {
	rows := lines(t, filepath.Join(recorded, "accuracy.tsv"))
	titles := strings.Split(rows[0], "\t")
	out := map[string]map[string]float64{}
	for _, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		columns := map[string]float64{}
		for i := 1; i < len(cells); i++ {
			v := testkit.Must(strconv.ParseFloat(cells[i], 64))(t)
			columns[titles[i]] = v
		}
		out[cells[0]] = columns
	}
	return out
}

// v1Columns are the table's columns that these categories reach, with those
// of the published accuracies.
var v1Columns = map[string]string{
	"AST Summary": "ast_summary", "Python Simple Function AST": "simple", "Java Simple Function AST": "java",
	"JavaScript Simple Function AST": "javascript", "Multiple Functions AST": "multiple_function",
	"Parallel Functions AST": "parallel_function", "Parallel Multiple AST": "parallel_multiple_function",
	"Relevance Detection": "relevance",
}

func v1Table(t *testing.T, published map[string]map[string]float64, path string) {
	cells := 0
	for model, want := range published {
		got := table(t, path, model)
		for title, column := range v1Columns {
			assert.Equal(t, strconv.FormatFloat(want[column]*100, 'f', 2, 64)+"%", got[title], "%s of %s", title, model)
			cells++
		}
	}
	t.Logf("%d cells of %s compared", cells, filepath.Base(path))
}

// officialVerdicts are the official checker's error types with the recorded
// API answers, "" for a right answer: by model and case.
func officialVerdicts(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, file := range []string{testkit.GoldenFile(t, "exec", "runs.jsonl"), testkit.GoldenFile(t, "rest", "verdicts.jsonl")} {
		testkit.Rows(t, file, func(_ int, row *pyval.Dict) {
			errorType := testkit.Text(row, "error_type")
			if testkit.Flag(row, "valid") {
				errorType = ""
			}
			out[testkit.Text(row, "model")+" "+testkit.Text(row, "id")] = errorType
		})
	}
	return out
}

// TestGoldenV1Executed evaluates all categories of the first leaderboard with
// the recorded API answers. The verdicts are the official checker's with the
// same answers; the published accuracies differ where an API's answer had
// moved between two requests of the published run.
func TestGoldenV1Executed(t *testing.T) {
	recorded, dataset := testkit.Shared(t, "recorded", "v1"), v1Dataset(t)
	client := testkit.Must(exec.OpenReplay(testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")))(t)
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{
		Dataset: dataset, ResultDir: recorded,
		Executor: suite.New(t.Context(), dataset, &exec.Env{Client: client}),
	}, out)
	require.NoError(t, err)
	official, published := officialVerdicts(t), v1Published(t, recorded)
	compared := 0
	for _, m := range report.Models {
		for _, c := range m.Parts {
			if !c.Category.Executes {
				continue
			}
			for _, v := range c.Results {
				want, ok := official[m.Name+" "+v.Case.ID]
				require.True(t, ok, "%s: %s", m.Name, v.Case.ID)
				assert.Equal(t, want, v.ErrorType, "%s: %s", m.Name, v.Case.ID)
				compared++
			}
		}
	}
	assert.Equal(t, len(official), compared)
	t.Logf("%d executable and REST verdicts compared", compared)
	v1Overalls(t, report, published)
	executedLines(t, report, recorded, out)
	climbs(t, report)
	v1Spends(t, filepath.Join(out, "data.csv"))
}

// v1Spends compares the table's cost and latencies with those upstream computes
// for the same answers.
func v1Spends(t *testing.T, path string) {
	text := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "cost", "cost.json")))(t)
	models := testkit.Field(object(t, string(text)), "recorded_models").(*pyval.List).Items
	for _, item := range models {
		want := item.(*pyval.Dict)
		got := table(t, path, testkit.Text(want, "model"))
		for title, field := range map[string]string{
			"Cost ($ Per 1k Function Calls)": "cost", "Latency Mean (s)": "latency_mean",
			"Latency Standard Deviation (s)": "latency_std", "Latency 95th Percentile (s)": "latency_p95",
		} {
			assert.Equal(t, pyval.Text(testkit.Field(want, field)), got[title], "%s of %s", title, got["Model"])
		}
		for _, title := range []string{"Model Link", "Organization", "License"} {
			assert.NotEmpty(t, got[title], "%s of %s", title, got["Model"])
		}
	}
	t.Logf("%d cells of cost and latency compared", 4*len(models))
}

// moving are the fields of a score line that depend on what the APIs answered
// on the day of the published run, or hold CPython's words.
var moving = []string{"error", "prompt", "model_executed_output"}

// executedLines compares the score lines of executable categories with the
// published ones: the same fields in the same order, with the same values but
// where an API has moved.
func executedLines(t *testing.T, report *evaluate.Report, recorded, out string) {
	same, moved, flipped := 0, map[string]int{}, 0
	for _, m := range report.Models {
		for _, c := range m.Parts {
			if !c.Category.Executes {
				continue
			}
			theirs := v1Lines(t, filepath.Join(recorded, m.Name, "score", c.Category.Name+"_score.json"))
			ours := v1Lines(t, filepath.Join(out, m.Name, c.Category.Name+"_score.json"))
			for id, line := range theirs {
				switch {
				case id == "header":
				case ours[id] == "":
					flipped++
				case ours[id] == line:
					same++
				default:
					differ := fieldsThatDiffer(t, line, ours[id])
					assert.Subset(t, moving, differ, "%s, %s of %s", id, c.Category.Name, m.Name)
					moved[strings.Join(differ, " ")]++
				}
			}
		}
	}
	assert.Equal(t, 6, flipped, "cases that are right here and wrong there")
	t.Logf("%d score lines identical; %v differ in these fields alone", same, moved)
}

// v1Overalls compares overall accuracies and summaries with the published
// ones and lists where and by how many cases they differ.
func v1Overalls(t *testing.T, report *evaluate.Report, published map[string]map[string]float64) {
	equal, cells := 0, 0
	for _, m := range report.Models {
		accuracies := map[string]score.Accuracy{}
		for _, c := range m.Parts {
			accuracies[c.Category.Name] = score.Accuracy{Value: c.Accuracy(), Total: len(c.Results)}
		}
		groups := score.V1.Evaluate(accuracies)
		_, summary := score.V1Summaries(groups)
		want := published[m.Name]
		for _, c := range m.Parts {
			cells++
			if c.Accuracy() == want[c.Category.Name] {
				equal++
				continue
			}
			// One case of one category hangs on a stock price of the day.
			assert.InDelta(t, want[c.Category.Name]*float64(len(c.Results)), c.Correct(), 1+1e-9, "%s of %s", c.Category.Name, m.Name)
			t.Logf("%s, %s: %d of %d here, %.0f published; overall %.4f and %.4f, exec summary %.4f and %.4f", m.Name, c.Category.Name, c.Correct(), len(c.Results),
				want[c.Category.Name]*float64(len(c.Results)), groups["overall"].Value, want["overall"], summary.Value, want["exec_summary"])
		}
	}
	t.Logf("%d of %d accuracies are the published ones", equal, cells)
}

// TestV1NeedsReplay: without recorded answers the executable categories are
// left out with a note, and an unrecorded request is no verdict.
func TestV1NeedsReplay(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v1", "gpt-4o-2024-05-13")
	report := testkit.Must(evaluate.Run(tally.Folders{Dataset: v1Dataset(t), ResultDir: recorded}, ""))(t)
	assert.Len(t, report.Models[0].Parts, len(v1AST))
	assert.Len(t, report.Notes, 1)
	assert.ErrorContains(t, testkit.Err(evaluate.Run(tally.Folders{Dataset: v1Dataset(t), ResultDir: recorded, Categories: "rest"}, "")), "--replay")
	empty := testkit.Must(exec.OpenReplay())(t)
	dataset := v1Dataset(t)
	scores := filepath.Join(t.TempDir(), "scores")
	o := tally.Folders{
		Dataset: dataset, ResultDir: recorded, Categories: "rest,simple",
		Executor: suite.New(t.Context(), dataset, &exec.Env{Client: empty}),
	}
	report, err := evaluate.Run(o, scores)
	var incomplete *tally.IncompleteError
	require.ErrorAs(t, err, &incomplete)
	require.Len(t, incomplete.Lacks, 1)
	assert.Equal(t, "rest", incomplete.Lacks[0].Category)
	assert.Greater(t, len(incomplete.Lacks[0].Cases), 50)
	assert.Greater(t, len(incomplete.Lacks[0].Causes), 40, "each URL that was not recorded")
	assert.Regexp(t, `\d+ answers cannot be judged .*: rest_0, `, err.Error())
	require.Len(t, report.Models[0].Parts, 1)
	assert.FileExists(t, filepath.Join(scores, "gpt-4o-2024-05-13", "simple_score.json"))
	assert.NoFileExists(t, filepath.Join(scores, "gpt-4o-2024-05-13", "rest_score.json"))

	o.AllowErrors = true
	report = testkit.Must(evaluate.Run(o, scores))(t)
	require.Len(t, report.Models[0].Parts, 2)
	assert.Equal(t, 70, len(report.Models[0].Parts[1].Results), "wrong ones, as upstream counts them")
	assert.FileExists(t, filepath.Join(scores, "gpt-4o-2024-05-13", "rest_score.json"))
}

// climbs checks that the top of a category's ladder is its number of right answers,
// and that every wrong answer has a kind.
func climbs(t *testing.T, report *evaluate.Report) {
	compared, failed, kinds := 0, 0, map[string]int{}
	for _, m := range report.Models {
		got := m.Findings(true)
		for _, c := range m.Parts {
			failed += len(c.Results) - c.Correct()
			rungs, ok := got.Ladder.Categories[c.Category.Name]
			require.Equal(t, c.Category.Compares(), ok, c.Category.Name)
			if ok {
				top := rungs.Levels[len(rungs.Levels)-1]
				assert.Equal(t, c.Correct(), top.Reached, "%s of %s", c.Category.Name, m.Name)
				assert.Equal(t, len(c.Results), rungs.Total, "%s of %s", c.Category.Name, m.Name)
				assert.InDelta(t, c.Accuracy(), top.Rate, 0, "%s of %s", c.Category.Name, m.Name)
				compared++
			}
		}
		for kind, n := range got.Taxonomy {
			kinds[string(kind)] += n
			failed -= n
		}
		for _, n := range got.Outside {
			failed -= n
		}
	}
	assert.Zero(t, failed)
	assert.NotContains(t, kinds, "unexplained")
	t.Logf("%d categories: the top is the number of right answers; kinds of wrong answers: %v", compared, kinds)
}
