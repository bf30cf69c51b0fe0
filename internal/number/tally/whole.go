package tally

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Whole is what a sample says about the dataset that it was taken from.
type Whole struct {
	// Accuracy is the overall that the whole dataset would give, with its
	// 95% interval.
	Accuracy float64 `json:"accuracy"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	// Cases is the number of cases asked, chosen by Seed, of the Of cases that
	// count.
	Cases int    `json:"cases"`
	Of    int    `json:"of"`
	Seed  uint64 `json:"seed"`
	// Others is the number of other runs that the estimate uses, and Narrower
	// the share by which they make the interval narrower.
	Others   int     `json:"others,omitempty"`
	Narrower float64 `json:"narrower,omitempty"`
}

// WholeOf returns nil if the run is not a sample, or if the sample has no case of
// a category that counts. If other runs of the same dataset have verdicts on
// all cases of a category, including those that were not asked, a regression on
// them estimates how hard the cases of the sample are.
func WholeOf(r *Run, allowErrors bool, others ...*Run) *Whole {
	if r.Sample == nil {
		return nil
	}
	out := &Whole{Seed: r.Sample.Seed}
	sizes, mine := r.Sizes(), sharesOf(r, allowErrors)
	all := func(category string) int { return max(sizes[category], len(mine[category].ids)) }
	known := make([]map[string]shares, len(others))
	for i, other := range others {
		known[i] = sharesOf(other, allowErrors)
	}
	var strata []stat.Drawn
	tell := make([]bool, len(others))
	for _, share := range r.Layout().Overall.Shares(func(name string) (int, bool) { return all(name), len(mine[name].ids) > 0 }) {
		own := mine[share.Category]
		s := stat.Drawn{Weight: share.Weight, All: all(share.Category), Values: own.right, Beside: make([]float64, len(own.ids))}
		told := 0
		for i := range others {
			if theirs := known[i][share.Category]; len(theirs.of) >= s.All {
				tell[i] = true
				told++
				theirs.beside(own.ids, s.Beside)
			}
		}
		for i := range s.Beside {
			s.Beside[i] /= float64(max(told, 1))
		}
		strata = append(strata, s)
		out.Cases += len(s.Values)
		out.Of += s.All
	}
	if len(strata) == 0 {
		return nil
	}
	for _, tells := range tell {
		if tells {
			out.Others++
		}
	}
	i := stat.Whole(strata, nil, stat.Z95)
	if out.Others > 0 {
		wide := i
		i = stat.Whole(strata, stat.Slopes(strata), stat.Z95)
		if wide.High > wide.Low {
			out.Narrower = max(0, 1-(i.High-i.Low)/(wide.High-wide.Low))
		}
	}
	out.Accuracy, out.Low, out.High = i.Value, i.Low, i.High
	return out
}

// shares are the answered cases of a category, with the share of each one's trials
// that are right.
type shares struct {
	ids   []string
	right []float64
	of    map[string]float64
}

// sharesOf returns the shares of right trials by category.
func sharesOf(r *Run, allowErrors bool) map[string]shares {
	out := map[string]shares{}
	for _, a := range r.Attempted(allowErrors) {
		if a.Answered == 0 {
			continue
		}
		s := out[a.Category.Name]
		if s.of == nil {
			s.of = map[string]float64{}
		}
		right := float64(a.Right) / float64(a.Answered)
		s.ids, s.right, s.of[a.Case.ID] = append(s.ids, a.Case.ID), append(s.right, right), right
		out[a.Category.Name] = s
	}
	return out
}

// beside adds how hard some cases are by these verdicts on all cases of their category.
func (s shares) beside(ids []string, to []float64) {
	mean := 0.0
	for _, id := range slices.Sorted(maps.Keys(s.of)) { // sums must not depend on a map's order
		mean += s.of[id] / float64(len(s.of))
	}
	for i, id := range ids {
		to[i] += s.of[id] - mean
	}
}

// String returns the estimate in a sentence.
func (w *Whole) String() string {
	const all = 100
	said := fmt.Sprintf("This is a sample of %d cases (seed %d). All %d would give an overall of %.1f%%, between %.1f%% and %.1f%%\n"+
		"  in 95 of 100 samples; this is an estimate: do not list it with published scores without the interval.", w.Cases, w.Seed, w.Of, all*w.Accuracy, all*w.Low, all*w.High)
	switch w.Others {
	case 0:
		return said
	case 1:
		said += "\n  How hard the cases are was learnt from another run on all of them:"
	default:
		said += fmt.Sprintf("\n  How hard the cases are was learnt from %d other runs on all of them:", w.Others)
	}
	return said + fmt.Sprintf(" the interval is %.0f%% narrower.", all*w.Narrower)
}
