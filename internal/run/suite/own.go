package suite

import (
	"errors"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
)

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
	if p.model.missing != nil {
		return nil, nil, p.model.missing
	}
	open := &closers{}
	m, err := p.openModel(reach{}, open)
	if err != nil {
		return nil, nil, errors.Join(err, open.Close())
	}
	return m.asker(&served{}), open, nil
}
