package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// sampleBy takes the seed of -sample from its baseline, unless -seed states one:
// shards and later starts draw the same cases, and each new baseline brings new
// ones. A baseline that is a sample itself has settled which cases there are.
func (r *runner) sampleBy(base *tally.Run) error {
	spec, err := suite.Parse(r.flags.o.Sample)
	switch own := base.Sample; {
	case err != nil:
		return misuse.Errorf("-sample: %w", err)
	case spec.By == "category":
		return nil
	case own == nil && !r.set.Changed("seed"):
		h := fnv.New32a()
		_, _ = io.WriteString(h, cmp.Or(base.ID, base.Mark(0))) // a hash takes everything
		r.flags.o.Seed = uint64(h.Sum32())
		return nil
	case own == nil:
		return nil
	case own.Seed != r.flags.o.Seed && r.set.Changed("seed"):
		return misuse.Errorf("the baseline is a sample with seed %d, this run is one with seed %d: they have few cases in common; leave out -seed, or give a baseline over all cases", own.Seed, r.flags.o.Seed)
	default:
		_, by, _ := strings.Cut(own.Spec, ",")
		r.flags.o.Sample, r.flags.o.Seed = fmt.Sprintf("%d,%s", spec.Cases, by), own.Seed
		return nil
	}
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
			return nil, misuse.Errorf("--others: %s has different cases: it is of %s with digest %.12q, the sample is of %s with digest %.12q", say.Plain(other.Name, 200), say.Plain(other.Dataset, 100), other.Digest, say.Plain(run.Dataset, 100), run.Digest)
		}
	}
	return runs, nil
}
