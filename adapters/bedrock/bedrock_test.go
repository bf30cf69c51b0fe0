//go:build bedrock

package bedrock

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const hello = `{"output": {"message": {"role": "assistant", "content": [{"text": "Hello."}]}}, "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}, "metrics": {"latencyMs": 1}}`

var subject = adaptertest.Provider{
	Open:  func(cfg Config) (eval.Adapter, error) { return New(cfg) },
	Hello: hello,
	Leak:  `{"output": {"message": {"content": [{"text": "KEY"}, {"toolUse": {"name": "KEY", "input": {"k": "KEY"}}}]}}, "KEY": "KEY"}`,
	Fault: `{"message": "%s"}`,
	Key:   func(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") },
}

func TestProvider(t *testing.T) {
	clean(t)
	subject.Run(t)
}

func TestGoldenTools(t *testing.T) {
	clean(t)
	subject.Golden(t, testkit.GoldenFile(t, "tools", "docs.jsonl"), testkit.GoldenFile(t, "tools", "amazon.jsonl"), testkit.Shared(t, "bfcl", "v4", "prompts.json"))
}

func BenchmarkGenerate(b *testing.B) { subject.Bench(b) }

// clean is an environment without AWS's settings.
func clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", tokenVariable} {
		t.Setenv(name, "")
	}
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", none)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	adaptertest.Replies(t, [][4]string{
		{"calls between texts", `{"output": {"message": {"role": "assistant", "content": [{"text": "."}, {"toolUse": {"toolUseId": "1", "name": "f", "input": {"b": 1.0, "a": 1}}}, {"text": "."}]}}, "stopReason": "tool_use"}`, "[{'f': '{\"b\": 1.0, \"a\": 1}'}]", ""},
		{"several texts", `{"output": {"message": {"role": "assistant", "content": [{"text": "a"}, {"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": "b"}]}}, "stopReason": "end_turn"}`, "'ab'", ""},
		{"nothing", `{"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"}`, "''", ""},
		{"content null", `{"output": {"message": {"role": "assistant", "content": null}}, "stopReason": "end_turn"}`, "''", ""},
		{"guardrail", `{"output": {"message": {"role": "assistant", "content": [{"text": "No."}]}}, "stopReason": "guardrail_intervened"}`, "'No.'", ""},
		{"unknown block", `{"output": {"message": {"role": "assistant", "content": [{"image": {}}, null, 5, {"text": 5}]}}, "stopReason": "end_turn"}`, "''", ""},
		{"call without anything", `{"output": {"message": {"role": "assistant", "content": [{"toolUse": {}}]}}, "stopReason": "end_turn"}`, "[{'': ''}]", ""},
		{"cut off: limit", `{"output": {"message": {"role": "assistant", "content": [{"text": "x"}]}}, "stopReason": "max_tokens"}`, "'x'", ""},
		{"cut off: context used up", `{"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "model_context_window_exceeded"}`, "''", ""},
		{"no message", `{"output": {}}`, "", "bad_reply"},
		{"no output", `{}`, "", "bad_reply"},
		{"odd usage", `{"output": {"message": {}}, "usage": {"inputTokens": -1, "outputTokens": 1e99}}`, "''", ""},
	}, adaptertest.Parsed(parse))
}

// TestLaterTurns finds what later turns need.
func TestLaterTurns(t *testing.T) {
	r, err := parse(adaptertest.Doc(t, `{"output": {"message": {"content": [{"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}, {"toolUse": {"toolUseId": "i", "name": "f", "input": {}}}]}}}`))
	require.NoError(t, err)
	assert.Equal(t, "hm", r.Reasoning)
	assert.Equal(t, []string{"i"}, adaptertest.IDs(r.Calls))
	assert.Len(t, r.content, 2)
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"output": {"message": {"content": [{"toolUse": {"name": 1, "input": {"a": NaN}}}]}}, "usage": {"inputTokens": 1e400}}`)
}

// TestFinishReasons: what is odd about the end of an answer is said, and what a
// server gave up on is none.
func TestFinishReasons(t *testing.T) {
	adaptertest.Finish(t, parse, `{"output": {"message": {"content": [{"text": "x"}]}}, "stopReason": %q}`,
		map[string]string{"end_turn": "", "malformed_tool_use": "", "guardrail_intervened": "filtered: guardrail_intervened", "odd": "unknown: odd"},
		map[string]string{"error": "server_error"})
}
