//go:build anthropic

package anthropic

import (
	"context"
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Config says which model to ask, where and with what parameters.
// APIVersion, MaxTokensField and ToolStyle are OpenAI's alone.
type Config = provider.Config

// KeyVariables are the environment variables that may hold the key.
var KeyVariables = []string{"ANTHROPIC_API_KEY"}

const home = "https://api.anthropic.com"

// An Adapter asks one model. It is safe for concurrent use.
type Adapter = provider.Adapter

// A protocol is this provider's.
type protocol struct {
	*provider.Wire
	cfg    Config // without key and headers
	client sdk.Client
	vertex *provider.Vertex // nil where the model is Anthropic's own service's
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	if place, ok, err := provider.VertexOf(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	} else if ok {
		return onVertex(cfg, place)
	}
	wire, err := provider.NewWire(&cfg, home, []string{"/v1/messages", "/v1"}, KeyVariables...)
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
		return nil, fmt.Errorf("anthropic: %w", provider.NoKey(KeyVariables...))
	}
	cfg.Key, cfg.Headers = "", nil
	return provider.NewAdapter(&protocol{cfg: cfg, Wire: wire, client: sdk.NewClient(options...)}, "anthropic %q at %s", cfg.Model, wire), nil
}

// send does not go through Messages.New, which gives a request ten minutes,
// queues and retries included.
func (p *protocol) send(ctx context.Context, data []byte) error {
	var reply []byte
	path := "v1/messages"
	if p.vertex != nil {
		path = p.vertex.Path("anthropic", p.cfg.Model, "rawPredict")
	}
	return p.client.Post(ctx, path, data, &reply)
}

// Ask asks once.
func (p *protocol) Ask(ctx context.Context, body *pyval.Dict) (*pyval.Dict, provider.Took, error) {
	return p.Carry(ctx, body, p.send)
}

// Read finds the answer in a reply.
func (p *protocol) Read(raw *pyval.Dict) (provider.Answer, error) { return parse(raw) }

// Body is what upstream's ClaudeHandler sends.
func (p *protocol) Body(req *eval.Request) (*pyval.Dict, error) {
	c := &p.cfg
	system, talk := provider.System(req.Messages)
	body := p.addressed()
	body.SetStr("max_tokens", pyval.MakeInt(int64(maxTokens(c))))
	if c.Temperature != nil || !refusesTemperature(c.Model) {
		c.SetTemperature(body)
	}
	if err := c.SetTools(body, req, tool.Anthropic); err != nil {
		return nil, err
	}
	body.SetStr("messages", blocks.Messages(provider.Combined(talk)))
	if system != "" {
		body.SetStr("system", pyval.NewList(block(system)))
	}
	if req.Conversation {
		keep(body)
	}
	if c.ReasoningEffort != "" {
		body.SetStr("output_config", provider.Object("effort", pyval.Str(c.ReasoningEffort)))
	}
	return body, nil
}
