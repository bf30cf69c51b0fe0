// Package cohere asks a model over version 2 of Cohere's chat protocol.
// docs/adapters.md says what is sent and how each reply is read.
package cohere

import (
	"fmt"
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const home = "https://api.cohere.com"

// A protocol is the provider.Protocol of Cohere.
type protocol struct {
	*provider.Endpoint
	cfg provider.Config // without address, key and headers
}

// New checks a configuration. Nothing is sent. Of the variables of the key the first that
// is set counts: upstream's CohereHandler reads it, the SDK the second.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.Own(&cfg, provider.Place{Home: home, Tails: []string{"/v2/chat", "/v2"}, Path: "/v2/chat", Variables: []string{"COHERE_API_KEY", "CO_API_KEY"}})
	if err != nil {
		return nil, fmt.Errorf("cohere: %w", err)
	}
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return provider.NewAdapter(&protocol{cfg: cfg, Endpoint: to}, "cohere %q at %s", cfg.Model, to.Origin()), nil
}

// Read finds the answer in a reply.
func (p *protocol) Read(raw *pyval.Dict) (provider.Answer, error) { return parse(raw) }

// Body returns what upstream's CohereHandler sends.
func (p *protocol) Body(req *eval.Request) (*pyval.Dict, error) {
	c := &p.cfg
	body := pyval.Object(
		"stream", pyval.Bool(false),
		"model", pyval.Str(c.Model),
		"messages", provider.ChatMessages(spoken(systemFirst(req.Messages)), content),
	)
	if err := c.SetTools(body, req, tool.Cohere); err != nil {
		return nil, err
	}
	body.SetStr("citation_options", pyval.Object("mode", pyval.Str("OFF")))
	c.SetTemperature(body)
	if c.MaxTokens > 0 {
		body.SetStr("max_tokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	if c.ReasoningEffort != "" {
		body.SetStr("thinking", thinking(c.ReasoningEffort))
	}
	return body, nil
}

// systemFirst moves the system message to the front.
func systemFirst(messages []eval.Message) []eval.Message {
	system, talk := provider.System(messages)
	if system == "" {
		return talk
	}
	return append([]eval.Message{{Role: "system", Content: system}}, talk...)
}

// thinking returns a reasoning effort in Cohere's terms: a number is a budget
// in tokens, "none" switches thinking off, and any other word switches it on.
func thinking(effort string) *pyval.Dict {
	if budget, err := strconv.ParseInt(effort, 10, 32); err == nil {
		return pyval.Object("type", pyval.Str("enabled"), "token_budget", pyval.MakeInt(budget))
	}
	if effort == "none" {
		return pyval.Object("type", pyval.Str("disabled"))
	}
	return pyval.Object("type", pyval.Str("enabled"))
}
