package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/record"
)

// listsModel answers what is no question: the list of models, so that a run need
// not ask for one to find out that the server has it.
func listsModel(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case r.Method == http.MethodPost:
		return false
	case strings.HasSuffix(r.URL.Path, "/models"):
		_, _ = io.WriteString(w, `{"data": [{"id": "m"}]}`)
	default:
		http.Error(w, "{}", http.StatusNotFound)
	}
	return true
}

// endingWith is a chat server whose answers all say nothing, and end for the given
// reasons in turn.
func endingWith(t *testing.T, reasons ...string) (address string) {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if listsModel(w, r) {
			return
		}
		reason := reasons[int(asked.Add(1)-1)%len(reasons)]
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]string{"content": ""}, "finish_reason": reason}},
			"usage":   map[string]int{"prompt_tokens": 1, "completion_tokens": 1},
		})
	}))
	t.Cleanup(server.Close)
	return "-base-url=" + server.URL + "/v1"
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

// priced is a scene with a model m whose replies cost a cent each, of a server that
// does with the n-th question what act says.
func priced(t *testing.T, act func(n int64, w http.ResponseWriter) (done bool)) (s *scene, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // whose list does not have the model, so that it is asked for a token
			_, _ = fmt.Fprint(w, `{"data": [{"id": "another"}]}`)
			return
		}
		if act(asked.Add(1), w) {
			return
		}
		_, _ = fmt.Fprint(w, `{"model": "m", "choices": [{"message": {"content": "No."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 90, "completion_tokens": 10}}`)
	}))
	t.Cleanup(server.Close)
	s = &scene{dir: t.TempDir()}
	text := "models: {m: {adapter: openai, id: m, base_url: " + server.URL + "/v1, prices: {input: 100, output: 100}}}"
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "models.yaml"), []byte(text), 0o600))
	return s, asked
}

// TestPassesOfARun: a run that its budget stops says what all passes have cost, and
// so does the score of the whole. A ledger that was lost between two passes is said
// to be, though each answer states its price.
func TestPassesOfARun(t *testing.T) {
	t.Parallel()
	s, asked := priced(t, func(int64, http.ResponseWriter) bool { return false })
	run := []string{"run", "-q", "-models=models.yaml", "-model=m", "-categories=simple_python", "-run-dir=r", "-concurrency=1"}
	for _, budget := range []string{"0.05", "0.04"} {
		out, code := s.do(t, append(run, "-resume", "-max-cost="+budget)...)
		assert.Equal(t, exitTrouble, code, out)
		assert.Contains(t, out, fmt.Sprintf("bfcl: paid so far, in all passes: $%.4f\n", float64(asked.Load())/100))
	}
	out, code := s.do(t, append(run, "-resume", "-max-cost=100")...)
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, fmt.Sprintf("$%.4f", float64(asked.Load())/100))
	assert.NotContains(t, out, "at least")
	before := asked.Load()
	s.do(t, append(run, "-resume", "-max-cost=100")...) // which asks nothing, but looks
	assert.Equal(t, before+1, asked.Load())
	out, _ = s.do(t, "score", "--receipt", "r")
	assert.Contains(t, out, fmt.Sprintf("%10d   %11.6f  sent, for", asked.Load(), float64(asked.Load())/100), out)
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
	assert.InDelta(t, float64(asked.Load()-lost)/100, receipt.Dollars, 1e-9, "which the answers state")
	assert.Contains(t, strings.Join(receipt.Lacks, "\n"), "parts of the ledger that are lost: 1")
}

// TestPaidWithoutAScore: a run that ends with errors says what it cost, too.
func TestPaidWithoutAScore(t *testing.T) {
	t.Parallel()
	s, _ := priced(t, func(n int64, w http.ResponseWriter) bool {
		if n%4 != 0 {
			return false
		}
		http.Error(w, `{"error": {"message": "no such thing"}}`, http.StatusBadRequest)
		return true
	})
	out, code := s.do(t, "run", "-q", "-models=models.yaml", "-model=m", "-categories=simple_python", "-run-dir=r")
	assert.Equal(t, exitTrouble, code, out)
	assert.Regexp(t, `bfcl: paid so far, in all passes: \$0\.2[0-9]00\n`, out)
}

// TestQuietRunsWait: a quiet run says that its server makes it wait for long.
func TestQuietRunsWait(t *testing.T) {
	t.Parallel()
	s, asked := priced(t, func(n int64, w http.ResponseWriter) bool {
		if n <= 2 {
			return false
		}
		w.Header().Set("Retry-After", "3600")
		http.Error(w, `{"error": {"message": "slow down"}}`, http.StatusTooManyRequests)
		return true
	})
	out, code := s.shell(t, `bfcl run -q -models=models.yaml -model=m -categories=simple_python -run-dir=r 2>said & run=$!
for i in $(seq 300); do if grep -q 'wait' said; then break; fi; sleep 0.1; done; kill -INT $run; sleep 1; kill -INT $run 2>/dev/null; wait $run; echo exit $?; cat said`)
	assert.Zero(t, code)
	assert.Contains(t, out, "exit 130")
	assert.Regexp(t, `bfcl: .*wait.*(1h|59m|60 min)`, out)
	assert.Positive(t, asked.Load())
}
