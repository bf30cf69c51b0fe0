package suite

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

// sample keeps the cases of -sample. The run then states their ids, as it does
// for -ids.
func (p *Plan) sample(o Options) error {
	spec, err := Parse(o.Sample)
	switch {
	case err != nil:
		return fmt.Errorf("-sample: %w", err)
	case spec.Cases == 0:
		return nil
	case spec.ByCategory:
		return p.firstLook(spec.Cases)
	case o.IDs != "":
		return errors.New("-sample and -ids both choose cases: give one of them")
	}
	spec.BySize = spec.BySize || p.Dataset.Own() != nil // an own suite's categories are not V4's, even if they have the same names
	cases := make([][]*eval.Case, len(p.Parts))
	for i, part := range p.Parts {
		cases[i] = part.Cases
	}
	of := p.Cases()
	if p.IDs, err = spec.Choose(p.Selection.Categories(), cases, o.Seed); err != nil {
		return fmt.Errorf("-sample: %w", err)
	}
	p.sampled = &record.Sample{Spec: spec.String(), Seed: o.Seed, Of: of}
	return p.narrow()
}
