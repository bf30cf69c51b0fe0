package anthropic

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const hello = `{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2}}`

var subject = adaptertest.Provider{
	Open:  func(cfg Config) (eval.Adapter, error) { return New(cfg) },
	Hello: hello,
	Leak:  `{"content": [{"type": "text", "text": "KEY"}, {"type": "tool_use", "name": "KEY", "input": {"k": "KEY"}}], "KEY": "KEY"}`,
	Fault: `{"type": "error", "error": {"type": "some_error", "message": "%s"}, "request_id": "req_1"}`,
	Key:   func(h http.Header) string { return h.Get("X-Api-Key") },
}

func TestProvider(t *testing.T) {
	subject.Run(t)
}

func TestGoldenTools(t *testing.T) {
	subject.Golden(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), testkit.GoldenFile(t, "tools", "claude.jsonl"), testkit.Shared(t, "bfcl", "v4", "prompts.json"))
}

func BenchmarkGenerate(b *testing.B) { subject.Bench(b) }

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	adaptertest.Replies(t, [][4]string{
		{"calls beside text", `{"content": [{"type": "text", "text": "t"}, {"type": "tool_use", "name": "f", "input": {"b": 1.0, "a": 1}}]}`, `[{'f': '{"b": 1.0, "a": 1}'}]`, ""},
		{"several texts", `{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}`, `'ab'`, ""},
		{"nothing", `{"content": []}`, `''`, ""},
		{"refusal", `{"content": [], "stop_reason": "refusal"}`, `''`, ""},
		{"unknown block", `{"content": [{"type": "new"}, null, 5, "x", {"type": "text", "text": 5}]}`, `''`, ""},
		{"call without anything", `{"content": [{"type": "tool_use"}]}`, `[{'': ''}]`, ""},
		{"input is text", `{"content": [{"type": "tool_use", "name": "f", "input": "{\"a\": "}]}`, `[{'f': '{"a": '}]`, ""},
		{"cut off: limit", `{"content": [{"type": "text", "text": "x"}], "stop_reason": "max_tokens", "usage": {"output_tokens": 9}}`, `'x'`, ""},
		{"cut off: limit at a call", `{"content": [{"type": "tool_use", "name": "f", "input": {}}], "stop_reason": "max_tokens"}`, `[{'f': '{}'}]`, ""},
		{"cut off: context used up", `{"content": [], "stop_reason": "model_context_window_exceeded"}`, `''`, ""},
		{"content is text", `{"content": "x"}`, "", "bad_reply"},
		{"odd usage", `{"content": [], "usage": {"input_tokens": -5, "output_tokens": 1e99, "cache_read_input_tokens": "x"}}`, `''`, ""},
	}, adaptertest.Parsed(parse))
}

// TestLaterTurns finds what later turns need.
func TestLaterTurns(t *testing.T) {
	r, err := parse(adaptertest.Doc(t, `{"content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "tool_use", "id": "i", "name": "f", "input": {}}]}`))
	require.NoError(t, err)
	assert.Equal(t, "hm", r.Reasoning)
	assert.Equal(t, []string{"i"}, adaptertest.IDs(r.Calls))
	assert.Len(t, r.content, 2)
}

func TestModels(t *testing.T) {
	for _, c := range []struct {
		model   string
		most    int
		refuses bool
	}{
		{"claude-3-haiku-20240307", 4096, false},
		{"claude-3-5-haiku-20241022", 8192, false},
		{"claude-3-7-sonnet-latest", 64000, false},
		{"claude-opus-4-20250514", 32000, false},
		{"claude-opus-4-1-20250805", 32000, false},
		{"claude-opus-4-1", 32000, false},
		{"claude-sonnet-4-20250514", 64000, false},
		{"claude-sonnet-4-5-20250929", 64000, false},
		{"claude-opus-4-5-20251101", 64000, false},
		{"claude-opus-4-6", 64000, false},
		{"claude-opus-4-7", 64000, true},
		{"claude-opus-4-10", 64000, true},
		{"claude-sonnet-5", 64000, true},
		{"claude-haiku-5-5-20270101", 64000, true},
		{"claude-fable-5", 64000, true},
		{"other-model", 16384, false},
	} {
		assert.Equal(t, c.most, maxTokens(&Config{Model: c.model}), c.model)
		assert.Equal(t, c.refuses, refusesTemperature(c.model), c.model)
	}
	assert.Equal(t, 77, maxTokens(&Config{Model: "claude-opus-4-1", MaxTokens: 77}))
}

func TestNoKey(t *testing.T) {
	subject.Keys(t, "claude-opus-4-6", "ANTHROPIC_API_KEY", `anthropic "claude-opus-4-6" at https://api.anthropic.com`, "ANTHROPIC_API_KEY")
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"content": [{"type": "tool_use", "name": 1, "input": {"a": NaN}}, {"type": "thinking"}], "usage": {"input_tokens": 1e400}}`)
}

// TestVertex: a key travels as an access token, and keys of other services stay
// here.
func TestVertex(t *testing.T) {
	const place = "http://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4"
	for _, name := range KeyVariables {
		t.Setenv(name, "of-another-service-0123456789")
	}
	var sent http.Header
	var asked adaptertest.Seen
	carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		sent, asked = seen.Header, seen
		adaptertest.Write(w, http.StatusOK, hello)
	})
	a, err := New(Config{Model: "m", BaseURL: place, Key: "ya29.planted-0123456789", Transport: carrier})
	require.NoError(t, err)
	_, err = a.Generate(t.Context(), &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}})
	require.NoError(t, err)
	assert.Equal(t, "Bearer ya29.planted-0123456789", sent.Get("Authorization"))
	assert.Equal(t, "http://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/anthropic/models/m:rawPredict", asked.URL)
	assert.Contains(t, asked.Body, `{"anthropic_version":"vertex-2023-10-16","max_tokens":16384,`)
	assert.NotContains(t, asked.Body, `"model"`)
	streaming, err := New(Config{Model: "m", BaseURL: place, Key: "ya29.planted-0123456789", Stream: true, Transport: carrier})
	require.NoError(t, err)
	_, err = streaming.Generate(t.Context(), &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}})
	require.NoError(t, err)
	assert.Equal(t, "http://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/anthropic/models/m:streamRawPredict", asked.URL)
	own, err := New(Config{Model: "m", BaseURL: place, Headers: http.Header{"Authorization": {"Bearer of-my-own-0123456789"}}, Transport: carrier})
	require.NoError(t, err)
	_, err = own.Generate(t.Context(), &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}})
	require.NoError(t, err)
	assert.Equal(t, "Bearer of-my-own-0123456789", sent.Get("Authorization"))
	for name, values := range sent {
		assert.NotContains(t, values, "of-another-service-0123456789", name)
	}
	_, err = New(Config{Model: "m", BaseURL: "http://europe-west4-aiplatform.googleapis.com", Key: "x"})
	assert.ErrorContains(t, err, "projects/PROJECT/locations/LOCATION")

	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "/does/not/exist.json")
	_, err = New(Config{Model: "m", BaseURL: place})
	assert.ErrorContains(t, err, "key_command")
}

// TestFinishReasons: what is odd about the end of an answer is said, and what a
// server gave up on is none.
func TestFinishReasons(t *testing.T) {
	adaptertest.Finish(t, parse, `{"content": [{"type": "text", "text": "x"}], "stop_reason": %q}`,
		map[string]string{"end_turn": "", "pause_turn": "", "refusal": "filtered: refusal", "odd": "unknown: odd"},
		map[string]string{"abort": "server_error", "error": "server_error"})
}
