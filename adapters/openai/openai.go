// Package openai asks a model over OpenAI's Chat Completions protocol, which
// most servers and routers speak: OpenAI, Azure, vLLM, SGLang, llama.cpp,
// Ollama, LM Studio, OpenRouter, DeepSeek, Mistral, Fireworks, Together.
// docs/adapters.md says what is sent and how each reply is read.
// Package provider has what this package shares with package responses: addresses,
// keys and bodies.
package openai

import (
	"cmp"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A protocol is the provider.Protocol of Chat Completions.
type protocol struct {
	*provider.Endpoint
	*provider.Reasoning
	cfg provider.Config // without address, key and headers
}

// New checks a configuration. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	to, err := provider.New(&cfg, "chat/completions")
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	cfg.ToolStyle = cmp.Or(cfg.ToolStyle, tool.OpenAICompletions)
	cfg.MaxTokensField = cfg.TokensField(to.Official())
	to.Stream = streamed
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return provider.NewAdapter(&protocol{cfg: cfg, Endpoint: to, Reasoning: provider.NewReasoning(&cfg, to.Host())}, "openai %q at %s", cfg.Model, to), nil
}

// Read finds the answer in a reply.
func (p *protocol) Read(raw *pyval.Dict) (provider.Answer, error) { return parse(raw) }

// Body returns what upstream's OpenAICompletionsHandler sends. Its `store` is
// sent to OpenAI and Azure only, because strict servers refuse unknown fields.
func (p *protocol) Body(req *eval.Request) (*pyval.Dict, error) {
	c := &p.cfg
	messages := provider.ChatMessages(req.Messages, provider.PlainText)
	p.Apply(messages)
	body := pyval.Object("model", pyval.Str(c.Model), "messages", messages)
	c.SetTemperature(body)
	if p.Official() {
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
	return body, p.setTools(body, req)
}

// setTools adds the tools. Gorilla's own server takes function documents as
// they are, in the field that came before tools.
func (p *protocol) setTools(body *pyval.Dict, req *eval.Request) error {
	if p.cfg.ToolStyle == tool.Gorilla {
		if req.Mode != eval.Prompt && len(req.Tools) > 0 {
			shown := req.Tools
			if req.Sent != nil {
				shown = req.Sent
			}
			body.SetStr("functions", documents(shown))
		}
		return nil
	}
	if err := p.cfg.SetTools(body, req, p.cfg.ToolStyle); err != nil {
		return err
	}
	if req.Sent != nil {
		return nil // strict is the owner's to set, too
	}
	for _, item := range provider.Items(body, "tools") {
		p.cfg.SetStrict(provider.Get(item, "function"))
	}
	return nil
}

func documents(docs []*pyval.Dict) *pyval.List {
	list := &pyval.List{Items: make([]pyval.Value, len(docs))}
	for i, doc := range docs {
		list.Items[i] = doc
	}
	return list
}
