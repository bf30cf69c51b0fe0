package report

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// An index is what the page's script needs to list, filter, group and compare cases.
type index struct {
	Runs []string `json:"runs"`
	// Short are the runs' names as shown, Runs as addresses have them.
	Short      []string `json:"short"`
	Categories []string `json:"cats"`
	Types      []string `json:"types"`
	// Groups are the places in Categories below each group of the leaderboard.
	Groups      map[string][]int  `json:"groups"`
	GroupTitles map[string]string `json:"groupTitles"`
	// By case: id, place in Categories, the question's beginning, the chunk and
	// the place in it.
	IDs       []string `json:"ids"`
	Category  []int    `json:"cat"`
	Questions []string `json:"q"`
	Chunk     []int    `json:"chunk"`
	Place     []int    `json:"place"`
	// Errata are the known errata, by the case's place.
	Errata map[int]string `json:"errata"`
	// Tags are the places of the cases that have a tag in the user's own suite,
	// by tag.
	Tags map[string][]int `json:"tags"`
	// By run a letter for each case: p, f, e, x for trials that disagree, and
	// - if it was not asked; the error type's place, -1 for none; and a digit
	// for how far the answer got, - if that is not known.
	Verdicts []string `json:"v"`
	Errors   [][]int  `json:"e"`
	Levels   []string `json:"level"`
	// By run and case what failed: places in Causes, one for each trial that
	// did not pass, and the reason of the first.
	Failed  [][][]int  `json:"c"`
	Reasons [][]string `json:"why"`
	// By run and case the latency in hundredths of a second and the cost in
	// millionths of a dollar. The cost is 0 if it is not known.
	Latency [][]int `json:"lat"`
	Cost    [][]int `json:"cost"`
	// By run and place in Categories what a failure costs the overall, in
	// percentage points.
	Worth [][]float64 `json:"worth"`
	// Pairs are comparisons of two runs: both runs, the chunk and the place in
	// it.
	Pairs [][4]int `json:"pairs"`
	// Kinds, Titles and Levels' titles are the words of the taxonomy.
	Kinds      []cause.Kind `json:"kinds"`
	Titles     []string     `json:"titles"`
	LevelTitle []string     `json:"levels"`
	// Causes are the causes that occur.
	Causes []indexCause `json:"causes"`
	// Alike are the groups that causes fall into; see cause.Cause.
	Alike []alike `json:"alike"`
	// Suspects say by run and place in Alike who may be to blame for its plain
	// cases beside the model, for the coarsest grouping only.
	Suspects []map[int]string `json:"suspects"`
	// Examples is how many cases a group shows.
	Examples int `json:"examples"`
	// Rate is by run the estimated cost of a second in dollars; 0 if prices are
	// known.
	Rate []float64 `json:"rate"`
	// Path is how the command line names each run.
	Path []string `json:"path"`
	// By function document: the chunk and the place in it.
	ToolChunk []int `json:"toolChunk"`
	ToolPlace []int `json:"toolPlace"`
}

// An indexCause is a cause with its groups, in the order of cause.Groupings.
type indexCause struct {
	Kind      int    `json:"k"`
	Function  string `json:"fn,omitempty"`
	Parameter string `json:"par,omitempty"`
	Want      string `json:"want,omitempty"`
	Got       string `json:"got,omitempty"`
	// Detail has the cause's words beyond its kind.
	Detail string `json:"is,omitempty"`
	Alike  [3]int `json:"in"`
}

// An alike is a group of similar failures: its grouping and one of its causes.
// Detail is what the failures share; see cause.Cause. Got is for the coarsest
// grouping only.
type alike struct {
	By     int    `json:"by"`
	Cause  int    `json:"c"`
	Detail string `json:"is,omitempty"`
	Got    string `json:"got,omitempty"`
}

// A caseKey names a case across runs.
type caseKey struct{ category, id string }

// A posed case is a case with the results of every run.
type posed struct {
	category *eval.Category
	c        *eval.Case
	results  [][]*eval.Result // by run, then trial
}

// gather collects the cases of all runs, in the order of the first run with the category.
func gather(runs []*Entry) []*posed {
	var all []*posed
	at := map[caseKey]*posed{}
	for k, e := range runs {
		for cat, result := range e.run.All() {
			key := caseKey{cat.Name, result.Case.ID}
			p := at[key]
			if p == nil {
				p = &posed{category: cat, c: result.Case, results: make([][]*eval.Result, len(runs))}
				at[key] = p
				all = append(all, p)
			}
			p.results[k] = append(p.results[k], result)
		}
	}
	return all
}

// A book packs the cases.
type book struct {
	index
	runs    []*Entry
	packer  packer
	pool    *pool
	wrong   map[string]string // errata by id
	byName  map[string]int    // categories
	byCase  map[caseKey]int   // places of cases
	byType  map[string]int    // error types
	byKind  map[cause.Kind]int
	byCause map[cause.Cause]int
	byGroup map[groupKey]int
	letters [][]byte
	levels  [][]byte
	answers map[*eval.Result]packedAnswer
}

