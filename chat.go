package bfcl

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// ChatCompletion returns the request as the body of a chat completion in
// OpenAI's protocol, which most servers and many clients understand. The body
// has the messages and the tools, which are as in Definition. fields are
// further fields that the server needs, such as model and temperature.
func (r *Request) ChatCompletion(fields map[string]any) (json.RawMessage, error) {
	body := pyval.NewDict(len(fields) + 2)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		text, err := json.Marshal(fields[key])
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", key, err)
		}
		v, err := pyval.ParseJSON(string(text))
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", key, err)
		}
		body.SetStr(key, v)
	}
	body.SetStr("messages", provider.ChatMessages(posed(r.Messages), provider.PlainText))
	docs, err := documents(r.Tools)
	if err != nil {
		return nil, err
	}
	if len(docs) > 0 {
		tools, err := tool.Written(docs, tool.OpenAICompletions)
		if err != nil {
			return nil, err
		}
		body.SetStr("tools", tools)
	}
	return pyval.AppendJSON(nil, body, pyval.JSONUnicode|pyval.JSONCompact)
}

// ReadChatCompletion reads a server's reply in OpenAI's protocol: text or
// calls, in whatever form servers write them, reasoning, tokens, and whether
// the token limit cut the answer off. An error means that there is no answer in
// the reply.
func ReadChatCompletion(reply []byte) (*Response, error) {
	v, err := pyval.ParseJSON(string(reply))
	if err != nil {
		return nil, fmt.Errorf("the reply is not JSON: %w", err)
	}
	raw, ok := v.(*pyval.Dict)
	if !ok {
		return nil, errors.New("the reply is not a JSON object")
	}
	said, err := openai.Said(raw)
	if err != nil {
		return nil, err
	}
	out := &Response{
		Text: said.Text, Reasoning: said.Reasoning, CutOff: said.CutOff, Served: provider.Served(raw),
		Usage: Usage{said.Input, said.Output},
	}
	for _, c := range said.Calls {
		out.Calls = append(out.Calls, Call(c))
	}
	return out, nil
}

// posed returns messages as adapters take them.
func posed(messages []Message) []eval.Message {
	out := make([]eval.Message, len(messages))
	for i, m := range messages {
		out[i] = eval.Message{Role: m.Role, Content: m.Content, CallID: m.CallID, Name: m.Name}
		for _, c := range m.Calls {
			out[i].Calls = append(out[i].Calls, eval.ToolCall(c))
		}
		if raw, err := pyval.ParseJSON(string(m.Raw)); err == nil {
			out[i].Raw = raw
		}
	}
	return out
}

// documents returns tools as they are sent.
func documents(tools []Tool) ([]*pyval.Dict, error) {
	var out []*pyval.Dict
	for i, t := range tools {
		doc, err := document(t)
		if err != nil {
			return nil, fmt.Errorf("tool %d, %.100q: %w", i+1, t.Name, err)
		}
		out = append(out, doc)
	}
	return out, nil
}
