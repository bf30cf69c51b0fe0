package number_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// folderOf is the folder of a run of the oracle.
func folderOf(t *testing.T, dir string) string {
	t.Helper()
	s := testkit.Must(suite.Open(suite.Options{Model: "oracle", Dataset: fixtures.Starter, Categories: "irrelevance", Trials: 1, RunDir: dir}))(t)
	s.Start()
	for _, c := range s.Plan.Parts[0].Cases {
		s.Engine.Run(t.Context(), s.Plan.Parts[0].Category, c, 0)
	}
	require.NoError(t, s.Finish(false))
	return dir
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestFor: what is read before a run: the rules, and one run to compare it with,
// whose name tells it from a new run of the same model.
func TestFor(t *testing.T) {
	const rules = "floors: {irrelevance: 50}\nregressions: {irrelevance: {detect: 2}, overall: {detect: 3}}"
	dir, both, data := t.TempDir(), t.TempDir(), t.TempDir()
	require.NoError(t, os.Rename(rooms(t), filepath.Join(data, "v4")))
	a := folderOf(t, filepath.Join(dir, "a"))
	for _, model := range []string{"m1", "m2"} { // two folders of results
		require.NoError(t, os.Mkdir(filepath.Join(both, model), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(both, model, "BFCL_v4_irrelevance_result.json"), []byte(`{"id": "irrelevance_0", "result": "No."}`+"\n"), 0o600))
	}
	for _, c := range []struct {
		name, rules, baseline, model string
		regressions                  int
		is, says                     string // the baseline, and the fault
		misuse                       bool
	}{
		{"no baseline", rules, "", "m", 2, "", "", false},
		{"none yet", rules, gate.None, "m", 0, "", "", false},
		{"a run", rules, a, "m", 2, "oracle", "", false},
		{"a run of the same model", rules, a, "oracle", 2, "oracle (" + a + ")", "", false},
		{"nothing there", rules, filepath.Join(dir, "gone"), "m", 2, "", "baseline: ", true},
		{"two runs", rules, both, "m", 2, "", "baseline: want one run, found 2: name a model's folder", true},
		{"a file with a fault", "florrs: {}", a, "m", 0, "", `unknown key "florrs"`, true},
	} {
		g, err := gate.For(written(t, "gate.yaml", c.rules), c.baseline, suite.Options{Model: c.model, Dataset: fixtures.Starter, Data: data})
		if c.says != "" {
			require.ErrorContains(t, err, c.says, c.name)
			assert.Equal(t, c.misuse, option.IsMisuse(err), c.name)
			continue
		}
		require.NoError(t, err, c.name)
		assert.Len(t, g.Rules.Regressions, c.regressions, c.name)
		if c.is == "" {
			assert.Nil(t, g.Baseline, c.name)
			continue
		}
		require.NotNil(t, g.Baseline, c.name)
		assert.Equal(t, c.is, g.Baseline.Name, c.name)
	}
	_, err := gate.Open(filepath.Join(dir, "gone.yaml"), "")
	require.Error(t, err)
	assert.True(t, option.IsMisuse(err), "a file that is not there is the caller's fault")
}

// TestOwnSuite: a gate file names the categories of a user's own suite, if that
// can be read, and no other file does.
func TestOwnSuite(t *testing.T) {
	dir := filepath.Join(testkit.ModuleRoot(t), "internal", "dataset", "ownsuite", "example")
	file := written(t, "gate.yaml", "floors: {requests: 50}")
	g := testkit.Must(gate.For(file, "", suite.Options{Model: "m", Dataset: dir}))(t)
	assert.Equal(t, "requests", g.Rules.Floors[0].Target)
	for _, other := range []string{fixtures.Starter, filepath.Join(dir, "gone")} {
		testkit.Fails(gate.For(file, "", suite.Options{Model: "m", Dataset: other}))(t, `unknown key "requests"`, other)
	}
	assert.Empty(t, gate.OwnCategories(score.V4), "they are nobody's own")
	assert.Empty(t, gate.OwnCategories(nil))
}

// TestNotComparable: a gate compares runs of the same cases of one dataset, or
// what they have in common if that is asked for.
func TestNotComparable(t *testing.T) {
	t.Parallel()
	rules := parse(t, "regressions: {simple_python: {detect: 2}}")
	elsewhere, fewer := newRun(60, 40, 0), newRun(50, 0, 0)
	elsewhere.Digest = "other"
	fewer.Sample = nil
	g := gate.Gate{Rules: rules, Baseline: elsewhere}
	_, err := g.Decide(newRun(60, 40, 0))
	require.ErrorContains(t, err, `the run's dataset has digest "d", the baseline's "other"`)
	assert.True(t, option.IsMisuse(err))
	run := newRun(60, 40, 0)
	run.Name, run.Sample = "new", nil
	g = gate.Gate{Rules: rules, Baseline: fewer}
	testkit.Fails(g.Decide(run))(t, "the runs have different cases")
	g.Rules.Partial, g.Intersect = true, true
	d := testkit.Must(g.Decide(run))(t)
	assert.Equal(t, "new", d.Model)
	assert.Contains(t, d.Rules[0].Got, "50 cases")
	assert.Contains(t, strings.Join(d.Notes, "\n"), "50 of 100 cases are left out")
}

// TestFirstRun: what a run without a baseline leaves out is said, once.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string][]string{
		"floors: {simple_python: 50}":                                                                  {"no baseline yet"},
		"floors: {simple_python: 50}\nregressions: {simple_python: {detect: 2}}":                       {"no baseline yet, so the gate's rules about losses are left out: 1"},
		"floors: {simple_python: 50}\nregressions: {simple_python: {detect: 2}, overall: {detect: 3}}": {"no baseline yet, so the gate's rules about losses are left out: 2"},
	} {
		g := testkit.Must(gate.Open(written(t, "gate.yaml", rules), gate.None))(t)
		d := testkit.Must(g.Decide(newRun(60, 40, 0)))(t)
		assert.Equal(t, want, d.Notes[len(d.Notes)-1:], rules)
		assert.Len(t, d.Rules, 1)
		assert.Equal(t, gate.Passed, d.Outcome)
		testkit.Fails(g.Decide(newRun(0, 0, 0)))(t, "has no cases")
	}
	g := testkit.Must(gate.Open(written(t, "gate.yaml", "floors: {simple_python: 50}"), "some run"))(t)
	d := testkit.Must(g.Decide(newRun(60, 40, 0)))(t)
	assert.NotContains(t, strings.Join(d.Notes, "\n"), "baseline")
}

