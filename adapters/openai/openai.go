package openai

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters.
type Config = endpoint.Config

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg Config // without address, key and headers
	to  *endpoint.Endpoint
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	to, err := endpoint.New(&cfg, "chat/completions")
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	cfg.ToolStyle = cmp.Or(cfg.ToolStyle, tool.OpenAICompletions)
	if cfg.MaxTokensField == "" {
		cfg.MaxTokensField = "max_tokens"
		if to.Official() {
			cfg.MaxTokensField = "max_completion_tokens"
		}
	}
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return &Adapter{cfg: cfg, to: to}, nil
}

// String names the model and where it is asked.
func (a Adapter) String() string { return fmt.Sprintf("openai %q at %s", a.cfg.Model, a.to) }

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

// body is what upstream's OpenAICompletionsHandler sends. Its `store` goes to
// OpenAI and Azure only, since strict servers refuse fields they do not know.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	body := endpoint.Object(
		"model", pyval.Str(c.Model),
		"messages", endpoint.ChatMessages(req.Messages, endpoint.PlainText),
	)
	c.SetTemperature(body)
	if a.to.Official() {
		body.SetStr("store", pyval.Bool(false))
	}
	if c.MaxTokens > 0 {
		body.SetStr(c.MaxTokensField, pyval.MakeInt(int64(c.MaxTokens)))
	}
	if c.ReasoningEffort != "" {
		body.SetStr("reasoning_effort", pyval.Str(c.ReasoningEffort))
	}
	return body, c.SetTools(body, req, c.ToolStyle)
}
