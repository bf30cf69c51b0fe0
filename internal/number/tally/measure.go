package tally

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// An Attempted is a case with the results of its trials.
type Attempted struct {
	Category *eval.Category
	Case     *eval.Case
	// Right of Answered trials were right. Infrastructure errors are not
	// answers, unless they count.
	Right, Answered int
	// Tokens is the number of tokens that the answers took; 0 if not known.
	Tokens float64
}

// Attempted returns the run's cases in the benchmark's order.
func (r *Run) Attempted(allowErrors bool) []Attempted {
	var out []Attempted
	for cat, result := range r.All() {
		if n := len(out); n == 0 || out[n-1].Case.ID != result.Case.ID || out[n-1].Category != cat {
			out = append(out, Attempted{Category: cat, Case: result.Case})
		}
		a := &out[len(out)-1]
		if !counted(result, allowErrors) {
			continue
		}
		a.Answered++
		a.Tokens += float64(result.Tokens())
		if result.Right() {
			a.Right++
		}
	}
	return out
}

// A Measured is a run with a measure of its cases by category.
type Measured struct {
	layout *score.Layout
	sizes  map[string]int // of the dataset's categories
	parts  map[string]*measuredPart
}

type measuredPart struct {
	cases  int
	at     map[string]int
	blocks []stat.Block
	unit   string
}

// Measure computes a measure for every case that has enough answers for it.
func (r *Run) Measure(m stat.Measure, allowErrors bool) *Measured {
	clusters := r.Clusters()
	out := &Measured{layout: r.Layout(), sizes: r.Sizes(), parts: map[string]*measuredPart{}}
	for _, a := range r.Attempted(allowErrors) {
		value, ok := m.Of(a.Answered, a.Right)
		if !ok {
			continue
		}
		part := out.parts[a.Category.Name]
		if part == nil {
			part = &measuredPart{at: map[string]int{}, unit: eval.Unit(a.Category)}
			out.parts[a.Category.Name] = part
		}
		part.blocks = stat.AddTo(part.blocks, part.at, clusters.Of(a.Case), value)
		part.cases++
	}
	return out
}

// Of returns the measure of a category, a group or the overall, with the
// benchmark's weights over what was run, its 95% interval and the number of
// cases. ok is false if nothing was measured.
func (m *Measured) Of(target string) (i stat.Estimate, cases int, ok bool) {
	strata, cases := m.strata(target)
	return stat.Compose(strata).Share(stat.Z95), cases, len(strata) > 0
}

func (m *Measured) strata(target string) (out []stat.Stratum, cases int) {
	for _, share := range m.layout.Below(target).Shares(m.size) {
		part := m.parts[share.Category]
		out = append(out, stat.Stratum{Weight: share.Weight, Blocks: part.blocks, Unit: part.unit})
		cases += part.cases
	}
	return out, cases
}

func (m *Measured) size(category string) (cases int, counts bool) {
	part := m.parts[category]
	if part == nil {
		return 0, false
	}
	return max(m.sizes[category], part.cases), true
}
