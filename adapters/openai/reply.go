package openai

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Read returns what a chat completion says. An error means that there is no answer
// in it.
func Read(raw *pyval.Dict) (*provider.Said, error) {
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
	s := Message(message)
	s.Input, s.Output = provider.Usage(raw)
	err := s.End(provider.ChatFinishes, provider.Text(choice, "finish_reason"))
	for _, later := range choices[1:] {
		if len(s.Calls) == 0 && s.Finish == "" && len(provider.Items(provider.Get(later, "message"), "tool_calls")) > 0 {
			s.Finish = eval.LaterChoice
		}
	}
	return s, err
}

// Message returns what an assistant's message says. How much of its reasoning is
// sent back is decided when the next request is written.
func Message(message *pyval.Dict) *provider.Said {
	raw := provider.Pick(message, "role", "content", "tool_calls", "function_call")
	provider.KeepReasoning(raw, message)
	s := &provider.Said{Raw: raw, Null: provider.Get(message, "content") == pyval.None}
	calls, listed := provider.Get(message, "tool_calls").(*pyval.List)
	if s.Listed = listed; listed {
		raw.SetStr("tool_calls", unnumbered(calls))
	}
	for _, call := range provider.Items(message, "tool_calls") {
		function := provider.Get(call, "function")
		if _, ok := function.(*pyval.Dict); !ok { // some servers put name and arguments into the call itself
			function = call
		}
		s.AddCall(function, provider.Text(call, "id"), "arguments")
	}
	if legacy, ok := provider.Get(message, "function_call").(*pyval.Dict); ok && len(s.Calls) == 0 {
		s.AddCall(legacy, "", "arguments")
	}
	s.Text, s.Reasoning = content(provider.Get(message, "content"))
	if s.Text == "" {
		s.Text = provider.Text(message, "refusal")
	}
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if s.Reasoning == "" {
			s.Reasoning = provider.Text(message, key)
		}
	}
	return s
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
