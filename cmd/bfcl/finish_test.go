package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// endingWith is a chat server whose answers all say nothing, and end for the given
// reasons in turn.
func endingWith(t *testing.T, reasons ...string) (address string) {
	return testkit.ServeChat(t, func(q *testkit.Question) string { return testkit.Reply("", reasons[(q.N-1)%len(reasons)]) }).Flag()
}

// TestAnAbortIsNoAnswer: where no call is wanted, an empty answer is right,
// but one that the server gave up on has no verdict.
func TestAnAbortIsNoAnswer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	said := refused(t, exitTrouble, "run", "-q", "-model=openai:m", endingWith(t, "abort"), "-ids=irrelevance_0,irrelevance_1", "-run-dir="+dir)
	assert.Contains(t, said, "infrastructure:server_error")
	assert.NotContains(t, said, "100.00%")
}

// TestOddEndsAreNamed: the score, from JUnit and from the answers, names how
// many answers a filter refused or ended for an unknown reason.
func TestOddEndsAreNamed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	run := says(t, "run", "-v", "-q", "-model=openai:m", endingWith(t, "content_filter", "tired\x1b[2J", "stop"), "-concurrency=1", "-categories=irrelevance", "-run-dir="+dir)
	again := says(t, "score", "-v", dir)
	require.NoError(t, os.Remove(filepath.Join(dir, "junit.xml")))
	for _, text := range []string{run, again, says(t, "score", "-v", dir)} {
		text = strings.Join(strings.Fields(text), " ")
		assert.Contains(t, text, "7 answers ended with the finish reason content_filter, a filter's: what came was judged.")
		assert.Contains(t, text, `7 answers ended with the finish reason tired\x1b[2J, which no table here has: what came was judged.`)
	}
}

// priced is a scene with a model m whose replies cost a cent each; act says what a
// question gets instead.
func priced(t *testing.T, act func(q *testkit.Question) string) (*scene, *testkit.Chat) {
	t.Helper()
	server := testkit.ServeChat(t, func(q *testkit.Question) string { return cmp.Or(act(q), testkit.Reply("No.", "stop")) })
	server.Lists = "another" // so that m is asked for a token
	return &scene{dir: testkit.Folder(t, map[string]string{
		"models.yaml": "models: {m: {adapter: openai, id: m, base_url: " + server.URL + "/v1, prices: {input: 100, output: 100}}}",
	})}, server
}

// TestPassesOfARun: a run that its budget stops says what all passes have cost, and
// so does the score of the whole. A ledger that was lost between two passes is said
// to be, though each answer states its price.
func TestPassesOfARun(t *testing.T) {
	t.Parallel()
	s, server := priced(t, func(*testkit.Question) string { return "" })
	asked := func() int { n, _ := server.Asked(); return n }
	run := []string{"run", "-q", "-models=models.yaml", "-model=m", "-categories=simple_python", "-run-dir=r", "-concurrency=1"}
	for _, budget := range []string{"0.05", "0.04"} {
		out, code := s.do(t, append(run, "-resume", "-max-cost="+budget)...)
		assert.Equal(t, exitTrouble, code, out)
		assert.Contains(t, out, fmt.Sprintf("bfcl: paid so far, in all passes: $%.4f\n", float64(asked())/100))
	}
	out, code := s.do(t, append(run, "-resume", "-max-cost=100")...)
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, fmt.Sprintf("$%.4f", float64(asked())/100))
	assert.NotContains(t, out, "at least")
	before := asked()
	s.do(t, append(run, "-resume", "-max-cost=100")...) // which asks nothing, but looks
	assert.Equal(t, before+1, asked())
	out, _ = s.do(t, "score", "--receipt", "r")
	assert.Contains(t, out, fmt.Sprintf("%10d   %11.6f  sent, for", asked(), float64(asked())/100), out)
	require.NoError(t, os.Remove(filepath.Join(s.dir, "r", record.LedgerFile)))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "gate.yaml"), []byte("partial: true\nceilings: {cost: 50}\n"), 0o600))
	out, code = s.do(t, "gate", "--config", "gate.yaml", "r")
	assert.Equal(t, exitTrouble, code, "what else was sent is not known: %s", out)
	assert.Contains(t, out, "at least $")
	out, code = s.do(t, append(run, "-resume", "-max-cost=100", "-categories=simple_python,parallel")...)
	assert.Equal(t, exitOK, code, out)
	out, _ = s.do(t, "score", "--receipt", "--json", "r")
	var receipt struct {
		Dollars float64
		Lacks   []string
	}
	require.NoError(t, json.Unmarshal([]byte(out), &receipt), out)
	const lost = 4 // looks of the passes before
	assert.InDelta(t, float64(asked()-lost)/100, receipt.Dollars, 1e-9, "which the answers state")
	assert.Contains(t, strings.Join(receipt.Lacks, "\n"), "parts of the ledger that are lost: 1")
}

// TestPaidWithoutAScore: a run that ends with errors says what it cost, too.
func TestPaidWithoutAScore(t *testing.T) {
	t.Parallel()
	s, _ := priced(t, func(q *testkit.Question) string {
		return map[bool]string{true: `400 {"error": {"message": "no such thing"}}`}[q.N%4 == 0]
	})
	out, code := s.do(t, "run", "-q", "-models=models.yaml", "-model=m", "-categories=simple_python", "-run-dir=r")
	assert.Equal(t, exitTrouble, code, out)
	assert.Regexp(t, `bfcl: paid so far, in all passes: \$0\.2[0-9]00\n`, out)
}

// TestQuietRunsWait: a quiet run says that its server makes it wait for long.
func TestQuietRunsWait(t *testing.T) {
	t.Parallel()
	s, server := priced(t, func(q *testkit.Question) string {
		if q.N <= 2 {
			return ""
		}
		q.Back.Set("Retry-After", "3600")
		return `429 {"error": {"message": "slow down"}}`
	})
	out, code := s.shell(t, `bfcl run -q -models=models.yaml -model=m -categories=simple_python -run-dir=r 2>said & run=$!
for i in $(seq 300); do if grep -q 'wait' said; then break; fi; sleep 0.1; done; kill -INT $run; sleep 1; kill -INT $run 2>/dev/null; wait $run; echo exit $?; cat said`)
	assert.Zero(t, code)
	assert.Contains(t, out, "exit 130")
	assert.Regexp(t, `bfcl: .*wait.*(1h|59m|60 min)`, out)
	asked, _ := server.Asked()
	assert.Positive(t, asked)
}

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
	aborting := endingWith(t, "abort")
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
	documented := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs/gate.md")))(t)
	for _, row := range rows {
		said := regexp.MustCompile(`(?m)^\| ` + row.name + `\b.* \| (\d) \|$`).FindSubmatch(documented)
		require.NotNil(t, said, "docs/gate.md has no row %q", row.name)
		assert.Equal(t, []byte{'0' + byte(row.code)}, said[1], row.name)
		flags := []string{"-model=" + row.model, "-categories=irrelevance"}
		switch row.model {
		case "openai:m":
			flags = append(flags, aborting)
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
	data := testkit.Must(os.ReadFile(from))(t)
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		out.WriteString(regexp.MustCompile(`"result": "[^"]*"`).ReplaceAllString(line, `"result": [{"f": "{}"}]`))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "result/non_live"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "result/non_live/BFCL_v4_irrelevance_result.json"), []byte(out.String()), 0o644))
	return dir
}
