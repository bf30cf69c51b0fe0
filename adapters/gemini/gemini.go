//go:build gemini

package gemini

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters.
// APIVersion is the Gemini API's, by default v1beta; MaxTokensField and
// ToolStyle are OpenAI's alone.
type Config = endpoint.Config

// KeyVariables are the environment variables that may hold the key; the first
// that does counts. Upstream's GeminiHandler knows the second.
var KeyVariables = []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}

const home = "https://generativelanguage.googleapis.com"

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg    Config // without key and headers
	wire   *endpoint.Wire
	models *genai.Models
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	wire, err := endpoint.NewWire(&cfg, home, []string{"/v1beta", "/v1alpha", "/v1"}, KeyVariables...)
	if err != nil {
		return nil, fmt.Errorf("gemini: %w", err)
	}
	key := cfg.Key
	if key == "" {
		if cfg.BaseURL == "" {
			return nil, fmt.Errorf("gemini: %w", endpoint.NoKey(KeyVariables...))
		}
		key = "none" // the SDK insists on one
	}
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:     key,
		Backend:    genai.BackendGeminiAPI,
		HTTPClient: wire.Client(),
		HTTPOptions: genai.HTTPOptions{
			BaseURL: wire.Home(), APIVersion: cfg.APIVersion, Headers: cfg.Headers.Clone(),
		},
	})
	if err != nil { // its text shows the configuration, key and all
		return nil, fmt.Errorf("gemini: the SDK refuses the configuration")
	}
	cfg.Key, cfg.Headers = "", nil
	return &Adapter{cfg: cfg, wire: wire, models: client.Models}, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return fmt.Sprintf("gemini %q at %s", a.cfg.Model, a.wire) }

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
	once := false
	_, err := a.models.GenerateContent(ctx, a.cfg.Model, nil, &genai.GenerateContentConfig{AutomaticContinuation: &once})
	return err
}

// body is what upstream's GeminiHandler sends.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	system, talk := endpoint.System(req.Messages)
	body := endpoint.Object("contents", blocks.Messages(talk))
	if system != "" {
		body.SetStr("systemInstruction", endpoint.Object("role", pyval.Str("user"), "parts", pyval.NewList(part(system))))
	}
	if err := a.setTools(body, req); err != nil {
		return nil, err
	}
	settings := pyval.NewDict(3)
	c.SetTemperature(settings)
	if c.MaxTokens > 0 {
		settings.SetStr("maxOutputTokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	if thinking := thinking(c); thinking != nil {
		settings.SetStr("thinkingConfig", thinking)
	}
	if settings.Len() > 0 {
		body.SetStr("generationConfig", settings)
	}
	return body, nil
}

// setTools adds the tools: one that declares all functions.
func (a *Adapter) setTools(body *pyval.Dict, req *eval.Request) error {
	if err := a.cfg.SetTools(body, req, tool.Google); err != nil {
		return err
	}
	if functions, ok := endpoint.Get(body, "tools").(*pyval.List); ok {
		body.SetStr("tools", pyval.NewList(endpoint.Object("functionDeclarations", functions)))
	}
	return nil
}
