package cohere

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A reply is what a chat response says.
type reply struct {
	provider.Said
	// raw is the message as it came.
	raw *pyval.Dict
}

// finishes are the finish reasons.
var finishes = provider.Finishes{
	"": provider.Answered, "COMPLETE": provider.Answered, "STOP_SEQUENCE": provider.Answered, "TOOL_CALL": provider.Answered,
	"MAX_TOKENS": provider.CutOff, "ERROR_LIMIT": provider.CutOff,
	"ERROR_TOXIC": provider.Filtered,
	"ERROR":       provider.Aborted, "USER_CANCEL": provider.Aborted, "TIMEOUT": provider.TimedOut,
}

// parse reads a chat response. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	message, ok := provider.Get(raw, "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", provider.Excerpt(raw))
	}
	r := &reply{}
	r.count(provider.Get(raw, "usage"))
	r.read(message)
	return r, r.End(finishes, provider.Text(raw, "finish_reason"))
}

// count reads the billed tokens, as upstream's CohereHandler does, or the
// counted ones: servers of open weights bill none.
func (r *reply) count(usage pyval.Value) {
	counts := provider.Get(usage, "billed_units")
	if _, ok := counts.(*pyval.Dict); !ok {
		counts = provider.Get(usage, "tokens")
	}
	r.Input, r.Output = provider.Count(counts, "input_tokens"), provider.Count(counts, "output_tokens")
}

func (r *reply) read(message *pyval.Dict) {
	r.raw = message
	for _, call := range provider.Items(message, "tool_calls") {
		function := provider.Get(call, "function")
		r.Calls = append(r.Calls, eval.ToolCall{
			ID:        provider.Text(call, "id"),
			Name:      provider.Text(function, "name"),
			Arguments: provider.Arguments(provider.Get(function, "arguments")),
		})
	}
	r.Reasoning = provider.Text(message, "tool_plan")
	var said []string
	if text := provider.Text(message, "content"); text != "" {
		said = append(said, text)
	}
	for _, part := range provider.Items(message, "content") {
		switch provider.Text(part, "type") {
		case "thinking":
			r.Reasoning += provider.Text(part, "thinking")
		default:
			said = append(said, provider.Text(part, "text"))
		}
	}
	r.Text = strings.Join(said, "\n")
}
