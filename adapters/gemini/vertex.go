//go:build gemini

package gemini

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"google.golang.org/genai"

	"github.com/gobfcl/bfcl/internal/model/provider"
)

// onVertex asks a model on Vertex AI, through the SDK's own backend.
func onVertex(cfg Config, place provider.Vertex) (*Adapter, error) {
	wire, authorization, err := place.Wire(&cfg)
	if err != nil {
		return nil, fmt.Errorf("gemini: %w", err)
	}
	headers := cfg.Headers.Clone()
	if headers == nil {
		headers = http.Header{}
	}
	config := &genai.ClientConfig{
		Backend: genai.BackendVertexAI, Project: place.Project, Location: place.Location, HTTPClient: wire.Client(),
		HTTPOptions: genai.HTTPOptions{BaseURL: wire.Home(), APIVersion: place.Version, Headers: headers},
	}
	if authorization != "" {
		headers.Set("Authorization", authorization)
	} else if config.UseDefaultCredentials() != nil {
		return nil, fmt.Errorf("gemini: %w", provider.ErrNoGoogle)
	}
	client, err := genai.NewClient(context.Background(), config)
	if err != nil { // its text shows the configuration, key and all
		return nil, errors.New("gemini: the SDK refuses the configuration")
	}
	cfg.Key, cfg.Headers = "", nil
	return provider.NewAdapter(&protocol{cfg: cfg, Wire: wire, models: client.Models}, "gemini %q at %s", cfg.Model, wire), nil
}
