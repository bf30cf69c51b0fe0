package gemini

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const hello = `{"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello."}]}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}}`

var subject = adaptertest.Provider{
	Open:  func(cfg Config) (eval.Adapter, error) { return New(cfg) },
	Hello: hello,
	Leak:  `{"candidates": [{"content": {"parts": [{"text": "KEY"}, {"functionCall": {"name": "KEY", "args": {"k": "KEY"}}}]}}], "KEY": "KEY"}`,
	Fault: `{"error": {"code": 0, "message": "%s", "status": "SOME_STATUS", "details": []}}`,
	Key:   func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
}

func TestProvider(t *testing.T) {
	subject.Run(t)
}

func TestGoldenTools(t *testing.T) {
	subject.Golden(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), testkit.GoldenFile(t, "tools", "google.jsonl"), testkit.Shared(t, "bfcl", "v4", "prompts.json"))
}

// TestMadeIDs: an id that the suite made for a call without one stays here.
func TestMadeIDs(t *testing.T) {
	raw, err := pyval.ParseJSON(`[{"functionCall": {"name": "f", "args": {}}}]`)
	require.NoError(t, err)
	contents := conversation([]eval.Message{
		{Role: "assistant", Raw: raw, Calls: []eval.ToolCall{{ID: "call_0", Name: "f", Arguments: "{}"}}},
		{Role: "tool", CallID: "call_0", Name: "f", Content: "1"},
	})
	assert.NotContains(t, pyval.Repr(contents), "call_0")
}

func BenchmarkGenerate(b *testing.B) { subject.Bench(b) }

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	adaptertest.Replies(t, [][4]string{
		{"calls beside text", `{"candidates": [{"content": {"parts": [{"text": "t"}, {"functionCall": {"name": "f", "args": {"b": 1.0, "a": 1}}, "thoughtSignature": "x"}, {"functionCall": {"name": "g"}}]}}]}`, "[{'f': '{\"b\": 1.0, \"a\": 1}'}, {'g': '{}'}]", ""},
		{"thoughts", `{"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"}, {"text": "b"}]}}]}`, "'ab'", ""},
		{"call without a name", `{"candidates": [{"content": {"parts": [{"functionCall": {"name": ""}, "text": "t"}]}}]}`, "'t'", ""},
		{"no parts", `{"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}`, "''", ""},
		{"no content", `{"candidates": [{"finishReason": "SAFETY", "safetyRatings": []}]}`, "''", ""},
		{"candidate null", `{"candidates": [null]}`, "''", ""},
		{"malformed call", `{"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed function call: f(a=)"}]}`, "'Malformed function call: f(a=)'", ""},
		{"blocked prompt", `{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 5}}`, "''", ""},
		{"cut off: limit", `{"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "MAX_TOKENS"}]}`, "'x'", ""},
		{"cut off: limit over thoughts", `{"candidates": [{"content": {}, "finishReason": "MAX_TOKENS"}]}`, "''", ""},
		{"no candidates", `{"candidates": []}`, "", "empty_reply"},
		{"nothing", `{}`, "", "empty_reply"},
		{"odd usage", `{"candidates": [{}], "usageMetadata": {"promptTokenCount": -1, "candidatesTokenCount": "x", "thoughtsTokenCount": 1e99}}`, "''", ""},
	}, adaptertest.Parsed(parse))
}

// TestLaterTurns finds what later turns need.
func TestLaterTurns(t *testing.T) {
	r, err := parse(adaptertest.Doc(t, `{"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"functionCall": {"name": "f"}, "thoughtSignature": "s"}]}}]}`))
	require.NoError(t, err)
	assert.Equal(t, "hm", r.Reasoning)
	assert.Contains(t, pyval.Repr(r.content), "thoughtSignature")
}

func TestThinking(t *testing.T) {
	for _, c := range []struct{ model, effort, want string }{
		{"gemini-2.5-pro", "", "{'includeThoughts': True}"},
		{"gemini-3-pro-preview", "low", "{'includeThoughts': True, 'thinkingLevel': 'low'}"},
		{"gemini-2.5-flash", "0", "{'includeThoughts': True, 'thinkingBudget': 0}"},
		{"gemini-2.5-flash", "-1", "{'includeThoughts': True, 'thinkingBudget': -1}"},
		{"gemini-2.0-flash", "", ""},
		{"gemini-1.5-pro", "", ""},
		{"gemma-3-27b-it", "", ""},
	} {
		got := ""
		if config := thinking(&Config{Model: c.model, ReasoningEffort: c.effort}); config != nil {
			got = pyval.Repr(config)
		}
		assert.Equal(t, c.want, got, "%s %q", c.model, c.effort)
	}
}

func TestNoKey(t *testing.T) {
	subject.Keys(t, "gemini-2.5-pro", "GOOGLE_API_KEY or GEMINI_API_KEY", `gemini "gemini-2.5-pro" at https://generativelanguage.googleapis.com`, "GEMINI_API_KEY", "GOOGLE_API_KEY")
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"candidates": [{"content": {"parts": [{"functionCall": {"name": 1}}, {"thought": "x"}]}}], "usageMetadata": {"promptTokenCount": 1e400}}`)
}

// TestVertex: a key travels as an access token, and keys of other services stay
// here.
func TestVertex(t *testing.T) {
	const place = "http://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4"
	for _, name := range KeyVariables {
		t.Setenv(name, "of-another-service-0123456789")
	}
	var sent http.Header
	carrier, _ := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		sent = seen.Header
		adaptertest.Write(w, http.StatusOK, hello)
	})
	a, err := New(Config{Model: "m", BaseURL: place, Key: "ya29.planted-0123456789", Transport: carrier})
	require.NoError(t, err)
	_, err = a.Generate(t.Context(), &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}})
	require.NoError(t, err)
	assert.Equal(t, "Bearer ya29.planted-0123456789", sent.Get("Authorization"))
	own, err := New(Config{Model: "m", BaseURL: place, Key: "ya29.planted-0123456789", Headers: http.Header{"Authorization": {"Bearer of-my-own-0123456789"}}, Transport: carrier})
	require.NoError(t, err)
	_, err = own.Generate(t.Context(), &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}})
	require.NoError(t, err)
	assert.Equal(t, "Bearer of-my-own-0123456789", sent.Get("Authorization"), "a header goes before a key, as for other providers")
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
	adaptertest.Finish(t, parse, `{"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": %q}]}`,
		map[string]string{"STOP": "", "SAFETY": "filtered: SAFETY", "OTHER": "unknown: OTHER", "UNEXPECTED_TOOL_CALL": ""},
		nil)
}
