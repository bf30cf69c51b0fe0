// Package responses asks a model over OpenAI's Responses protocol, which
// OpenAI, Azure and vLLM speak. docs/adapters.md says what is sent and how
// each reply is read; what it shares with Chat Completions is in package
// internal/model/provider.
package responses

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// New checks a configuration. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.New(&cfg, "responses")
	return provider.Protocol{Name: "responses", Body: body, Read: read}.Adapter(cfg, to, err)
}

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

// items returns the items of a message that is text, calls or both. To system
// messages upstream's OpenAIResponsesHandler gives the role of developers.
func items(m eval.Message) []pyval.Value {
	role := m.Role
	if role == "system" {
		role = "developer"
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

// body returns what upstream's OpenAIResponsesHandler sends. Models that
// reason, by their name or because an effort is set, are asked for their
// encrypted reasoning, so that it can be sent back to them. For other models
// OpenAI refuses that request.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
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

// read reads a response object. A later turn's input repeats its output as it
// came, with encrypted reasoning. What a content filter or the token limit left of
// an answer is the answer.
func read(raw *pyval.Dict) (*provider.Said, error) {
	list, ok := provider.Get(raw, "output").(*pyval.List)
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply has no output: %s", provider.Excerpt(raw))
	}
	usage := provider.Get(raw, "usage")
	s := &provider.Said{Raw: pyval.NewList(list.Items...), Input: provider.Count(usage, "input_tokens"), Output: provider.Count(usage, "output_tokens")}
	s.ReadBlocks(list.Items)
	switch status := provider.Text(raw, "status"); status {
	case "", "completed":
		if len(list.Items) == 0 {
			return nil, eval.Infra("empty_reply", "the reply's output is empty: %s", provider.Excerpt(raw))
		}
		return s, nil
	case "incomplete":
		return s, s.End(finishes, provider.Text(provider.Get(raw, "incomplete_details"), "reason"))
	default:
		return nil, (&provider.Fault{Code: "status " + status}).Infra()
	}
}

// finishes are the reasons of incomplete replies.
var finishes = provider.Finishes{"": provider.CutOff, "max_output_tokens": provider.CutOff, "max_tokens": provider.CutOff, "content_filter": provider.Filtered}
