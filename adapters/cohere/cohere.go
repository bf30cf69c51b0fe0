//go:build cohere

package cohere

import (
	"context"
	"fmt"
	"strconv"

	types "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/option"
	sdk "github.com/cohere-ai/cohere-go/v2/v2"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters.
// APIVersion, MaxTokensField and ToolStyle are OpenAI's alone.
type Config = endpoint.Config

// KeyVariables are the environment variables that may hold the key; the first
// that does counts. Upstream's CohereHandler knows the first, the SDK the
// second.
var KeyVariables = []string{"COHERE_API_KEY", "CO_API_KEY"}

const home = "https://api.cohere.com"

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg    Config // without key and headers
	wire   *endpoint.Wire
	client *sdk.Client
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	wire, err := endpoint.NewWire(&cfg, home, []string{"/v2/chat", "/v2"}, KeyVariables...)
	if err != nil {
		return nil, fmt.Errorf("cohere: %w", err)
	}
	if cfg.Key == "" && len(cfg.Headers) == 0 && cfg.BaseURL == "" {
		return nil, fmt.Errorf("cohere: %w", endpoint.NoKey(KeyVariables...))
	}
	options := []option.RequestOption{
		option.WithBaseURL(wire.Home()),
		option.WithToken(cfg.Key),
		option.WithHTTPClient(wire.Client()),
		option.WithMaxAttempts(1),
	}
	if cfg.Headers != nil {
		options = append(options, option.WithHTTPHeader(cfg.Headers))
	}
	cfg.Key, cfg.Headers = "", nil
	return &Adapter{cfg: cfg, wire: wire, client: sdk.NewClient(options...)}, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return fmt.Sprintf("cohere %q at %s", a.cfg.Model, a.wire) }

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

// send lets the SDK find the address; the body is put in on the way.
func (a *Adapter) send(ctx context.Context, _ []byte) error {
	_, err := a.client.Chat(ctx, &types.V2ChatRequest{Model: a.cfg.Model})
	return err
}

// body is what upstream's CohereHandler sends.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	body := endpoint.Object(
		"stream", pyval.Bool(false),
		"model", pyval.Str(c.Model),
		"messages", endpoint.ChatMessages(spoken(systemFirst(req.Messages)), content),
	)
	if err := c.SetTools(body, req, tool.Cohere); err != nil {
		return nil, err
	}
	body.SetStr("citation_options", endpoint.Object("mode", pyval.Str("OFF")))
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
	system, talk := endpoint.System(messages)
	if system == "" {
		return talk
	}
	return append([]eval.Message{{Role: "system", Content: system}}, talk...)
}

// thinking is a reasoning effort in Cohere's terms: a number is a budget in
// tokens, "none" switches it off, any other word on.
func thinking(effort string) *pyval.Dict {
	if budget, err := strconv.ParseInt(effort, 10, 32); err == nil {
		return endpoint.Object("type", pyval.Str("enabled"), "token_budget", pyval.MakeInt(budget))
	}
	if effort == "none" {
		return endpoint.Object("type", pyval.Str("disabled"))
	}
	return endpoint.Object("type", pyval.Str("enabled"))
}
