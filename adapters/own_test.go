package adapters_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestModels: what a request has that depends on the model and its effort; nothing is
// "None".
func TestModels(t *testing.T) {
	const hot = "0.001"
	for _, c := range []struct {
		adapter, model, effort string
		most                   int
		field, want            string
	}{
		{"anthropic", "claude-3-haiku-20240307", "", 0, "max_tokens", "4096"},
		{"anthropic", "claude-3-5-haiku-20241022", "", 0, "max_tokens", "8192"},
		{"anthropic", "claude-3-7-sonnet-latest", "", 0, "max_tokens", "64000"},
		{"anthropic", "claude-opus-4-20250514", "", 0, "max_tokens", "32000"},
		{"anthropic", "claude-opus-4-1-20250805", "", 0, "max_tokens", "32000"},
		{"anthropic", "claude-opus-4-1", "", 0, "max_tokens", "32000"},
		{"anthropic", "claude-sonnet-4-20250514", "", 0, "max_tokens", "64000"},
		{"anthropic", "claude-opus-4-10", "", 0, "max_tokens", "64000"},
		{"anthropic", "claude-sonnet-5", "", 0, "max_tokens", "64000"},
		{"anthropic", "other-model", "", 0, "max_tokens", "16384"},
		{"anthropic", "claude-opus-4-1", "", 77, "max_tokens", "77"},
		{"anthropic", "claude-opus-4-1", "", 0, "temperature", hot},
		{"anthropic", "claude-sonnet-4-5-20250929", "", 0, "temperature", hot},
		{"anthropic", "claude-opus-4-5-20251101", "", 0, "temperature", hot},
		{"anthropic", "claude-opus-4-6", "", 0, "temperature", hot},
		{"anthropic", "claude-opus-4-7", "", 0, "temperature", "None"},
		{"anthropic", "claude-opus-4-10", "", 0, "temperature", "None"},
		{"anthropic", "claude-sonnet-5", "", 0, "temperature", "None"},
		{"anthropic", "claude-haiku-5-5-20270101", "", 0, "temperature", "None"},
		{"anthropic", "claude-fable-5", "", 0, "temperature", "None"},
		{"anthropic", "other-model", "", 0, "temperature", hot},
		{"gemini", "gemini-2.5-pro", "", 0, "generationConfig thinkingConfig", "{'includeThoughts': True}"},
		{"gemini", "gemini-3-pro-preview", "low", 0, "generationConfig thinkingConfig", "{'includeThoughts': True, 'thinkingLevel': 'low'}"},
		{"gemini", "gemini-2.5-flash", "0", 0, "generationConfig thinkingConfig", "{'includeThoughts': True, 'thinkingBudget': 0}"},
		{"gemini", "gemini-2.5-flash", "-1", 0, "generationConfig thinkingConfig", "{'includeThoughts': True, 'thinkingBudget': -1}"},
		{"gemini", "gemini-2.0-flash", "", 0, "generationConfig thinkingConfig", "None"},
		{"gemini", "gemini-1.5-pro", "", 0, "generationConfig thinkingConfig", "None"},
		{"gemini", "gemma-3-27b-it", "", 0, "generationConfig thinkingConfig", "None"},
		{"cohere", "m", "none", 0, "thinking", "{'type': 'disabled'}"},
		{"cohere", "m", "high", 0, "thinking", "{'type': 'enabled'}"},
		{"cohere", "m", "500", 0, "thinking", "{'type': 'enabled', 'token_budget': 500}"},
	} {
		a := named(t, c.adapter).saying(t, provider.Config{Model: c.model, ReasoningEffort: c.effort, MaxTokens: c.most}, http.StatusOK, "")
		body := testkit.Must(a.Body(hi(eval.FC)))(t)
		var got pyval.Value = body
		for _, key := range strings.Fields(c.field) {
			got = provider.Get(got, key)
		}
		assert.Equal(t, c.want, pyval.Repr(got), "%s %s", c.model, c.effort)
	}
}

