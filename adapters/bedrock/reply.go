//go:build bedrock

package bedrock

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A reply is what a Converse response says.
type reply struct {
	provider.Said
	// content is the message as it came: a later turn repeats it.
	content []pyval.Value
}

// cutOff are the stop reasons of answers that were cut off.
var cutOff = map[string]bool{"max_tokens": true, "model_context_window_exceeded": true}

// parse reads a Converse response. An error means that there is no answer in
// it. What a guardrail or a filter left of an answer is the answer.
func parse(raw *pyval.Dict) (*reply, error) {
	message, ok := provider.Get(provider.Get(raw, "output"), "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", provider.Excerpt(raw))
	}
	r := &reply{content: provider.Items(message, "content")}
	usage := provider.Get(raw, "usage")
	for _, key := range []string{"inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"} {
		r.Input += provider.Count(usage, key)
	}
	r.Output = provider.Count(usage, "outputTokens")
	r.CutOff = cutOff[provider.Text(raw, "stopReason")]
	r.read()
	return r, nil
}

func (r *reply) read() {
	var said, thought strings.Builder
	for _, block := range r.content {
		if use, ok := provider.Get(block, "toolUse").(*pyval.Dict); ok {
			r.Calls = append(r.Calls, eval.ToolCall{
				ID:        provider.Text(use, "toolUseId"),
				Name:      provider.Text(use, "name"),
				Arguments: provider.Arguments(provider.Get(use, "input")),
			})
		}
		said.WriteString(provider.Text(block, "text"))
		thought.WriteString(provider.Text(provider.Get(provider.Get(block, "reasoningContent"), "reasoningText"), "text"))
	}
	r.Text, r.Reasoning = said.String(), thought.String()
}

// Message returns the answer as the next request repeats it.
func (r *reply) Message() eval.Message {
	return eval.Message{Role: "assistant", Content: r.Text, Calls: r.Calls, Raw: pyval.NewList(r.content...)}
}
