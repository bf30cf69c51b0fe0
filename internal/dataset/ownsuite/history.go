package ownsuite

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var messageKeys = []string{"role", "content", "calls", "tool_calls", "tool_call_id", "name"}

// A pending call has no result yet.
type pending struct{ id, name string }

// A history reads the messages of a case, which may include calls of tools and
// their results.
type history struct {
	*loader
	file  string
	calls int
	open  []pending
}

// history reads the messages of a case, the last of which asks for an answer.
func (l *loader) history(file string, n *yaml.Node) *pyval.List {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		l.fault(file, n.Line, "messages: want a list of role and content")
		return nil
	}
	h := &history{loader: l, file: file}
	out, role := &pyval.List{}, ""
	for _, item := range n.Content {
		m := h.message(item)
		role, _ = m.Text("role")
		out.Items = append(out.Items, m)
	}
	last := n.Content[len(n.Content)-1]
	switch {
	case len(h.open) > 0:
		l.fault(file, last.Line, "messages: the call of %s has no result: add a message with role tool", quote(h.open[0].name))
	case role == "assistant":
		l.fault(file, last.Line, "messages: the last one is the assistant's, so nothing is left to answer")
	}
	return out
}

func (h *history) message(n *yaml.Node) *pyval.Dict {
	fields := map[string]*yaml.Node{}
	h.pairs(h.file, n, "message", messageKeys, func(key string, _, v *yaml.Node) { fields[key] = v })
	role := ""
	if at := fields["role"]; at != nil {
		role = h.str(h.file, at, "role")
	}
	for _, own := range [][2]string{{"calls", "assistant"}, {"tool_calls", "assistant"}, {"tool_call_id", "tool"}, {"name", "tool"}} {
		if key, of := own[0], own[1]; fields[key] != nil && role != of {
			h.fault(h.file, fields[key].Line, "message: %s belongs to the role %s", key, of)
		}
	}
	switch role {
	case "system", "user":
		return message(role, h.content(fields["content"], false))
	case "assistant":
		return h.assistant(n, fields)
	case "tool":
		return h.result(n, fields)
	}
	h.fault(h.file, n.Line, "message: the role must be system, user, assistant or tool, not %s", quote(role))
	return message(role, "")
}

// content returns a message's text; in a tool's message other values are
// written as JSON.
func (h *history) content(n *yaml.Node, json bool) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		return ""
	case n.Kind == yaml.ScalarNode:
		return n.Value
	case !json:
		return h.str(h.file, n, "content")
	}
	return h.jsonText(h.file, n)
}

// jsonText returns a value as JSON.
func (l *loader) jsonText(file string, n *yaml.Node) string {
	v, err := value(n, 0)
	if err == nil {
		var text string
		if text, err = pyval.JSON(v, pyval.JSONUnicode); err == nil {
			return text
		}
	}
	l.fault(file, n.Line, "%v", err)
	return ""
}

// assistant reads a message of the model's, with calls or a text.
func (h *history) assistant(n *yaml.Node, fields map[string]*yaml.Node) *pyval.Dict {
	m := message("assistant", h.content(fields["content"], false))
	calls := &pyval.List{}
	if at := fields["calls"]; at != nil {
		list := []*yaml.Node{at}
		if at.Kind == yaml.SequenceNode {
			list = at.Content
		}
		for _, item := range list {
			calls.Items = append(calls.Items, h.call(item))
		}
	}
	if at := fields["tool_calls"]; at != nil {
		for _, item := range at.Content {
			calls.Items = append(calls.Items, h.wireCall(item))
		}
	}
	if len(calls.Items) > 0 {
		if len(h.open) > len(calls.Items) {
			h.fault(h.file, n.Line, "message: the call of %s has no result before the next calls", quote(h.open[0].name))
		}
		m.SetStr("tool_calls", calls)
	}
	return m
}

// call reads a call in the form {function: arguments}.
func (h *history) call(n *yaml.Node) pyval.Value {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return h.opened("", n.Value, "{}")
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		h.fault(h.file, n.Line, "calls: a call is a function's name with its arguments, such as book_table: {guests: 4}")
		return pyval.None
	}
	args := n.Content[1]
	if args.ShortTag() == "!!null" {
		return h.opened("", n.Content[0].Value, "{}")
	}
	if args.Kind != yaml.MappingNode {
		h.fault(h.file, args.Line, "calls: the arguments of %s must be names with values", quote(n.Content[0].Value))
		return pyval.None
	}
	return h.opened("", n.Content[0].Value, h.jsonText(h.file, args))
}

// wireCall reads a call in the form of Chat Completions.
func (h *history) wireCall(n *yaml.Node) pyval.Value {
	function := child(n, "function")
	if function == nil {
		function = n
	}
	name, args, id := child(function, "name"), child(function, "arguments"), child(n, "id")
	if name == nil || name.Kind != yaml.ScalarNode {
		h.fault(h.file, n.Line, "tool_calls: a call has no name")
		return pyval.None
	}
	text, known := "{}", ""
	switch {
	case args == nil:
	case args.Kind == yaml.ScalarNode:
		text = args.Value
		if v, err := pyval.ParseJSON(text); err != nil || v.Kind() != pyval.KindDict {
			h.fault(h.file, args.Line, "tool_calls: the arguments of %s are not a JSON object", quote(name.Value))
		}
	default:
		text = h.jsonText(h.file, args)
	}
	if id != nil {
		known = h.str(h.file, id, "id")
	}
	return h.opened(known, name.Value, text)
}

func (h *history) opened(id, name, args string) pyval.Value {
	if id == "" {
		id = fmt.Sprintf("call_%d", h.calls)
	}
	h.calls++
	h.open = append(h.open, pending{id, name})
	return pyval.Object("id", pyval.Str(id), "name", pyval.Str(name), "arguments", pyval.Str(args))
}

// result reads a tool's message: the result of the call that it names, or of
// the first call without one.
func (h *history) result(n *yaml.Node, fields map[string]*yaml.Node) *pyval.Dict {
	m := message("tool", h.content(fields["content"], true))
	fits := func(pending) bool { return true }
	what := "a result"
	if at := fields["tool_call_id"]; at != nil {
		id := h.str(h.file, at, "tool_call_id")
		fits, what = func(p pending) bool { return p.id == id }, "the result of "+quote(id)
	} else if at := fields["name"]; at != nil {
		name := h.str(h.file, at, "name")
		fits, what = func(p pending) bool { return p.name == name }, "the result of "+quote(name)
	}
	at := slices.IndexFunc(h.open, fits)
	if at < 0 {
		h.fault(h.file, n.Line, "message: %s has no call before it", what)
		return m
	}
	m.SetStr("tool_call_id", pyval.Str(h.open[at].id))
	m.SetStr("name", pyval.Str(h.open[at].name))
	h.open = slices.Delete(h.open, at, at+1)
	return m
}

// Conversation returns the first fault of messages in a case's form; nil if
// they can be read.
func Conversation(messages *pyval.List) error {
	l := &loader{reader: &reader{}}
	if l.history("", nodeOf(messages)); len(l.faults) > 0 {
		return errors.New(l.faults[0].Msg)
	}
	return nil
}
