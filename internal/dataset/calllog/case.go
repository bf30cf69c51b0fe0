package calllog

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An exchange is a request with its response, whatever format it was logged in.
type exchange struct {
	format Format
	// messages are the conversation before the response, as a suite has them.
	messages pyval.List
	tools    []pyval.Value
	// calls are those of the response.
	calls []call
}

// A call is a function call that a model made.
type call struct {
	id, name  string
	arguments *pyval.Dict
}

// say adds a message. Calls are joined to the assistant's message before them.
func (e *exchange) say(role, text string, calls []call) {
	var made []pyval.Value
	for _, c := range calls {
		one := pyval.Object("name", pyval.Str(c.name), "arguments", c.arguments)
		if c.id != "" {
			one.SetStr("id", pyval.Str(c.id))
		}
		made = append(made, one)
	}
	if last := len(e.messages.Items) - 1; len(made) > 0 && text == "" && last >= 0 {
		if m := e.messages.Items[last].(*pyval.Dict); str(m, "role") == "assistant" {
			m.SetStr("tool_calls", pyval.NewList(append(list(m, "tool_calls"), made...)...))
			return
		}
	}
	m := pyval.Object("role", pyval.Str(role), "content", pyval.Str(text))
	if len(made) > 0 {
		m.SetStr("tool_calls", pyval.NewList(made...))
	}
	e.messages.Items = append(e.messages.Items, m)
}

// result adds the result of a call.
func (e *exchange) result(id, text string) {
	m := pyval.Object("role", pyval.Str("tool"), "content", pyval.Str(text))
	if id != "" {
		m.SetStr("tool_call_id", pyval.Str(id))
	}
	e.messages.Items = append(e.messages.Items, m)
}

// newCall reads a call whose arguments are an object or its JSON text.
func newCall(id, name string, arguments pyval.Value) (call, error) {
	if name == "" {
		return call{}, errors.New("it has no name")
	}
	switch v := arguments.(type) {
	case nil, pyval.NoneType:
		arguments = pyval.NewDict(0)
	case pyval.Str:
		if strings.TrimSpace(string(v)) == "" {
			arguments = pyval.NewDict(0)
		}
	}
	args := asDict(arguments)
	if args == nil {
		return call{}, fmt.Errorf("the arguments of %.80q are not a JSON object", name)
	}
	return call{id, name, args}, nil
}

// take adds an exchange to the log's cases, or returns why it cannot.
func (l *Log) take(e *exchange, in string) error {
	m := &mask{}
	shown, err := l.tools(e.tools, m)
	if err != nil {
		return err
	}
	messages, _ := m.value(&e.messages).(*pyval.List)
	c := Case{Line: l.Lines, Place: in, Messages: messages}
	for _, item := range messages.Items {
		for _, made := range list(item.(*pyval.Dict), "tool_calls") {
			name, _ := renamed(str(made.(*pyval.Dict), "name"), shown) // a function that is no longer shown keeps its name
			made.(*pyval.Dict).SetStr("name", pyval.Str(name))
		}
	}
	for _, t := range shown {
		c.Tools = append(c.Tools, t.Name)
	}
	for _, made := range e.calls {
		name, ok := renamed(made.name, shown)
		if !ok {
			return fmt.Errorf("the response calls %.80q, which is not among the request's tools", made.name)
		}
		c.Calls = append(c.Calls, pyval.Object(name, m.value(made.arguments)))
	}
	if err := errors.Join(m.err, ownsuite.Conversation(messages)); err != nil {
		return err
	}
	key := pyval.Repr(messages) + strings.Join(c.Tools, ",")
	if first, ok := l.seen[key]; ok {
		return fmt.Errorf("the same question with the same tools is already in %s", first)
	}
	l.seen[key] = fmt.Sprintf("line %d%s", l.Lines, comma(in))
	l.Masked += m.count
	l.By[e.format]++
	l.Cases = append(l.Cases, c)
	return nil
}

func comma(in string) string {
	if in == "" {
		return ""
	}
	return ", " + in
}

// tools adds a request's tools to the log, each once.
func (l *Log) tools(list []pyval.Value, m *mask) (out []ownsuite.Tool, err error) {
	for i, item := range list {
		one, err := l.tool(m.value(item))
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		if other, twice := renamed(was(one), out); twice && other != one.Name {
			return nil, fmt.Errorf("the request shows two different tools called %.80q", was(one))
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, errors.New("the request shows no tools")
	}
	return out, nil
}

// was returns a tool's name in the log.
func was(t ownsuite.Tool) string { return cmp.Or(t.Original, t.Name) }

// renamed returns the suite's name of a function that a request shows; false if
// the request does not show it.
func renamed(name string, shown []ownsuite.Tool) (string, bool) {
	for _, t := range shown {
		if was(t) == name {
			return t.Name, true
		}
	}
	return name, false
}

// tool adds a tool to the log unless it is there already. A different tool of
// the same name gets a number appended.
func (l *Log) tool(item pyval.Value) (ownsuite.Tool, error) {
	text := pyval.Repr(item)
	if known, ok := l.shown[text]; ok {
		return known, nil
	}
	if l.size += len(text); l.size > maxTools {
		return ownsuite.Tool{}, fmt.Errorf("the log's tools are larger than %d MB in total", maxTools>>20)
	}
	tool, err := ownsuite.Function(item, &l.parts)
	if err != nil {
		return tool, err
	}
	key := pyval.Repr(pyval.NewList(tool.Doc))
	if tool.Written != nil {
		key = pyval.Repr(pyval.NewList(tool.Written))
	}
	known, ok := l.shown[key]
	if !ok {
		given := tool.Name
		for name := given; l.taken[name] > 0; tool = tool.Renamed(name) {
			l.taken[given]++
			name = fmt.Sprintf("%s_%d", given, l.taken[given])
		}
		if l.taken[tool.Name] = 1; tool.Name != given {
			tool.Original = given
			l.Renamed++
		}
		l.Tools = append(l.Tools, tool)
		known = tool
	}
	l.shown[text], l.shown[key] = known, known
	return known, nil
}