type groupKey struct {
	by int
	cause.Cause
}

// newBook packs the cases of all runs: the index and the chunks.
func newBook(runs []*Entry, layout *score.Layout, digest string, answers *Answers) (*book, error) {
	n := len(runs)
	b := &book{
		runs: runs, pool: &pool{at: map[*pyval.Dict]int{}, texts: map[string]int{}}, byName: map[string]int{}, byCase: map[caseKey]int{}, byType: map[string]int{}, byKind: map[cause.Kind]int{},
		byCause: map[cause.Cause]int{}, byGroup: map[groupKey]int{}, letters: make([][]byte, n), levels: make([][]byte, n),
	}
	if answers != nil {
		b.answers = answers.by
	}
	b.Errors, b.Failed, b.Reasons = make([][]int, n), make([][][]int, n), make([][]string, n)
	b.Latency, b.Cost, b.Examples = make([][]int, n), make([][]int, n), tally.Examples
	b.Errata, b.wrong, b.Tags = map[int]string{}, errataOf(digest, b.runs), map[string][]int{}
	b.Types, b.Kinds, b.Titles, b.Causes, b.Alike = []string{}, []cause.Kind{}, []string{}, []indexCause{}, []alike{} // no null for the script
	b.Categories, b.IDs, b.Category, b.Questions = []string{}, []string{}, []int{}, []string{}
	for _, e := range runs {
		rate := 0.0 // upstream's estimate of the cost of a second, if prices are not known
		if e.Spend.Basis == "time" {
			rate = leaderboard.TimeCost(1)
		}
		b.Runs, b.Short, b.Path, b.Rate = append(b.Runs, e.Name), append(b.Short, e.Short), append(b.Path, e.path()), append(b.Rate, rate)
	}
	cases := gather(runs)
	b.Chunk, b.Place = make([]int, len(cases)), make([]int, len(cases))
	const together = 256 // more would only take memory
	for some := range slices.Chunk(byCluster(cases), together) {
		details := make([]detail, len(some))
		parallel.Each(len(some), func(i int) { details[i] = b.detail(cases[some[i]]) })
		for i, k := range some {
			b.pool.of(cases[k].c, &details[i])
		}
		texts := make([][]byte, len(some))
		parallel.Each(len(some), func(i int) { texts[i] = encoded(&details[i]) })
		for i, k := range some {
			b.Chunk[k], b.Place[k] = b.packer.add(texts[i])
		}
		if err := b.packer.compress(false); err != nil {
			return nil, err
		}
	}
	for _, p := range cases {
		b.add(p)
	}
	for k := range b.letters {
		b.Verdicts, b.Levels = append(b.Verdicts, string(b.letters[k])), append(b.Levels, string(b.levels[k]))
	}
	b.weigh(layout)
	if err := b.suspect(); err != nil {
		return nil, err
	}
	for _, doc := range b.pool.docs {
		chunk, place := b.packer.add(encoded(doc))
		b.ToolChunk, b.ToolPlace = append(b.ToolChunk, chunk), append(b.ToolPlace, place)
	}
	return b, nil
}

// errataOf returns the defects of cases in the mode of one of the runs.
func errataOf(digest string, runs []*Entry) map[string]string {
	out := map[string]string{}
	list, err := errata.For(digest)
	if err != nil || list == nil {
		return out
	}
	for _, item := range list.Items {
		if !slices.ContainsFunc(runs, func(e *Entry) bool { return item.Concerns(e.run.Mode) }) {
			continue
		}
		kind := string(item.Kind)
		if item.Mode != "" { // the other runs may be of another
			kind += " in " + string(item.Mode) + " mode"
		}
		out[item.ID] = kind + ": " + item.Reason
	}
	return out
}

// The caps on texts of the index, in bytes: how much of a question and of a
// reason a list shows. The full texts can be searched once they are unpacked.
const (
	capQuestion = 100
	longestTag  = 100
	capReason   = 140
)

// byCluster returns the places of the cases, with those of a cluster together:
// what they have in common is compressed away.
func byCluster(cases []*posed) []int {
	clusters, first := eval.New(0), map[string]int{}
	for _, p := range cases {
		clusters.Add(p.category, p.c)
	}
	out := make([]int, len(cases))
	for i, p := range slices.Backward(cases) {
		out[i], first[clusters.Of(p.c)] = i, i
	}
	slices.SortStableFunc(out, func(i, k int) int { return first[clusters.Of(cases[i].c)] - first[clusters.Of(cases[k].c)] })
	return out
}

