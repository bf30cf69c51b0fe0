package provider_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestChatMessages writes an assistant's message: as it came where it can be,
// with the calls in the protocol's form where they did not come so.
func TestChatMessages(t *testing.T) {
	const written = `[{'role': 'assistant', 'content': None, 'tool_calls': [{'id': 'c0', 'type': 'function', 'function': {'name': 'f', 'arguments': '{"x":1}'}}]}]`
	calls := []eval.ToolCall{{ID: "c0", Name: "f", Arguments: `{"x":1}`}}
	for _, c := range []struct {
		name, raw string
		calls     []eval.ToolCall
		want      string
	}{
		{"as it came", `{"role": "assistant", "content": [{"type": "text", "text": "x"}]}`, nil, `[{'role': 'assistant', 'content': [{'type': 'text', 'text': 'x'}]}]`},
		{"an empty list", `{"role": "assistant", "content": null, "tool_calls": []}`, nil, `[{'role': 'assistant', 'content': None, 'tool_calls': []}]`},
		{"no id", `{"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\":1}"}}]}`, calls, written},
		{"arguments as an object", `{"role": "assistant", "content": null, "tool_calls": [{"id": "c0", "function": {"name": "f", "arguments": {"x": 1}}}]}`, calls, written},
		{"the old form", `{"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}}`, calls, written},
		{"of another adapter", "", calls, `[{'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'c0', 'type': 'function', 'function': {'name': 'f', 'arguments': '{"x":1}'}}]}]`},
	} {
		m := eval.Message{Role: "assistant", Calls: c.calls}
		before := ""
		if c.raw != "" {
			v, err := pyval.ParseJSON(c.raw)
			require.NoError(t, err)
			m.Raw, before = v, pyval.Repr(v)
		}
		assert.Equal(t, c.want, pyval.Repr(provider.ChatMessages([]eval.Message{m}, provider.PlainText)), c.name)
		if m.Raw != nil {
			assert.Equal(t, before, pyval.Repr(m.Raw), "%s: the message itself must not change", c.name)
		}
	}
}
