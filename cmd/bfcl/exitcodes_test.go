package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// suiteBinary returns the suite's test binary, as go test builds it.
func suiteBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suite.test")
	build := exec.Command("go", "test", "-c", "-o", path, ".")
	build.Dir = testkit.ModuleRoot(t)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// TestExitCodes walks the table of docs/gate.md: a situation has one exit code,
// whether the gate is part of bfcl run, follows it, is go test's or the action's.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": ""}, "finish_reason": "abort"}}})
	}))
	t.Cleanup(server.Close)
	away := httptest.NewServer(nil)
	away.Close()
	top, suite := t.TempDir(), ""
	if testkit.Some(0, 1) > 0 { // linking it takes longer than all the rest
		suite = suiteBinary(t)
	}
	baseline, other, data := filepath.Join(top, "baseline"), filepath.Join(top, "other"), filepath.Join(top, "data")
	twoCases(t, data)
	says(t, "run", "-q", "-model=oracle", "-categories=irrelevance", "-run-dir="+baseline)
	says(t, "run", "-q", "-model=heuristic", "-dataset="+data, "-run-dir="+other)
	const open, closed, undecidable = "{floors: {irrelevance: 1%}, min_cases: 1}", "{floors: {irrelevance: 100%}, min_cases: 1}", "{floors: {irrelevance: {min: 70, on: interval}}}"
	rows := []struct {
		name, gate, baseline, model string
		code                        int
	}{
		{"passed", open, baseline, "heuristic", 0},
		{"failed", closed, baseline, "replay:" + wrongAnswers(t, baseline), 1},
		{"undecided", undecidable, baseline, "heuristic", 2},
		{"infrastructure errors", says(t, "gate", "--init", "--categories=irrelevance"), baseline, "openai:m", 2},
		{"infrastructure errors", open, baseline, "openai:m", 2},
		{"a server that is away", open, baseline, "openai:away", 2},
		{"a baseline of another dataset", open, other, "heuristic", 3},
		{"a baseline that is not there", open, filepath.Join(top, "nowhere"), "heuristic", 3},
		{"a wrong gate file", "{floor: {irrelevance: 1%}}", baseline, "heuristic", 3},
	}
	made := map[string]func() string{} // a run of each model, for bfcl gate
	documented, err := os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs/gate.md"))
	require.NoError(t, err)
	for _, row := range rows {
		said := regexp.MustCompile(`(?m)^\| ` + row.name + `\b.* \| (\d) \|$`).FindSubmatch(documented)
		require.NotNil(t, said, "docs/gate.md has no row %q", row.name)
		assert.Equal(t, []byte{'0' + byte(row.code)}, said[1], row.name)
		flags := []string{"-model=" + row.model, "-categories=irrelevance"}
		switch row.model {
		case "openai:m":
			flags = append(flags, "-base-url="+server.URL+"/v1")
		case "openai:away":
			flags = append(flags, "-base-url="+away.URL+"/v1")
		}
		if made[row.model] == nil {
			folder := filepath.Join(top, "made", strconv.Itoa(len(made)))
			made[row.model] = sync.OnceValue(func() string {
				run := append([]string{"run", "-q", "-no-check", "-run-dir=" + folder}, flags...)
				_ = exec.Command("bfcl", run...).Run() // which may be refused for its errors; the gate decides
				return folder
			})
		}
		made := made[row.model]
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "gate.yaml")
			require.NoError(t, os.WriteFile(file, []byte(row.gate), 0o644))
			gate := []string{"-gate=" + file, "-baseline=" + row.baseline}
			ways := map[string]*exec.Cmd{
				"bfcl run": exec.Command("bfcl", append(append([]string{"run", "-q", "-run-dir=" + filepath.Join(dir, "run")}, flags...), gate...)...),
				"action":   exec.Command("bash", append([]string{filepath.Join(testkit.ModuleRoot(t), ".github/scripts/gate")}, flags[1:]...)...),
			}
			ways["action"].Env = append(os.Environ(), "MODEL="+row.model, "GATE="+file, "BASELINE="+row.baseline, "RUN="+filepath.Join(dir, "action"))
			if suite != "" {
				ways["go test"] = exec.Command(suite, append(append([]string{"-test.run=^(TestBFCL|TestGate)$", "-run-dir=" + filepath.Join(dir, "test")}, flags...), gate...)...)
			}
			ways["bfcl gate"] = exec.Command("bfcl", "gate", "--config", file, "--baseline", row.baseline, made())
			var asking sync.WaitGroup
			for way, cmd := range ways {
				asking.Go(func() {
					out, err := cmd.CombinedOutput()
					assert.True(t, err == nil || errors.As(err, new(*exec.ExitError)), "%v", err)
					assert.Equal(t, row.code, cmd.ProcessState.ExitCode(), "%s, %s: %s", row.name, way, out)
				})
			}
			asking.Wait()
		})
	}
}

// wrongAnswers returns a copy of a run in which some answers are calls that
// nobody wants.
func wrongAnswers(t *testing.T, run string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wrong")
	from := filepath.Join(run, "result/non_live/BFCL_v4_irrelevance_result.json")
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		out.WriteString(regexp.MustCompile(`"result": "[^"]*"`).ReplaceAllString(line, `"result": [{"f": "{}"}]`))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "result/non_live"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "result/non_live/BFCL_v4_irrelevance_result.json"), []byte(out.String()), 0o644))
	return dir
}
