//go:build bedrock

package bedrock

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// New checks a configuration and reads that of AWS. Nothing is sent. The model is an
// id, an inference profile such as "us.amazon.nova-pro-v1:0", or an ARN; the key is a
// Bedrock API key, without which the credentials come from AWS's default chain. A
// Transport should have Signing as its Base.
func New(cfg provider.Config) (*provider.Adapter, error) {
	if cfg.ReasoningEffort != "" {
		return nil, errors.New("bedrock: the field for the reasoning effort differs from model to model: set it in the extra body field additionalModelRequestFields")
	}
	account, err := accountOf(&cfg)
	if err != nil {
		return nil, fmt.Errorf("bedrock: %w", err)
	}
	if cfg.Transport == nil {
		cfg.Transport = account.transport(&cfg)
	}
	place := provider.Place{
		Home: "https://bedrock-runtime." + account.region + ".amazonaws.com",
		Path: "/model/" + strings.ReplaceAll(url.PathEscape(cfg.Model), ":", "%3A") + "/converse",
		Free: true, // the transport signs requests that have no key
	}
	if cfg.Key == "" {
		place.Header = map[string]string{"Authorization": unsigned(account.region)}
	}
	to, err := provider.Own(&cfg, place)
	return provider.Protocol{Name: "bedrock", Body: body, Read: read}.Adapter(cfg, to, err)
}

// body returns what upstream's NovaHandler sends.
func body(a *provider.Adapter, req *eval.Request) (*pyval.Dict, error) {
	c := &a.Config
	system, talk := provider.System(req.Messages)
	body := pyval.Object("messages", blocks.Messages(provider.Combined(talk)))
	if system != "" {
		body.SetStr("system", pyval.NewList(block(system)))
	}
	settings := pyval.NewDict(2)
	c.SetTemperature(settings)
	if c.MaxTokens > 0 {
		settings.SetStr("maxTokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	if settings.Len() > 0 {
		body.SetStr("inferenceConfig", settings)
	}
	config := pyval.NewDict(1)
	if err := c.SetTools(config, req, tool.Amazon); err != nil {
		return nil, err
	}
	if config.Len() > 0 {
		body.SetStr("toolConfig", config)
	}
	return body, nil
}
