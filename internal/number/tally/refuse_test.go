package tally_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// about is what a JUnit file of two cases of the starter suite says of its run,
// with some of it changed.
func about(t *testing.T, changed map[string]string) map[string]string {
	t.Helper()
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	digest := testkit.Must(dataset.Digest())(t)
	attrs := map[string]string{
		"model": "m", "dataset": "starter", "digest": digest, "categories": "irrelevance", "trials": "1", "selection": "irrelevance_0,irrelevance_1",
	}
	maps.Copy(attrs, changed)
	return attrs
}

// junitOf writes a JUnit file of test cases.
func junitOf(t *testing.T, cases ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "junit.xml")
	text := `<testsuites><testsuite name="p">` + strings.Join(cases, "") + "</testsuite></testsuites>"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const (
	passed0 = `<testcase classname="github.com/gobfcl/bfcl" name="TestBFCL/irrelevance/irrelevance_0"></testcase>`
	passed1 = `<testcase classname="github.com/gobfcl/bfcl" name="TestBFCL/irrelevance/irrelevance_1"></testcase>`
)

// TestJUnitIsRefused: a file that does not hold one whole run says why.
func TestJUnitIsRefused(t *testing.T) {
	root := func(changed map[string]string) string { return element("TestBFCL", "", about(t, changed)) }
	skipped := func(name, why string) string {
		return element("TestBFCL/irrelevance/"+name, `<skipped message="`+why+`"></skipped>`, nil)
	}
	for _, test := range []struct {
		name  string
		cases []string
		want  string
	}{
		{"not begun", []string{element("TestBFCL", failed("    bfcl_test.go:9: the key is missing\n"), nil)}, "the run did not begin: the key is missing"},
		{"silent", []string{element("TestBFCL", "", nil)}, "the run did not begin: its test ended without a message"},
		{"no trials", []string{root(map[string]string{"trials": "0"})}, `not have a valid number of trials: "0"`},
		{"no number", []string{root(map[string]string{"trials": "x"})}, `not have a valid number of trials: "x"`},
		{"shard", []string{root(map[string]string{"shard": "9/3"})}, "with 3 shards the index must be 0 to 2, not 9"},
		{"twice", []string{root(nil), root(nil)}, "it holds 2 runs of TestBFCL"},
		{"enriched", []string{`<testcase classname="p" name="simple_python_0"></testcase>`}, "this looks like an enriched report"},
		{"other", []string{`<testcase classname="q" name="TestOther"></testcase>`}, `it holds no TestBFCL, so it is not JUnit of this suite (its test suites: p)`},
		{"counted", []string{root(map[string]string{"selection": "#2"}), passed0, passed1}, `the run was made of "2" chosen cases, too many for the file to list`},
		{"unknown ids", []string{root(map[string]string{"selection": "irrelevance_9999"})}, "irrelevance_9999"},
		{"unknown cases", []string{root(nil), passed0, passed1, element("TestBFCL/irrelevance/a", "", nil), element("TestBFCL/irrelevance/b", "", nil)}, `2 cases are not in dataset "starter": irrelevance/a, irrelevance/b; `},
		{"a right answer with an error", []string{root(nil), passed0, element("TestBFCL/irrelevance/irrelevance_1", "", map[string]string{"error_type": "value_error"})}, "the file was changed after the run"},
		{"one missing", []string{root(nil), passed0}, "1 of 2 cases have no verdict: irrelevance/irrelevance_1; ask again"},
		{"skipped", []string{root(nil), passed0, skipped("irrelevance_1", "the budget is spent; this case has no answer")}, "1 of 2 cases have no verdict: irrelevance/irrelevance_1; the budget is spent; ask again"},
		{"skipped without a word", []string{root(nil), passed0, skipped("irrelevance_1", "")}, "the run was stopped; ask again"},
		{"skipped and missing", []string{root(nil), skipped("irrelevance_1", "x")}, "2 of 2 cases have no verdict: irrelevance/irrelevance_0, irrelevance/irrelevance_1; ask again"},
	} {
		assert.ErrorContains(t, testkit.Err(tally.Read([]string{junitOf(t, test.cases...)}, tally.Options{})), test.want, test.name)
	}
}

