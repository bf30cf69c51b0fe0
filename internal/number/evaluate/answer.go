package evaluate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/completions"
	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// The forms of an answer, by the field that holds it.
const (
	asText    = "text"
	asCalls   = "calls"
	asMessage = "message"
	asResult  = "result"
)

var forms = []string{asText, asCalls, asMessage, asResult}

// formOf returns the form of the answer in a row, which must have one.
func formOf(row *pyval.Dict) (string, error) {
	found := slices.DeleteFunc(slices.Clone(forms), func(name string) bool { return !row.Has(name) })
	if len(found) != 1 {
		return "", fmt.Errorf("want an answer in one of the fields %s; %d of them are there", strings.Join(forms, ", "), len(found))
	}
	return found[0], nil
}

// answered returns the answer in a row as an adapter would: tools are those
// that the model was shown.
func answered(row *pyval.Dict, s eval.Settings, tools []*pyval.Dict) (*eval.Response, error) {
	form, err := formOf(row)
	if err != nil {
		return nil, err
	}
	given, _ := row.GetStr(form)
	switch form {
	case asText:
		text, ok := given.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("text: want a text, not %s", pyval.TypeName(given))
		}
		return inText(string(text), s, tools), nil
	case asCalls:
		if s.Mode == eval.Prompt || s.Dialect != "" {
			return nil, errors.New("calls: in prompt mode, and by a dialect, calls are read from the text: give text")
		}
		result, err := Calls(given)
		return &eval.Response{Result: result}, err
	case asMessage:
		return inMessage(given, s, tools)
	}
	return &eval.Response{Result: given}, nil
}

// inText returns an answer in text, read by the dialect if there is one.
func inText(text string, s eval.Settings, tools []*pyval.Dict) *eval.Response {
	if s.Dialect != "" {
		return completions.Reading(dialect.Find(s.Dialect), text, tools, nil)
	}
	return &eval.Response{Result: eval.TextResult(text), Message: eval.Message{Role: "assistant", Content: text}}
}

// Calls returns a list of calls as result files hold it. A call is
// {"name": …, "arguments": …} or {name: arguments}; arguments are an object, or
// the JSON text of one as the model wrote it.
func Calls(v pyval.Value) (pyval.Value, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("calls: want a list, not %s", pyval.TypeName(v))
	}
	calls := make([]eval.ToolCall, len(list.Items))
	for i, item := range list.Items {
		call, _ := item.(*pyval.Dict)
		name, named := provider.Get(item, "name").(pyval.Str)
		switch {
		case call == nil:
			return nil, fmt.Errorf("calls[%d]: want an object, not %s", i, pyval.TypeName(item))
		case named && call.Has("arguments"):
			calls[i] = eval.ToolCall{Name: string(name), Arguments: provider.Arguments(provider.Get(call, "arguments"))}
		case call.Len() == 1:
			key, arguments := call.At(0)
			calls[i] = eval.ToolCall{Name: pyval.Text(key), Arguments: provider.Arguments(arguments)}
		default:
			return nil, fmt.Errorf(`calls[%d]: want {"name": …, "arguments": …} or {name: arguments}`, i)
		}
	}
	return eval.CallsResult(calls), nil
}

// inMessage returns the answer in an assistant's message of Chat Completions,
// Anthropic's Messages, Bedrock's Converse or Gemini, or in the output of a
// response of OpenAI's.
func inMessage(v pyval.Value, s eval.Settings, tools []*pyval.Dict) (*eval.Response, error) {
	m, _ := v.(*pyval.Dict)
	blocks, listed := v.(*pyval.List)
	for _, key := range []string{"content", "parts", "output"} {
		if list, ok := provider.Get(v, key).(*pyval.List); ok && !listed {
			blocks, listed = list, true
		}
	}
	var resp *eval.Response
	switch {
	case m != nil && (m.Has("tool_calls") || m.Has("function_call") || m.Has("content") && !listed):
		said := openai.Read(m)
		resp = &eval.Response{Result: said.Result(s.Mode), Message: said.Message()}
	case listed:
		var said provider.Said
		said.ReadBlocks(blocks.Items)
		resp = &eval.Response{Result: said.Result(s.Mode), Message: eval.Message{Role: "assistant", Content: said.Text, Calls: said.Calls}}
	default:
		return nil, errors.New("message: want an assistant's message, with content, tool_calls or parts, or a response's output")
	}
	if s.Dialect == "" {
		return resp, nil
	}
	if _, isText := resp.Result.(pyval.Str); !isText {
		return nil, errors.New("message: a dialect reads calls from the text, and this message has them in a field: leave out the dialect")
	}
	return inText(pyval.Text(resp.Result), s, tools), nil
}
