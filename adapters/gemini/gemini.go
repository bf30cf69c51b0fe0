// Package gemini asks a model over the Gemini API's generateContent.
// docs/adapters.md says what is sent and how each reply is read.
package gemini

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const home = "https://generativelanguage.googleapis.com"

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
	return provider.Protocol{Name: "gemini", Body: body, Read: read}.Adapter(cfg, to, err)
}

// method follows the model in the address.
const method = ":generateContent"

// body returns what upstream's GeminiHandler sends, all functions in one tool.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
	system, talk := provider.System(req.Messages)
	body := pyval.Object("contents", conversation(talk))
	if system != "" {
		body.SetStr("systemInstruction", pyval.Object("role", pyval.Str("user"), "parts", pyval.NewList(part(system))))
	}
	if err := c.SetTools(body, req, tool.Google); err != nil {
		return nil, err
	}
	if functions, ok := provider.Get(body, "tools").(*pyval.List); ok {
		body.SetStr("tools", pyval.NewList(pyval.Object("functionDeclarations", functions)))
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

// thoughtless matches the models that do not think and refuse requests for
// their thoughts.
var thoughtless = pattern.Of(`gemini-(1|2\.0)|gemma|learnlm`)

// thinking returns the thinkingConfig, nil if there is nothing to configure. As
// in upstream's GeminiHandler, the reply is to include thoughts, so that they
// are marked as such. A ReasoningEffort that is a number is a budget in tokens,
// any other is a level.
func thinking(c *provider.Config) *pyval.Dict {
	if c.ReasoningEffort == "" && thoughtless().MatchString(c.Model) {
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
