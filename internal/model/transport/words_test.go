package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWords: what servers say decides what an error is, whatever its status. None
// of these is asked again.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		server     string
		status     int
		body       string
		kind, hint string
		said       string
		fatal      bool
	}{
		{"llama.cpp", 400, `{"error":{"code":400,"message":"request (5553 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5553,"n_ctx":4096}}`, ContextFull, "larger -c", "", false},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 8192 tokens. However, you requested 12000 tokens in the messages","type":"BadRequestError","code":400}`, ContextFull, "--max-model-len", "", false},
		{"SGLang", 400, `{"object":"error","message":"The input (9000 tokens) is longer than the model's context length (8192 tokens)."}`, ContextFull, "--context-length", "", false},
		{"OpenAI", 400, `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}`, ContextFull, "longer context", "", false},
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, ContextFull, "longer context", "", false},
		{"Gemini", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, ContextFull, "longer context", "", false},
		{"Bedrock", 400, `{"message":"Input is too long for requested model."}`, ContextFull, "longer context", "", false},
		{"llama.cpp, its grammar", 500, `{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format","type":"server_error"}}`, Malformed, "", "", false},
		{"llama.cpp, another function", 500, `{"error":{"code":500,"message":"Unexpected empty grammar stack after accepting piece: x","type":"server_error"}}`, Malformed, "", "", false},
		{"Ollama", 500, `{"error":{"message":"error parsing tool call: raw='{\"name\": \"f\", ', err=unexpected end of JSON input","type":"api_error"}}`, Malformed, "", `{"name": "f", `, false},
		{"Groq", 400, `{"error":{"message":"Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=f{\"a\": 1}</function>"}}`, Malformed, "", `<function=f{"a": 1}</function>`, false},
		{"Groq with a key in the text", 400, `{"error":{"message":"m","code":"tool_use_failed","failed_generation":"` + aKey + `"}}`, Malformed, "", masked, false},
		{"llama.cpp, a schema", 500, `{"error":{"code":500,"message":"JSON schema error at #/properties/a: unrecognized type float","type":"server_error"}}`, BadRequest, "schema", "", false},
		{"llama.cpp, a schema, another template", 400, `{"error":{"code":400,"message":"Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #/properties/a: unrecognized type float","type":"invalid_request_error"}}`, BadRequest, "schema", "", false},
		{"llama.cpp without a parser", 500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, Unequipped, "--jinja", "", true},
		{"vLLM without a parser", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","code":400}`, Unequipped, "-read=dialect", "", true},
		{"Ollama without tools", 400, `{"error":{"message":"registry.ollama.ai/library/x:latest does not support tools","type":"api_error"}}`, Unequipped, "template", "", true},
	} {
		t.Run(c.server, func(t *testing.T) {
			seen := 0
			tr, url := start(t, quick(), func(w http.ResponseWriter, _ *http.Request, attempt int) {
				seen = attempt
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			_, err := ask(t.Context(), tr, url, `{}`)
			e := failure(t, err)
			assert.Equal(t, c.kind, e.Kind)
			assert.Contains(t, e.Hint, c.hint)
			assert.Equal(t, c.said, e.Said)
			assert.Equal(t, c.fatal, e.Fatal)
			assert.Equal(t, 1, seen)
			assert.NotContains(t, e.Error(), aKey)
		})
	}
}

func TestContextOf(t *testing.T) {
	for _, c := range []struct {
		message       string
		limit, prompt int
	}{
		{"request (5553 tokens) exceeds the available context size (4096 tokens)", 4096, 5553},
		{"This model's maximum context length is 8192 tokens. However, you requested 12000 tokens in the messages", 8192, 12000},
		{"The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192, 9000},
		{"prompt is too long: 210000 tokens > 200000 maximum", 200000, 210000},
		{"no", 0, 0},
	} {
		limit, prompt := ContextOf(c.message)
		assert.Equal(t, []int{c.limit, c.prompt}, []int{limit, prompt}, c.message)
	}
}

// TestStarting: a server that loads its model is waited for, as is a local one
// that restarts, for as long as StartWait; no number of tries ends it earlier.
func TestStarting(t *testing.T) {
	for name, c := range map[string]struct {
		host    string
		first   bool // whether it answers once before
		down    time.Duration
		refused bool // connections are
		want    string
	}{
		"loading":                      {"model.test", false, 9 * time.Minute, false, ""},
		"loading for too long":         {"model.test", false, time.Hour, false, Loading},
		"restarting":                   {"127.0.0.1", true, 9 * time.Minute, true, ""},
		"gone":                         {"localhost", true, time.Hour, true, Connection},
		"never there":                  {"127.0.0.1", false, 9 * time.Minute, true, CircuitOpen},
		"elsewhere is no restart here": {"model.test", true, 9 * time.Minute, true, Connection},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin, asked := time.Now(), 0
				tr := New(Options{Base: fake(func(*http.Request) (*http.Response, error) {
					asked++
					switch {
					case c.first && asked == 1, time.Since(begin) >= c.down:
						return reply(200, okReply), nil
					case c.refused:
						return nil, fmt.Errorf("dial tcp: %w", syscall.ECONNREFUSED)
					}
					return reply(503, `{"error":{"message":"Loading model","code":503}}`), nil
				})})
				to := "http://" + c.host + ":8000/v1/chat/completions"
				if c.first {
					_, err := ask(t.Context(), tr, to, `{}`)
					require.NoError(t, err)
				}
				done := make(chan error, 1)
				go func() {
					_, err := ask(t.Context(), tr, to, `{}`)
					done <- err
				}()
				if c.want == "" {
					time.Sleep(5 * time.Minute)
					assert.True(t, tr.Wait().Starting)
					assert.Equal(t, begin.Add(10*time.Minute), tr.Wait().Until)
					require.NoError(t, <-done)
					assert.Less(t, asked, 100, "it is asked every ten seconds")
					assert.Zero(t, tr.Wait())
					return
				}
				e := failure(t, <-done)
				assert.Equal(t, c.want, e.Kind, e)
				if c.want == Loading || c.host == "localhost" {
					assert.True(t, e.Fatal, "no other request waits as long again")
					assert.Contains(t, e.Hint, "did not come up within 10m0s")
				}
			})
		})
	}
}

