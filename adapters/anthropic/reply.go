package anthropic

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// finishes are the stop reasons, those of other servers with this protocol too.
var finishes = provider.Finishes{
	"": provider.Answered, "end_turn": provider.Answered, "tool_use": provider.Answered, "stop_sequence": provider.Answered, "pause_turn": provider.Answered,
	"max_tokens": provider.CutOff, "model_context_window_exceeded": provider.CutOff,
	"refusal": provider.Filtered,
	"abort":   provider.Aborted, "error": provider.Aborted,
}

// read reads a message, which a later turn repeats as it came, with its signed
// thinking.
func read(raw *pyval.Dict) (*provider.Said, error) {
	list, ok := provider.Get(raw, "content").(*pyval.List)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no content: %s", provider.Excerpt(raw))
	}
	s := &provider.Said{Raw: pyval.NewList(list.Items...)}
	usage := provider.Get(raw, "usage")
	for _, key := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
		s.Input += provider.Count(usage, key)
	}
	s.Output = provider.Count(usage, "output_tokens")
	s.ReadBlocks(list.Items)
	return s, s.End(finishes, provider.Text(raw, "stop_reason"))
}