// TestMadeIDs: an id that the suite made for a call without one stays here.
func TestMadeIDs(t *testing.T) {
	req := hi(eval.FC)
	req.Messages = append(req.Messages,
		eval.Message{Role: "assistant", Raw: parse(t, `[{"functionCall": {"name": "f", "args": {}}}]`), Calls: []eval.ToolCall{{ID: "call_0", Name: "f", Arguments: "{}"}}},
		eval.Message{Role: "tool", CallID: "call_0", Name: "f", Content: "1"})
	body := testkit.Must(named(t, "gemini").saying(t, provider.Config{}, http.StatusOK, "").Body(req))(t)
	assert.NotContains(t, pyval.Repr(body), "call_0")
}

// TestBilled: Cohere's tokens are those that are billed; a server that bills nothing
// still counts.
func TestBilled(t *testing.T) {
	for usage, want := range map[string][2]int{
		`{"billed_units": {"input_tokens": 3, "output_tokens": 4}, "tokens": {"input_tokens": 30, "output_tokens": 40}}`: {3, 4},
		`{"tokens": {"input_tokens": 30, "output_tokens": 40}}`:                                                          {30, 40},
		`null`: {0, 0},
	} {
		resp := testkit.Must(named(t, "cohere").saying(t, provider.Config{}, http.StatusOK, `{"message": {}, "usage": `+usage+`}`).Generate(t.Context(), hi(eval.FC)))(t)
		assert.Equal(t, want, [2]int{resp.InputTokens, resp.OutputTokens}, usage)
	}
}

// TestPromptMode: in prompt mode the text alone counts.
func TestPromptMode(t *testing.T) {
	const reply = `{"output": [{"type": "function_call", "name": "f", "arguments": "{}"}, {"type": "message", "content": "t"}]}`
	resp := testkit.Must(named(t, "responses").saying(t, provider.Config{}, http.StatusOK, reply).Generate(t.Context(), hi(eval.Prompt)))(t)
	assert.Equal(t, pyval.Str("t"), resp.Result)
}

// TestVertex: a key travels as an access token, a header goes before it, and keys of
// other services stay here.
func TestVertex(t *testing.T) {
	const place = "http://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4"
	for _, c := range []struct{ name, asked, streamed string }{
		{"anthropic", place + "/publishers/anthropic/models/m:rawPredict", place + "/publishers/anthropic/models/m:streamRawPredict"},
		{"gemini", place + "/publishers/google/models/m:generateContent", place + "/publishers/google/models/m:generateContent"},
	} {
		s := named(t, c.name)
		for name := range strings.SplitSeq(s.keys, " or ") {
			t.Setenv(name, "of-another-service-0123456789")
		}
		for _, cfg := range []struct {
			asked, token string
			provider.Config
		}{
			{c.asked, "Bearer " + secret, provider.Config{Key: secret}},
			{c.streamed, "Bearer " + secret, provider.Config{Key: secret, Stream: true}},
			{c.asked, "Bearer of-my-own-0123456789", provider.Config{Key: secret, Headers: http.Header{"Authorization": {"Bearer of-my-own-0123456789"}}}},
			{c.asked, "Bearer of-my-own-0123456789", provider.Config{Headers: http.Header{"Authorization": {"Bearer of-my-own-0123456789"}}}},
		} {
			var asked adaptertest.Seen
			cfg.Model, cfg.BaseURL = "m", place
			cfg.Transport, _ = adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
				asked = seen
				adaptertest.Write(w, http.StatusOK, s.hello)
			})
			a := testkit.Must(s.open(cfg.Config))(t)
			testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
			assert.Equal(t, cfg.asked, asked.URL)
			assert.Equal(t, []string{cfg.token}, asked.Header["Authorization"])
			for name, values := range asked.Header {
				assert.NotContains(t, values, "of-another-service-0123456789", name)
			}
			if c.name == "anthropic" {
				assert.Contains(t, asked.Body, `{"anthropic_version":"vertex-2023-10-16","max_tokens":16384,`)
				assert.NotContains(t, asked.Body, `"model"`)
			}
		}
		assert.ErrorContains(t, testkit.Err(s.open(provider.Config{Model: "m", BaseURL: "http://europe-west4-aiplatform.googleapis.com", Key: "x"})), "projects/PROJECT/locations/LOCATION")
		t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "/does/not/exist.json")
		assert.ErrorContains(t, testkit.Err(s.open(provider.Config{Model: "m", BaseURL: place})), "key_command")
	}
}
