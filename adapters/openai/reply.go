package openai

import (
	"strings"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A reply is what a chat completion says.
type reply struct {
	calls []eval.ToolCall
	// content is null where the model said nothing, and listed tells that
	// there is a list of calls, be it empty: upstream records both.
	content   pyval.Value
	listed    bool
	text      string
	reasoning string
	// raw is the message as it came.
	raw *pyval.Dict
	// finish is why the model stopped, in the server's word.
	finish        string
	input, output int
}

// cutOff are the words for an answer that the limit of tokens ended: OpenAI's,
// Mistral's for the context's end, and what routers pass through.
var cutOff = map[string]bool{"length": true, "model_length": true, "max_tokens": true, "MAX_TOKENS": true}

// parse reads a chat completion. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	choices := endpoint.Items(raw, "choices")
	if len(choices) == 0 {
		return nil, eval.Infra("empty_reply", "the reply has no choices: %s", endpoint.Excerpt(raw))
	}
	choice := choices[0]
	if e := endpoint.Get(choice, "error"); pyval.Truth(e) {
		return nil, endpoint.FaultOf(e).Infra()
	}
	message, ok := endpoint.Get(choice, "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("empty_reply", "the reply's first choice has no message: %s", endpoint.Excerpt(raw))
	}
	r := &reply{finish: endpoint.Text(choice, "finish_reason")}
	usage := endpoint.Get(raw, "usage")
	r.input, r.output = endpoint.Count(usage, "prompt_tokens"), endpoint.Count(usage, "completion_tokens")
	r.read(message)
	switch {
	case cutOff[r.finish] && !endpoint.Whole(r.calls):
		return nil, endpoint.MaxTokens(r.output)
	case r.finish == "error" && len(r.calls) == 0 && r.text == "":
		return nil, (&endpoint.Fault{Code: "finish_reason error"}).Infra()
	}
	return r, nil
}

func (r *reply) read(message *pyval.Dict) {
	r.raw, r.content = message, endpoint.Get(message, "content")
	_, r.listed = endpoint.Get(message, "tool_calls").(*pyval.List)
	for _, call := range endpoint.Items(message, "tool_calls") {
		r.add(endpoint.Get(call, "function"), call, endpoint.Text(call, "id"))
	}
	if legacy, ok := endpoint.Get(message, "function_call").(*pyval.Dict); ok && len(r.calls) == 0 {
		r.add(legacy, legacy, "")
	}
	r.text, r.reasoning = content(r.content)
	if r.text == "" {
		r.text = endpoint.Text(message, "refusal")
	}
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if r.reasoning == "" {
			r.reasoning = endpoint.Text(message, key)
		}
	}
}

// add keeps a call. Some servers write name and arguments into the call
// itself, not into its "function".
func (r *reply) add(function, call pyval.Value, id string) {
	if _, ok := function.(*pyval.Dict); !ok {
		function = call
	}
	r.calls = append(r.calls, eval.ToolCall{
		ID:        id,
		Name:      endpoint.Text(function, "name"),
		Arguments: endpoint.Arguments(endpoint.Get(function, "arguments")),
	})
}

// content is a message's text and the reasoning that stands in it. Content is
// a text, null, or a list of parts: texts, refusals and, from models of
// Mistral, thinking, whose own parts are texts again.
func content(v pyval.Value) (text, reasoning string) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), ""
	}
	list, _ := v.(*pyval.List)
	if list == nil {
		return "", ""
	}
	var said, thought strings.Builder
	for _, part := range list.Items {
		if s, ok := part.(pyval.Str); ok {
			said.WriteString(string(s))
			continue
		}
		switch endpoint.Text(part, "type") {
		case "thinking", "reasoning":
			thought.WriteString(thinking(part))
		case "refusal":
			said.WriteString(endpoint.Text(part, "refusal"))
		default:
			said.WriteString(endpoint.Text(part, "text"))
		}
	}
	return said.String(), thought.String()
}

func thinking(part pyval.Value) string {
	text := endpoint.Text(part, "thinking") + endpoint.Text(part, "text")
	for _, inner := range endpoint.Items(part, "thinking") {
		text += endpoint.Text(inner, "text")
	}
	return text
}

// result is the answer as upstream's OpenAICompletionsHandler records it: the
// calls where there are any, else the text. In prompt mode only text counts.
// Of a message without either, null and the empty list stay what they are;
// upstream loses a text beside an empty list, which some servers send.
func (r *reply) result(mode eval.Mode) pyval.Value {
	switch fc := mode != eval.Prompt; {
	case fc && len(r.calls) > 0, fc && r.listed && r.text == "":
		return eval.CallsResult(r.calls)
	case r.text == "" && r.content == pyval.None:
		return pyval.None
	}
	return eval.TextResult(r.text)
}

// message is the answer as the next request repeats it. Upstream takes the
// reasoning out, too.
func (r *reply) message() eval.Message {
	return eval.Message{
		Role: "assistant", Content: r.text, Calls: r.calls,
		Raw: endpoint.Pick(r.raw, "role", "content", "tool_calls", "function_call"),
	}
}
