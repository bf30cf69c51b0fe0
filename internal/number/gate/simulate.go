package gate

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A Simulation draws runs of two versions of a model on a dataset's cases, and
// decides on them by a gate's rules. A category is as hard as published models
// find it; the versions' verdicts on a case correlate by Together, and
// one's on cases of a unit by Base.
type Simulation struct {
	dataset *fixtures.Dataset
	parts   []suite.Part
	units   *eval.Clusters
	chance  map[string]float64 // of a right answer, by category
}

// A Fall is how much less often the new version is right on a case.
type Fall func(cat *eval.Category, c *eval.Case) float64

// Equally is the Fall of an equally good version.
func Equally(*eval.Category, *eval.Case) float64 { return 0 }

// Simulate returns the simulation of the selected cases.
func Simulate(sel *suite.Selection) *Simulation {
	s := &Simulation{dataset: sel.Dataset, parts: sel.Parts, units: eval.New(sel.Cases()), chance: map[string]float64{}}
	for _, part := range sel.Parts {
		name := part.Category.Name
		s.chance[name] = 0.5 + math.Sqrt(max(0, 0.25-Scatter(name)))
		for _, c := range part.Cases {
			s.units.Add(part.Category, c)
		}
	}
	return s
}

// Decide decides on the i-th pair of runs.
func (s *Simulation) Decide(rules *Config, i int, fall Fall) (*Decision, error) {
	random := rand.New(rand.NewPCG(51, uint64(i))) //nolint:gosec // the same each time
	base, redrawn := s.draws(random), s.draws(random)
	drawn := map[*eval.Case]float64{}
	before, err := s.run("before", func(cat *eval.Category, c *eval.Case) bool {
		drawn[c] = base(c)
		return drawn[c] < s.chance[cat.Name]
	})
	if err != nil {
		return nil, err
	}
	after, err := s.run("after", func(cat *eval.Category, c *eval.Case) bool {
		x := drawn[c]
		if random.Float64() >= Together {
			x = redrawn(c)
		}
		return x < s.chance[cat.Name]-fall(cat, c)
	})
	if err != nil {
		return nil, err
	}
	d, err := decide(rules, after, before)
	if err != nil {
		return nil, err
	}
	return d.Decision, nil
}

// draws returns a function that draws a number for a case, which is that of its
// unit as often as makes the verdicts of a unit correlate.
func (s *Simulation) draws(random *rand.Rand) func(c *eval.Case) float64 {
	common := map[string]float64{}
	return func(c *eval.Case) float64 {
		x := random.Float64()
		if random.Float64() >= math.Sqrt(Base) {
			return x
		}
		unit := s.units.Of(c)
		if _, known := common[unit]; !known {
			common[unit] = x
		}
		return common[unit]
	}
}

func (s *Simulation) run(name string, right func(cat *eval.Category, c *eval.Case) bool) (*tally.Run, error) {
	plan := &suite.Plan{
		Selection: &suite.Selection{Dataset: s.dataset, Parts: s.parts},
		Folder:    &suite.Folder{Run: &record.Run{Model: name, Dataset: s.dataset.Name, Trials: 1}},
	}
	return tally.Of(plan, func(cat *eval.Category, c *eval.Case, _ int) eval.Result {
		result := eval.Result{Category: cat, Case: c}
		if !right(cat, c) {
			result.Status, result.ErrorType = eval.Fail, "simulated"
		}
		return result
	})
}

// All decides on the first n pairs.
func (s *Simulation) All(rules *Config, n int, fall Fall) ([]*Decision, error) {
	out, errs := make([]*Decision, n), make([]error, n)
	parallel.Each(n, func(i int) {
		if out[i], errs[i] = s.Decide(rules, i, fall); errs[i] == nil {
			out[i].Comparison = nil // it is large
		}
	})
	return out, errors.Join(errs...)
}

// Assumptions about unknown quantities. TestGoldenAssumptions prints what recorded
// models show: 0.3 to 0.4 for Together, less than a model and its next version
// would, and 0.11 to 0.24 for Base.
const (
	// Together is the correlation of two models' verdicts on a question.
	Together = 0.5
	// Base is the correlation of the verdicts on two questions of a category
	// with a common base, and of how they differ between two runs.
	Base = 0.2
)

// Scatter returns the variance of a category's verdicts: the mean over the
// published models, or that of a usual accuracy.
func Scatter(category string) float64 {
	const usual = 0.75
	var sum float64
	var n int
	for _, m := range leaderboard.All() {
		if p, ok := m.Score.Categories[category]; ok && !p.NA {
			sum += p.Accuracy * (1 - p.Accuracy)
			n++
		}
	}
	if n == 0 {
		return usual * (1 - usual)
	}
	return sum / float64(n)
}