func (b *book) add(p *posed) {
	for k := range b.runs {
		b.judged(k, p.category, p.results[k])
	}
	for _, tag := range p.c.Tags() {
		tag = say.Plain(tag, longestTag)
		b.Tags[tag] = append(b.Tags[tag], len(b.IDs))
	}
	b.byCase[caseKey{p.category.Name, p.c.ID}] = len(b.IDs)
	if text, ok := b.wrong[p.c.ID]; ok {
		b.Errata[len(b.IDs)] = text
	}
	b.IDs = append(b.IDs, say.Printable(p.c.ID, 200))
	b.Category = append(b.Category, place(&b.Categories, b.byName, p.category.Name))
	b.Questions = append(b.Questions, strings.Join(strings.Fields(visible(p.c.Question(), capQuestion)), " "))
}

// judged adds the outcome of a case in a run.
func (b *book) judged(k int, cat *eval.Category, results []*eval.Result) {
	letter, level, errorType, reason := byte('-'), byte('-'), -1, ""
	failed := []int{}
	var seconds, dollars float64
	for _, result := range results {
		if one := result.Status.String()[0]; letter == '-' || letter == one { // of pass, fail, error
			letter = one
		} else {
			letter = 'x'
		}
		seconds += result.Latency.Seconds()
		dollars += b.runs[k].run.CostOf(result).Dollars
		if result.Seen && result.Status != eval.Error && cat.Compares() {
			level = '0' + byte(result.Level)
		}
		if result.ErrorType != "" {
			errorType = place(&b.Types, b.byType, say.Printable(result.ErrorType, 120))
		}
		if !result.Passed() {
			if failed = append(failed, b.cause(result.Cause)); len(failed) == 1 {
				reason = result.Reason(capReason)
			}
		}
	}
	b.letters[k], b.levels[k] = append(b.letters[k], letter), append(b.levels[k], level)
	b.Errors[k], b.Failed[k] = append(b.Errors[k], errorType), append(b.Failed[k], failed)
	b.Reasons[k] = append(b.Reasons[k], reason)
	b.Latency[k] = append(b.Latency[k], int(seconds*100+0.5))
	b.Cost[k] = append(b.Cost[k], int(dollars*1e6+0.5))
}

// cause returns the place of a cause and of the groups it falls into.
func (b *book) cause(c cause.Cause) int {
	if at, ok := b.byCause[c]; ok {
		return at
	}
	at := len(b.Causes)
	one := indexCause{Kind: b.kind(c.Kind), Function: c.Function, Parameter: c.Parameter, Want: c.Want, Got: c.Got, Detail: c.Detail()}
	for by, grouping := range cause.Groupings {
		key := groupKey{by, c.Key(grouping)}
		group, ok := b.byGroup[key]
		if !ok {
			group = len(b.Alike)
			a := alike{By: by, Cause: at, Detail: key.Detail()}
			if by == 0 {
				a.Got = key.Got
			}
			b.Alike = append(b.Alike, a)
			b.byGroup[key] = group
		}
		one.Alike[by] = group
	}
	b.Causes, b.byCause[c] = append(b.Causes, one), at
	return at
}

func (b *book) kind(kind cause.Kind) int {
	at, ok := b.byKind[kind]
	if !ok {
		at = len(b.Kinds)
		b.Kinds, b.Titles = append(b.Kinds, kind), append(b.Titles, kind.Title())
		b.byKind[kind] = at
	}
	return at
}

// weigh adds what a failure costs, and which categories belong together.
func (b *book) weigh(layout *score.Layout) {
	for _, level := range append([]cause.Level{cause.Ground}, cause.Levels()...) {
		b.LevelTitle = append(b.LevelTitle, level.Title())
	}
	for _, e := range b.runs {
		worth := e.run.Worth()
		row := make([]float64, len(b.Categories))
		for i, name := range b.Categories {
			row[i] = worth[name]
		}
		b.Worth = append(b.Worth, row)
	}
	b.Groups, b.GroupTitles = map[string][]int{}, map[string]string{}
	layout.Walk(func(n *score.Node, _ int, _ bool) {
		if len(n.Parts)+len(n.Aside) == 0 {
			return
		}
		b.GroupTitles[n.Name] = titleOf(n)
		for _, name := range below(n) {
			if at, ok := b.byName[name]; ok {
				b.Groups[n.Name] = append(b.Groups[n.Name], at)
			}
		}
	})
}

// below returns the categories of a group.
func below(n *score.Node) (out []string) {
	for _, part := range append(append([]*score.Node(nil), n.Parts...), n.Aside...) {
		if len(part.Parts) == 0 {
			out = append(out, part.Name)
		}
		out = append(out, below(part)...)
	}
	return out
}

// place returns the place of a name in a list, and adds a new name.
func place(list *[]string, at map[string]int, name string) int {
	i, ok := at[name]
	if !ok {
		i = len(*list)
		*list = append(*list, name)
		at[name] = i
	}
	return i
}
