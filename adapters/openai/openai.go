// Package openai asks a model over OpenAI's Chat Completions protocol, which
// most servers and routers speak: OpenAI, Azure, vLLM, SGLang, llama.cpp,
// Ollama, LM Studio, OpenRouter, DeepSeek, Mistral, Fireworks, Together.
// docs/adapters.md says what is sent and how each reply is read.
// Package provider has what this package shares with package responses: addresses,
// keys and bodies.
package openai

import (
	"cmp"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// New checks a configuration. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.New(&cfg, "chat/completions")
	if err == nil {
		cfg.MaxTokensField = cfg.TokensField(to.Official())
	}
	cfg.ToolStyle = cmp.Or(cfg.ToolStyle, tool.OpenAICompletions)
	a, err := provider.Protocol{Name: "openai", Body: body, Read: Read, Stream: streamed}.Adapter(cfg, to, err)
	if err == nil {
		a.Reasoning = provider.NewReasoning(&cfg, to.Host())
	}
	return a, err
}

// body returns what upstream's OpenAICompletionsHandler sends. Its `store` is
// sent to OpenAI and Azure only, because strict servers refuse unknown fields.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
	messages := provider.ChatMessages(req.Messages, provider.PlainText)
	a.Apply(messages)
	body := pyval.Object("model", pyval.Str(c.Model), "messages", messages)
	c.SetTemperature(body)
	if a.Official() {
		body.SetStr("store", pyval.Bool(false))
	}
	if c.MaxTokens > 0 {
		body.SetStr(c.MaxTokensField, pyval.MakeInt(int64(c.MaxTokens)))
	}
	if c.ReasoningEffort != "" {
		body.SetStr("reasoning_effort", pyval.Str(c.ReasoningEffort))
	}
	if c.Stream {
		body.SetStr("stream", pyval.Bool(true))
		body.SetStr("stream_options", pyval.Object("include_usage", pyval.Bool(true)))
	}
	return body, setTools(c, body, req)
}

// setTools adds the tools. Gorilla's own server takes function documents as
// they are, in the field that came before tools.
func setTools(c *provider.Config, body *pyval.Dict, req *eval.Request) error {
	if c.ToolStyle == tool.Gorilla {
		if req.Mode != eval.Prompt && len(req.Tools) > 0 {
			body.SetStr("functions", req.Shown())
		}
		return nil
	}
	if err := c.SetTools(body, req, c.ToolStyle); err != nil {
		return err
	}
	if req.Sent != nil {
		return nil // strict is the owner's to set, too
	}
	for _, item := range provider.Items(body, "tools") {
		c.SetStrict(provider.Get(item, "function"))
	}
	return nil
}
