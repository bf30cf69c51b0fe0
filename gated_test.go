package bfcl_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// childVariable is the file that stands for a terminal, in a child.
const childVariable = "BFCL_TEST_GATED"

// terminal is where the progress is shown.
func terminal() io.Writer {
	name := os.Getenv(childVariable)
	if name == "" {
		return gotest.Terminal()
	}
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	return file
}

// An end is what came of a child.
type end struct {
	code             int
	output, terminal string
}

// child runs the suite in a folder of its own over one category, of which the
// heuristic baseline gets some wrong.
func child(t *testing.T, dir string, args ...string) end {
	t.Helper()
	all := []string{"-model=heuristic", "-categories=simple_python", "-run-dir=" + filepath.Join(dir, "run")}
	return childOf(t, dir, append(all, args...))
}

func childOf(t *testing.T, dir string, args []string) end {
	t.Helper()
	require.Empty(t, os.Getenv(childVariable), "a child has none")
	terminal := filepath.Join(t.TempDir(), "terminal")
	run := exec.CommandContext(t.Context(), os.Args[0], args...)
	summary := filepath.Join(dir, "summary.md")
	run.Env = append(os.Environ(), childVariable+"="+terminal, "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+summary)
	out, err := run.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		require.NoError(t, err)
	}
	said, _ := os.ReadFile(terminal)
	return end{code: run.ProcessState.ExitCode(), output: string(out), terminal: string(said)}
}

// results counts how the tests of a child that match an expression ended.
func (e end) results(expression string) map[string]int {
	out := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^ *--- ([A-Z]+): (\S+) \(`).FindAllStringSubmatch(e.output, -1) {
		if regexp.MustCompile("^" + expression + "$").MatchString(m[2]) {
			out[m[1]]++
		}
	}
	return out
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// judgedAgain holds that the recorded answers give the score and the report
// that the test left.
func judgedAgain(t *testing.T, dir string) {
	t.Helper()
	again := testkit.Must(tally.Read([]string{dir}, tally.Options{}))(t)
	s := testkit.Must(again.Score(false))(t)
	other := t.TempDir()
	require.NoError(t, export.ScoreOf(again, s).Write(other))
	require.NoError(t, again.Report().Write(filepath.Join(other, tally.ReportFile)))
	for _, name := range []string{tally.ScoreFile, tally.ReportFile} {
		want := testkit.Must(os.ReadFile(filepath.Join(other, name)))(t)
		got := testkit.Must(os.ReadFile(filepath.Join(dir, name)))(t)
		untimed := regexp.MustCompile(` time="[^"]*"`)
		assert.Equal(t, untimed.ReplaceAllString(string(want), ""), untimed.ReplaceAllString(string(got), ""), name)
	}
}

const aCase = "TestBFCL/simple_python/[^/]*"

