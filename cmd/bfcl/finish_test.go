package main

import (
	"encoding/json"
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
