package anthropic

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var blocks = &provider.Blocks{
	Assistant: "assistant", Content: "content",
	Text: func(text string) pyval.Value { return block(text) },
	Call: func(call eval.ToolCall, args pyval.Value) pyval.Value {
		return pyval.Object("type", pyval.Str("tool_use"), "id", pyval.Str(call.ID), "name", pyval.Str(call.Name), "input", args)
	},
	Result: func(m eval.Message) pyval.Value {
		return pyval.Object("type", pyval.Str("tool_result"), "content", pyval.Str(m.Content), "tool_use_id", pyval.Str(m.CallID))
	},
}

// block returns a text as a content block.
func block(text string) *pyval.Dict {
	return pyval.Object("type", pyval.Str("text"), "text", pyval.Str(text))
}

// keep asks the provider to cache what it reads, as upstream's ClaudeHandler
// does for multi-turn cases: the tools, the system prompt, and the conversation
// up to each of the user's last two messages.
func keep(body *pyval.Dict) {
	const places = 2
	if tools := provider.Items(body, "tools"); len(tools) > 0 {
		mark(tools[len(tools)-1:])
	}
	mark(provider.Items(body, "system"))
	messages := provider.Items(body, "messages")
	for i, marked := len(messages)-1, 0; i >= 0 && marked < places; i-- {
		if provider.Text(messages[i], "role") == "user" {
			mark(provider.Items(messages[i], "content"))
			marked++
		}
	}
}

// mark marks the first of some blocks to be cached. An empty text must not be
// marked.
func mark(items []pyval.Value) {
	if len(items) == 0 {
		return
	}
	d, ok := items[0].(*pyval.Dict)
	if !ok || provider.Text(d, "type") == "text" && provider.Text(d, "text") == "" {
		return
	}
	d.SetStr("cache_control", pyval.Object("type", pyval.Str("ephemeral")))
}