// TestGates: each rule is a test, and so is each case that broke one. With a
// gate a wrong answer fails nothing.
func TestGates(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, gate, undecided string
		code                  int
		rule                  string // how the test of the rule ended
		below                 int    // cases that broke it
		says, terminal        string
	}{
		{"none", "", "", 1, "", 0, "2 of 32 passed, 30 failed", ""},
		{"passed", "{floors: {simple_python: 1%}, min_cases: 1}", "", 0, "PASS", 0, "gate.yaml:1: at least 1%; 6.25% (", "Gate passed: 1 rule.\n"},
		{"failed", "{floors: {simple_python: 99}, min_cases: 1}", "", 1, "FAIL", 30, "DO NOT MERGE: ", ""},
		{"undecided", "{floors: {simple_python: {min: 10, on: interval}}}", "", 2, "SKIP", 0, "Gate undecided: ", ""},
		{"undecided, and that passes", "{floors: {simple_python: {min: 10, on: interval}}}", "pass", 0, "SKIP", 0, "Gate undecided: ", "Gate undecided: 1 of 1 rules undecided, none failed.\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var args []string
			if row.gate != "" {
				args = append(args, "-gate="+write(t, row.gate))
			}
			if row.undecided != "" {
				args = append(args, "-undecided="+row.undecided)
			}
			quiet := child(t, dir, args...)
			got := child(t, dir, append(args, "-test.v")...)
			assert.Equal(t, row.code, got.code, got.output)
			assert.Equal(t, row.code, quiet.code)
			assert.Contains(t, quiet.terminal, row.terminal)
			end := quiet.terminal
			if row.code != 0 { // go test shows what a test prints that fails
				assert.Empty(t, end)
				end = quiet.output
			}
			assert.Regexp(t, `(?m)^heuristic on starter: 6\.25% weighted.*\n30 wrong answers cost .*\n(.*Gate.*\n|DO NOT MERGE.*\n)?next   .*failures .*\nfiles  .*run$`, end)
			assert.Contains(t, got.output, row.says)
			assert.Contains(t, got.output, "fixtures/starter/BFCL_v4_simple_python.json:1: value_error:", "a failure is at the case's line")
			report := testkit.Must(os.ReadFile(filepath.Join(dir, "run", "report.xml")))(t)
			score := testkit.Must(os.ReadFile(filepath.Join(dir, "run", "score.json")))(t)
			summary, none := os.ReadFile(filepath.Join(dir, "summary.md"))
			if row.gate == "" {
				assert.Equal(t, map[string]int{"PASS": 2, "FAIL": 30}, got.results(aCase))
				assert.Contains(t, string(report), `failures="30" errors="0" skipped="0"`)
				assert.ErrorIs(t, none, os.ErrNotExist)
				judgedAgain(t, filepath.Join(dir, "run"))
				return
			}
			assert.Equal(t, map[string]int{"PASS": 2, "SKIP": 30}, got.results(aCase), "the gate decides")
			assert.Equal(t, map[string]int{"PASS": 1}, got.results("TestGate/complete"))
			assert.Equal(t, map[string]int{row.rule: 1}, got.results("TestGate/floor/simple_python"))
			assert.Equal(t, row.below, got.results("TestGate/floor/simple_python/.*")["FAIL"])
			assert.Equal(t, row.code != 0, strings.Contains(got.output, "--- FAIL"))
			assert.Equal(t, row.below > 0, strings.Contains(string(report), `classname="TestGate/floor/simple_python" name="simple_python_0"`))
			assert.Contains(t, string(summary), "<!-- bfcl gate -->")
			stuck := row.rule == "SKIP" && row.code == 2
			assert.Equal(t, stuck, strings.Contains(string(report), `name="decided"`), "an undecided gate is not green")
			if stuck {
				const rule = "floor simple_python: at least 10%, by its interval; 6.25% (0.92 to 20.15, 32 cases); the 95% interval, 0.92 to 20.15, includes 10; about 246 cases like these would decide"
				assert.Contains(t, quiet.output, "none failed.\n          "+rule, "TestGate's own error names each rule")
				assert.Contains(t, got.output, "gate.yaml:1: "+rule, "and so does each skip")
				assert.Contains(t, string(report), `message="`+rule+`"`)
			}
			level := map[string]string{"FAIL": "::error file=", "SKIP": "::warning file="}[row.rule]
			assert.Contains(t, got.output, level)
			assert.Equal(t, level != "", strings.Contains(got.output, ",line=1,title=bfcl gate"), "GitHub's annotations")
			assert.Contains(t, string(score), `"outcome": "`+map[string]string{"PASS": "passed", "FAIL": "failed", "SKIP": "undecided"}[row.rule])
		})
	}
}

