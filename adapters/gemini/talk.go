//go:build gemini

package gemini

import (
	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

var blocks = &endpoint.Blocks{
	Assistant: "model", Content: "parts",
	Text: func(text string) pyval.Value { return part(text) },
	Call: func(call eval.ToolCall, args pyval.Value) pyval.Value {
		return endpoint.Object("functionCall", endpoint.Object("name", pyval.Str(call.Name), "args", args))
	},
	Result: func(m eval.Message) pyval.Value {
		return endpoint.Object("functionResponse", endpoint.Object(
			"name", pyval.Str(m.Name), "response", endpoint.Object("result", pyval.Str(m.Content))))
	},
	Silence: "The model did not return any response.", // upstream's GeminiHandler's word
}

// part is a text as a part.
func part(text string) *pyval.Dict { return endpoint.Object("text", pyval.Str(text)) }

// message is the answer as the next request repeats it, thought signatures
// included. Calls are told apart by their order.
func (r *reply) message() eval.Message {
	return eval.Message{
		Role: "assistant", Content: r.text, Calls: r.calls,
		Raw: pyval.NewList(endpoint.Items(r.content, "parts")...),
	}
}