// TestSameRefusals: a server that answers nothing and refuses everything for one
// reason is not asked thousands of times; one that has answered is.
func TestSameRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		refusal  func(n int) string
		answered bool
		flying   int
		want     int
	}{
		"one after the other": {func(n int) string { return fmt.Sprintf("field %d is unknown", n) }, false, 1, 20},
		"many at once":        {func(int) string { return "unknown field" }, false, 50, 100},
		"after an answer":     {func(int) string { return "unknown field" }, true, 1, 500},
		"for other reasons":   {func(n int) string { return "no " + string(rune('a'+n%2)) }, false, 1, 500},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				asked := 0
				tr := New(Options{MaxInFlight: c.flying, Base: fake(func(*http.Request) (*http.Response, error) {
					mu.Lock()
					asked++
					n := asked
					mu.Unlock()
					time.Sleep(time.Millisecond)
					if c.answered && n == 1 {
						return reply(200, okReply), nil
					}
					return reply(400, `{"message":"`+c.refusal(n)+`"}`), nil
				})})
				var last error
				var running sync.WaitGroup
				for range c.flying {
					running.Go(func() {
						for range 500 / c.flying {
							if _, err := ask(t.Context(), tr, fakeURL, `{}`); err != nil {
								mu.Lock()
								last = err
								mu.Unlock()
							}
						}
					})
				}
				running.Wait()
				assert.GreaterOrEqual(t, asked, c.want)
				assert.Less(t, asked, c.want+2*c.flying, "what was in flight is all that is asked after it")
				var e *Error
				require.True(t, errors.As(last, &e))
				assert.Equal(t, c.want < 500, e.Fatal)
				if e.Fatal {
					assert.Contains(t, e.Error(), "has refused")
					assert.Contains(t, e.Error(), "unknown")
				}
			})
		})
	}
}
