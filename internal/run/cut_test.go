package run_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// An ollama cuts prompts at 4,096 tokens and says nothing. Its answers wait for
// hold, and what it tells about itself for tell.
type ollama struct {
	hold, tell func()
}

func (o *ollama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/v1/chat/completions":
		o.hold()
		_, _ = w.Write([]byte(`{"choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 4096, "completion_tokens": 1}}`))
	case "/api/version":
		o.tell()
		_, _ = w.Write([]byte(`{"version": "0.17.4"}`))
	case "/api/ps":
		_, _ = w.Write([]byte(`{"models": [{"name": "m:latest", "context_length": 4096}]}`))
	default:
		http.NotFound(w, r)
	}
}

// patience is what a busy machine needs.
const patience = time.Minute

// options returns the options of a run that asks the server.
func (o *ollama) options(t *testing.T, inFlight int) suite.Options {
	t.Helper()
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	opts := options(t)
	opts.Model, opts.BaseURL, opts.Categories, opts.RunDir = "openai:m", server.URL+"/v1", "simple_python,multi_turn_base", t.TempDir()
	opts.Concurrency = inFlight
	return opts
}

// TestCutPrompts: no answer to a cut prompt counts, however many requests are in
// flight and however long they take: what a server tells about itself is asked
// beside them.
func TestCutPrompts(t *testing.T) {
	t.Parallel()
	for _, inFlight := range []int{0, 1, 2, 16} {
		for name, slow := range map[string]bool{"fast": false, "slow": true} {
			t.Run(fmt.Sprintf("%s, %d", name, inFlight), func(t *testing.T) {
				t.Parallel()
				told := make(chan bool)
				var first atomic.Bool
				once := sync.OnceFunc(func() { close(told) })
				o := &ollama{tell: once, hold: func() {
					if slow && first.Swap(true) { // until the server has been asked
						select {
						case <-told:
						case <-time.After(patience):
							t.Error("the server is not asked while it answers")
						}
					}
				}}
				opts := o.options(t, inFlight)
				got := answerAll(t, open(t, opts)) // in all places, so that no connection is free
				require.NotEmpty(t, got)
				for id, out := range got {
					assert.Equal(t, "infrastructure:context_full", out.ErrorType, id)
				}
				files, _ := record.FindAll(opts.RunDir) // none, or some from which answers were withdrawn
				for _, f := range files {
					answers, err := f.Answers()
					require.NoError(t, err)
					for _, rows := range answers {
						assert.Empty(t, rows)
					}
				}
				run, err := record.ReadRun(opts.RunDir)
				require.NoError(t, err)
				assert.Contains(t, run.Server, "Ollama 0.17.4, 4096 tokens")
			})
		}
	}
}

// TestRecordedBeforeAsked: an answer is on disk before anything else is asked
// about it, and a run that is killed then learns from the server, when it is
// continued, that it is none.
func TestRecordedBeforeAsked(t *testing.T) {
	t.Parallel()
	var dir string
	recorded := func() (n int) {
		paths, _ := filepath.Glob(filepath.Join(dir, "result", "*", "*simple_python*"))
		for _, path := range paths {
			text, _ := os.ReadFile(path)
			n += strings.Count(string(text), "\n")
		}
		return n
	}
	var killed []byte
	o := &ollama{hold: func() {}, tell: func() {
		for end := time.Now().Add(patience); recorded() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Error("the answer is not recorded")
				return
			}
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "result", "*", "*simple_python*"))
		killed, _ = os.ReadFile(paths[0])
	}}
	opts := o.options(t, 2)
	dir = opts.RunDir
	answerAll(t, open(t, opts))
	require.NotEmpty(t, killed)
	assert.Zero(t, recorded())

	paths, err := filepath.Glob(filepath.Join(dir, "result", "*", "*simple_python*"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(paths[0], killed, 0o644))
	path := filepath.Join(dir, "run.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var run map[string]any
	require.NoError(t, json.Unmarshal(text, &run))
	delete(run, "server")
	delete(run, "ended")
	text, err = json.Marshal(run)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o644))
	o.tell, opts.Resume = func() {}, true
	for id, out := range answerAll(t, open(t, opts)) {
		assert.Equal(t, "infrastructure:context_full", out.ErrorType, id)
	}
	assert.Zero(t, recorded())
}

// TestVisitCut: one who asks outside a run learns of a cut prompt, too.
func TestVisitCut(t *testing.T) {
	t.Parallel()
	p, err := suite.NewPlan((&ollama{hold: func() {}, tell: func() {}}).options(t, 1))
	require.NoError(t, err)
	v, err := p.Visit()
	require.NoError(t, err)
	defer func() { _ = v.Close() }()
	_, err = v.Ask(t.Context(), p.Parts[0].Cases[0])
	assert.Equal(t, "context_full", eval.InfraKind(err))
}
