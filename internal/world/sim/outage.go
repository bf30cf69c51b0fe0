package sim

import (
	"context"
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
)

// An Outage is an error that kept something outside, such as a server of
// embeddings, from answering a call. The model does not see it: the case ends
// with an infrastructure error.
type Outage struct {
	// Kind is a short word for tables, as an eval.InfraError has it.
	Kind string
	Err  error
}

// OutageOf makes an Outage from an error: an eval.InfraError has its own kind,
// others get the one given.
func OutageOf(kind string, err error) *Outage {
	if o, ok := errors.AsType[*Outage](err); ok {
		return o
	}
	if infra, ok := errors.AsType[*eval.InfraError](err); ok {
		return &Outage{Kind: infra.Kind, Err: infra.Err}
	}
	return &Outage{Kind: kind, Err: err}
}

// Error returns the cause's text.
func (o *Outage) Error() string { return o.Err.Error() }

// Unwrap returns the cause.
func (o *Outage) Unwrap() error { return o.Err }

// Outage returns what kept a call from being answered; nil if nothing did.
func (e *Env) Outage() *Outage { return e.outage }

// note remembers the first outage.
func (e *Env) note(err error) {
	if o, ok := errors.AsType[*Outage](err); ok && e.outage == nil {
		e.outage = o
	}
}

// Context returns the context of calls that reach outside.
func (w *World) Context() context.Context {
	if w == nil || w.ctx == nil {
		return context.Background()
	}
	return w.ctx
}

// Bound gives the world the context of its case.
func (w *World) Bound(ctx context.Context) *World {
	w.ctx = ctx
	return w
}
