package suite

import (
	"context"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
)

// A Visit is a plan's model that is asked questions of one's own, in the way in
// which a run would ask them. It needs no run folder, and nothing is recorded.
type Visit struct {
	// Settings say how answers are read.
	Settings eval.Settings

	plan    *Plan
	model   *opened
	leader  *leader
	closers closers
}

// Visit opens the plan's model.
func (p *Plan) Visit() (*Visit, error) {
	if p.model.missing != nil {
		return nil, p.model.missing
	}
	v := &Visit{Settings: p.Settings, plan: p}
	var err error
	if v.model, err = p.openModel(reach{}, &v.closers); err != nil {
		return nil, err
	}
	loop, err := p.loop(v.model, p.Settings, nil)
	if err != nil {
		return nil, err
	}
	v.leader = &leader{loop: loop}
	return v, nil
}

// Ask asks one question: a case of a single turn.
func (v *Visit) Ask(ctx context.Context, c *eval.Case) (*eval.Response, error) {
	posed, err := v.leader.pose(c, 0)
	if err != nil {
		return nil, err
	}
	return v.model.adapter.Generate(ctx, posed)
}

// Facts returns what the model's server tells about itself; nothing for models
// without one.
func (v *Visit) Facts(ctx context.Context) server.Facts {
	cfg := v.plan.adapterConfig()
	cfg.Transport = v.model.transport
	return adapters.Facts(ctx, cfg)
}

// Close closes what the model uses.
func (v *Visit) Close() error { return v.closers.Close() }
