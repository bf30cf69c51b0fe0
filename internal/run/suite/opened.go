package suite

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
)

// An opened is a plan's model, ready to be asked.
type opened struct {
	adapter   eval.Adapter
	transport *transport.Transport // nil for adapters without a server
	wording   *prompt.Wording      // nil for adapters that are not models
}

// A reach is what a model gets from the run that asks it. The zero value serves
// a model that is asked outside a run.
type reach struct {
	// may says whether a request may be sent; see engine.Engine.May.
	may func(context.Context) error
	// sending and stood are engine.Engine's and engine.Pulse's.
	sending func(ctx context.Context, proxy string) func(transport.End)
	stood   func() time.Duration
	// lookup finds a case for the oracle.
	lookup oracle.Lookup
	// capture receives the requests instead of the network.
	capture http.RoundTripper
}

// openModel opens the model's adapter.
func (p *Plan) openModel(r reach, open *closers) (*opened, error) {
	cfg := p.adapterConfig()
	cfg.Lookup = r.lookup
	out := &opened{}
	if p.model.kind.Remote {
		var err error
		if cfg.Transport, err = p.openTransport(&cfg, r); err != nil {
			return nil, err
		}
		out.transport = cfg.Transport
		open.add(closer(cfg.Transport.CloseIdleConnections))
	}
	if p.model.kind.Chat {
		w, err := p.Dataset.Wording()
		if err != nil {
			return nil, err
		}
		out.wording, cfg.Wording = w, w.Tools
	}
	var err error
	if out.adapter, err = p.model.kind.Open(cfg); err != nil {
		return nil, err
	}
	if c, ok := out.adapter.(io.Closer); ok {
		open.add(c)
	}
	return out, nil
}

// openTransport opens what carries the requests, with the key that the model's
// key command prints, if it has one.
func (p *Plan) openTransport(cfg *adapters.Config, r reach) (*transport.Transport, error) {
	var keys *provider.Source
	if command := cfg.Access.Entry.KeyCommand; command != "" && r.capture == nil {
		keys = provider.NewKeys(command)
		key, err := keys.Key(context.Background())
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", say.Plain(p.Run.Model, 200), err)
		}
		cfg.Access.Key, cfg.Secrets = catalog.Secret(key), keys.Seen
	}
	if r.capture != nil && cfg.Access.Key == "" {
		cfg.Access.Key = "none" // never sent
	}
	options := p.model.transportOptions(p.options, cfg.Access)
	options.MaxConnections, options.May = p.connections, r.may
	options.Sending, options.Stood = r.sending, r.stood
	if keys != nil {
		first := string(cfg.Access.Key)
		options.MoreSecrets, options.KeyName = keys.Seen, "key_command"
		options.Wrap = func(next http.RoundTripper) http.RoundTripper { return keys.Carry(first, next) }
	}
	if r.capture != nil {
		options.Base = r.capture
	}
	return transport.New(options), nil
}

// budget returns what the answers cost and may cost.
func (p *Plan) budget() engine.Budget {
	return engine.Budget{Prices: p.access.Entry.Prices, Most: p.options.MaxCost}
}
