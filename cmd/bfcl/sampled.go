package main

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/plan"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/sample"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// allocate divides the cases of -sample among the categories by how much the
// baseline's verdicts scatter. A baseline that is a sample itself has settled
// that: one of the two samples must contain the other.
func (r *runner) allocate() error {
	spec, err := sample.Parse(r.flags.o.Sample)
	if err != nil {
		return misuse.Errorf("-sample: %w", err)
	}
	if spec.BySize || spec.ByCategory || spec.Scales != nil {
		return nil
	}
	o := r.flags.o
	o.Sample = ""
	p, err := suite.NewPlan(o)
	if err != nil {
		return misuse.Mark(err)
	}
	base := r.reference
	if p.Run.Digest != base.Digest {
		return misuse.Errorf("the baseline has different cases: it is of %s with digest %.12q, this run is of %s with digest %.12q", safe.Plain(base.Dataset, 100), base.Digest, p.Run.Dataset, p.Run.Digest)
	}
	if base.Sample != nil {
		return r.allocateAs(spec)
	}
	b := plan.Of(p.Selection)
	if lacking := b.Learn(base); len(lacking) > 0 {
		fmt.Fprintf(r.err, "bfcl: the baseline has too few verdicts on %s: using the scatter of published models there\n", strings.Join(lacking, ", "))
	}
	spec.Scales = plan.Scales(plan.Of(p.Selection), b)
	r.flags.o.Sample = spec.String()
	return nil
}

// allocateAs divides the cases as the baseline's own sample does.
func (r *runner) allocateAs(spec sample.Spec) error {
	own := r.reference.Sample
	if own.Seed != r.flags.o.Seed {
		return misuse.Errorf("the baseline is a sample with seed %d, this run is one with seed %d: they have few cases in common; use -seed=%d, or a baseline over all cases", own.Seed, r.flags.o.Seed, own.Seed)
	}
	_, by, _ := strings.Cut(own.Spec, ",")
	if _, err := sample.Parse(own.Spec); err != nil {
		return fmt.Errorf("baseline: its sample: %w", err)
	}
	r.flags.o.Sample = fmt.Sprintf("%d,%s", spec.Cases, by)
	return nil
}

// beside is the baseline, if it shows how hard the cases of a sample are.
func (r *runner) beside(run *tally.Run) []*tally.Run {
	if r.reference == nil || run.Sample == nil || r.reference.Digest != run.Digest {
		return nil
	}
	return []*tally.Run{r.reference}
}

// otherRuns reads runs of the dataset that a sample was taken from.
func otherRuns(run *tally.Run, names []string, o tally.Options) ([]*tally.Run, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if run.Sample == nil {
		return nil, misuse.Errorf("--others estimates how hard the cases of a sample are: this run is not a sample (-sample)")
	}
	runs, err := tally.ReadAll(names, tally.Options{Data: o.Data})
	if err != nil {
		return nil, fmt.Errorf("--others: %w", err)
	}
	for _, other := range runs {
		if other.Digest != run.Digest {
			return nil, misuse.Errorf("--others: %s has different cases: it is of %s with digest %.12q, the sample is of %s with digest %.12q", safe.Plain(other.Name, 200), safe.Plain(other.Dataset, 100), other.Digest, safe.Plain(run.Dataset, 100), run.Digest)
		}
	}
	return runs, nil
}
