//go:build bedrock

package bedrock

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A reply is what a Converse response says.
type reply struct {
	calls     []eval.ToolCall
	text      string
	reasoning string
	// content is the message as it came: a later turn repeats it.
	content       []pyval.Value
	input, output int
}

// cutOff are the reasons for which an answer ends before its end. What there
// is of it does not count: a call's input is an object, which cannot show that
// it is whole.
var cutOff = map[string]bool{"max_tokens": true, "model_context_window_exceeded": true}

// parse reads a Converse response. An error means that there is no answer in
// it. What a guardrail or a filter left over is the answer.
func parse(raw *pyval.Dict) (*reply, error) {
	message, ok := endpoint.Get(endpoint.Get(raw, "output"), "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", endpoint.Excerpt(raw))
	}
	r := &reply{content: endpoint.Items(message, "content")}
	usage := endpoint.Get(raw, "usage")
	for _, key := range []string{"inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"} {
		r.input += endpoint.Count(usage, key)
	}
	r.output = endpoint.Count(usage, "outputTokens")
	if cutOff[endpoint.Text(raw, "stopReason")] {
		return nil, endpoint.MaxTokens(r.output)
	}
	r.read()
	return r, nil
}

func (r *reply) read() {
	var said, thought strings.Builder
	for _, block := range r.content {
		if use, ok := endpoint.Get(block, "toolUse").(*pyval.Dict); ok {
			r.calls = append(r.calls, eval.ToolCall{
				ID:        endpoint.Text(use, "toolUseId"),
				Name:      endpoint.Text(use, "name"),
				Arguments: endpoint.Arguments(endpoint.Get(use, "input")),
			})
		}
		said.WriteString(endpoint.Text(block, "text"))
		thought.WriteString(endpoint.Text(endpoint.Get(endpoint.Get(block, "reasoningContent"), "reasoningText"), "text"))
	}
	r.text, r.reasoning = said.String(), thought.String()
}

// result is the answer as upstream's NovaHandler records it, the arguments as
// JSON text: the calls where there are any, else the text. In prompt mode only
// text counts.
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
