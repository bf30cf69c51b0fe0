//go:build gemini

package gemini

import (
	"strings"

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

// parse reads a response. An error means that there is no answer in it. What a
// filter left of an answer is the answer, even if that is nothing.
func parse(raw *pyval.Dict) (*reply, error) {
	r := &reply{}
	usage := provider.Get(raw, "usageMetadata")
	r.Input = provider.Count(usage, "promptTokenCount")
	r.Output = provider.Count(usage, "candidatesTokenCount") + provider.Count(usage, "thoughtsTokenCount")
	candidates := provider.Items(raw, "candidates")
	if len(candidates) == 0 {
		if provider.Text(provider.Get(raw, "promptFeedback"), "blockReason") != "" {
			return r, nil
		}
		return nil, eval.Infra("empty_reply", "the reply has no candidates: %s", provider.Excerpt(raw))
	}
	first := candidates[0]
	r.CutOff = provider.Text(first, "finishReason") == "MAX_TOKENS"
	r.content = provider.Get(first, "content")
	r.read()
	if len(r.Calls) == 0 && r.Text == "" && provider.Text(first, "finishReason") == "MALFORMED_FUNCTION_CALL" {
		r.Text = provider.Text(first, "finishMessage")
	}
	return r, nil
}

func (r *reply) read() {
	var said, thought strings.Builder
	for _, part := range provider.Items(r.content, "parts") {
		call := provider.Get(part, "functionCall")
		switch {
		case provider.Text(call, "name") != "":
			r.Calls = append(r.Calls, eval.ToolCall{ID: provider.Text(call, "id"), Name: provider.Text(call, "name"), Arguments: arguments(call)})
		case pyval.Truth(provider.Get(part, "thought")):
			thought.WriteString(provider.Text(part, "text"))
		default:
			said.WriteString(provider.Text(part, "text"))
		}
	}
	r.Text, r.Reasoning = said.String(), thought.String()
}

// arguments returns a call's arguments as JSON text. The API leaves them out of
// a call that has none.
func arguments(call pyval.Value) string {
	args := provider.Get(call, "args")
	if args == pyval.None {
		return "{}"
	}
	return provider.Arguments(args)
}
