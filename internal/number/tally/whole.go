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

// Whole returns nil if the run is not a sample, or if the sample has no case of
// a category that counts. If other runs of the same dataset have verdicts on
// all cases of a category, including those that were not asked, a regression on
// them estimates how hard the cases of the sample are.
func (r *Run) Whole(allowErrors bool, others ...*Run) *Whole {
	if r.Sample == nil {
		return nil
	}
	s := r.sampled(allowErrors)
	if len(s.strata) == 0 {
		return nil
	}
	out := &Whole{Seed: r.Sample.Seed, Others: s.aid(others, allowErrors)}
	for _, stratum := range s.strata {
		out.Cases += len(stratum.Values)
		out.Of += stratum.All
	}
	i := stat.Whole(s.strata, nil, stat.Z95)
	if out.Others > 0 {
		wide := i
		i = stat.Whole(s.strata, stat.Slopes(s.strata), stat.Z95)
		if wide.High > wide.Low {
			out.Narrower = max(0, 1-(i.High-i.Low)/(wide.High-wide.Low))
		}
	}
	out.Accuracy, out.Low, out.High = i.Value, i.Low, i.High
	return out
}

// A sampled has a run's cases that count, by category.
type sampled struct {
	strata     []stat.Drawn
	categories []string
	ids        [][]string
}

func (r *Run) sampled(allowErrors bool) *sampled {
	sizes, verdicts := r.Sizes(), r.shares(allowErrors)
	out := &sampled{}
	for _, share := range r.Layout().Overall.Shares(func(name string) (int, bool) {
		asked := len(verdicts[name])
		return max(sizes[name], asked), asked > 0
	}) {
		s := stat.Drawn{Weight: share.Weight, All: max(sizes[share.Category], len(verdicts[share.Category]))}
		var ids []string
		for _, a := range r.Attempted(allowErrors) {
			if right, answered := verdicts[share.Category][a.Case.ID]; answered && a.Category.Name == share.Category {
				ids, s.Values = append(ids, a.Case.ID), append(s.Values, right)
			}
		}
		s.Beside = make([]float64, len(s.Values))
		out.strata, out.categories, out.ids = append(out.strata, s), append(out.categories, share.Category), append(out.ids, ids)
	}
	return out
}

// shares returns the shares of right trials, by category and case.
func (r *Run) shares(allowErrors bool) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, a := range r.Attempted(allowErrors) {
		if a.Answered == 0 {
			continue
		}
		if out[a.Category.Name] == nil {
			out[a.Category.Name] = map[string]float64{}
		}
		out[a.Category.Name][a.Case.ID] = float64(a.Right) / float64(a.Answered)
	}
	return out
}

// aid learns from other runs how hard each case is, and returns the number of
// runs that it used.
func (s *sampled) aid(others []*Run, allowErrors bool) (tell int) {
	told := make([]int, len(s.strata))
	for _, other := range others {
		verdicts, tells := other.shares(allowErrors), false
		for k := range s.strata {
			if known := verdicts[s.categories[k]]; len(known) >= s.strata[k].All {
				s.add(k, known)
				told[k]++
				tells = true
			}
		}
		if tells {
			tell++
		}
	}
	for k, stratum := range s.strata {
		for i := range stratum.Beside {
			stratum.Beside[i] /= float64(max(told[k], 1))
		}
	}
	return tell
}

// add adds another run's verdicts on all cases of a category.
func (s *sampled) add(k int, known map[string]float64) {
	mean := 0.0
	for _, id := range slices.Sorted(maps.Keys(known)) { // sums must not depend on a map's order
		mean += known[id] / float64(len(known))
	}
	for i, id := range s.ids[k] {
		s.strata[k].Beside[i] += known[id] - mean
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
