package responses

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A reply is what a response object says.
type reply struct {
	calls     []eval.ToolCall
	text      string
	reasoning string
	// items are the output as it came, encrypted reasoning included: a later
	// turn's input repeats them.
	items         []pyval.Value
	input, output int
}

// parse reads a response object. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	list, ok := endpoint.Get(raw, "output").(*pyval.List)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no output: %s", endpoint.Excerpt(raw))
	}
	r := &reply{items: list.Items}
	usage := endpoint.Get(raw, "usage")
	r.input, r.output = endpoint.Count(usage, "input_tokens"), endpoint.Count(usage, "output_tokens")
	for _, item := range list.Items {
		r.read(item)
	}
	if err := r.ended(raw); err != nil {
		return nil, err
	}
	return r, nil
}

// ended tells by the reply's status why it holds no whole answer. What a
// content filter left over is the answer.
func (r *reply) ended(raw *pyval.Dict) error {
	switch status := endpoint.Text(raw, "status"); status {
	case "", "completed":
		if len(r.items) == 0 {
			return eval.Infra("empty_reply", "the reply's output is empty: %s", endpoint.Excerpt(raw))
		}
		return nil
	case "incomplete":
		reason := endpoint.Text(endpoint.Get(raw, "incomplete_details"), "reason")
		if reason == "content_filter" || endpoint.Whole(r.calls) {
			return nil
		}
		return endpoint.MaxTokens(r.output)
	default:
		return (&endpoint.Fault{Code: "status " + status}).Infra()
	}
}

func (r *reply) read(item pyval.Value) {
	switch endpoint.Text(item, "type") {
	case "function_call":
		r.calls = append(r.calls, eval.ToolCall{
			ID:        endpoint.Text(item, "call_id"),
			Name:      endpoint.Text(item, "name"),
			Arguments: endpoint.Arguments(endpoint.Get(item, "arguments")),
		})
	case "message":
		r.text += said(item)
	case "reasoning":
		r.reasoning += thought(item)
	}
}

// said is a message's text: its output_text parts and refusals.
func said(item pyval.Value) string {
	var b strings.Builder
	b.WriteString(endpoint.Text(item, "content"))
	for _, part := range endpoint.Items(item, "content") {
		b.WriteString(endpoint.Text(part, "text"))
		b.WriteString(endpoint.Text(part, "refusal"))
	}
	return b.String()
}

// thought is a reasoning item's text: OpenAI gives a summary, servers of open
// weights the reasoning itself.
func thought(item pyval.Value) string {
	var b strings.Builder
	for _, key := range []string{"summary", "content"} {
		for _, part := range endpoint.Items(item, key) {
			if text := endpoint.Text(part, "text"); text != "" {
				b.WriteString(text + "\n")
			}
		}
	}
	return b.String()
}

// result is the answer as upstream's OpenAIResponsesHandler records it: the
// calls where there are any, else the text. In prompt mode only text counts.
func (r *reply) result(mode eval.Mode) pyval.Value {
	if len(r.calls) > 0 && mode != eval.Prompt {
		return eval.CallsResult(r.calls)
	}
	return eval.TextResult(r.text)
}

// message is the answer as the next request repeats it.
func (r *reply) message() eval.Message {
	return eval.Message{Role: "assistant", Content: r.text, Calls: r.calls, Raw: pyval.NewList(r.items...)}
}
