package calllog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The names that logs use for the two halves of a line.
var (
	requestKeys  = []string{"request", "req", "input"}
	responseKeys = []string{"response", "resp", "output"}
)

// halves returns the request and the response of a line: found under their
// names, in a body below those, or in the line itself.
func halves(row *pyval.Dict) (request, response *pyval.Dict, err error) {
	request, response = half(row, requestKeys), half(row, responseKeys)
	if request == nil && (row.Has("messages") || row.Has("input")) {
		request = row
	}
	if response == nil && list(row, "output") != nil {
		response = row
	}
	switch {
	case request == nil:
		return nil, nil, errors.New(`there is no "request" with messages`)
	case response == nil:
		return nil, nil, errors.New(`there is no "response"`)
	}
	return request, response, nil
}

// half returns the object under one of the names, or the body in it; either may
// be written as a text of JSON.
func half(row *pyval.Dict, keys []string) *pyval.Dict {
	for _, key := range keys {
		v, ok := row.GetStr(key)
		d := asDict(v)
		if !ok || d == nil {
			continue
		}
		for _, inner := range []string{"body", "json"} {
			v, _ := d.GetStr(inner)
			if body := asDict(v); body != nil {
				d = body
			}
		}
		return d
	}
	return nil
}

// formatOf returns the format that a line is written in, by its response or, if
// that does not show it, by its request.
func formatOf(request, response *pyval.Dict) (Format, error) {
	var marks []Format
	mark := func(f Format, is bool) {
		if is {
			marks = append(marks, f)
		}
	}
	event := str(response, "type")
	mark(Chat, response.Has("choices"))
	mark(Responses, str(response, "object") == "response" || list(response, "output") != nil || strings.HasPrefix(event, "response."))
	mark(Anthropic, event == "message" || response.Has("stop_reason"))
	if len(marks) == 0 {
		mark(Responses, request.Has("input") && !request.Has("messages"))
		mark(Anthropic, request.Has("messages") && asksAnthropic(request))
	}
	switch len(marks) {
	case 0:
		return Chat, nil
	case 1:
		return marks[0], nil
	}
	return "", fmt.Errorf("the line looks like both %s and %s: choose one with --format", marks[0], marks[1])
}

// asksAnthropic reports whether a request has the form of the Messages API: a
// system text beside the messages, tools with an input_schema, or calls and
// results in blocks.
func asksAnthropic(request *pyval.Dict) bool {
	if request.Has("system") {
		return true
	}
	for _, item := range list(request, "tools") {
		if tool, _ := item.(*pyval.Dict); tool != nil && tool.Has("input_schema") {
			return true
		}
	}
	for _, item := range list(request, "messages") {
		message, _ := item.(*pyval.Dict)
		for _, block := range list(message, "content") {
			switch str(asDict(block), "type") {
			case "tool_use", "tool_result":
				return true
			}
		}
	}
	return false
}

func asDict(v pyval.Value) *pyval.Dict {
	if s, ok := v.(pyval.Str); ok {
		v, _ = pyval.ParseJSON(string(s))
	}
	d, _ := v.(*pyval.Dict)
	return d
}

func str(d *pyval.Dict, key string) string {
	s, _ := get(d, key).(pyval.Str)
	return string(s)
}

// list returns the items of the list under a key; nil if there is none.
func list(d *pyval.Dict, key string) []pyval.Value {
	l, _ := get(d, key).(*pyval.List)
	if l == nil {
		return nil
	}
	if l.Items == nil {
		return []pyval.Value{}
	}
	return l.Items
}

// get returns the value under a key; nil if it is missing or null.
func get(d *pyval.Dict, key string) pyval.Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	if v == pyval.Value(pyval.None) {
		return nil
	}
	return v
}

var errMore = errors.New("it holds more than text, such as an image")

// texts joins the parts of a content: a text, or a list of parts of the given
// types, each with a text.
func texts(content pyval.Value, key string, types ...string) (string, error) {
	switch v := content.(type) {
	case pyval.Str:
		return string(v), nil
	case *pyval.List:
		var all []string
		for _, item := range v.Items {
			part, _ := item.(*pyval.Dict)
			if part == nil || !slices.Contains(types, str(part, "type")) {
				return "", errMore
			}
			all = append(all, str(part, key))
		}
		return strings.Join(all, "\n"), nil
	}
	return "", errors.New("it has no text")
}

// role returns a message's role as suites write it.
func role(given string) (string, error) {
	switch given {
	case "developer":
		return "system", nil
	case "system", "user", "assistant", "tool":
		return given, nil
	}
	return "", fmt.Errorf("the role %.40q is unknown", given)
}

// messages reads a request's messages with read, which may make several
// messages of one.
func (e *exchange) messages(request *pyval.Dict, read func(m *pyval.Dict, at string) ([]said, error)) error {
	all := list(request, "messages")
	if len(all) == 0 {
		return errors.New(`the request has no "messages"`)
	}
	for i, item := range all {
		at := fmt.Sprintf("message %d", i+1)
		m := asDict(item)
		if m == nil {
			return fmt.Errorf("%s is not an object", at)
		}
		more, err := read(m, at)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		e.said = append(e.said, more...)
	}
	return nil
}
