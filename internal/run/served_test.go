package run_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestLastHeaderIsSent: of a header that is given twice the last is sent, however
// its name is written.
func TestLastHeaderIsSent(t *testing.T) {
	t.Parallel()
	var sent atomic.Pointer[string]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		team := r.Header.Get("X-Team")
		sent.Store(&team)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply(pyval.Str("No.")))
	}))
	defer server.Close()
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
	loopback := newServer(t)
	fault := func(w http.ResponseWriter) bool {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"model": "` + *name.Load() + `", "choices": [{"message": {"role": "assistant", "content": "No."}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}`))
		return true
	}
	loopback.fault.Store(&fault)
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
		early, err := record.ReadRun(o.RunDir)
		require.NoError(t, err)
		require.NoError(t, s.Finish(false))
		stated, err := record.ReadRun(o.RunDir)
		require.NoError(t, err)
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
