//go:build cohere

package cohere

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/transport"
)

// A reply is what a chat response says.
type reply struct {
	calls []eval.ToolCall
	text  string
	// raw is the message as it came.
	raw *pyval.Dict
	// reasoning is the plan of the calls, or the thinking.
	reasoning     string
	input, output int
}

// parse reads a chat response. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	message, ok := endpoint.Get(raw, "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", endpoint.Excerpt(raw))
	}
	r := &reply{}
	r.count(endpoint.Get(raw, "usage"))
	r.read(message)
	switch endpoint.Text(raw, "finish_reason") {
	case "MAX_TOKENS":
		if !endpoint.Whole(r.calls) {
			return nil, endpoint.MaxTokens(r.output)
		}
	case "ERROR":
		return nil, eval.Infra(transport.ServerError, "the server ended the answer with an error")
	case "TIMEOUT":
		return nil, eval.Infra(transport.Timeout, "the server ran out of time over the answer")
	}
	return r, nil
}

// count takes the tokens that are billed, as upstream's CohereHandler does;
// servers of open weights state none and bill none, but count.
func (r *reply) count(usage pyval.Value) {
	counts := endpoint.Get(usage, "billed_units")
	if _, ok := counts.(*pyval.Dict); !ok {
		counts = endpoint.Get(usage, "tokens")
	}
	r.input, r.output = endpoint.Count(counts, "input_tokens"), endpoint.Count(counts, "output_tokens")
}

func (r *reply) read(message *pyval.Dict) {
	r.raw = message
	for _, call := range endpoint.Items(message, "tool_calls") {
		function := endpoint.Get(call, "function")
		r.calls = append(r.calls, eval.ToolCall{
			ID:        endpoint.Text(call, "id"),
			Name:      endpoint.Text(function, "name"),
			Arguments: endpoint.Arguments(endpoint.Get(function, "arguments")),
		})
	}
	r.reasoning = endpoint.Text(message, "tool_plan")
	var said []string
	if text := endpoint.Text(message, "content"); text != "" {
		said = append(said, text)
	}
	for _, part := range endpoint.Items(message, "content") {
		switch endpoint.Text(part, "type") {
		case "thinking":
			r.reasoning += endpoint.Text(part, "thinking")
		default:
			said = append(said, endpoint.Text(part, "text"))
		}
	}
	r.text = strings.Join(said, "\n")
}

// result is the answer as upstream's CohereHandler records it, in the form of
// other providers: the calls where there are any, else the text. In prompt mode
// only text counts.
func (r *reply) result(mode eval.Mode) pyval.Value {
	if len(r.calls) > 0 && mode != eval.Prompt {
		return eval.CallsResult(r.calls)
	}
	return eval.TextResult(r.text)
}
