// Package anthropic asks a model over Anthropic's Messages protocol.
// docs/adapters.md says what is sent and how each reply is read.
package anthropic

import (
	"regexp"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const home = "https://api.anthropic.com"

// New checks a configuration. Nothing is sent.
func New(cfg provider.Config) (*provider.Adapter, error) {
	place, vertex, err := provider.VertexOf(cfg.BaseURL)
	var to *provider.Endpoint
	switch {
	case err != nil:
	case vertex:
		method := ":rawPredict"
		if cfg.Stream {
			method = ":streamRawPredict"
		}
		to, err = place.Endpoint(&cfg, "anthropic/models/"+cfg.Model+method)
	default:
		to, err = provider.Own(&cfg, provider.Place{Home: home, Tails: []string{"/v1/messages", "/v1"}, Path: "/v1/messages",
			KeyHeader: "X-Api-Key", Header: map[string]string{"Anthropic-Version": "2023-06-01"}, Variables: []string{"ANTHROPIC_API_KEY"}})
	}
	return provider.Protocol{Name: "anthropic", Body: body, Read: read, Stream: streamed}.Adapter(cfg, to, err)
}

// body returns what upstream's ClaudeHandler sends. On Vertex AI the model is in
// the address.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
	system, talk := provider.System(req.Messages)
	body := pyval.Object("model", pyval.Str(c.Model))
	if a.Vertex() {
		body = pyval.Object("anthropic_version", pyval.Str("vertex-2023-10-16"))
	}
	body.SetStr("max_tokens", pyval.MakeInt(int64(maxTokens(c))))
	if c.Temperature != nil || !untempered().MatchString(c.Model) {
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
	if c.Stream {
		body.SetStr("stream", pyval.Bool(true))
	}
	if c.ReasoningEffort != "" {
		body.SetStr("output_config", pyval.Object("effort", pyval.Str(c.ReasoningEffort)))
	}
	return body, nil
}

// limits are the most tokens that families of models may answer with; the first
// match counts. The protocol requires a limit. As in upstream's _get_max_tokens
// it is the model's own, up to 64,000.
var limits = []struct {
	model *regexp.Regexp
	most  int
}{
	{regexp.MustCompile(`claude-3-7`), 64000},
	{regexp.MustCompile(`claude-3-5`), 8192},
	{regexp.MustCompile(`claude-(3|2|v2|instant)`), 4096},
	{regexp.MustCompile(`claude-(opus-4|4-opus)(-[01])?([-@]20|-latest|-v|$)`), 32000},
	{regexp.MustCompile(`claude-`), 64000},
}

// otherLimit is for models of other providers that speak the protocol.
const otherLimit = 16384

func maxTokens(c *provider.Config) int {
	if c.MaxTokens > 0 {
		return c.MaxTokens
	}
	for _, l := range limits {
		if l.model.MatchString(c.Model) {
			return l.most
		}
	}
	return otherLimit
}

// untempered matches the models that refuse a temperature.
var untempered = pattern.Of(`claude-(opus-4-([7-9]|[1-9]\d)(\D|$)|(opus|sonnet|haiku)-([5-9]|[1-9]\d)(\D|$)|fable|mythos)`)
