package openai

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A reply is what a chat completion says.
type reply struct {
	provider.Said
	// content is null if the model said nothing. listed says that there is a
	// list of calls, even an empty one. Upstream records both.
	content pyval.Value
	listed  bool
	// raw is the message as it came.
	raw *pyval.Dict
}

// parse reads a chat completion. An error means that there is no answer in it.
func parse(raw *pyval.Dict) (*reply, error) {
	choices := provider.Items(raw, "choices")
	if len(choices) == 0 {
		return nil, eval.Infra("empty_reply", "the reply has no choices: %s", provider.Excerpt(raw))
	}
	choice := choices[0]
	if e := provider.Get(choice, "error"); pyval.Truth(e) {
		return nil, provider.FaultOf(e).Infra()
	}
	message, ok := provider.Get(choice, "message").(*pyval.Dict)
	if !ok {
		return nil, eval.Infra("empty_reply", "the reply's first choice has no message: %s", provider.Excerpt(raw))
	}
	switch calls := provider.Get(message, "tool_calls").(type) {
	case *pyval.List, pyval.NoneType:
	default:
		return nil, eval.Infra("bad_reply", "the message's tool_calls must be a list, not %s: %s", pyval.TypeName(calls), provider.Excerpt(message))
	}
	r := &reply{}
	r.Input, r.Output = provider.Usage(raw)
	r.read(message)
	err := r.End(provider.ChatFinishes, provider.Text(choice, "finish_reason"))
	for _, later := range choices[1:] {
		if len(r.Calls) == 0 && r.Finish == "" && len(provider.Items(provider.Get(later, "message"), "tool_calls")) > 0 {
			r.Finish = eval.LaterChoice
		}
	}
	return r, err
}

// Said returns what a chat completion says. An error means that there is no answer in
// it.
func Said(raw *pyval.Dict) (*provider.Said, error) {
	r, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return &r.Said, nil
}

// Read returns what an assistant's message says.
func Read(message *pyval.Dict) provider.Answer {
	r := &reply{}
	r.read(message)
	return r
}

func (r *reply) read(message *pyval.Dict) {
	r.raw, r.content = message, provider.Get(message, "content")
	_, r.listed = provider.Get(message, "tool_calls").(*pyval.List)
	for _, call := range provider.Items(message, "tool_calls") {
		r.add(provider.Get(call, "function"), call, provider.Text(call, "id"))
	}
	if legacy, ok := provider.Get(message, "function_call").(*pyval.Dict); ok && len(r.Calls) == 0 {
		r.add(legacy, legacy, "")
	}
	r.Text, r.Reasoning = content(r.content)
	if r.Text == "" {
		r.Text = provider.Text(message, "refusal")
	}
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if r.Reasoning == "" {
			r.Reasoning = provider.Text(message, key)
		}
	}
}

// add adds a call. Some servers put its name and arguments into the call
// itself, not into its "function".
func (r *reply) add(function, call pyval.Value, id string) {
	if _, ok := function.(*pyval.Dict); !ok {
		function = call
	}
	r.Calls = append(r.Calls, eval.ToolCall{
		ID:        id,
		Name:      provider.Text(function, "name"),
		Arguments: provider.Arguments(provider.Get(function, "arguments")),
	})
}

// content returns the text and the reasoning in a message's content, which is a
// text, null, or a list of parts: texts, refusals and, from Mistral's models,
// thinking, whose own parts are texts.
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
		switch provider.Text(part, "type") {
		case "thinking", "reasoning":
			thought.WriteString(thinking(part))
		case "refusal":
			said.WriteString(provider.Text(part, "refusal"))
		default:
			said.WriteString(provider.Text(part, "text"))
		}
	}
	return said.String(), thought.String()
}

func thinking(part pyval.Value) string {
	text := provider.Text(part, "thinking") + provider.Text(part, "text")
	for _, inner := range provider.Items(part, "thinking") {
		text += provider.Text(inner, "text")
	}
	return text
}

// Result returns the answer as upstream's OpenAICompletionsHandler records it:
// the calls if there are any, else the text. In prompt mode only text counts.
// In a message with neither, null and the empty list stay what they are. Some
// servers send an empty list together with a text, which upstream then loses.
func (r *reply) Result(mode eval.Mode) pyval.Value {
	switch fc := mode != eval.Prompt; {
	case fc && len(r.Calls) > 0, fc && r.listed && r.Text == "":
		return eval.CallsResult(r.Calls)
	case r.Text == "" && r.content == pyval.None:
		return pyval.None
	}
	return eval.TextResult(r.Text)
}

// Message returns the answer as the next request may repeat it. How much of its
// reasoning is sent back is decided when that request is written.
func (r *reply) Message() eval.Message {
	raw := provider.Pick(r.raw, "role", "content", "tool_calls", "function_call")
	provider.KeepReasoning(raw, r.raw)
	if calls, ok := provider.Get(raw, "tool_calls").(*pyval.List); ok {
		raw.SetStr("tool_calls", unnumbered(calls))
	}
	return eval.Message{Role: "assistant", Content: r.Text, Calls: r.Calls, Raw: raw}
}

// unnumbered returns the calls without the index that some servers give them
// and that requests do not have. Other fields of a call stay: one may be a
// signature.
func unnumbered(calls *pyval.List) *pyval.List {
	out := &pyval.List{Items: make([]pyval.Value, len(calls.Items))}
	for i, call := range calls.Items {
		out.Items[i] = call
		if d, ok := call.(*pyval.Dict); ok && d.Has("index") {
			d = d.Clone()
			d.Delete(pyval.Str("index"))
			out.Items[i] = d
		}
	}
	return out
}
