package gemini

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A reply is what a GenerateContentResponse says.
type reply struct {
	provider.Said
	// content is the candidate's content as it came, including thought
	// signatures: a later turn repeats it.
	content pyval.Value
}

// finishes are the finish reasons. OTHER says nothing, so it is unknown.
var finishes = provider.Finishes{
	"": provider.Answered, "STOP": provider.Answered, "FINISH_REASON_UNSPECIFIED": provider.Answered,
	"MALFORMED_FUNCTION_CALL": provider.Answered, "UNEXPECTED_TOOL_CALL": provider.Answered, "TOO_MANY_TOOL_CALLS": provider.Answered, // the model's own doing
	"MALFORMED_RESPONSE": provider.Answered, "LANGUAGE": provider.Answered,
	"MAX_TOKENS": provider.CutOff,
	"SAFETY":     provider.Filtered, "RECITATION": provider.Filtered, "BLOCKLIST": provider.Filtered, "PROHIBITED_CONTENT": provider.Filtered, "SPII": provider.Filtered,
}

// parse reads a response. An error means that there is no answer in it. What a
// filter left of an answer is the answer, even if that is nothing.
func parse(raw *pyval.Dict) (*reply, error) {
	r := &reply{}
	usage := provider.Get(raw, "usageMetadata")
	r.Input = provider.Count(usage, "promptTokenCount")
	r.Output = provider.Count(usage, "candidatesTokenCount") + provider.Count(usage, "thoughtsTokenCount")
	candidates := provider.Items(raw, "candidates")
	if len(candidates) == 0 {
		if reason := provider.Text(provider.Get(raw, "promptFeedback"), "blockReason"); reason != "" {
			return r, r.End(provider.Finishes{reason: provider.Filtered}, reason)
		}
		return nil, eval.Infra("empty_reply", "the reply has no candidates: %s", provider.Excerpt(raw))
	}
	first := candidates[0]
	r.content = provider.Get(first, "content")
	r.ReadBlocks(provider.Items(r.content, "parts"))
	if len(r.Calls) == 0 && r.Text == "" && provider.Text(first, "finishReason") == "MALFORMED_FUNCTION_CALL" {
		r.Text = provider.Text(first, "finishMessage")
	}
	return r, r.End(finishes, provider.Text(first, "finishReason"))
}
