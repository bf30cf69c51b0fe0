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
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestLastHeaderIsSent: of a header that is given twice the last is sent, however
// its name is written.
func TestLastHeaderIsSent(t *testing.T) {
	t.Parallel()
	var sent atomic.Pointer[string]
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		team := q.Header.Get("X-Team")
		sent.Store(&team)
		return testkit.Reply("No.", "stop")
	})
	o := options(t)
	o.Model, o.BaseURL, o.IDs = "openai:m", server.URL+"/v1", "irrelevance_0"
	o.Headers = []string{"X-Team: one", "x-team: two", "X-TEAM: three"}
	for range 30 {
		answerAll(t, open(t, o))
		require.Equal(t, "three", *sent.Load())
	}
}

// TestServed: who answered, by the server's own word, stands in run.json, and
// what is odd of it is said at the end. Another name is no other run.
func TestServed(t *testing.T) {
	t.Parallel()
	var name atomic.Pointer[string]
	as := func(served string) { name.Store(&served) }
	loopback := testkit.ServeChat(t, func(*testkit.Question) string {
		return strings.Replace(testkit.Reply("No.", "stop"), "{", `{"model": "`+*name.Load()+`", `, 1)
	})
	o := options(t)
	o.Model, o.BaseURL = "openai:gpt-4.1-mini", loopback.URL+"/v1"
	o.Categories, o.RunDir = "irrelevance", t.TempDir()+"/run"
	run := func(ids string) (*record.Run, []string) {
		o.IDs = ids
		s := open(t, o)
		for _, part := range s.Plan.Parts {
			for _, c := range part.Cases {
				require.NoError(t, s.Engine.Run(t.Context(), part.Category, c, 0).Err)
			}
		}
		early := testkit.Must(record.ReadRun(o.RunDir))(t)
		require.NoError(t, s.Finish(false))
		stated := testkit.Must(record.ReadRun(o.RunDir))(t)
		assert.Equal(t, stated.Served, early.Served, "a kill loses no name")
		return stated, s.Remarks()
	}
	as("gpt-4.1-mini-2025-04-14")
	stated, said := run("irrelevance_0")
	assert.Equal(t, []string{"gpt-4.1-mini-2025-04-14"}, stated.Served)
	assert.Empty(t, said, "a version of the model")

	as("gpt-4o")
	o.Resume = true
	stated, said = run("irrelevance_0,irrelevance_1")
	assert.Equal(t, []string{"gpt-4.1-mini-2025-04-14", "gpt-4o"}, stated.Served)
	assert.Equal(t, []string{"The server answered as several models: gpt-4.1-mini-2025-04-14, gpt-4o; gpt-4.1-mini was asked for. The answers may not be those of one model."}, said)

	o.Resume = false
	stated, said = run("irrelevance_0")
	assert.Equal(t, []string{"gpt-4o"}, stated.Served)
	assert.Equal(t, []string{"The server answered as gpt-4o; gpt-4.1-mini was asked for."}, said)
}

// TestFolderDeletedMidway: a run whose folder is removed stops, since what it
// goes on to ask would be paid for and lost.
func TestFolderDeletedMidway(t *testing.T) {
	o := options(t)
	o.RunDir, o.Categories = filepath.Join(o.Root, "run"), "simple_python"
	s := open(t, o)
	part := s.Plan.Parts[0]
	require.NoError(t, s.Engine.Run(t.Context(), part.Category, part.Cases[0], 0).Err)
	require.NoError(t, os.RemoveAll(o.RunDir))
	lost := s.Engine.Run(t.Context(), part.Category, part.Cases[1], 0)
	assert.Equal(t, "infrastructure:record", lost.ErrorType)
	require.ErrorContains(t, s.Engine.Halted(), "the file was removed or replaced while the run wrote it")
	assert.True(t, s.Engine.Run(t.Context(), part.Category, part.Cases[2], 0).NotRun)
	_ = s.Finish(true)
}

// TestResumeWithoutRunFile: answers that nothing is stated of are not gone on
// with.
func TestResumeWithoutRunFile(t *testing.T) {
	o := options(t)
	o.RunDir, o.IDs = filepath.Join(o.Root, "run"), "simple_python_0"
	answerAll(t, open(t, o))
	require.NoError(t, os.Remove(filepath.Join(o.RunDir, "run.json")))
	o.Resume, o.Model = true, "heuristic"
	_, err := suite.NewPlan(o)
	require.ErrorContains(t, err, "nothing to resume in ")
	require.ErrorAs(t, err, new(*suite.Refusal))
}

// TestReplayOfExecutables: a run's own folder is replayed, executable categories
// too.
func TestReplayOfExecutables(t *testing.T) {
	o := options(t)
	o.RunDir, o.Categories, o.Model = filepath.Join(o.Root, "run"), "executable,simple_python", "oracle"
	answerAll(t, open(t, o))
	again := options(t)
	again.Model, again.Categories = "replay:"+o.RunDir, o.Categories
	for id, out := range answerAll(t, open(t, again)) {
		assert.True(t, out.Passed(), "%s: %v", id, out.Err)
	}
}

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
					answers := testkit.Must(f.Answers())(t)
					for _, rows := range answers {
						assert.Empty(t, rows)
					}
				}
				run := testkit.Must(record.ReadRun(opts.RunDir))(t)
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

	paths := testkit.Must(filepath.Glob(filepath.Join(dir, "result", "*", "*simple_python*")))(t)
	require.NoError(t, os.WriteFile(paths[0], killed, 0o644))
	path := filepath.Join(dir, "run.json")
	text := testkit.Must(os.ReadFile(path))(t)
	var run map[string]any
	require.NoError(t, json.Unmarshal(text, &run))
	delete(run, "server")
	delete(run, "ended")
	text = testkit.Must(json.Marshal(run))(t)
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
	v := testkit.Must(p.Visit())(t)
	defer func() { _ = v.Close() }()
	_, err = v.Ask(t.Context(), p.Parts[0].Cases[0])
	assert.Equal(t, "context_full", eval.InfraKind(err))
}
