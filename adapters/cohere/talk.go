package cohere

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Message returns the answer as the next request repeats it.
func (r *reply) Message() eval.Message {
	return eval.Message{
		Role: "assistant", Content: r.Text, Calls: r.Calls,
		Raw: provider.Pick(r.raw, "role", "tool_calls", "tool_plan", "content"),
	}
}

// spoken leaves out the model's empty messages, which the provider refuses.
func spoken(messages []eval.Message) []eval.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m eval.Message) bool {
		return m.Role == "assistant" && m.Content == "" && len(m.Calls) == 0
	})
}

// content returns a call's result as upstream's CohereHandler sends it: in a
// result that Python can read as a dict, "id" becomes "ID", because the
// provider takes "id" for a document's name.
func content(text string) pyval.Value {
	return pyval.NewList(pyval.Object("type", pyval.Str("text"), "text", pyval.Str(renamed(text))))
}

func renamed(text string) string {
	v, err := pycall.Literal(text)
	d, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return text
	}
	if id, ok := d.GetStr("id"); ok {
		d.Delete(pyval.Str("id"))
		d.SetStr("ID", id)
	}
	if written, err := pyval.JSON(d, 0); err == nil {
		return written
	}
	return text
}
