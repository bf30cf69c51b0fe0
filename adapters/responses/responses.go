// Package responses asks a model over OpenAI's Responses protocol, which
// OpenAI, Azure and vLLM speak. docs/adapters.md says what is sent and how
// each reply is read; what it shares with Chat Completions is in package
// internal/model/provider.
package responses

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A protocol is the provider.Protocol of Responses.
type protocol struct {
	*provider.Endpoint
	cfg provider.Config // without address, key and headers
}

// New checks a configuration. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.New(&cfg, "responses")
	if err != nil {
		return nil, fmt.Errorf("responses: %w", err)
	}
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return provider.NewAdapter(&protocol{cfg: cfg, Endpoint: to}, "responses %q at %s", cfg.Model, to), nil
}

// developer is the role that upstream's OpenAIResponsesHandler gives to system
// messages.
var developer = map[string]string{"system": "developer"}

// input returns a conversation as items. The model's own items go back as they
// came, including encrypted reasoning.
func input(messages []eval.Message) *pyval.List {
	list := &pyval.List{}
	for _, m := range messages {
		raw, ok := m.Raw.(*pyval.List)
		switch {
		case ok:
			list.Items = append(list.Items, raw.Items...)
		case m.Role == "tool":
			list.Items = append(list.Items, pyval.Object(
				"type", pyval.Str("function_call_output"), "call_id", pyval.Str(m.CallID), "output", pyval.Str(m.Content)))
		default:
			list.Items = append(list.Items, items(m)...)
		}
	}
	return list
}

// items returns the items of a message that is text, calls or both.
func items(m eval.Message) []pyval.Value {
	role := m.Role
	if other, ok := developer[role]; ok {
		role = other
	}
	var out []pyval.Value
	if m.Content != "" || len(m.Calls) == 0 {
		out = append(out, pyval.Object("role", pyval.Str(role), "content", pyval.Str(m.Content)))
	}
	for _, call := range m.Calls {
		out = append(out, pyval.Object("type", pyval.Str("function_call"),
			"call_id", pyval.Str(call.ID), "name", pyval.Str(call.Name), "arguments", pyval.Str(call.Arguments)))
	}
	return out
}

// Read finds the answer in a reply.
func (p *protocol) Read(raw *pyval.Dict) (provider.Answer, error) { return parse(raw) }

// Body returns what upstream's OpenAIResponsesHandler sends. Models that
// reason, by their name or because an effort is set, are asked for their
// encrypted reasoning, so that it can be sent back to them. For other models
// OpenAI refuses that request.
func (p *protocol) Body(req *eval.Request) (*pyval.Dict, error) {
	c := &p.cfg
	body := pyval.Object(
		"model", pyval.Str(c.Model),
		"input", input(req.Messages),
		"store", pyval.Bool(false),
	)
	c.SetTemperature(body)
	if reasons := provider.Reasons(c.Model); reasons || c.ReasoningEffort != "" {
		body.SetStr("include", pyval.NewList(pyval.Str("reasoning.encrypted_content")))
		reasoning := pyval.Object("summary", pyval.Str("auto"))
		if c.ReasoningEffort != "" {
			reasoning.SetStr("effort", pyval.Str(c.ReasoningEffort))
		}
		body.SetStr("reasoning", reasoning)
	}
	if c.MaxTokens > 0 {
		body.SetStr("max_output_tokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	if err := c.SetTools(body, req, tool.OpenAIResponses); err != nil {
		return nil, err
	}
	if req.Sent == nil { // otherwise strict is the owner's to set, too
		for _, item := range provider.Items(body, "tools") {
			c.SetStrict(item)
		}
	}
	return body, nil
}
