package provider_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// servers are what servers tell at their own addresses.
var servers = map[string]map[string]string{
	"llama.cpp": {
		"/props":     `{"default_generation_settings": {"n_ctx": 4096}, "total_slots": 2, "build_info": "b1-de3ff81", "chat_template": "{{ x }}"}`,
		"/v1/models": `{"object": "list", "data": [{"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}]}`,
	},
	"Ollama": {
		"/api/version": `{"version": "0.17.4"}`,
		"/api/ps":      `{"models": [{"name": "other:latest", "context_length": 9}, {"name": "m:latest", "model": "m:latest", "context_length": 4096}]}`,
		"/api/show":    `{"template": "{{ .Messages }}", "parameters": "num_ctx 8192"}`,
	},
	"Ollama before the model is loaded": {
		"/api/version": `{"version": "0.17.4"}`, "/api/ps": `{"models": []}`,
		"/api/show": `{"parameters": "stop \"<|im_end|>\"\nnum_ctx                        8192"}`,
	},
	"SGLang": {"/get_server_info": `{"model_path": "Qwen/Qwen3-8B", "version": "0.5.3", "tool_call_parser": "qwen25", "context_length": 32768, "max_running_requests": 64}`},
	"vLLM": {
		"/v1/models": `{"object": "list", "data": [{"id": "x", "owned_by": "vllm", "max_model_len": 1}, {"id": "m", "owned_by": "vllm", "max_model_len": 8192}]}`,
		"/version":   `{"version": "0.10.2"}`,
	},
	"unknown": {"/v1/models": `{"data": [{"id": "m", "owned_by": "me"}]}`},
	"broken":  {"/props": `[`, "/api/version": `{"version": 5}`, "/v1/models": `{"data": {}}`, "/get_server_info": `null`},
}

// TestLook: servers of each kind are told apart by what they tell, and a server
// that tells nothing, or nonsense, is unknown.
func TestLook(t *testing.T) {
	for name, want := range map[string]server.Facts{
		"llama.cpp":                         {Kind: server.LlamaCpp, Version: "b1-de3ff81", Context: 4096, Slots: 2, Template: "e52c737297f7", Grammar: true},
		"Ollama":                            {Kind: server.Ollama, Version: "0.17.4", Context: 4096, Cuts: true, Template: "6f28f1c0f2a6"},
		"Ollama before the model is loaded": {Kind: server.Ollama, Version: "0.17.4", Context: 8192, Cuts: true},
		"SGLang":                            {Kind: server.SGLang, Version: "0.5.3", Parser: "qwen25", Model: "Qwen/Qwen3-8B", Context: 32768, Slots: 64},
		"vLLM":                              {Kind: server.VLLM, Version: "0.10.2", Context: 8192},
		"unknown":                           {}, "broken": {},
	} {
		carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			assert.Equal(t, "Bearer sesame-open-sesame", seen.Header.Get("Authorization"))
			tell(w, servers[name], seen)
		})
		e := testkit.Must(provider.New(&provider.Config{Model: "m", BaseURL: "http://h/v1", Key: "sesame-open-sesame", Transport: carrier}, "chat/completions"))(t)
		got, settled := server.Look(t.Context(), e.Peek, "m")
		assert.True(t, settled, name)
		assert.Equal(t, want, got, name)
		assert.Equal(t, want == server.Facts{}, got.String() == "", name)
	}
}

// tell answers as a server that knows some addresses; others are not found.
func tell(w http.ResponseWriter, pages map[string]string, seen adaptertest.Seen) {
	page, ok := pages[seen.URL[strings.Index(seen.URL, "//h")+len("//h"):]]
	if !ok {
		http.NotFound(w, nil)
		return
	}
	adaptertest.Write(w, http.StatusOK, page)
}