// TestRelease: a rule holds a run against a release beside the last run; the run
// itself is neither.
func TestRelease(t *testing.T) {
	t.Parallel()
	const text = `baselines: {last: a, release: runs/b}
regressions:
  simple_python:
    - {detect: 2}
    - {against: release, points: 3, on: interval}
required: [simple_python_0]
`
	file := written(t, "gate.yaml", text)
	g := testkit.Must(gate.Open(file, ""))(t)
	assert.Equal(t, filepath.Join(filepath.Dir(file), "runs", "b"), g.Rules.Release)
	last, release := flipped(400, 39, 0, 0), flipped(400, 0, 0, 0)
	require.NoError(t, g.Read(func(path string) (*tally.Run, error) {
		return map[string]*tally.Run{"a": last, "b": release}[filepath.Base(path)], nil
	}))
	run := flipped(400, 40, 0, 0)
	for i, r := range []*tally.Run{run, last, release} {
		r.ID = strconv.Itoa(i)
		for _, result := range r.All() {
			result.Case.Category = "simple_python"
		}
	}
	d := testkit.Must(g.Decide(run))(t)
	assert.Equal(t, gate.Failed, d.Outcome)
	require.Len(t, d.Rules, 3)
	assert.Equal(t, gate.Passed, d.Rules[0].Outcome, "the last run lost nearly all of it")
	assert.Equal(t, gate.Failed, d.Rules[1].Outcome)
	assert.Regexp(t, `^lost since the release: 10\.0 points \(6\.\d to 1\d\.\d\); allowed 3, by its interval; `, d.Rules[1].Text())
	tests := g.Tests(d, run)
	assert.Equal(t, []string{"regression", "release", "simple_python"}, tests[2].Path)
	assert.Len(t, tests[2].Cases, 40)
	g.Release = run
	testkit.Fails(g.Decide(run))(t, "is its own baseline")
	first := testkit.Must(gate.Open(file, gate.None))(t)
	assert.Len(t, first.Rules.Regressions, 1, "there is a release before there is a last run")
}

