//go:build bedrock

package bedrock

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// finishes are the stop reasons.
var finishes = provider.Finishes{
	"": provider.Answered, "end_turn": provider.Answered, "tool_use": provider.Answered, "stop_sequence": provider.Answered,
	"malformed_model_output": provider.Answered, "malformed_tool_use": provider.Answered, // the model's own doing
	"max_tokens": provider.CutOff, "model_context_window_exceeded": provider.CutOff,
	"guardrail_intervened": provider.Filtered, "content_filtered": provider.Filtered,
	"error": provider.Aborted,
}

// read reads a Converse response, whose message a later turn repeats as it came.
// What a guardrail or a filter left of an answer is the answer.
func read(raw *pyval.Dict) (*provider.Said, error) {
	message, ok := provider.Get(provider.Get(raw, "output"), "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no message: %s", provider.Excerpt(raw))
	}
	content := provider.Items(message, "content")
	s := &provider.Said{Raw: pyval.NewList(content...)}
	usage := provider.Get(raw, "usage")
	for _, key := range []string{"inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"} {
		s.Input += provider.Count(usage, key)
	}
	s.Output = provider.Count(usage, "outputTokens")
	s.ReadBlocks(content)
	return s, s.End(finishes, provider.Text(raw, "stopReason"))
}
