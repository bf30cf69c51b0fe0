package exec

import (
	"context"
	"net/url"
	"sync"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Probe is a call with a known answer, as upstream's API status files hold
// them: one for each function that asks an API, and one for each REST case.
type Probe struct {
	// ID names the case in reports.
	ID string
	// Call is the text of the call.
	Call string
	// Want is the expected result; for a REST call it is not used.
	Want Expected
	// Truth is the stored answer of a REST call; "" for other calls.
	Truth string
}

// A Status is what a probe found.
type Status struct {
	Probe
	// Hosts are the APIs that were asked.
	Hosts []string
	// OK reports whether the answer was as expected.
	OK bool
	// Problem says what was not as expected; "" if OK.
	Problem string
	// Err is set if no answer was obtained.
	Err error
}

// Health makes the calls, one after the other, and reports which APIs answer as
// expected: upstream's api_status_sanity_check. It ends early only with the
// context.
func Health(ctx context.Context, env *Env, probes []Probe) []Status {
	out := make([]Status, 0, len(probes))
	for _, p := range probes {
		if ctx.Err() != nil {
			break
		}
		out = append(out, p.check(ctx, env))
	}
	return out
}

func (p Probe) check(ctx context.Context, env *Env) Status {
	watched := &watcher{}
	inner := Env{Client: watched}
	if env != nil {
		watched.client, inner.Sleep = env.Client, env.Sleep
	}
	outcome, err := p.outcome(ctx, &inner)
	s := Status{Probe: p, Hosts: watched.hosts, OK: err == nil && outcome.Valid, Err: err}
	switch {
	case err != nil:
		s.Problem = err.Error()
	case !outcome.Valid:
		s.Problem = clip(pyval.Text(outcome.Error[0]))
	}
	return s
}

func (p Probe) outcome(ctx context.Context, env *Env) (Outcome, error) {
	if p.Truth != "" {
		return checkREST(ctx, env, p.ID, p.Truth, p.Call)
	}
	got, err := Run(ctx, env, p.Call)
	if raised := exception(err); raised != nil {
		return executionError(p.Call, raised), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	return p.Want.Rule.Match(p.Call, got, p.Want.Value, true), nil
}

// A watcher notes the hosts that a client is asked for.
type watcher struct {
	client Client
	mu     sync.Mutex
	hosts  []string
}

// Do implements Client.
func (w *watcher) Do(ctx context.Context, req Request) (Response, error) {
	if u, err := url.Parse(req.URL); err == nil {
		w.mu.Lock()
		if !contained(w.hosts, u.Hostname()) {
			w.hosts = append(w.hosts, u.Hostname())
		}
		w.mu.Unlock()
	}
	if w.client == nil {
		return Response{}, unrecorded(req)
	}
	return w.client.Do(ctx, req)
}
