//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/option"
)

// TestInterruptedWithOneAnswer: the last words of a run whose other requests
// were in flight do not say that every case has its answer.
func TestInterruptedWithOneAnswer(t *testing.T) {
	t.Parallel()
	first := make(chan bool, 1)
	first <- true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if listsModel(w, r) {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that the client goes
		select {
		case <-first:
			_, _ = w.Write([]byte(`{"choices": [{"message": {"content": ""}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}`))
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	}))
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command("bfcl", "run", "-q", "-model=openai:m", "-base-url="+server.URL+"/v1", "-categories=irrelevance", "-concurrency=20", "-grace=100ms", "-run-dir="+folder)
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return recordedAnswers(folder) == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `interrupted: \d+ of 20 cases have a verdict`, said.String())
	assert.NotContains(t, said.String(), "every case")
}

// TestWhyGotestsumEnded: where files cannot grow any more, that is the reason,
// not that gotestsum could be sent no more events.
func TestWhyGotestsumEnded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "run")
	run := []string{"run", "-q", "-model=heuristic", "-categories=single_turn", "-run-dir=" + folder}
	out, err := exec.Command("sh", append([]string{"-c", `ulimit -f 200 && exec "$0" "$@"`, "bfcl"}, run...)...).CombinedOutput()
	require.Error(t, err)
	last := strings.TrimSpace(string(out))
	last = last[strings.LastIndex(last, "\nbfcl: ")+1:]
	assert.Contains(t, last, "file too large")
	assert.NotContains(t, last, "broken pipe")
}

// TestEditedReading: a setting in run.json that was changed afterwards is not
// what the answers were given with.
func TestEditedReading(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	says(t, "run", "-q", "-model=heuristic", "-categories=live_simple", "-run-dir="+dir)
	path := filepath.Join(dir, "run.json")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for from, to := range map[string]string{
		`"underscore_to_dot": true`: `"underscore_to_dot": false`, `"mode": "fc"`: `"mode": "prompt"`, `"model": "heuristic"`: `"model": "better"`,
	} {
		require.Contains(t, string(data), from)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644))
		_ = os.Remove(filepath.Join(dir, "junit.xml"))
		assert.Contains(t, refused(t, exitTrouble, "score", dir), "is an answer of another run", to)
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), `"digest": "`, `"digest": "0`, 1)), 0o644))
	assert.Contains(t, refused(t, exitTrouble, "score", dir), "digest")
}

// TestByteOrderMark: a reply may begin with one.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("\ufeff" + `{"choices": [{"message": {"content": ""}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}`))
	}))
	defer server.Close()
	dir := t.TempDir()
	ids := filepath.Join(dir, "ids")
	require.NoError(t, os.WriteFile(ids, []byte("\ufeffirrelevance_0\r\n"), 0o644))
	assert.Contains(t, says(t, "run", "-q", "-model=openai:m", "-base-url="+server.URL+"/v1", "-ids=@"+ids, "-run-dir="+filepath.Join(dir, "run")), "1 /    1")
}

// TestUnaskedCategories: what keeps a category from being asked concerns nobody
// who asked for a case of another.
func TestUnaskedCategories(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	twoCases(t, data)
	require.NoError(t, os.WriteFile(filepath.Join(data, "BFCL_v4_web_search.json"),
		[]byte(`{"id": "web_search_0", "question": [[{"role": "user", "content": "Who won?"}]], "involved_classes": ["WebSearchAPI"]}`+"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(data, "possible_answer/BFCL_v4_web_search.json"), []byte(`{"id": "web_search_0", "ground_truth": ["us"]}`+"\n"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(data, "multi_turn_func_doc"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(data, "multi_turn_func_doc/web_search.json"),
		[]byte(`{"name": "search_engine_query", "description": "Search.", "parameters": {"type": "dict", "properties": {"keywords": {"type": "string", "description": "Words."}}, "required": ["keywords"]}}`+"\n"), 0o644))
	dir := filepath.Join(t.TempDir(), "run")
	assert.Contains(t, refused(t, exitTrouble, "run", "-q", "-model=heuristic", "-dataset="+data, "-run-dir="+dir), "-search is not set")
	says(t, "run", "-q", "-model=heuristic", "-dataset="+data, "-ids=simple_python_0", "-run-dir="+dir)
}

// TestNoPriceForArithmetic: what no model answered costs nothing.
func TestNoPriceForArithmetic(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(wholeRun(t), "score.json"))
	require.NoError(t, err)
	assert.NotContains(t, string(text), `"cost"`)
}

// TestTooManyTrials: a run, and what a file says of one, have the same limit.
func TestTooManyTrials(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	for _, many := range []int{option.MostTrials + 1, 99_999_999} {
		assert.Contains(t, refused(t, exitMisuse, "run", "-q", "-model=heuristic", fmt.Sprintf("-trials=%d", many), "-run-dir="+dir), "-trials must be at most 1000")
	}
	says(t, "run", "-q", "-model=heuristic", "-ids=simple_python_0", "-trials=2", "-run-dir="+dir)
	for file, name := range map[string]string{"junit.xml": filepath.Join(dir, "junit.xml"), "run.json": dir} {
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		text := strings.NewReplacer(`name="trials" value="2"`, `name="trials" value="99999999"`, `"trials": 2`, `"trials": 99999999`).Replace(string(data))
		require.NotEqual(t, string(data), text)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		assert.Contains(t, refused(t, exitTrouble, "score", name), "99999999")
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
}
