package suite

import (
	"errors"
	"io"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
)

// modelOf returns the caller's model, or the one that the options name.
func modelOf(o Options, kind *adapters.Kind) (model, error) {
	if kind == nil {
		return resolve(o)
	}
	files, err := catalog.Load(catalog.Files(o.Models, catalog.Process())...)
	if err != nil {
		return model{}, err
	}
	m := model{kind: *kind, entry: catalog.Entry{Name: o.Model, Adapter: kind.Name}, catalog: files}
	return m, m.apply(o)
}

// ByCase reports whether the model answers by a case's id, as recordings and
// the oracle do, instead of by the request.
func (p *Plan) ByCase() bool { return p.whole || p.model.kind.Unwritten }

// ByAgent reports whether an agent answers, which makes its calls itself.
func (p *Plan) ByAgent() bool { return p.model.kind.Agent }

// Recorded reports whether the answers are recordings of another run's.
func (p *Plan) Recorded() bool { return p.whole && !p.model.kind.Unwritten }

// Alone opens only the plan's model, without a run folder and cases. Close it
// with the closer.
func (p *Plan) Alone() (eval.Adapter, io.Closer, error) {
	if p.model.kind.Open == nil {
		return nil, nil, built(p.options)
	}
	s := &Suite{Plan: p, byID: map[string]*eval.Case{}, executes: map[string]bool{}}
	s.Dir = ""
	if err := errors.Join(s.openEngine(), s.openAdapter()); err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s.Engine.Adapter, s, nil
}