// TestBaseline: a run is held against another, be it the one that it moves
// aside, and none is a baseline that is yet to come. A case that broke several
// rules is below the narrowest.
func TestBaseline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, "{regressions: {overall: {detect: 1}, simple_python: {detect: 1}}, floors: {simple_python: 2}, min_cases: 1, partial: true}")
	first := child(t, dir, "-gate="+file, "-baseline=none", "-test.v")
	assert.Zero(t, first.code, first.output)
	assert.Contains(t, first.output, "no baseline yet, so the gate's rules about losses are left out: 2")
	again := child(t, dir, "-gate="+file, "-baseline="+filepath.Join(dir, "run"), "-test.v")
	assert.Zero(t, again.code, again.output)
	assert.Equal(t, map[string]int{"PASS": 2}, again.results("TestGate/regression/[a-z_]*"))
	best := filepath.Join(dir, "best")
	oracle := child(t, dir, "-model=oracle", "-run-dir="+best)
	require.Zero(t, oracle.code, oracle.output)
	lost := child(t, dir, "-gate="+file, "-baseline="+best)
	assert.Equal(t, 1, lost.code, lost.output)
	assert.Equal(t, map[string]int{"FAIL": 2}, lost.results("TestGate/regression/[a-z_]*"))
	assert.Equal(t, map[string]int{"FAIL": 30}, lost.results("TestGate/regression/simple_python/.*"))
	assert.Empty(t, lost.results("TestGate/regression/overall/.*"))
	assert.Contains(t, lost.output, "baseline  \"[{'bank_compound_balance'")
}

// TestNothingToDecide: what is no complete run passes no gate, an older run in
// the same folder neither.
func TestNothingToDecide(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gate := "-gate=" + write(t, "{floors: {simple_python: 2}, min_cases: 1}")
	require.Zero(t, child(t, dir, gate).code)
	for _, row := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"the run is refused", []string{"-categories=nonsense", gate}, 3, `unknown category "nonsense"`},
		{"no suite", []string{"-test.run=^TestOther$", gate}, 3, "-run=^TestOther$ chooses no case: the tests are TestBFCL/<category>/<case id>\n"},
		{"no gate's test", []string{"-test.run=^TestBFCL$", gate}, 3, "the gate would decide nothing: -run=^TestBFCL$ leaves TestGate out; use '-run=^TestBFCL$|TestGate'"},
		{"no gate's test, skipped", []string{"-test.skip=^TestGate$", gate}, 3, "-skip=^TestGate$ leaves out all of TestGate"},
		{"a gate's test alone", []string{"-test.run=^TestGate$", gate}, 3, "-run=^TestGate$ chooses no case"},
		{"a part", []string{"-test.run=^TestBFCL$/^simple_python$/_1|TestGate", "-run-dir=" + filepath.Join(dir, "part"), gate}, 3, "the gate could not decide on this run"},
		{"a gate that is wrong", []string{"-gate=" + write(t, "floors: {over: 1}")}, 3, `unknown key "over"; did you mean "overall"`},
		{"a gate that is not there", []string{"-gate=" + filepath.Join(dir, "none.yaml")}, 3, "gate file: "},
		{"a gate for agents", []string{"-gate=" + write(t, "ceilings: {calls_per_solved: 5}")}, 3, "gate.yaml:1: ceiling calls_per_solved: only agents have it, and the run is not an agent's\n"},
		{"a gate for other cases", []string{"-gate=" + write(t, "floors: {live: 50}")}, 3, "gate.yaml:1: floor live: it is not in the run\n"},
		{"a baseline of other cases", []string{gate, "-categories=multiple", "-baseline=" + filepath.Join(dir, "run")}, 3, "the runs have different cases"},
		{"no gate", []string{"-baseline=" + dir}, 3, "-baseline needs -gate"},
		{"a baseline that is not there", []string{gate, "-baseline=" + filepath.Join(dir, "nowhere")}, 3, "does not exist"},
		{"the oracle", []string{"-model=oracle", "-run-dir=", gate}, 3, "the oracle writes none"},
		{"no model", []string{"-model=", gate}, 3, "no model: name the one to ask with -model"},
		{"no server", []string{"-model=openai:m", "-base-url=", gate}, 3, "OPENAI_API_KEY"},
		{"listing", []string{"-test.list=TestBFCL", gate}, 0, "TestBFCL\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := child(t, dir, row.args...)
			assert.Equal(t, row.code, got.code, got.output)
			assert.Contains(t, got.output, row.says)
			assert.NotContains(t, got.output, "Gate passed")
			assert.Empty(t, got.terminal)
		})
	}
}

