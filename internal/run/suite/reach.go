package suite

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/server"
)

// overChat are the adapters whose servers tell which models they serve.
var overChat = []string{"openai", "completions"}

// Reach returns why the plan's run cannot begin at its server, if the user named
// the server's address: nothing listens, the path or the model's name is wrong,
// or the key is refused. It asks for the list of models, and only if that says
// that something is wrong, for a one-token answer.
func (p *Plan) Reach(ctx context.Context) error {
	e := p.access.Entry
	base, err := url.Parse(e.BaseURL)
	if !p.OwnServer() && p.options.BaseURL == "" || e.KeyCommand != "" || !slices.Contains(overChat, e.Adapter) || err != nil || base.Host == "" {
		return nil
	}
	if base.Path == "" || base.Path == "/" {
		base.Path = "/v1"
	}
	header := http.Header{}
	if key := string(p.access.Key); key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	for name, value := range p.access.Headers {
		header.Set(name, string(value))
	}
	return misuse.Mark(server.Address{Base: base.String(), Model: p.ModelID(), Header: header}.Reach(ctx))
}
