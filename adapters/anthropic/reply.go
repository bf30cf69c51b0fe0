package anthropic

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A reply is what a message says.
type reply struct {
	provider.Said
	// content is the message as it came, including signed thinking: a later
	// turn repeats it.
	content []pyval.Value
}

// finishes are the stop reasons, those of other servers with this protocol too.
var finishes = provider.Finishes{
	"": provider.Answered, "end_turn": provider.Answered, "tool_use": provider.Answered, "stop_sequence": provider.Answered, "pause_turn": provider.Answered,
	"max_tokens": provider.CutOff, "model_context_window_exceeded": provider.CutOff,
	"refusal": provider.Filtered,
	"abort":   provider.Aborted, "error": provider.Aborted,
}

// parse reads a message. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	list, ok := provider.Get(raw, "content").(*pyval.List)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no content: %s", provider.Excerpt(raw))
	}
	r := &reply{content: list.Items}
	usage := provider.Get(raw, "usage")
	for _, key := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
		r.Input += provider.Count(usage, key)
	}
	r.Output = provider.Count(usage, "output_tokens")
	r.ReadBlocks(r.content)
	return r, r.End(finishes, provider.Text(raw, "stop_reason"))
}

// Message returns the answer as the next request repeats it.
func (r *reply) Message() eval.Message {
	return eval.Message{Role: "assistant", Content: r.Text, Calls: r.Calls, Raw: pyval.NewList(r.content...)}
}