// TestButMemory: what memory loses is not held against the others, and a loss of
// the others is not hidden by it.
func TestButMemory(t *testing.T) {
	t.Parallel()
	both := func(memory, simple int) *tally.Run {
		r := flipped(400, simple, 0, 0)
		other := flipped(100, memory, 0, 0)
		other.Parts[0].Category = categories.Find("memory_kv")
		for i, result := range other.Parts[0].Results {
			result.Case.ID = "memory_kv_" + strconv.Itoa(i)
		}
		r.Parts = append(r.Parts, other.Parts[0])
		return r
	}
	rules := parse(t, "partial: true\nregressions: {overall_without_memory: {detect: 5}}")
	for _, c := range []struct {
		memory, simple int
		want           gate.Outcome
		got            string
	}{{60, 0, gate.Passed, "unchanged"}, {0, 40, gate.Failed, "lost 10.0"}} {
		d := testkit.Must(gate.Decide(rules, both(c.memory, c.simple), both(0, 0)))(t)
		require.Len(t, d.Rules, 1)
		assert.Equal(t, c.want, d.Rules[0].Outcome)
		assert.Contains(t, d.Rules[0].Got, c.got)
		assert.Contains(t, d.Rules[0].Got, "400 cases")
		assert.Len(t, d.Rules[0].Cases, c.simple)
	}
	alone := both(0, 0)
	alone.Parts = alone.Parts[1:]
	d := testkit.Must(gate.Decide(rules, alone, alone))(t)
	assert.Equal(t, gate.Undecided, d.Outcome, "memory alone has no others")
}

// TestTell: in GitHub Actions a decision is added to the step's summary, and
// annotates the gate file; elsewhere it does neither. A summary that cannot be
// written is said and changes nothing.
func TestTell(t *testing.T) {
	d := testkit.Must(gate.Decide(parse(t, "floors: {simple_python: 99}"), newRun(60, 40, 0), nil))(t)
	for _, c := range []struct {
		actions, summary string
		annotated        bool
		says             string
	}{
		{"", "", false, ""},
		{"true", "", true, ""},
		{"false", "", false, ""},
		{"", "summary.md", false, ""},
		{"true", "summary.md", true, ""},
		{"", "gone/summary.md", false, "bfcl: no step summary: "},
		{"", strings.Repeat("gone/", 99) + "summary.md", false, "bfcl: no step summary: "},
	} {
		dir := t.TempDir()
		path := ""
		if c.summary != "" {
			path = filepath.Join(dir, c.summary)
		}
		t.Setenv("GITHUB_ACTIONS", c.actions)
		t.Setenv("GITHUB_STEP_SUMMARY", path)
		var out bytes.Buffer
		require.NoError(t, export.Tell(&out, d, "gate.yaml"))
		require.NoError(t, export.Tell(&out, d, "gate.yaml"))
		assert.Equal(t, c.annotated, strings.Contains(out.String(), "::error file=gate.yaml,line=1,"), "%+v", c)
		assert.Equal(t, c.says != "", strings.Contains(out.String(), "bfcl:"), "%+v", c)
		assert.Contains(t, out.String(), c.says)
		if strings.Count(c.summary, "/") > 9 {
			first, _, _ := strings.Cut(out.String(), "\n")
			assert.Len(t, first, len(c.says)+300+len("…"), "a long path is cut")
		}
		if c.summary == "summary.md" {
			text := testkit.Must(os.ReadFile(path))(t)
			var once bytes.Buffer
			require.NoError(t, export.Decision(&once, say.Screen{Markdown: true}, d))
			assert.Equal(t, strings.Repeat(once.String()+"\n", 2), string(text), "both are there")
			info := testkit.Must(os.Stat(path))(t)
			assert.Zero(t, info.Mode().Perm()&0o111, "it is no program")
		}
	}
}

// TestExampleText: every figure in the comments of the file that --init prints.
func TestExampleText(t *testing.T) {
	t.Parallel()
	text := testkit.Must(gate.Template("starter", "", "live,memory", 0))(t)
	golden(t, "example.txt", text)
}
