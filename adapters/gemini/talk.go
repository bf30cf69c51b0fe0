package gemini

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var blocks = &provider.Blocks{
	Assistant: "model", Content: "parts",
	Text: func(text string) pyval.Value { return part(text) },
	Call: func(call eval.ToolCall, args pyval.Value) pyval.Value {
		return pyval.Object("functionCall", pyval.Object("name", pyval.Str(call.Name), "args", args))
	},
	Result: func(m eval.Message) pyval.Value {
		return pyval.Object("functionResponse", pyval.Object(
			"id", pyval.Str(m.CallID), "name", pyval.Str(m.Name), "response", pyval.Object("result", pyval.Str(m.Content))))
	},
	Silence: "The model did not return any response.", // the text of upstream's GeminiHandler
}

// part returns a text as a part of a content.
func part(text string) *pyval.Dict { return pyval.Object("text", pyval.Str(text)) }

// conversation returns the messages as contents. A result carries its call's id
// if the model gave the call one; ids made by the suite mean nothing to the
// API.
func conversation(talk []eval.Message) *pyval.List {
	contents := blocks.Messages(talk)
	given := map[string]bool{"": false}
	for _, content := range contents.Items {
		for _, part := range provider.Items(content, "parts") {
			if id := provider.Text(provider.Get(part, "functionCall"), "id"); id != "" {
				given[id] = true
			}
			result, ok := provider.Get(part, "functionResponse").(*pyval.Dict)
			if ok && !given[provider.Text(result, "id")] {
				result.Delete(pyval.Str("id"))
			}
		}
	}
	return contents
}