// TestSpendWrite: what is not known is not printed.
func TestSpendWrite(t *testing.T) {
	number := func(f float64) *float64 { return &f }
	for _, test := range []struct {
		spend tally.Spend
		asked bool
		want  string
	}{
		{tally.Spend{}, false, ""},
		{tally.Spend{LatencyMean: number(0.001), LatencyStdDev: number(0), LatencyP95: number(0.002)}, false, "latency  0.00 s mean, 0.00 s deviation, 0.00 s 95th percentile\n"},
		{tally.Spend{TTFTMean: number(0.25), TTFTP95: number(0.5)}, false, "ttft     0.25 s mean to the first token, 0.50 s 95th percentile\n"},
		{tally.Spend{InputTokens: 5, OutputTokens: 6}, true, "tokens   5 in, 6 out\n"},
		{
			tally.Spend{LatencyMean: number(1.234), LatencyStdDev: number(0.5), LatencyP95: number(2), Cost: number(0.25), CostPer1000: number(1.5), Basis: "time"}, true,
			"latency  1.23 s mean, 0.50 s deviation, 2.00 s 95th percentile\ncost     $0.2500, $1.5000 per 1,000 answers (estimated by time: the model's price is not known)\n",
		},
		{tally.Spend{OutputTokens: 6, Cost: number(0.25), CostPer1000: number(1.5), Basis: "tokens"}, true, "tokens   0 in, 6 out\ncost     $0.2500, $1.5000 per 1,000 answers (by the answers' tokens, without what else was sent)\n"},
	} {
		var b bytes.Buffer
		require.NoError(t, test.spend.Write(&b))
		assert.Equal(t, test.want, b.String())
		assert.Equal(t, test.asked, test.spend.Asked())
	}
	priced := &tally.Run{Run: record.Run{Prices: &record.Prices{Input: 1, Output: 1}}}
	assert.Equal(t, tally.Spend{}, priced.Spend(), "no answer has no price")
}

// TestShardsThatDoNotFit: shards are all of one run and all are there, but for
// one that is taken for a run of its own.
func TestShardsThatDoNotFit(t *testing.T) {
	shard := func(text string, change func(*record.Run)) string {
		f := run(t, t.TempDir(), "irrelevance", "", 1, never)
		f.run.Shard = text
		if change != nil {
			change(f.run)
		}
		require.NoError(t, record.WriteRun(f.dir, f.run))
		return f.dir
	}
	first, second := shard("0/2", nil), shard("1/2", nil)
	whole := testkit.Must(tally.Read([]string{second, first}, tally.Options{}))(t)
	one := testkit.Must(tally.Read([]string{first}, tally.Options{Shard: true}))(t)
	other := testkit.Must(tally.Read([]string{second}, tally.Options{Shard: true}))(t)
	assert.Equal(t, whole.Len(), one.Len()+other.Len())
	assert.Equal(t, "0/2", one.Shard)
	assert.Empty(t, whole.Shard)

	again := shard("0/2", nil)
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{first}, "1 of the run's 2 shards are missing: 1/2; a score needs all of them"},
		{[]string{first, again}, "are both shard 0/2: name each shard once"},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Model = "other" })}, `has model "scripted"`},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Trials = 2 })}, `has trials "1"`},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Mode = eval.Prompt })}, `has mode "fc"`},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Parameters = map[string]string{"temperature": "1"} })}, `has temperature ""`},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Parameters = map[string]string{"base_url": "http://b/v1"} })}, `has base_url ""`},
		{[]string{first, shard("1/2", func(r *record.Run) { r.Wording = "other" })}, `has wording ""`},
		{[]string{first, shard("1/3", nil)}, `has shards "2"`},
		{[]string{shard("2/2", nil)}, "run.json: with 2 shards the index must be 0 to 1, not 2"},
		{[]string{shard("", func(r *record.Run) { r.Categories = []string{"nothing"} })}, "nothing"},
		{[]string{shard("", func(r *record.Run) { r.Digest = "0123456789abcdef" })}, `its dataset "starter" had digest "0123456789ab"`},
		{[]string{shard("", func(r *record.Run) { r.Dataset = "/no/such/folder" })}, "if the dataset has moved, name its folder with --dataset"},
		{[]string{shard("", func(r *record.Run) { r.Dataset = "v4" })}, "v4"},
		{[]string{t.TempDir()}, "holds neither junit.xml nor run.json: it is not a run folder"},
	} {
		assert.ErrorContains(t, testkit.Err(tally.Read(test.paths, tally.Options{Data: t.TempDir()})), test.want)
	}
}