// TestGoTestFlags: go test's own flags do what Go people expect, or are refused
// by name.
func TestGoTestFlags(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		flags string
		code  int
		cases map[string]int
		says  string
	}{
		{"-test.v", 1, map[string]int{"PASS": 2, "FAIL": 30}, "2 of 32 passed, 30 failed"},
		{"-test.short", 1, map[string]int{"FAIL": 30}, "2 of 32 passed"},
		{"-test.failfast -test.parallel=1", 1, map[string]int{"FAIL": 1}, "0 of 32 passed, 1 failed, 0 infrastructure errors, 31 not asked"},
		{"-test.v -test.run=TestBFCL/simple_python/simple_python_[36]$", 0, map[string]int{"PASS": 2}, "2 of 2 passed, 0 failed"},
		{"-test.v -test.run=TestBFCL/.*python/_3$|TestNone", 0, map[string]int{"PASS": 1}, "1 of 1 passed"},
		{"-test.v -test.run=TestBFCL -test.skip=/simple_python/(_[0-24-57-9]|_[123].$)", 0, map[string]int{"PASS": 2}, "2 of 2 passed"},
		{"-test.v -test.run=Test/simple_python/_3$", 0, map[string]int{"PASS": 1}, "1 of 1 passed"},
		{"-test.run=TestBFCL/nothing", 3, map[string]int{}, "-run and -skip choose none of 32 cases; the tests are TestBFCL/<category>/<case id>\n"},
		{"-test.run=simple_python", 3, map[string]int{}, "-run=simple_python chooses no case: the tests are TestBFCL/<category>/<case id>\n"},
		{"-test.run=TestBFCL/simple_python_3$", 3, map[string]int{}, "-run and -skip choose none of 32 cases; the tests are TestBFCL/<category>/<case id>\n"},
		{"-test.run=TestGate", 3, map[string]int{}, "-run=TestGate chooses no case"},
		{"-test.run=^TestGoTestFlags$", 3, map[string]int{}, "-run=^TestGoTestFlags$ chooses no case"},
		{"-test.skip=TestBFCL", 3, map[string]int{}, "-skip=TestBFCL leaves out all of TestBFCL"},
		{"-test.skip=TestBFCL/.", 3, map[string]int{}, "-run and -skip choose none of 32 cases"},
		{"-ids=simple_python_3 -shard=0/2", 0, map[string]int{}, ""},
		{"-ids=simple_python_3 -shard=1/2", 0, map[string]int{}, ""},
		{"-test.count=2", 3, map[string]int{}, "-count=2 would repeat a test that is scored once: -trials=2 asks each case as often"},
		{"-test.count=0", 3, map[string]int{}, "-count=0 would ask nothing: leave it out"},
		{"-test.count=1", 1, map[string]int{"FAIL": 30}, ""},
		{"-test.cpu=1,2", 3, map[string]int{}, "-cpu with several numbers"},
		{"-test.shuffle=7", 1, map[string]int{"FAIL": 30}, "-test.shuffle 7\n"},
		{"-test.shuffle=x", 3, map[string]int{}, "-shuffle must be on, off or a whole number"},
		{"-test.list=.", 0, map[string]int{}, "TestBFCL\nTestGate\n"},
		{"./x", 3, map[string]int{}, "without --rerun-fails, which puts the packages last: -resume asks again what ended in an error, and -trials repeats cases"},
	} {
		t.Run(row.flags, func(t *testing.T) {
			t.Parallel()
			got := child(t, t.TempDir(), strings.Fields(row.flags)...)
			assert.Equal(t, row.code, got.code, got.output)
			assert.Equal(t, row.cases, got.results(aCase))
			assert.Contains(t, got.output, row.says)
		})
	}
}

// TestNobodyListens: a server that is away is said in one line. It is a wrong
// address, for a gate and a run that is continued an outage.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	dir := t.TempDir()
	const says = "cannot reach http://127.0.0.1:"
	args := []string{"-model=openai:m", "-base-url=" + server.URL + "/v1"}
	got := child(t, dir, args...)
	assert.Equal(t, 3, got.code, got.output)
	assert.Contains(t, got.output, says)
	assert.LessOrEqual(t, strings.Count(got.output, "\n"), 3, got.output)
	assert.NoDirExists(t, filepath.Join(dir, "run"))
	gated := child(t, dir, append(args, "-gate="+write(t, "{floors: {simple_python: 2}, min_cases: 1}"))...)
	assert.Equal(t, 2, gated.code, gated.output)
	assert.Contains(t, gated.output, says)
	assert.Contains(t, gated.output, "all of its cases ended in infrastructure errors")
	assert.LessOrEqual(t, strings.Count(gated.output, "\n"), 40, gated.output)
	assert.FileExists(t, filepath.Join(dir, "run", "run.json"))
}

