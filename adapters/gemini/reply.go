package gemini

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// finishes are the finish reasons. OTHER says nothing, so it is unknown.
var finishes = provider.Finishes{
	"": provider.Answered, "STOP": provider.Answered, "FINISH_REASON_UNSPECIFIED": provider.Answered,
	"MALFORMED_FUNCTION_CALL": provider.Answered, "UNEXPECTED_TOOL_CALL": provider.Answered, "TOO_MANY_TOOL_CALLS": provider.Answered, // the model's own doing
	"MALFORMED_RESPONSE": provider.Answered, "LANGUAGE": provider.Answered,
	"MAX_TOKENS": provider.CutOff,
	"SAFETY":     provider.Filtered, "RECITATION": provider.Filtered, "BLOCKLIST": provider.Filtered, "PROHIBITED_CONTENT": provider.Filtered, "SPII": provider.Filtered,
}

// read reads a response, whose content a later turn repeats as it came, with
// thought signatures. What a filter left of an answer is the answer, even if that
// is nothing.
func read(raw *pyval.Dict) (*provider.Said, error) {
	usage := provider.Get(raw, "usageMetadata")
	s := &provider.Said{
		Input:  provider.Count(usage, "promptTokenCount"),
		Output: provider.Count(usage, "candidatesTokenCount") + provider.Count(usage, "thoughtsTokenCount"),
		Raw:    pyval.NewList(),
	}
	candidates := provider.Items(raw, "candidates")
	if len(candidates) == 0 {
		if reason := provider.Text(provider.Get(raw, "promptFeedback"), "blockReason"); reason != "" {
			return s, s.End(provider.Finishes{reason: provider.Filtered}, reason)
		}
		return nil, eval.Infra("empty_reply", "the reply has no candidates: %s", provider.Excerpt(raw))
	}
	first := candidates[0]
	parts := provider.Items(provider.Get(first, "content"), "parts")
	s.Raw = pyval.NewList(parts...)
	s.ReadBlocks(parts)
	if len(s.Calls) == 0 && s.Text == "" && provider.Text(first, "finishReason") == "MALFORMED_FUNCTION_CALL" {
		s.Text = provider.Text(first, "finishMessage")
	}
	return s, s.End(finishes, provider.Text(first, "finishReason"))
}
