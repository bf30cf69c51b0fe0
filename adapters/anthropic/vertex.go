//go:build anthropic

package anthropic

import (
	"fmt"

	"cloud.google.com/go/auth/credentials"
	"cloud.google.com/go/auth/httptransport"
	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// vertexVersion is the protocol's version, which Vertex AI wants in the body.
const vertexVersion = "vertex-2023-10-16"

// onVertex asks a model on Vertex AI. A key is an access token; without one the
// credentials are Google's default ones.
func onVertex(cfg Config, place provider.Vertex) (*Adapter, error) {
	cfg.BaseURL = place.Origin
	wire, err := provider.NewWire(&cfg, place.Origin, nil)
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	client := wire.Client()
	options := []option.RequestOption{option.WithoutEnvironmentDefaults(), option.WithBaseURL(wire.Home()), option.WithMaxRetries(0)}
	switch {
	case cfg.Key != "":
		options = append(options, option.WithAuthToken(cfg.Key))
	case cfg.Headers.Get("Authorization") == "":
		found, err := credentials.DetectDefault(&credentials.DetectOptions{Scopes: []string{"https://www.googleapis.com/auth/cloud-platform"}})
		if err != nil || httptransport.AddAuthorizationMiddleware(client, found) != nil {
			return nil, fmt.Errorf("anthropic: %w", provider.ErrNoGoogle)
		}
	}
	for name, values := range cfg.Headers {
		options = append(options, option.WithHeaderDel(name))
		for _, value := range values {
			options = append(options, option.WithHeaderAdd(name, value))
		}
	}
	options = append(options, option.WithHTTPClient(client))
	cfg.Key, cfg.Headers = "", nil
	return provider.NewAdapter(&protocol{cfg: cfg, Wire: wire, client: sdk.NewClient(options...), vertex: &place}, "anthropic %q at %s", cfg.Model, wire), nil
}

// addressed is the beginning of a body. On Vertex AI the model stands in the
// address.
func (p *protocol) addressed() *pyval.Dict {
	if p.vertex != nil {
		return provider.Object("anthropic_version", pyval.Str(vertexVersion))
	}
	return provider.Object("model", pyval.Str(p.cfg.Model))
}
