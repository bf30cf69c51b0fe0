package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modelServer is a server that a run starts: it lists its model after a while,
// and answers every question with a text.
func modelServer() {
	began := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if time.Since(began) < 300*time.Millisecond {
			http.Error(w, `{"error": {"message": "Loading model", "code": 503}}`, http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprint(w, `{"object": "list", "data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 200, "completion_tokens": 3}}`)
	})
	fmt.Println("serving on", os.Args[1])
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
	os.Exit(1)
}

// TestLookFirst: a long run on a server of one's own begins with a look at it. A
// server that refuses everything costs a few requests and no run folder.
func TestLookFirst(t *testing.T) {
	t.Parallel()
	const refusal = `{"error": {"message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}`
	const talk = `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 200, "completion_tokens": 3}}`
	const stopped = "-max-cost" // after a few cases, which tell enough
	for name, c := range map[string]struct {
		cases, status int
		reply, flag   string
		code, most    int
		said          string
	}{
		"refuses everything": {manyCases, 400, refusal, "-q", exitTrouble, 10, "does not answer as a run needs it"},
		"answers in text":    {manyCases, 200, talk, "-q", exitOK, manyCases + 10, "a text arrives in place of calls"},
		"not asked":          {manyCases, 200, talk, "-no-check", exitTrouble, manyCases, stopped},
		"a short run":        {manyCases - 1, 200, talk, "-q", exitTrouble, manyCases - 1, stopped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if listsModel(w, r) {
					return
				}
				asked.Add(1)
				w.WriteHeader(c.status)
				_, _ = fmt.Fprint(w, c.reply)
			}))
			defer server.Close()
			dir, models := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "models.yaml")
			require.NoError(t, os.WriteFile(models, []byte("models: {m: {adapter: openai, id: m, base_url: "+server.URL+"/v1, prices: {input: 100, output: 100}}}"), 0o644))
			budget := "-max-cost=1000"
			if c.said == stopped {
				budget = "-max-cost=0.5"
			}
			said := refused(t, c.code, "run", "-model=m", "-models="+models, "-dataset="+alike(t, c.cases), "-run-dir="+dir, budget, c.flag)
			assert.LessOrEqual(t, int(asked.Load()), c.most)
			assert.Contains(t, said, c.said)
			if c.said == stopped {
				assert.NotContains(t, said, "asked for")
				assert.Equal(t, recordedAnswers(dir), int(asked.Load()), "only cases")
				return
			}
			_, missing := os.Stat(dir)
			assert.Equal(t, c.code != exitOK, missing != nil, "what was refused wrote nothing")
			if c.code == exitOK { // what looks cost is accounted for
				var receipt struct {
					Requests int
					Dollars  float64
					Fates    map[string]struct{ Requests int }
				}
				require.NoError(t, json.Unmarshal([]byte(says(t, "score", "--receipt", "--json", dir)), &receipt))
				assert.Equal(t, int(asked.Load()), receipt.Requests)
				assert.InDelta(t, float64(asked.Load())*203*100/1e6, receipt.Dollars, 1e-9)
				assert.Equal(t, 8, receipt.Fates["looked"].Requests)
				assert.Contains(t, says(t, "score", dir), "$20.3000 per 1,000 answers")
			}
		})
	}
}

// alike makes a dataset of so many equal cases.
func alike(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	var cases, answers strings.Builder
	for i := range n {
		fmt.Fprintf(&cases, `{"id": "simple_python_%d", "question": [[{"role": "user", "content": "Add %d and 1."}]], "function": [{"name": "add", "description": "Adds.", "parameters": {"type": "dict", "properties": {"a": {"type": "integer", "description": "A number."}}, "required": ["a"]}}]}`+"\n", i, i)
		fmt.Fprintf(&answers, `{"id": "simple_python_%d", "ground_truth": [{"add": {"a": [%d]}}]}`+"\n", i, i)
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "possible_answer"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v4_simple_python.json"), []byte(cases.String()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "possible_answer", "BFCL_v4_simple_python.json"), []byte(answers.String()), 0o644))
	return dir
}
