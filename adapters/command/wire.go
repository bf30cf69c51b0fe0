package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// requestLine returns a request as one line. The id is the adapter's own
// number: a case's id names its category, which a model must not know.
func requestLine(id string, req *eval.Request) ([]byte, error) {
	messages := make([]pyval.Value, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = message(m)
	}
	line, err := pyval.AppendJSON(nil, pyval.Object(
		"id", pyval.Str(id),
		"mode", pyval.Str(req.Mode),
		"messages", pyval.NewList(messages...),
		"tools", req.Shown(),
	), pyval.JSONUnicode|pyval.JSONCompact)
	if err != nil {
		return nil, eval.Infra("request", "the request cannot be written as JSON: %w", err)
	}
	return append(line, '\n'), nil
}

// message returns a message of the conversation as an object. Calls and results
// refer to each other by the calls' ids.
func message(m eval.Message) *pyval.Dict {
	d := pyval.Object("role", pyval.Str(m.Role), "content", pyval.Str(m.Content))
	if len(m.Calls) > 0 {
		calls := pyval.NewList()
		for _, c := range m.Calls {
			calls.Items = append(calls.Items, pyval.Object("id", pyval.Str(c.ID), "name", pyval.Str(c.Name), "arguments", pyval.Str(c.Arguments)))
		}
		d.SetStr("calls", calls)
	}
	if m.Role == "tool" {
		d.SetStr("call_id", pyval.Str(m.CallID))
		d.SetStr("name", pyval.Str(m.Name))
	}
	return d
}

// parseAnswer reads the answer to the request with the given id. A broken line
// and the program's own "error" are infrastructure errors; broken arguments
// are the model's answer.
func parseAnswer(line, id string, mode eval.Mode) (*eval.Response, error) {
	answer, err := Object(line)
	if err != nil {
		return nil, nonsense(line, "%w", err)
	}
	if got := field(answer, "id"); got != pyval.Str(id) {
		return nil, nonsense(line, `"id" is %s, want %q, the id of the request`, quote(pyval.Repr(got)), id)
	}
	if text, ok := answer.GetStr("error"); ok && pyval.Truth(text) {
		return nil, eval.Infra("program", "the program reports an error: %s", quote(pyval.Text(text)))
	}
	resp := &eval.Response{}
	if err = read(resp, answer, mode); err == nil {
		err = Tokens(answer, resp)
	}
	if err != nil {
		return nil, nonsense(line, "%w", err)
	}
	return resp, nil
}

const form = "write one JSON object per line to standard output, and everything else to standard error"

// nonsense returns the error for a line that breaks the protocol.
func nonsense(line, format string, args ...any) error {
	why := fmt.Errorf(format, args...)
	return eval.Infra("protocol", "the program's answer is wrong: %w; it wrote %s; %s", why, quote(line), form)
}

// Object returns the object of an answer's line. The error says what the line is.
func Object(line string) (*pyval.Dict, error) {
	if !pyval.ValidText(line) {
		return nil, errors.New("it is not UTF-8")
	}
	v, err := pyval.ParseJSON(strings.TrimPrefix(line, "\uFEFF"))
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	answer, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("it must be an object, not %s", pyval.TypeName(v))
	}
	return answer, nil
}

// field returns a field's value, None if it is missing.
func field(d *pyval.Dict, key string) pyval.Value {
	if v, ok := d.GetStr(key); ok {
		return v
	}
	return pyval.None
}

// read stores the answer in resp: the calls if there are any, else the text.
func read(resp *eval.Response, answer *pyval.Dict, mode eval.Mode) error {
	calls, err := toolCalls(field(answer, "calls"))
	if err != nil {
		return err
	}
	resp.Message = eval.Message{Role: "assistant", Calls: calls}
	switch text := field(answer, "text").(type) {
	case pyval.Str:
		resp.Message.Content = string(text)
		if len(calls) == 0 {
			resp.Result = text
			return nil
		}
	case pyval.NoneType:
		if calls == nil {
			return fmt.Errorf(`it has no "calls", "text" or "error"`)
		}
	default:
		return fmt.Errorf(`"text" must be a string, not %s`, pyval.TypeName(text))
	}
	if mode == eval.Prompt {
		return fmt.Errorf(`"calls" cannot be used in prompt mode: write the model's text as "text", or run with -mode=fc`)
	}
	resp.Result = eval.CallsResult(calls)
	return nil
}

// toolCalls reads "calls". It returns nil if there is no list.
func toolCalls(v pyval.Value) ([]eval.ToolCall, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		if v == pyval.None {
			return nil, nil
		}
		return nil, fmt.Errorf(`"calls" must be an array, not %s`, pyval.TypeName(v))
	}
	calls := make([]eval.ToolCall, len(list.Items))
	for i, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok {
			return nil, fmt.Errorf("call %d must be an object, not %s", i+1, pyval.TypeName(item))
		}
		name, ok := field(call, "name").(pyval.Str)
		if !ok {
			return nil, fmt.Errorf(`call %d has no "name"`, i+1)
		}
		args, err := arguments(field(call, "arguments"))
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		id, _ := field(call, "id").(pyval.Str)
		calls[i] = eval.ToolCall{ID: string(id), Name: string(name), Arguments: args}
	}
	return calls, nil
}

// arguments returns a call's arguments as JSON text: the text that the program
// wrote, or the text of the object that it wrote.
func arguments(v pyval.Value) (string, error) {
	switch v := v.(type) {
	case pyval.NoneType:
		return "{}", nil
	case pyval.Str:
		return string(v), nil
	case *pyval.Dict:
		return pyval.JSON(v, pyval.JSONUnicode)
	}
	return "", fmt.Errorf(`"arguments" must be an object or a string of JSON, not %s`, pyval.TypeName(v))
}

// Tokens stores the answer's numbers of tokens in resp.
func Tokens(answer *pyval.Dict, resp *eval.Response) (err error) {
	if resp.InputTokens, err = count(answer, "input_tokens"); err == nil {
		resp.OutputTokens, err = count(answer, "output_tokens")
	}
	return err
}

// count returns a number of tokens, 0 if it is missing.
func count(answer *pyval.Dict, key string) (int, error) {
	switch v := field(answer, key).(type) {
	case pyval.NoneType:
		return 0, nil
	case pyval.Int:
		if n, ok := v.Int64(); ok && n >= 0 && n <= 1<<31-1 {
			return int(n), nil
		}
	}
	return 0, fmt.Errorf("%q is not a number of tokens", key)
}

// quote returns a program's text for a message, escaped and capped.
func quote(text string) string { return say.Quote(text, 300) }
