package bfcl_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// childVariable is the file that stands for a terminal, in a child.
const childVariable = "BFCL_TEST_GATED"

// An end is what came of a child.
type end struct {
	code             int
	output, terminal string
}

// child runs the suite in a folder of its own over one category, of which the
// heuristic baseline gets some wrong.
func child(t *testing.T, dir string, args ...string) end {
	t.Helper()
	terminal := filepath.Join(t.TempDir(), "terminal")
	all := []string{"-test.run=^TestBFCL$", "-model=heuristic", "-categories=simple_python", "-run-dir=" + filepath.Join(dir, "run")}
	run := exec.CommandContext(t.Context(), os.Args[0], append(all, args...)...)
	summary := filepath.Join(dir, "summary.md")
	run.Env = append(os.Environ(), childVariable+"="+terminal, "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+summary)
	out, err := run.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		require.NoError(t, err)
	}
	said, err := os.ReadFile(terminal)
	require.NoError(t, err)
	return end{code: run.ProcessState.ExitCode(), output: string(out), terminal: string(said)}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestGate: the gate's decision is the exit code, and wrong answers stay failed
// tests.
func TestGate(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, gate string
		code       int
		says       string
		terminal   string
	}{
		{"no gate", "", 1, "--- FAIL: TestBFCL/simple_python/", ""},
		{"open", "{floors: {simple_python: 1%}, min_cases: 1}", 0, "Gate passed: 1 rule.", "heuristic: Gate passed: 1 rule.\n"},
		{"closed", "{floors: {simple_python: 99}, min_cases: 1}", 1, "Gate failed: 1 of 1 rules failed, 0 undecided.", ""},
		{"undecided", "{floors: {simple_python: {min: 10, on: interval}}}", 2, "Gate undecided: 1 of 1 rules undecided, none failed.", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var args []string
			if row.gate != "" {
				args = append(args, "-gate="+write(t, row.gate))
			}
			got := child(t, dir, args...)
			assert.Equal(t, row.code, got.code, got.output)
			assert.Contains(t, got.output, row.says)
			assert.Contains(t, got.output, "--- FAIL: TestBFCL/simple_python/", "wrong answers stay failed tests")
			assert.Equal(t, row.terminal, got.terminal)
			data, err := os.ReadFile(filepath.Join(dir, "run", "score.json"))
			summary, none := os.ReadFile(filepath.Join(dir, "summary.md"))
			if row.gate == "" {
				assert.ErrorIs(t, err, os.ErrNotExist)
				assert.ErrorIs(t, none, os.ErrNotExist)
				return
			}
			assert.Contains(t, string(summary), "<!-- bfcl gate -->")
			level := map[int]string{1: "::error file=", 2: "::warning file="}[row.code]
			assert.Contains(t, got.output, level)
			assert.Equal(t, level != "", strings.Contains(got.output, ",line=1,title=bfcl gate"), "GitHub's annotations")
			require.NoError(t, err)
			var file struct {
				Gate struct{ Outcome string }
			}
			require.NoError(t, json.Unmarshal(data, &file))
			assert.Equal(t, map[int]string{0: "passed", 1: "failed", 2: "undecided"}[row.code], file.Gate.Outcome)
		})
	}
}

// TestBaseline: a run is held against another, be it the one that it moves
// aside, and none is a baseline that is yet to come.
func TestBaseline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, "{regressions: {simple_python: {points: 1}}, floors: {simple_python: 2}, min_cases: 1, partial: true}")
	first := child(t, dir, "-gate="+file, "-baseline=none")
	assert.Zero(t, first.code, first.output)
	assert.Contains(t, first.output, "no baseline yet, so the gate's rules about losses are left out: 1")
	again := child(t, dir, "-gate="+file, "-baseline="+filepath.Join(dir, "run"))
	assert.Zero(t, again.code, again.output)
	assert.Contains(t, again.output, "passed     regression simple_python: ")
	best := filepath.Join(dir, "best")
	oracle := child(t, dir, "-model=oracle", "-run-dir="+best)
	require.Zero(t, oracle.code, oracle.output)
	lost := child(t, dir, "-gate="+file, "-baseline="+best)
	assert.Equal(t, 1, lost.code, lost.output)
	assert.Contains(t, lost.output, "failed     regression simple_python: ")
}

// TestNothingToDecide: what is no complete run opens no gate, an older run in the
// same folder neither.
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
		{"the run is refused", []string{"-categories=nonsense", gate}, 2, "the gate decided nothing: the run did not begin, see above"},
		{"a case again", []string{"-test.run=^TestBFCL$/^simple_python$/^simple_python_0$", gate}, 2, "the run did not begin"},
		{"no suite", []string{"-test.run=^TestOther$", gate}, 2, "the gate decided nothing: -run left TestBFCL out"},
		{"a part", []string{"-test.run=^TestBFCL$/^simple_python$/_1", "-run-dir=" + filepath.Join(dir, "part"), gate}, 2, "the gate decided nothing: "},
		{"a gate that is wrong", []string{"-gate=" + write(t, "floors: {over: 1}")}, 3, `unknown key "over"; did you mean "overall"`},
		{"a gate that is not there", []string{"-gate=" + filepath.Join(dir, "none.yaml")}, 3, "gate file: "},
		{"a gate for agents", []string{"-gate=" + write(t, "ceilings: {calls_per_solved: 5}")}, 3, "gate.yaml:1: ceiling calls_per_solved: only agents have it, and the run is not an agent's\n"},
		{"a gate for other cases", []string{"-gate=" + write(t, "floors: {live: 50}")}, 3, "gate.yaml:1: floor live: it is not in the run\n"},
		{"a baseline of other cases", []string{gate, "-categories=multiple", "-baseline=" + filepath.Join(dir, "run")}, 3, "the runs have different cases"},
		{"no gate", []string{"-baseline=" + dir}, 3, "-baseline needs -gate"},
		{"a baseline that is not there", []string{gate, "-baseline=" + filepath.Join(dir, "nowhere")}, 3, "does not exist"},
		{"the oracle", []string{"-model=oracle", "-run-dir=", gate}, 3, "the oracle writes none"},
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