// order returns the ids of a child's cases as they began.
func (e end) order() (ids []string) {
	for _, m := range regexp.MustCompile(`(?m)^=== RUN +TestBFCL/simple_python/(\S+)$`).FindAllStringSubmatch(e.output, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// TestShuffled: -shuffle is about the cases, and the gate stays last.
func TestShuffled(t *testing.T) {
	t.Parallel()
	gate := "-gate=" + write(t, "{floors: {simple_python: 1%}, min_cases: 1}")
	orders := map[string]bool{}
	for _, seed := range []string{"off", "1", "2", "2"} {
		got := child(t, t.TempDir(), gate, "-test.v", "-test.parallel=1", "-test.shuffle="+seed)
		assert.Zero(t, got.code, got.output)
		assert.Len(t, got.order(), 32)
		orders[strings.Join(got.order(), " ")] = true
		assert.Greater(t, strings.Index(got.output, "=== RUN   TestGate"), strings.LastIndex(got.output, "=== RUN   TestBFCL"))
	}
	assert.Len(t, orders, 3)
}

// TestPart: a part that -run chooses lies beside the whole run, does not displace
// the whole run in a folder that is named, and takes an older part's place.
func TestPart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) end {
		return childOf(t, dir, append([]string{"-model=heuristic", "-categories=simple_python"}, args...))
	}
	whole := filepath.Join(dir, "run")
	require.Equal(t, 1, run("-run-dir="+whole).code)
	before := testkit.Must(os.ReadFile(filepath.Join(whole, "run.json")))(t)
	for _, pattern := range []string{"TestBFCL/simple_python/_3$", "TestBFC/./_3", "TestBFCL/(simple)_python/_3$|TestGate", "TestBFCL//simple_python_3", "^TestBFCL$/^simple_python$/^simple_python_3$"} {
		refused := run("-run-dir="+whole, "-test.run="+pattern)
		assert.Equal(t, 3, refused.code, refused.output)
		assert.Contains(t, refused.output, "a part does not displace")
	}
	part := filepath.Join(dir, "part")
	assert.Zero(t, run("-run-dir="+part, "-test.run=TestBFCL/simple_python/_6$").code)
	second := run("-run-dir="+part, "-test.run=TestBFCL/simple_python/_3$", "-test.v")
	assert.Zero(t, second.code, second.output)
	assert.Contains(t, second.output, "an earlier run was there; it is now "+part+".")
	assert.Zero(t, run("-run-dir="+part, "-test.run=TestBFCL/simple_python/_3$").code)
	assert.Zero(t, run("-run-dir="+part, "-test.run=TestBFCL/simple_python/_3$", "-resume").code, "a part is continued as such")
	assert.Zero(t, run("-run-dir="+whole, "-test.run=TestBFCL/simple_python/_3$", "-resume").code, "the whole is continued with a part")
	alone := childOf(t, dir, []string{"-resume", "-run-dir=" + whole, "-gate=" + write(t, "{floors: {simple_python: 1%}, min_cases: 1}")})
	assert.Zero(t, alone.code, alone.output)
	assert.Regexp(t, `^heuristic on (?s:.*)Gate passed`, alone.terminal, "a run that is continued knows its model")
	after := testkit.Must(os.ReadFile(filepath.Join(whole, "run.json")))(t)
	assert.Equal(t, idOf(t, before), idOf(t, after))
	folders := testkit.Must(filepath.Glob(whole + "*"))(t)
	assert.Equal(t, []string{whole}, folders, "nothing was moved aside")
}

// idOf returns the id of a run.
func idOf(t *testing.T, text []byte) string {
	t.Helper()
	var run struct {
		ID string `json:"run"`
	}
	require.NoError(t, json.Unmarshal(text, &run))
	require.NotEmpty(t, run.ID)
	return run.ID
}
