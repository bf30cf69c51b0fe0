package suite

import (
	"context"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

// An asker asks the adapter, and records which model answered according to the
// server.
type asker struct {
	eval.Adapter
	served *served
	// remote is set for adapters whose transport asks whether a request may be
	// sent.
	remote bool
}

// CallsMay reports whether the adapter's transport does.
func (a asker) CallsMay() bool { return a.remote }

// AnswersWhole returns the adapter's value.
func (a asker) AnswersWhole() bool { return eval.AnswersWhole(a.Adapter) }

// Generate asks once.
func (a asker) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	resp, err := a.Adapter.Generate(ctx, req)
	if err == nil && resp != nil {
		a.served.hear(resp.Served)
	}
	return resp, err
}

// Full asks the adapter's server.
func (a asker) Full(ctx context.Context, req *eval.Request, prompt int, ask bool) error {
	if g, ok := a.Adapter.(eval.Guard); ok {
		return g.Full(ctx, req, prompt, ask)
	}
	return nil
}

// asker returns the adapter for an engine.
func (o *opened) asker(served *served) asker { return asker{o.adapter, served, o.transport != nil} }

// mostServed is how many model names a run keeps; if a server makes up a new one
// for each reply, a few are enough.
const mostServed = 20

// A served collects the names of the models that answer.
type served struct {
	mu    sync.Mutex
	names []string
	proxy string // that carried the last request that one carried
	// fresh is called with all names and the proxy when one is new.
	fresh func(names []string, proxy string)
}

// through notes the proxy that carries a request; "" if none does.
func (s *served) through(proxy string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if proxy == "" || proxy == s.proxy {
		return
	}
	if s.proxy = proxy; s.fresh != nil {
		s.fresh(slices.Clone(s.names), proxy)
	}
}

func (s *served) hear(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	more := false
	for _, name := range names {
		at, known := slices.BinarySearch(s.names, name)
		if name == "" || known || len(s.names) >= mostServed {
			continue
		}
		s.names, more = slices.Insert(s.names, at, name), true
	}
	if more && s.fresh != nil {
		s.fresh(slices.Clone(s.names), s.proxy)
	}
}

func (s *served) all() (names []string, proxy string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names), s.proxy
}

// served returns what collects the names of the models that answer. It writes a
// new name to the run folder at once, so that a kill does not lose it. An error
// can be ignored: answers cannot be written then either, which ends the run.
func (p *Plan) served() *served {
	out := &served{proxy: p.Run.Proxy}
	out.hear(p.Run.Served...)
	if p.Dir != "" {
		out.fresh = func(names []string, proxy string) {
			run := *p.Run
			run.Served, run.Proxy = names, proxy
			_ = record.WriteRun(p.Dir, &run)
		}
	}
	return out
}