// TestRecordedErrors: of several lines for a case the last counts; a last line
// that a kill tore is left out, one in the middle is refused.
func TestRecordedErrors(t *testing.T) {
	f := run(t, t.TempDir(), "irrelevance", "irrelevance_0", 1, func(string, int) bool { return true })
	path := filepath.Join(f.dir, "errors.jsonl")
	line := func(kind string) string {
		return `{"id":"irrelevance_0","category":"irrelevance","trial":0,"kind":"` + kind + `","error":"` + kind + `: gone"}` + "\n"
	}
	require.NoError(t, os.WriteFile(path, []byte(line("reset")+line("timeout")+`{"id":`), 0o644))
	r := read(t, f.dir)
	assert.Equal(t, "infrastructure:timeout", r.Parts[0].Results[0].ErrorType)
	assert.Contains(t, r.Parts[0].Results[0].Text, "gone")
	require.NoError(t, os.WriteFile(path, []byte(line("reset")+"{\n"+line("timeout")), 0o644))
	assert.ErrorContains(t, testkit.Err(tally.Read([]string{f.dir}, tally.Options{})), "errors.jsonl:2: ")
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o755))
	assert.ErrorContains(t, testkit.Err(tally.Read([]string{f.dir}, tally.Options{})), "errors.jsonl")
}

// TestKinds: the most frequent error type first, and of equals the first by
// name.
func TestKinds(t *testing.T) {
	part := tally.Part{Category: categories.Find("simple_python")}
	for i, kind := range []string{"b", "", "a", "c", "c", "c"} {
		status := eval.Fail
		if kind == "" {
			status = eval.Pass
		}
		part.Results = append(part.Results, eval.Result{Case: &eval.Case{ID: string(rune('p' + i))}, Verdict: eval.Verdict{Status: status, ErrorType: kind}, Text: kind + ": why\nmore"})
	}
	r := &tally.Run{Parts: []tally.Part{part}}
	var got []string
	for _, k := range r.Kinds() {
		got = append(got, k.ErrorType+" "+k.Example.Case.ID+" "+k.Summary())
	}
	assert.Equal(t, []string{"c s why", "a r why", "b p why"}, got)
	broken := read(t, junitOf(t, element("TestBFCL", "", about(t, nil)), passed0, element("TestBFCL/irrelevance/irrelevance_1", failed("panic: boom\n"), nil)))
	assert.Equal(t, []any{1, "infrastructure:harness", "panic: boom"}, []any{broken.Errors(), broken.Kinds()[0].ErrorType, broken.Kinds()[0].Summary()}, "a failure without a verdict")
}

