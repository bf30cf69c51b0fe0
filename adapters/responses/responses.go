package responses

import (
	"context"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters. ToolStyle
// and MaxTokensField are Chat Completions' alone.
type Config = endpoint.Config

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg Config // without address, key and headers
	to  *endpoint.Endpoint
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	to, err := endpoint.New(&cfg, "responses")
	if err != nil {
		return nil, fmt.Errorf("responses: %w", err)
	}
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return &Adapter{cfg: cfg, to: to}, nil
}

// String names the model and where it is asked.
func (a Adapter) String() string { return fmt.Sprintf("responses %q at %s", a.cfg.Model, a.to) }

// Format prints String whatever the verb.
func (a Adapter) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.String()) }

// Close closes the connections that are not in use. The adapter stays usable.
func (a *Adapter) Close() error {
	a.to.Close()
	return nil
}

// Generate asks the model once.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	body, err := a.body(req)
	if err != nil {
		return nil, err
	}
	raw, latency, err := a.to.Ask(ctx, body)
	if err != nil {
		return nil, err
	}
	r, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return &eval.Response{
		Result: r.result(req.Mode), Message: r.message(), Reasoning: r.reasoning,
		InputTokens: r.input, OutputTokens: r.output, Latency: latency,
	}, nil
}

// developer is the role that upstream's OpenAIResponsesHandler gives to system
// messages.
var developer = map[string]string{"system": "developer"}

// input is a conversation as items. The model's own items go back as they
// came, encrypted reasoning included.
func input(messages []eval.Message) *pyval.List {
	list := &pyval.List{}
	for _, m := range messages {
		raw, ok := m.Raw.(*pyval.List)
		switch {
		case ok:
			list.Items = append(list.Items, raw.Items...)
		case m.Role == "tool":
			list.Items = append(list.Items, endpoint.Object(
				"type", pyval.Str("function_call_output"), "call_id", pyval.Str(m.CallID), "output", pyval.Str(m.Content)))
		default:
			list.Items = append(list.Items, items(m)...)
		}
	}
	return list
}

// items is a message that is text, calls or both.
func items(m eval.Message) []pyval.Value {
	role := m.Role
	if other, ok := developer[role]; ok {
		role = other
	}
	var out []pyval.Value
	if m.Content != "" || len(m.Calls) == 0 {
		out = append(out, endpoint.Object("role", pyval.Str(role), "content", pyval.Str(m.Content)))
	}
	for _, call := range m.Calls {
		out = append(out, endpoint.Object("type", pyval.Str("function_call"),
			"call_id", pyval.Str(call.ID), "name", pyval.Str(call.Name), "arguments", pyval.Str(call.Arguments)))
	}
	return out
}

// body is what upstream's OpenAIResponsesHandler sends. Upstream asks every
// model for encrypted reasoning, which OpenAI refuses for those that do not
// reason: here only models that do are asked.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	body := endpoint.Object(
		"model", pyval.Str(c.Model),
		"input", input(req.Messages),
		"store", pyval.Bool(false),
	)
	c.SetTemperature(body)
	if reasons := endpoint.Reasons(c.Model); reasons || c.ReasoningEffort != "" {
		body.SetStr("include", pyval.NewList(pyval.Str("reasoning.encrypted_content")))
		reasoning := endpoint.Object("summary", pyval.Str("auto"))
		if c.ReasoningEffort != "" {
			reasoning.SetStr("effort", pyval.Str(c.ReasoningEffort))
		}
		body.SetStr("reasoning", reasoning)
	}
	if c.MaxTokens > 0 {
		body.SetStr("max_output_tokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	return body, c.SetTools(body, req, tool.OpenAIResponses)
}
