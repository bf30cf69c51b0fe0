//go:build anthropic

package anthropic

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A reply is what a message says.
type reply struct {
	calls     []eval.ToolCall
	text      string
	reasoning string
	// content is the message as it came, signed thinking included: a later
	// turn repeats it.
	content       []pyval.Value
	input, output int
}

// cutOff are the reasons for which an answer ends before its end. What there
// is of it does not count: a call's input is an object, which cannot show that
// it is whole.
var cutOff = map[string]bool{"max_tokens": true, "model_context_window_exceeded": true}

// parse reads a message. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	list, ok := endpoint.Get(raw, "content").(*pyval.List)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no content: %s", endpoint.Excerpt(raw))
	}
	r := &reply{content: list.Items}
	usage := endpoint.Get(raw, "usage")
	for _, key := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
		r.input += endpoint.Count(usage, key)
	}
	r.output = endpoint.Count(usage, "output_tokens")
	if cutOff[endpoint.Text(raw, "stop_reason")] {
		return nil, endpoint.MaxTokens(r.output)
	}
	r.read()
	return r, nil
}

func (r *reply) read() {
	var said, thought strings.Builder
	for _, block := range r.content {
		switch endpoint.Text(block, "type") {
		case "text":
			said.WriteString(endpoint.Text(block, "text"))
		case "thinking":
			thought.WriteString(endpoint.Text(block, "thinking"))
		case "tool_use":
			r.calls = append(r.calls, eval.ToolCall{
				ID:        endpoint.Text(block, "id"),
				Name:      endpoint.Text(block, "name"),
				Arguments: endpoint.Arguments(endpoint.Get(block, "input")),
			})
		}
	}
	r.text, r.reasoning = said.String(), thought.String()
}

// result is the answer as upstream's ClaudeHandler records it: the calls where
// there are any, else the text. In prompt mode only text counts.
func (r *reply) result(mode eval.Mode) pyval.Value {
	if len(r.calls) > 0 && mode != eval.Prompt {
		return eval.CallsResult(r.calls)
	}
	return eval.TextResult(r.text)
}

// message is the answer as the next request repeats it.
func (r *reply) message() eval.Message {
	return eval.Message{Role: "assistant", Content: r.text, Calls: r.calls, Raw: pyval.NewList(r.content...)}
}
