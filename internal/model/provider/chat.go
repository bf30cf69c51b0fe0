package provider

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// ChatMessages returns a conversation in the form of Chat Completions. The
// function content makes the content of a tool's message from its text.
func ChatMessages(messages []eval.Message, content func(text string) pyval.Value) *pyval.List {
	list := &pyval.List{Items: make([]pyval.Value, len(messages))}
	for i, m := range messages {
		switch {
		case m.Role == "assistant":
			list.Items[i] = chatAnswer(m)
		case m.Role == "tool":
			list.Items[i] = pyval.Object("role", pyval.Str(m.Role), "content", content(m.Content), "tool_call_id", pyval.Str(m.CallID))
		default:
			list.Items[i] = pyval.Object("role", pyval.Str(m.Role), "content", pyval.Str(m.Content))
		}
	}
	return list
}

// PlainText returns a text as it is.
func PlainText(text string) pyval.Value { return pyval.Str(text) }

// chatAnswer returns an assistant's message as it came. If its calls did not
// come in the protocol's form they are added in that form, because results
// refer to them. A message without a raw form is made from its text and calls.
func chatAnswer(m eval.Message) *pyval.Dict {
	raw, ok := m.Raw.(*pyval.Dict)
	if !ok {
		raw = pyval.Object("role", pyval.Str(m.Role), "content", pyval.Str(m.Content))
		if len(m.Calls) > 0 {
			raw.SetStr("tool_calls", chatCalls(m))
		}
		return raw
	}
	if len(m.Calls) > 0 && !regular(Items(raw, "tool_calls")) {
		raw = raw.Clone()
		raw.Delete(pyval.Str("function_call"))
		raw.SetStr("tool_calls", chatCalls(m))
	}
	return raw
}

// regular reports whether calls have ids, and arguments as text.
func regular(calls []pyval.Value) bool {
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call pyval.Value) bool {
		_, ok := Get(Get(call, "function"), "arguments").(pyval.Str)
		return !ok || Text(call, "id") == ""
	})
}

func chatCalls(m eval.Message) *pyval.List {
	list := &pyval.List{}
	for _, call := range m.Calls {
		list.Items = append(list.Items, pyval.Object(
			"id", pyval.Str(call.ID), "type", pyval.Str("function"),
			"function", pyval.Object("name", pyval.Str(call.Name), "arguments", pyval.Str(call.Arguments)),
		))
	}
	return list
}

// Pick returns a dict with the given keys of d, in the given order. Keys that d
// lacks are left out.
func Pick(d *pyval.Dict, keys ...string) *pyval.Dict {
	out := pyval.NewDict(len(keys))
	for _, key := range keys {
		if v, ok := d.GetStr(key); ok {
			out.SetStr(key, v)
		}
	}
	return out
}

// System takes the system messages out of a conversation, for providers that
// have a field of their own for them. Upstream's extract_system_prompt takes
// only the first. Here a second one is joined to it, because the provider would
// refuse it as a message.
func System(messages []eval.Message) (system string, rest []eval.Message) {
	var texts []string
	for _, m := range messages {
		if m.Role != "system" {
			rest = append(rest, m)
		} else if m.Content != "" {
			texts = append(texts, m.Content)
		}
	}
	return strings.Join(texts, "\n\n"), rest
}

// Combined joins consecutive user messages with an empty line between them,
// like upstream's combine_consecutive_user_prompts.
func Combined(messages []eval.Message) []eval.Message {
	var out []eval.Message
	for _, m := range messages {
		if n := len(out); n > 0 && m.Role == "user" && out[n-1].Role == "user" {
			out[n-1].Content += "\n\n" + m.Content
			continue
		}
		out = append(out, m)
	}
	return out
}
