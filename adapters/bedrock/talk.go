//go:build bedrock

package bedrock

import (
	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

var blocks = &endpoint.Blocks{
	Assistant: "assistant", Content: "content",
	Text: func(text string) pyval.Value { return block(text) },
	Call: func(call eval.ToolCall, args pyval.Value) pyval.Value {
		return endpoint.Object("toolUse", endpoint.Object("toolUseId", pyval.Str(call.ID), "name", pyval.Str(call.Name), "input", args))
	},
	Result: func(m eval.Message) pyval.Value {
		return endpoint.Object("toolResult", endpoint.Object("toolUseId", pyval.Str(m.CallID), "content", pyval.NewList(block(m.Content))))
	},
}

// block is a text as a content block.
func block(text string) *pyval.Dict { return endpoint.Object("text", pyval.Str(text)) }
