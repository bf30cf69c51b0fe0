//go:build anthropic

package anthropic

import (
	"context"
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters.
// APIVersion, MaxTokensField and ToolStyle are OpenAI's alone.
type Config = endpoint.Config

// KeyVariables are the environment variables that may hold the key.
var KeyVariables = []string{"ANTHROPIC_API_KEY"}

const home = "https://api.anthropic.com"

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg    Config // without key and headers
	wire   *endpoint.Wire
	client sdk.Client
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	wire, err := endpoint.NewWire(&cfg, home, []string{"/v1/messages", "/v1"}, KeyVariables...)
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithBaseURL(wire.Home()),
		option.WithHTTPClient(wire.Client()),
		option.WithMaxRetries(0),
	}
	if cfg.Key != "" {
		options = append(options, option.WithAPIKey(cfg.Key))
	}
	for name, values := range cfg.Headers {
		options = append(options, option.WithHeaderDel(name))
		for _, value := range values {
			options = append(options, option.WithHeaderAdd(name, value))
		}
	}
	if cfg.Key == "" && len(cfg.Headers) == 0 && cfg.BaseURL == "" {
		return nil, fmt.Errorf("anthropic: %w", endpoint.NoKey(KeyVariables...))
	}
	cfg.Key, cfg.Headers = "", nil
	return &Adapter{cfg: cfg, wire: wire, client: sdk.NewClient(options...)}, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return fmt.Sprintf("anthropic %q at %s", a.cfg.Model, a.wire) }

// Format prints String whatever the verb.
func (a *Adapter) Format(f fmt.State, _ rune) { fmt.Fprint(f, a.String()) }

// Close closes the connections that are not in use.
func (a *Adapter) Close() error { return a.wire.Close() }

// Generate asks the model once.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	body, err := a.body(req)
	if err != nil {
		return nil, err
	}
	raw, latency, err := a.wire.Ask(ctx, body, a.send)
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

// send does not go through Messages.New, which gives a request ten minutes,
// queues and retries included.
func (a *Adapter) send(ctx context.Context, data []byte) error {
	var reply []byte
	return a.client.Post(ctx, "v1/messages", data, &reply)
}

// body is what upstream's ClaudeHandler sends.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	system, talk := endpoint.System(req.Messages)
	body := endpoint.Object(
		"model", pyval.Str(c.Model),
		"max_tokens", pyval.MakeInt(int64(maxTokens(c))),
	)
	if c.Temperature != nil || !refusesTemperature(c.Model) {
		c.SetTemperature(body)
	}
	if err := c.SetTools(body, req, tool.Anthropic); err != nil {
		return nil, err
	}
	body.SetStr("messages", blocks.Messages(endpoint.Combined(talk)))
	if system != "" {
		body.SetStr("system", pyval.NewList(block(system)))
	}
	if req.Conversation {
		keep(body)
	}
	if c.ReasoningEffort != "" {
		body.SetStr("output_config", endpoint.Object("effort", pyval.Str(c.ReasoningEffort)))
	}
	return body, nil
}
