package bfcl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	// usualConcurrency is the number of requests in flight by default.
	usualConcurrency = 8
	// mostBytes and mostCalls are the limits of an answer.
	mostBytes = 16 << 20
	mostCalls = 10_000
	// mostErrors is how many errors in a row end a run.
	mostErrors = 20
	// longestError is how much of an error's text is kept, in bytes.
	longestError = 4 << 10
	// patience is how long a Model may take to return once its context is done.
	patience = 2 * time.Second
)

// An asker is a Model as an adapter.
type asker struct {
	model   Model
	wording *tool.Wording
	failed  atomic.Int64 // errors in a row
}

// Generate asks the model once.
func (a *asker) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	return a.generate(ctx, req, a.model)
}

// generate asks a model, and survives whatever the model does.
func (a *asker) generate(ctx context.Context, req *eval.Request, m Model) (*eval.Response, error) {
	posed, err := a.request(req)
	if err != nil {
		return nil, &eval.InfraError{Kind: "request", Err: err}
	}
	begin := time.Now()
	got, err := ask(ctx, m, posed)
	latency := time.Since(begin)
	if err == nil {
		err = check(got, req.Mode)
	}
	if err != nil {
		return nil, a.failure(ctx, err)
	}
	a.failed.Store(0)
	resp := response(got, req.Mode)
	resp.Latency = latency
	return resp, nil
}

// failure returns an infrastructure error, which ends the run after mostErrors in a row.
func (a *asker) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	kind, text := eval.InfraKind(err), err.Error()
	if infra, ok := errors.AsType[*eval.InfraError](err); ok {
		text = infra.Err.Error()
	}
	if len(text) > longestError {
		text = text[:longestError] + "…"
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if n := a.failed.Add(1); n >= mostErrors {
		return &eval.InfraError{Kind: kind, Err: &transport.Error{
			Kind: transport.CircuitOpen, Fatal: true,
			Message: fmt.Sprintf("%d requests in a row failed, the last with: %s", n, text),
			Hint:    "fix that and continue with bfcl.Resume",
		}}
	}
	return eval.Infra(kind, "%s", text)
}

// request returns a request in the form for Models. It shares nothing with the original.
func (a *asker) request(req *eval.Request) (*Request, error) {
	out := &Request{Messages: make([]Message, len(req.Messages))}
	for i, m := range req.Messages {
		out.Messages[i] = Message{Role: m.Role, Content: m.Content, CallID: m.CallID, Name: m.Name}
		for _, c := range m.Calls {
			out.Messages[i].Calls = append(out.Messages[i].Calls, Call(c))
		}
		if raw, ok := m.Raw.(pyval.Str); ok {
			out.Messages[i].Raw = json.RawMessage(raw)
		}
	}
	if req.Mode == eval.Prompt || len(req.Tools) == 0 {
		return out, nil
	}
	var schemas *pyval.List
	var err error
	if req.Sent != nil {
		schemas, err = tool.Written(req.Sent, tool.OpenAICompletions)
	} else {
		schemas, err = a.wording.Convert(req.Tools, tool.OpenAICompletions)
	}
	if err != nil {
		return nil, err
	}
	for _, schema := range schemas.Items {
		t, err := newTool(schema)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, t)
	}
	return out, nil
}

// newTool returns the Tool of a schema in the form of Chat Completions.
func newTool(schema pyval.Value) (t Tool, err error) {
	function := field(schema, "function")
	t.Name = pyval.Text(field(function, "name"))
	if text, ok := field(function, "description").(pyval.Str); ok {
		t.Description = string(text)
	}
	if parameters := field(function, "parameters"); parameters != nil {
		t.Parameters, err = pyval.AppendJSON(nil, parameters, pyval.JSONUnicode)
	}
	if err == nil {
		t.Definition, err = pyval.AppendJSON(nil, function, pyval.JSONUnicode)
	}
	if err != nil {
		return t, fmt.Errorf("function %.100q: %w", t.Name, err)
	}
	return t, nil
}

// field returns a field of a dict; nil if it is missing.
func field(v pyval.Value, name string) pyval.Value {
	if d, ok := v.(*pyval.Dict); ok {
		v, _ := d.GetStr(name)
		return v
	}
	return nil
}

// An answer is what a Model returned.
type answer struct {
	resp *Response
	err  error
}

// ask calls the model in its own goroutine, so that a model that panics, ends
// its goroutine or does not return is only an error.
func ask(ctx context.Context, m Model, req *Request) (*Response, error) {
	answers := make(chan answer, 1)
	go func() {
		got := answer{err: eval.Infra("exited", "the model ended its goroutine: a Model must return an error instead of calling t.FailNow, t.Fatal or require")}
		defer func() {
			if p := recover(); p != nil {
				got = answer{err: eval.Infra("panic", "the model panicked: %v, at %s", p, match.Origin())}
			}
			answers <- got
		}()
		resp, err := m.Generate(ctx, req)
		got = answer{resp, err}
	}()
	select {
	case got := <-answers:
		return got.resp, got.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-answers:
		return got.resp, got.err
	case <-timer.C:
		return nil, eval.Infra(eval.InfraKind(ctx.Err()), "%w, and the model did not return: a Model must respect its context", ctx.Err())
	}
}

// check returns an error if a response is not a valid answer.
func check(r *Response, mode eval.Mode) error {
	if r == nil {
		return eval.Infra("adapter", "the model returned neither a response nor an error")
	}
	if len(r.Calls) > 0 && mode == eval.Prompt {
		return eval.Infra("adapter", "the model returned calls in prompt mode, which has no tools: return what the model wrote as Text")
	}
	size := len(r.Text) + len(r.Reasoning) + len(r.Served) + len(r.Raw)
	for _, c := range r.Calls {
		size += len(c.ID) + len(c.Name) + len(c.Arguments)
	}
	if size > mostBytes || len(r.Calls) > mostCalls {
		return eval.Infra(transport.TooLarge, "the answer has %d bytes and %d calls, more than the limits of %d and %d", size, len(r.Calls), mostBytes, mostCalls)
	}
	return nil
}

// response converts a Response.
func response(r *Response, mode eval.Mode) *eval.Response {
	out := &eval.Response{
		Message:   eval.Message{Role: Assistant, Content: valid(r.Text)},
		Reasoning: valid(r.Reasoning), Served: valid(r.Served), CutOff: r.CutOff,
		InputTokens: max(r.Usage.InputTokens, 0), OutputTokens: max(r.Usage.OutputTokens, 0),
	}
	for _, c := range r.Calls {
		out.Message.Calls = append(out.Message.Calls, eval.ToolCall{ID: valid(c.ID), Name: valid(c.Name), Arguments: valid(c.Arguments)})
	}
	if r.Raw != nil {
		out.Message.Raw = pyval.Str(r.Raw)
	}
	if mode == eval.Prompt || len(out.Message.Calls) == 0 {
		out.Result = eval.TextResult(out.Message.Content)
		return out
	}
	out.Result = eval.CallsResult(out.Message.Calls)
	return out
}

// valid returns a text as valid UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

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
	said, err := openai.Read(raw)
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
