package exec

import (
	"context"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Env is what calls are carried out in.
type Env struct {
	// Client answers requests; without one every request is an
	// infrastructure error.
	Client Client
	// Sleep waits where upstream's functions wait between requests; nil
	// does not wait, which is right for recorded answers.
	Sleep func(ctx context.Context, d time.Duration) error
}

// A machine carries out one call and all it leads to.
type machine struct {
	ctx   context.Context
	env   *Env
	steps int // of loops
	work  int // bytes of values, see spend
	depth int // of texts and lambdas within each other
}

func newMachine(ctx context.Context, env *Env) *machine {
	if env == nil {
		env = &Env{}
	}
	return &machine{ctx: ctx, env: env}
}

// call binds arguments and runs a function.
func (m *machine) call(fn *Function, args []pycall.Arg) pyval.Value {
	bound := pyval.Must(pycall.Bind(nil, pycall.Callee{Name: fn.Name}, fn.Params, args))
	return fn.run(&frame{machine: m, name: fn.Name}, bound)
}

func (m *machine) do(req Request) (Response, error) {
	if m.env.Client == nil {
		return Response{}, eval.Infra("unrecorded", "no client to ask for %s", req.URL)
	}
	return m.env.Client.Do(m.ctx, req)
}

func (m *machine) sleep(d time.Duration) error {
	if m.env.Sleep == nil {
		return m.ctx.Err()
	}
	return m.env.Sleep(m.ctx, d)
}

// Wait is a Sleep that waits.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