// TestFull: an answer to a prompt that fills the context of a server that cuts,
// or that is hardly longer than the one it continues, is none, and the same on a server that refuses is one.
func TestFull(t *testing.T) {
	for _, c := range []struct {
		server string
		before int
		prompt int
		full   bool
	}{
		{"Ollama", 0, 4095, false}, {"Ollama", 0, 4096, true}, {"Ollama", 0, 5000, true}, {"Ollama", 0, 149, false},
		{"Ollama", 2000, 2001, false}, {"Ollama", 2000, 1900, true}, {"llama.cpp", 2000, 1900, false},
		{"llama.cpp", 0, 4096, false}, {"unknown", 0, 4096, false}, {"broken", 0, 4096, false},
	} {
		carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) { tell(w, servers[c.server], seen) })
		e := testkit.Must(provider.New(&provider.Config{Model: "m", BaseURL: "http://h/v1", Transport: carrier}, "chat/completions"))(t)
		require.NoError(t, e.Full(t.Context(), &eval.Request{Before: c.before}, c.prompt, false), "the server is not asked yet")
		err := e.Full(t.Context(), &eval.Request{Before: c.before}, c.prompt, true)
		require.Equal(t, c.full, err != nil, fmt.Sprint(c))
		if c.full {
			assert.Equal(t, "context_full", eval.InfraKind(err))
			assert.ErrorContains(t, err, "OLLAMA_CONTEXT_LENGTH")
		}
	}
}

// TestUnsettled: a server that does not reply, or has unloaded the model, is asked
// again, and not at each answer.
func TestUnsettled(t *testing.T) {
	for name, silent := range map[string]func(w http.ResponseWriter, url string) bool{
		"no reply":          func(http.ResponseWriter, string) bool { panic(http.ErrAbortHandler) },
		"no reply about it": func(_ http.ResponseWriter, url string) bool { return strings.HasSuffix(url, "/api/ps") && aborted() },
		"it is busy": func(w http.ResponseWriter, _ string) bool {
			adaptertest.Write(w, http.StatusServiceUnavailable, `{}`)
			return true
		},
		"it has unloaded": func(w http.ResponseWriter, url string) bool {
			if strings.HasSuffix(url, "/api/version") {
				return false
			}
			adaptertest.Write(w, http.StatusOK, `{"models": []}`)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			var mended atomic.Bool
			carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
				if strings.HasSuffix(seen.URL, "/api/version") {
					asked.Add(1)
				}
				if mended.Load() || !silent(w, seen.URL) {
					tell(w, servers["Ollama"], seen)
				}
			})
			e := testkit.Must(provider.New(&provider.Config{Model: "m", BaseURL: "http://h/v1", Transport: carrier}, "chat/completions"))(t)
			full := func() error { return e.Full(t.Context(), &eval.Request{}, 4096, true) }
			const often = 100
			for range often {
				require.NoError(t, full())
			}
			assert.Less(t, asked.Load(), int64(often))
			mended.Store(true)
			require.Eventually(t, func() bool { return full() != nil }, time.Minute, 10*time.Millisecond)
			at := asked.Load()
			require.Error(t, full())
			assert.Equal(t, at, asked.Load(), "it is settled")
		})
	}
}

func aborted() bool { panic(http.ErrAbortHandler) }

// TestPeek: what nothing depends on does not count as a fault of the server.
func TestPeek(t *testing.T) {
	var asked atomic.Int32
	carrier, end := adaptertest.Serve(t, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, _ adaptertest.Seen) { asked.Add(1); http.NotFound(w, nil) })
	e := testkit.Must(provider.New(&provider.Config{Model: "m", BaseURL: "http://h/v1", Transport: carrier}, "chat/completions"))(t)
	peek := func(ctx context.Context, want bool) {
		t.Helper()
		said, replied := e.Peek(ctx, "/props", nil)
		assert.Nil(t, said)
		assert.Equal(t, want, replied)
	}
	peek(t.Context(), true)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	peek(ended, false)
	end()
	peek(t.Context(), false)
	assert.EqualValues(t, 1, asked.Load(), "nothing is tried again")
}

func TestStartLine(t *testing.T) {
	assert.Equal(t, `mine --model 'it'\''s; rm -rf /' -p 18080`, server.StartLine("mine --model {model} -p {port}", "it's; rm -rf /"))
}
