//go:build gemini

package gemini

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A reply is what a GenerateContentResponse says.
type reply struct {
	calls     []eval.ToolCall
	text      string
	reasoning string
	// content is the candidate's content as it came, thought signatures
	// included: a later turn repeats it.
	content       pyval.Value
	input, output int
}

// parse reads a response. An error means that there is no answer in it. What a
// filter left over is the answer, be it nothing.
func parse(raw *pyval.Dict) (*reply, error) {
	r := &reply{}
	usage := endpoint.Get(raw, "usageMetadata")
	r.input = endpoint.Count(usage, "promptTokenCount")
	r.output = endpoint.Count(usage, "candidatesTokenCount") + endpoint.Count(usage, "thoughtsTokenCount")
	candidates := endpoint.Items(raw, "candidates")
	if len(candidates) == 0 {
		if endpoint.Text(endpoint.Get(raw, "promptFeedback"), "blockReason") != "" {
			return r, nil
		}
		return nil, eval.Infra("empty_reply", "the reply has no candidates: %s", endpoint.Excerpt(raw))
	}
	first := candidates[0]
	if endpoint.Text(first, "finishReason") == "MAX_TOKENS" {
		return nil, endpoint.MaxTokens(r.output)
	}
	r.content = endpoint.Get(first, "content")
	r.read()
	if len(r.calls) == 0 && r.text == "" && endpoint.Text(first, "finishReason") == "MALFORMED_FUNCTION_CALL" {
		r.text = endpoint.Text(first, "finishMessage")
	}
	return r, nil
}

func (r *reply) read() {
	var said, thought strings.Builder
	for _, part := range endpoint.Items(r.content, "parts") {
		call := endpoint.Get(part, "functionCall")
		switch {
		case endpoint.Text(call, "name") != "":
			r.calls = append(r.calls, eval.ToolCall{Name: endpoint.Text(call, "name"), Arguments: arguments(call)})
		case pyval.Truth(endpoint.Get(part, "thought")):
			thought.WriteString(endpoint.Text(part, "text"))
		default:
			said.WriteString(endpoint.Text(part, "text"))
		}
	}
	r.text, r.reasoning = said.String(), thought.String()
}

// arguments are a call's arguments; for a call without any the API leaves them
// out.
func arguments(call pyval.Value) string {
	args := endpoint.Get(call, "args")
	if args == pyval.None {
		return "{}"
	}
	return endpoint.Arguments(args)
}

// result is the answer as upstream's GeminiHandler records it, the arguments
// as JSON text: the calls where there are any, else the text. In prompt mode
// only text counts.
func (r *reply) result(mode eval.Mode) pyval.Value {
	if len(r.calls) > 0 && mode != eval.Prompt {
		return eval.CallsResult(r.calls)
	}
	return eval.TextResult(r.text)
}
