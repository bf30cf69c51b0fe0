package transport

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/test/testkit"
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
			e := refused(t, c.status, c.body)
			assert.Equal(t, c.kind, e.Kind)
			assert.Contains(t, e.Hint, c.hint)
			assert.Equal(t, c.said, e.Said)
			assert.Equal(t, c.fatal, e.Fatal)
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
		inTime(t, name, func(t *testing.T) {
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
				testkit.Must(ask(t.Context(), tr, to, `{}`))(t)
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
			e := failure(t)("", <-done)
			assert.Equal(t, c.want, e.Kind, e)
			if c.want == Loading || c.host == "localhost" {
				assert.True(t, e.Fatal, "no other request waits as long again")
				assert.Contains(t, e.Hint, "did not come up within 10m0s")
			}
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
		inTime(t, name, func(t *testing.T) {
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
	}
}

func TestReadComplaint(t *testing.T) {
	for _, c := range []struct {
		body string
		want complaint
	}{
		{`{"error":{"message":"m","type":"t","code":"c"}}`, complaint{text: "m", code: " c t"}},
		{`{"error":"m"}`, complaint{text: "m"}},
		{`{"message":"m"}`, complaint{text: "m"}},
		{`{"Message":"m","__type":"ThrottlingException"}`, complaint{text: "m", code: " ThrottlingException"}},
		{`{"detail":"m"}`, complaint{text: "m"}},
		{`{"detail":[{"msg":"m"}]}`, complaint{text: `[{"msg":"m"}]`}},
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, complaint{text: "Overloaded", code: " error overloaded_error"}},
		{`{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"boom"}}}`, complaint{text: "Provider returned error: boom", status: 502}},
		{`[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"retryDelay":"3.5s"},7]}}]`,
			complaint{text: "m", code: " RESOURCE_EXHAUSTED", status: 429, delay: 3500 * time.Millisecond}},
		{`{"error":null,"other":1}`, complaint{text: `{"error":null,"other":1}`}},
		{`"plain"`, complaint{text: `"plain"`}},
		{`[]`, complaint{text: `[]`}},
		{` Bad gateway `, complaint{text: "Bad gateway"}},
		{"<!DOCTYPE html>\n<html><head><TITLE>502\n Bad Gateway</TITLE>", complaint{text: "a web page: 502 Bad Gateway"}},
		{"<html>", complaint{text: "a web page"}},
		{``, complaint{}},
	} {
		assert.Equal(t, c.want, readComplaint([]byte(c.body)), c.body)
	}
}

func TestErrorStatus(t *testing.T) {
	for body, want := range map[string]int{
		`{"error":{"code":502}}`:                 502,
		`  {"error":{"code":429,"message":"m"}}`: 429,
		`{"error":null,"output":[]}`:             0,
		`{"error":{"code":"x"}}`:                 0,
		`{"error":{"code":200}}`:                 0,
		`{"error":{"code":500},"choices":[]}`:    0,
		`{"choices":[{"error":{"code":502}}]}`:   0,
		`[]`:                                     0,
		okReply:                                  0,
	} {
		assert.Equal(t, want, errorStatus([]byte(body)), body)
	}
}

// TestScale: a request is charged by its conversation's step before, the first by
// others of its kind, and the first of all by what was measured.
func TestScale(t *testing.T) {
	assert.Equal(t, 100, scaleOf(t.Context()).guess(450))
	kind := NewScale(3.6)
	first, second := kind.Conversation(), kind.Conversation()
	assert.Equal(t, 1000, first.guess(3600))
	first.learn(10_000, 5000) // two bytes a token
	assert.InDelta(t, 1000, second.guess(2000), 1)
	first.learn(30_000, 10_000)
	assert.Equal(t, 1000, first.guess(3000), "its last step counts")
	assert.InDelta(t, 1000, second.guess(2667), 1, "all of its kind count")
	second.learn(1000, 0)
	assert.InDelta(t, 1000, second.guess(2667), 1, "a reply that states none says nothing")
}

func FuzzComplaint(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"m","code":429,"metadata":{"raw":"x"},"details":[{"retryDelay":"1e9h"}]}}`))
	f.Add([]byte("<html><title>\xff"))
	f.Add([]byte(strings.Repeat("[", 20000)))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := readComplaint(body)
		if c.delay < 0 {
			t.Errorf("a delay of %v", c.delay)
		}
		if line := oneLine(scrubbed(c.text, []string{aKey})); strings.ContainsAny(line, "\n\x16\x1b") || strings.Contains(line, aKey) {
			t.Errorf("unsafe: %q", line)
		}
		if errorStatus(body) < 0 {
			t.Error("negative")
		}
	})
}

// TestNoKeyInErrors has servers and networks throw the key back in every
// spelling, in every kind of error.
func TestNoKeyInErrors(t *testing.T) {
	echoes := strings.Join([]string{aKey, url.QueryEscape(aKey), url.PathEscape(aKey),
		base64.StdEncoding.EncodeToString([]byte(aKey)), "Bearer " + aKey}, " | ")
	servers := map[string]fake{
		"network": func(*http.Request) (*http.Response, error) { return nil, errors.New("dial " + echoes) },
		"page": func(*http.Request) (*http.Response, error) {
			return reply(200, "<html><title>"+echoes+"</title>"), nil
		},
		"cut": func(*http.Request) (*http.Response, error) {
			resp := reply(200, "")
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), broken{errors.New(echoes)}))
			return resp, nil
		},
	}
	for _, status := range []int{301, 400, 401, 402, 403, 404, 429, 500, 503} {
		for shape, body := range map[string]string{"text": echoes, "json": fmt.Sprintf(`{"error":{"message":%q,"code":%q}}`, echoes, echoes),
			"long": strings.Repeat("x", messageCap-10) + echoes} {
			servers[fmt.Sprint(status, " ", shape)] = func(*http.Request) (*http.Response, error) { return reply(status, body), nil }
		}
	}
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			o := quick()
			o.Base, o.MaxTries, o.MaxElapsed = server, 3, 10
			tr := New(o)
			for _, address := range []string{fakeURL, fakeURL + "?key=" + url.QueryEscape(aKey), "http://user:" + url.PathEscape(aKey) + "@model.test/v1"} {
				e := failure(t)(ask(t.Context(), tr, address, `{}`))
				infra := AsInfra(e)
				for _, text := range []string{e.Error(), e.Message, e.Hint, infra.Error(), fmt.Sprintf("%v %+v %#v", e, *e, infra)} {
					for _, part := range []string{"k3y-Zu9", "planted", base64.StdEncoding.EncodeToString([]byte(aKey))[:12]} {
						require.NotContains(t, text, part)
					}
				}
			}
		})
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestScrub(t *testing.T) {
	tr := New(Options{Secrets: []string{"hunter2hunter2", "EMPTY", ""}})
	for _, c := range []struct{ text, want string }{
		{"the key hunter2hunter2 is wrong", "the key [removed] is wrong"},
		{"EMPTY choices", "EMPTY choices"},
		{"Incorrect API key provided: sk-proj-abc***xyz9.", "Incorrect API key provided: [removed]."},
		{"Authorization: bearer abcdefgh.ijk", "Authorization: bearer [removed]"},
		{"GET https://x.test/v1?key=abc&alt=json", "GET https://x.test/v1?key=[removed]&alt=json"},
		{"https://me:pass@proxy.test", "https://[removed]proxy.test"},
		{"the task-force is fine", "the task-force is fine"},
	} {
		assert.Equal(t, c.want, tr.Scrub(c.text))
	}
}

// TestScrubsAlike: of two secrets that overlap in a text the same goes first,
// whichever was known first.
func TestScrubsAlike(t *testing.T) {
	for _, secrets := range [][]string{{"abcdefgh", "efghijkl"}, {"efghijkl", "abcdefgh"}} {
		assert.Equal(t, "[removed]ijkl", scrubbed("abcdefghijkl", secrets))
	}
}

// TestBrokenHeaderIsOne: of several headers with a line break the same is named
// each time.
func TestBrokenHeaderIsOne(t *testing.T) {
	req := httptest.NewRequest(http.MethodPost, fakeURL, nil)
	for _, name := range []string{"X-D", "X-C", "X-B", "X-A"} {
		req.Header[name] = []string{"a\nb"}
	}
	tr := New(Options{})
	for range 50 {
		_, err := tr.RoundTrip(req) //nolint:bodyclose // there is none
		require.ErrorContains(t, err, "the header X-A holds a line break")
	}
}

// TestMessagesStayOneLine: no server may write lines of a test log.
func TestMessagesStayOneLine(t *testing.T) {
	for _, text := range []string{
		"x\n--- PASS: TestBFCL/a", "\x16=== RUN", "\x1b[2J", "a\u2028b\u202e", "\xff\xfe", strings.Repeat("é", 5000),
	} {
		line := oneLine(text)
		for _, r := range line {
			assert.False(t, r < ' ' || r == 0x7f || r == '\u2028' || r == '\u202e' || r == '\ufffd', "%q", line)
		}
		assert.LessOrEqual(t, len(line), 4*messageCap+10)
	}
	assert.Equal(t, `say "hi" \\ there`, oneLine(`say "hi" \ there`))
}
