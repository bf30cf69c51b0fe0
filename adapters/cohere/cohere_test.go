package cohere

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const hello = `{"id": "c", "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}, "usage": {"billed_units": {"input_tokens": 1, "output_tokens": 2}, "tokens": {"input_tokens": 400, "output_tokens": 2}}}`

var subject = adaptertest.Provider{
	Open:  func(cfg Config) (eval.Adapter, error) { return New(cfg) },
	Hello: hello,
	Leak:  `{"message": {"content": [{"type": "text", "text": "KEY"}], "tool_calls": [{"function": {"name": "KEY", "arguments": "{\"k\": \"KEY\"}"}}]}, "KEY": "KEY"}`,
	Fault: `{"id": "e", "message": "%s"}`,
	Key:   func(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") },
}

func TestProvider(t *testing.T) {
	subject.Run(t)
}

func TestGoldenTools(t *testing.T) {
	subject.Golden(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), testkit.GoldenFile(t, "tools", "cohere.jsonl"), testkit.Shared(t, "bfcl", "v4", "prompts.json"))
}

func BenchmarkGenerate(b *testing.B) { subject.Bench(b) }

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	adaptertest.Replies(t, [][4]string{
		{"calls beside text", `{"message": {"content": [{"type": "text", "text": "t"}], "tool_plan": "p", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1.0}"}}]}, "finish_reason": "COMPLETE"}`, "[{'f': '{\"a\": 1.0}'}]", ""},
		{"several texts", `{"message": {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "finish_reason": "COMPLETE"}`, "'a\\nb'", ""},
		{"content is text", `{"message": {"content": "t"}, "finish_reason": "COMPLETE"}`, "'t'", ""},
		{"no calls", `{"message": {"tool_calls": [], "content": [{"type": "text", "text": "t"}]}, "finish_reason": "COMPLETE"}`, "'t'", ""},
		{"nothing", `{"message": {}, "finish_reason": "COMPLETE"}`, "''", ""},
		{"broken arguments", `{"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{\"a\": "}}]}, "finish_reason": "COMPLETE"}`, "[{'f': '{\"a\": '}]", ""},
		{"call without anything", `{"message": {"tool_calls": [null, {}]}, "finish_reason": "COMPLETE"}`, "[{'': ''}, {'': ''}]", ""},
		{"cut off: limit", `{"message": {"content": [{"type": "text", "text": "x"}]}, "finish_reason": "MAX_TOKENS"}`, "'x'", ""},
		{"cut off: limit in a call", `{"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{\"a\": "}}]}, "finish_reason": "MAX_TOKENS"}`, `[{'f': '{"a": '}]`, ""},
		{"cut off: limit after a call", `{"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "MAX_TOKENS"}`, "[{'f': '{}'}]", ""},
		{"error", `{"message": {}, "finish_reason": "ERROR"}`, "", "server_error"},
		{"timeout", `{"message": {}, "finish_reason": "TIMEOUT"}`, "", "timeout"},
		{"no message", `{"message": null}`, "", "bad_reply"},
		{"message is text", `{"message": "invalid request"}`, "", "bad_reply"},
		{"odd usage", `{"message": {}, "usage": {"billed_units": {"input_tokens": -1, "output_tokens": 1e99}}}`, "''", ""},
	}, adaptertest.Parsed(parse))
}

// TestLaterTurns finds what later turns need.
func TestLaterTurns(t *testing.T) {
	r, err := parse(adaptertest.Doc(t, `{"message": {"tool_plan": "p", "tool_calls": [{"id": "a", "function": {"name": "f"}}, {}]}}`))
	require.NoError(t, err)
	assert.Equal(t, "p", r.Reasoning)
	assert.Equal(t, []string{"a", ""}, adaptertest.IDs(r.Calls))
}

// TestTokens counts what is billed; a server that bills nothing still counts.
func TestTokens(t *testing.T) {
	for usage, want := range map[string][2]int{
		`{"billed_units": {"input_tokens": 3, "output_tokens": 4}, "tokens": {"input_tokens": 30, "output_tokens": 40}}`: {3, 4},
		`{"tokens": {"input_tokens": 30, "output_tokens": 40}}`:                                                          {30, 40},
		`null`: {0, 0},
	} {
		r, err := parse(adaptertest.Doc(t, `{"message": {}, "usage": `+usage+`}`))
		require.NoError(t, err)
		assert.Equal(t, want, [2]int{r.Input, r.Output}, usage)
	}
}

func TestThinking(t *testing.T) {
	for effort, want := range map[string]string{
		"none": "{'type': 'disabled'}", "high": "{'type': 'enabled'}", "500": "{'type': 'enabled', 'token_budget': 500}",
	} {
		assert.Equal(t, want, pyval.Repr(thinking(effort)))
	}
}

func TestNoKey(t *testing.T) {
	subject.Keys(t, "command-a-03-2025", "COHERE_API_KEY or CO_API_KEY", `cohere "command-a-03-2025" at https://api.cohere.com`, "COHERE_API_KEY", "CO_API_KEY")
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"message": {"content": [{"type": 1}], "tool_calls": [{"function": {"name": 1, "arguments": {"a": NaN}}}]}, "usage": {"tokens": {"input_tokens": 1e400}}}`)
}

// TestFinishReasons: what is odd about the end of an answer is said, and what a
// server gave up on is none.
func TestFinishReasons(t *testing.T) {
	adaptertest.Finish(t, parse, `{"message": {"content": "x"}, "finish_reason": %q}`,
		map[string]string{"COMPLETE": "", "TOOL_CALL": "", "ERROR_TOXIC": "filtered: ERROR_TOXIC", "odd": "unknown: odd"},
		map[string]string{"ERROR": "server_error", "TIMEOUT": "timeout", "USER_CANCEL": "server_error"})
}
