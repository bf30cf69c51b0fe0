// Package cohere asks a model over version 2 of Cohere's chat protocol.
// docs/adapters.md says what is sent and how each reply is read.
package cohere

import (
	"slices"
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const home = "https://api.cohere.com"

// New checks a configuration. Nothing is sent. Of the variables of the key the first that
// is set counts: upstream's CohereHandler reads it, the SDK the second.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.Own(&cfg, provider.Place{Home: home, Tails: []string{"/v2/chat", "/v2"}, Path: "/v2/chat", Variables: []string{"COHERE_API_KEY", "CO_API_KEY"}})
	return provider.Protocol{Name: "cohere", Body: body, Read: read}.Adapter(cfg, to, err)
}

// body returns what upstream's CohereHandler sends, the system message first. The
// provider refuses empty messages of the model.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
	system, talk := provider.System(req.Messages)
	talk = slices.DeleteFunc(talk, func(m eval.Message) bool {
		return m.Role == "assistant" && m.Content == "" && len(m.Calls) == 0
	})
	if system != "" {
		talk = append([]eval.Message{{Role: "system", Content: system}}, talk...)
	}
	body := pyval.Object(
		"stream", pyval.Bool(false),
		"model", pyval.Str(c.Model),
		"messages", provider.ChatMessages(talk, content),
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
