package cohere

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// finishes are the finish reasons.
var finishes = provider.Finishes{
	"": provider.Answered, "COMPLETE": provider.Answered, "STOP_SEQUENCE": provider.Answered, "TOOL_CALL": provider.Answered,
	"MAX_TOKENS": provider.CutOff, "ERROR_LIMIT": provider.CutOff,
	"ERROR_TOXIC": provider.Filtered,
	"ERROR":       provider.Aborted, "USER_CANCEL": provider.Aborted, "TIMEOUT": provider.TimedOut,
}

// read reads a chat response. The billed tokens count, as for upstream's
// CohereHandler, or else the counted ones: servers of open weights bill none.
func read(raw *pyval.Dict) (*provider.Said, error) {
	message, ok := provider.Get(raw, "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", provider.Excerpt(raw))
	}
	usage := provider.Get(raw, "usage")
	counts := provider.Get(usage, "billed_units")
	if _, ok := counts.(*pyval.Dict); !ok {
		counts = provider.Get(usage, "tokens")
	}
	s := &provider.Said{
		Input: provider.Count(counts, "input_tokens"), Output: provider.Count(counts, "output_tokens"),
		Reasoning: provider.Text(message, "tool_plan"), Raw: provider.Pick(message, "role", "tool_calls", "tool_plan", "content"),
	}
	for _, call := range provider.Items(message, "tool_calls") {
		s.AddCall(provider.Get(call, "function"), provider.Text(call, "id"), "arguments")
	}
	var said []string
	if text := provider.Text(message, "content"); text != "" {
		said = append(said, text)
	}
	for _, part := range provider.Items(message, "content") {
		switch provider.Text(part, "type") {
		case "thinking":
			s.Reasoning += provider.Text(part, "thinking")
		default:
			said = append(said, provider.Text(part, "text"))
		}
	}
	s.Text = strings.Join(said, "\n")
	return s, s.End(finishes, provider.Text(raw, "finish_reason"))
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
