package calllog

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The names that logs have for the two halves of a line.
var (
	requestKeys  = []string{"request", "req", "input"}
	responseKeys = []string{"response", "resp", "output"}
)

// exchange finds request and response in a line: under their names, in a body
// below those, or for the request in the line itself.
func exchange(row *pyval.Dict) (request, response *pyval.Dict, err error) {
	request, response = half(row, requestKeys), half(row, responseKeys)
	if request == nil && row.Has("messages") {
		request = row
	}
	switch {
	case request == nil:
		return nil, nil, errors.New(`there is no "request" with messages`)
	case response == nil:
		return nil, nil, errors.New(`there is no "response"`)
	}
	return request, response, nil
}

// half is the object under one of the names, or the body in it; either may
// stand as JSON in a text.
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

func asDict(v pyval.Value) *pyval.Dict {
	if s, ok := v.(pyval.Str); ok {
		v, _ = pyval.ParseJSON(string(s))
	}
	d, _ := v.(*pyval.Dict)
	return d
}

// messages are the request's: roles, texts, and what was called before with its
// results. The response is the answer to the last of them.
func (l *Log) messages(request *pyval.Dict) (*pyval.List, error) {
	v, _ := request.GetStr("messages")
	list, ok := v.(*pyval.List)
	if !ok || len(list.Items) == 0 {
		return nil, errors.New(`the request has no "messages"`)
	}
	out := &pyval.List{}
	open := map[string]bool{} // calls without a result
	for i, item := range list.Items {
		m, _ := item.(*pyval.Dict)
		if m == nil {
			return nil, fmt.Errorf("message %d is not an object", i+1)
		}
		role := str(m, "role")
		if role == "developer" {
			role = "system"
		}
		switch role {
		case "system", "user", "assistant":
		case "tool":
			if id := str(m, "tool_call_id"); !open[id] {
				return nil, fmt.Errorf("message %d is the result of a call that does not stand before it", i+1)
			}
			delete(open, str(m, "tool_call_id"))
		case "function":
			return nil, errors.New("the conversation holds results in the older form (role function), which does not say of which call")
		default:
			return nil, fmt.Errorf("message %d has the unknown role %.40q", i+1, role)
		}
		calls, err := l.earlier(m, open)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		content, err := contentOf(m)
		if calls != nil && err != nil {
			content, err = "", nil // calls often have no text beside them
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		message := pyval.NewDict(2)
		message.SetStr("role", pyval.Str(role))
		message.SetStr("content", l.masked(pyval.Str(content)))
		if calls != nil {
			message.SetStr("tool_calls", calls)
		}
		if role == "tool" {
			message.SetStr("tool_call_id", l.masked(pyval.Str(str(m, "tool_call_id"))))
		}
		if role == "assistant" && i == len(list.Items)-1 {
			return nil, errors.New("the last message is the assistant's")
		}
		out.Items = append(out.Items, message)
	}
	if len(open) > 0 {
		return nil, errors.New("a call of the conversation has no result")
	}
	return out, nil
}

// earlier are the calls of a message of the assistant's, as Chat Completions
// have them; nil where it has none. They wait for their results in open.
func (l *Log) earlier(m *pyval.Dict, open map[string]bool) (*pyval.List, error) {
	v, _ := m.GetStr("tool_calls")
	given, _ := v.(*pyval.List)
	if str(m, "role") != "assistant" || given == nil || len(given.Items) == 0 {
		return nil, nil
	}
	if len(open) > 0 {
		return nil, errors.New("a call before it has no result")
	}
	out := &pyval.List{}
	for _, item := range given.Items {
		wire, _ := item.(*pyval.Dict)
		if wire == nil {
			return nil, errors.New("a call is not an object")
		}
		id := str(wire, "id")
		call, err := l.call(wire)
		switch {
		case err != nil:
			return nil, err
		case id == "" || open[id]:
			return nil, errors.New("a call has no id of its own")
		}
		open[id] = true
		name, args := call.At(0)
		text, err := pyval.JSON(args, pyval.JSONUnicode)
		if err != nil {
			return nil, err
		}
		function := pyval.NewDict(2)
		function.SetStr("name", name)
		function.SetStr("arguments", pyval.Str(text))
		one := pyval.NewDict(3)
		one.SetStr("id", l.masked(pyval.Str(id)))
		one.SetStr("type", pyval.Str("function"))
		one.SetStr("function", function)
		out.Items = append(out.Items, one)
	}
	return out, nil
}

// contentOf is a message's text, or its parts of text.
func contentOf(m *pyval.Dict) (string, error) {
	v, _ := m.GetStr("content")
	switch v := v.(type) {
	case pyval.Str:
		return string(v), nil
	case *pyval.List:
		var texts []string
		for _, item := range v.Items {
			part, _ := item.(*pyval.Dict)
			if part == nil || str(part, "type") != "text" {
				return "", errors.New("it holds more than text, such as an image")
			}
			texts = append(texts, str(part, "text"))
		}
		return strings.Join(texts, "\n"), nil
	}
	return "", errors.New("it has no text")
}

func str(d *pyval.Dict, key string) string {
	v, _ := d.GetStr(key)
	s, _ := v.(pyval.Str)
	return string(s)
}

// calls are those of the response's first choice.
func (l *Log) calls(response *pyval.Dict) ([]*pyval.Dict, error) {
	if v, ok := response.GetStr("error"); ok && v != pyval.Value(pyval.None) {
		return nil, errors.New("the response is an error")
	}
	message := response
	if v, ok := response.GetStr("choices"); ok {
		list, _ := v.(*pyval.List)
		if list == nil || len(list.Items) == 0 {
			return nil, errors.New("the response has no choices")
		}
		choice, _ := list.Items[0].(*pyval.Dict)
		if choice == nil {
			return nil, errors.New("the response's choice is not an object")
		}
		if reason := str(choice, "finish_reason"); reason == "length" || reason == "content_filter" {
			return nil, fmt.Errorf("the response was cut short (%s)", reason)
		}
		v, _ := choice.GetStr("message")
		message = asDict(v)
	}
	if message == nil || !message.Has("content") && !message.Has("tool_calls") && !message.Has("function_call") {
		return nil, errors.New("the response has no message")
	}
	var given []pyval.Value
	if v, _ := message.GetStr("tool_calls"); v != nil {
		if list, ok := v.(*pyval.List); ok {
			given = list.Items
		}
	}
	if v, ok := message.GetStr("function_call"); ok && v != pyval.Value(pyval.None) {
		given = append(given, v)
	}
	var out []*pyval.Dict
	for i, item := range given {
		call, err := l.call(item)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		out = append(out, call)
	}
	return out, nil
}

func (l *Log) call(v pyval.Value) (*pyval.Dict, error) {
	call := asDict(v)
	if call == nil {
		return nil, errors.New("it is not an object")
	}
	if inner, ok := call.GetStr("function"); ok {
		if call = asDict(inner); call == nil {
			return nil, errors.New("its function is not an object")
		}
	}
	name := str(call, "name")
	if name == "" {
		return nil, errors.New("it has no name")
	}
	arguments, _ := call.GetStr("arguments")
	if s, ok := arguments.(pyval.Str); ok && strings.TrimSpace(string(s)) == "" {
		arguments = pyval.NewDict(0)
	}
	args := asDict(arguments)
	if args == nil {
		return nil, fmt.Errorf("the arguments of %.80q are not a JSON object", name)
	}
	out := pyval.NewDict(1)
	out.SetStr(name, l.masked(args))
	return out, nil
}

// secret is what keys look like: with well-known beginnings, or after the words
// that announce one.
var secret = regexp.MustCompile(`(?i)\b(?:sk|pk|rk)-[a-z0-9_-]{16,}|\bgh[pousr]_[a-z0-9]{20,}|\bxox[abprs]-[a-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9a-z_-]{30,}|\beyJ[a-z0-9_-]{10,}\.[a-z0-9_-]{10,}\.[a-z0-9_-]*|\bbearer\s+[a-z0-9._~+/=-]{12,}|\b(?:api[_-]?key|password|secret|access[_-]?token|authorization)["']?\s*[:=]\s*["']?[^\s"',;]{6,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)

// Mask stands for a text that looked like a key.
const Mask = "***"

// masked is a value in which texts that look like keys are replaced.
func (l *Log) masked(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case pyval.Str:
		return pyval.Str(secret.ReplaceAllStringFunc(string(v), func(string) string { l.Masked++; return Mask }))
	case *pyval.List:
		out := &pyval.List{Items: make([]pyval.Value, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i] = l.masked(item)
		}
		return out
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, item := range v.All() {
			out.SetStr(pyval.Text(l.masked(key)), l.masked(item))
		}
		return out
	}
	return v
}