// TestOwnSuite: a run of a user's own suite is scored by the suite's weights.
func TestOwnSuite(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": "name: s\ntools: [{functions: t.yaml}]\ncategories:\n  - {name: a, kind: irrelevance, cases: a.yaml, weight: 3}\n  - {name: b, kind: irrelevance, cases: b.yaml}\n",
		"t.yaml":     "- name: f\n", "a.yaml": "- {id: a, question: q}\n", "b.yaml": "- {id: b, question: q}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	dataset := testkit.Must(fixtures.Open(dir, ""))(t)
	digest := testkit.Must(dataset.Digest())(t)
	cats := dataset.Categories().All()
	require.Len(t, cats, 2)
	id := func(cat *eval.Category) string {
		cases := testkit.Must(dataset.Cases(cat))(t)
		return cases[0].ID
	}
	path := junitOf(t,
		element("TestBFCL", "", map[string]string{"model": "m", "dataset": dir, "digest": digest, "categories": cats[0].Name + "," + cats[1].Name, "trials": "1"}),
		element("TestBFCL/"+cats[0].Name+"/"+id(cats[0]), "", nil),
		element("TestBFCL/"+cats[1].Name+"/"+id(cats[1]), failed("x"), map[string]string{"error_type": "irrelevance_error:decoder_success"}))
	r := testkit.Must(tally.Read([]string{path}, tally.Options{}))(t)
	assert.Equal(t, map[string]int{cats[0].Name: 1, cats[1].Name: 1}, r.Sizes())
	assert.Same(t, r.Layout(), r.Layout())
	assert.Equal(t, "s", r.Suite)
	s := testkit.Must(r.Score(false))(t)
	assert.InDelta(t, 0.75, s.Overall.Accuracy, 1e-12, "the right answer weighs three times the wrong one")

	rest, left := r.Without([]string{id(cats[1])})
	assert.Len(t, left, 1)
	assert.Equal(t, map[string]int{cats[0].Name: 1, cats[1].Name: 0}, rest.Sizes())
}

// TestIdentity: parts of runs with equal settings are told apart by their ids.
func TestIdentity(t *testing.T) {
	t.Parallel()
	part := func(t *testing.T, shard, id, job string) string {
		t.Helper()
		f := run(t, filepath.Join(t.TempDir(), "part"), "irrelevance,multiple", "", 1, never)
		f.run.Shard, f.run.ID, f.run.Job = shard, id, job
		require.NoError(t, record.WriteRun(f.dir, f.run))
		return f.dir
	}
	for name, c := range map[string]struct {
		second [3]string // shard, id and job beside 0/2, a, j
		id     string
		said   string // in the error, or in a note
	}{
		"shards of one job":      {[3]string{"1/2", "b", "j"}, "a+b", ""},
		"a shard of another job": {[3]string{"1/2", "b", "k"}, "", `has job "j"`},
		"without a job":          {[3]string{"1/2", "b", ""}, "a+b", "nothing names the run that the shards are parts of"},
		"twice":                  {[3]string{"1/2", "a", "j"}, "", "are the same run (a)"},
		"an older shard":         {[3]string{"1/2", "", "j"}, "", "without a run id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tally.Read([]string{part(t, "0/2", "a", "j"), part(t, c.second[0], c.second[1], c.second[2])}, tally.Options{})
			if err != nil {
				require.ErrorContains(t, err, c.said)
				assert.NotEmpty(t, c.said)
				return
			}
			assert.Equal(t, c.id, got.ID)
			if c.said != "" {
				require.NotEmpty(t, got.Notes)
				assert.Contains(t, got.Notes[0], c.said)
			}
		})
	}
}

// TestSplice: a file of another run with equal settings is refused, with JUnit
// beside it and without.
func TestSplice(t *testing.T) {
	t.Parallel()
	ours, others := run(t, t.TempDir(), "irrelevance", "", 1, never), run(t, t.TempDir(), "irrelevance", "", 1, never)
	file := filepath.Join("result", "non_live", record.FileName("irrelevance"))
	for _, f := range []*fake{ours, others} {
		rows := testkit.Must(record.Read(filepath.Join(f.dir, file), false))(t)
		var text []byte
		for _, row := range rows {
			line := testkit.Must(record.Line(row.ID, new(row.Response()), f.run.Mark(0)))(t)
			text = append(text, line...)
		}
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, file), text, 0o644))
	}
	path := ours.write(t)
	assert.Empty(t, read(t, path).Notes)
	spliced := testkit.Must(os.ReadFile(filepath.Join(others.dir, file)))(t)
	require.NoError(t, os.WriteFile(filepath.Join(ours.dir, file), spliced, 0o644))
	for _, name := range []string{path, ours.dir} {
		assert.ErrorContains(t, testkit.Err(tally.Read([]string{name}, tally.Options{})), "is an answer of another run")
	}
	require.NoError(t, os.Remove(path))
	assert.ErrorContains(t, testkit.Err(tally.Read([]string{ours.dir}, tally.Options{})), "is an answer of another run")
}
