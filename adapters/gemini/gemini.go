// Package gemini asks a model over the Gemini API's generateContent.
// docs/adapters.md says what is sent and how each reply is read.
package gemini

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const home = "https://generativelanguage.googleapis.com"

// A protocol is the provider.Protocol of Gemini.
type protocol struct {
	*provider.Endpoint
	cfg provider.Config // without address, key and headers
}

// New checks a configuration, whose APIVersion is v1beta by default. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	place, vertex, err := provider.VertexOf(cfg.BaseURL)
	var to *provider.Endpoint
	switch {
	case err != nil:
	case vertex:
		to, err = place.Endpoint(&cfg, "google/models/"+url.PathEscape(cfg.Model)+method)
	default:
		model := cfg.Model
		if !strings.Contains(model, "/") { // else it is a tuned model's whole name
			model = "models/" + url.PathEscape(model)
		}
		to, err = provider.Own(&cfg, provider.Place{Home: home, Tails: []string{"/v1beta", "/v1alpha", "/v1"},
			Path: "/" + cmp.Or(cfg.APIVersion, "v1beta") + "/" + model + method, KeyHeader: "X-Goog-Api-Key", Variables: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}})
	}
	if err != nil {
		return nil, fmt.Errorf("gemini: %w", err)
	}
	cfg.Key, cfg.Headers, cfg.BaseURL = "", nil, "" // an Adapter may be printed
	return provider.NewAdapter(&protocol{cfg: cfg, Endpoint: to}, "gemini %q at %s", cfg.Model, to.Origin()), nil
}

// method follows the model in the address.
const method = ":generateContent"

// Read finds the answer in a reply.
func (p *protocol) Read(raw *pyval.Dict) (provider.Answer, error) { return parse(raw) }

// Body returns what upstream's GeminiHandler sends.
func (p *protocol) Body(req *eval.Request) (*pyval.Dict, error) {
	c := &p.cfg
	system, talk := provider.System(req.Messages)
	body := pyval.Object("contents", conversation(talk))
	if system != "" {
		body.SetStr("systemInstruction", pyval.Object("role", pyval.Str("user"), "parts", pyval.NewList(part(system))))
	}
	if err := p.setTools(body, req); err != nil {
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

// setTools adds a single tool that declares all functions.
func (p *protocol) setTools(body *pyval.Dict, req *eval.Request) error {
	if err := p.cfg.SetTools(body, req, tool.Google); err != nil {
		return err
	}
	if functions, ok := provider.Get(body, "tools").(*pyval.List); ok {
		body.SetStr("tools", pyval.NewList(pyval.Object("functionDeclarations", functions)))
	}
	return nil
}

// thoughtless matches the models that do not think and refuse requests for
// their thoughts.
var thoughtless = regexp.MustCompile(`gemini-(1|2\.0)|gemma|learnlm`)

// thinking returns the thinkingConfig, nil if there is nothing to configure. As
// in upstream's GeminiHandler, the reply is to include thoughts, so that they
// are marked as such. A ReasoningEffort that is a number is a budget in tokens,
// any other is a level.
func thinking(c *provider.Config) *pyval.Dict {
	if c.ReasoningEffort == "" && thoughtless.MatchString(c.Model) {
		return nil
	}
	config := pyval.Object("includeThoughts", pyval.Bool(true))
	if budget, err := strconv.ParseInt(c.ReasoningEffort, 10, 32); err == nil {
		config.SetStr("thinkingBudget", pyval.MakeInt(budget))
	} else if c.ReasoningEffort != "" {
		config.SetStr("thinkingLevel", pyval.Str(c.ReasoningEffort))
	}
	return config
}
