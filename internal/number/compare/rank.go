package compare

import (
	"cmp"
	"slices"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A Ranking orders several runs of the same cases.
type Ranking struct {
	Dataset string `json:"dataset"`
	Digest  string `json:"digest"`
	Layout  string `json:"layout"`
	// Complete is as a Comparison's.
	Complete bool `json:"complete"`
	// Runs are ordered by their overall accuracy, the best first.
	Runs []Ranked `json:"runs"`
	// Pairs are all comparisons of two runs, with p values adjusted for their
	// number.
	Pairs []RankedPair `json:"pairs"`
	Notes []string     `json:"notes,omitempty"`

	shape *score.Layout
}

// A Ranked run.
type Ranked struct {
	// Rank is one more than the number of runs that are significantly
	// better: runs that cannot be told apart share it.
	Rank int `json:"rank"`
	Side
	// Overall is the accuracy over what all runs have, with its interval.
	Overall float64 `json:"overall"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	// Groups are the accuracies of the overall's parts.
	Groups map[string]float64 `json:"groups"`
	// Errors are the infrastructure errors, Latency the mean seconds and Cost
	// the dollars of a thousand cases; nil where not known.
	Errors  int      `json:"errors"`
	Latency *float64 `json:"latency,omitempty"`
	Cost    *float64 `json:"cost_per_1000,omitempty"`
}

// A RankedPair is a comparison of two ranked runs by their places.
type RankedPair struct {
	Better      int     `json:"better"`
	Worse       int     `json:"worse"`
	Difference  float64 `json:"difference"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
}

// Rank compares each run that Align let pass with each.
func Rank(runs []*tally.Run, o Options) (*Ranking, error) {
	sheets := make([]*sheet, len(runs))
	ranked := make([]Ranked, len(runs))
	for i, r := range runs {
		sheets[i] = newSheet(r, o)
		one, err := ranking(r, o)
		if err != nil {
			return nil, err
		}
		ranked[i] = one
	}
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ranked[j].Overall, ranked[i].Overall) })
	out := &Ranking{Dataset: runs[0].Dataset, Digest: runs[0].Digest}
	for _, i := range order {
		out.Runs = append(out.Runs, ranked[i])
	}
	return out, out.compare(order, sheets)
}

func ranking(r *tally.Run, o Options) (Ranked, error) {
	s, err := r.Answered(o.AllowErrors)
	if err != nil {
		return Ranked{}, err
	}
	one := Ranked{Side: sideOf(r), Overall: s.Overall.Ran.Estimate, Low: s.Overall.Ran.Low, High: s.Overall.Ran.High, Errors: r.Errors(), Groups: map[string]float64{}}
	for name, part := range s.Groups {
		one.Groups[name] = part.Ran.Estimate
	}
	for name, part := range s.Categories {
		if !part.NA {
			one.Groups[name] = part.Accuracy
		}
	}
	spend := r.Spend()
	one.Latency, one.Cost = spend.LatencyMean, spend.CostPer1000
	return one, nil
}

// compare fills in pairs and ranks.
func (r *Ranking) compare(order []int, sheets []*sheet) error {
	var ps []float64
	for i := range order {
		for k := i + 1; k < len(order); k++ {
			c, err := pair(sheets[order[k]], sheets[order[i]])
			if err != nil {
				return err
			}
			r.Layout, r.shape, r.Complete = c.Layout, c.shape, c.Complete
			p := RankedPair{Better: i, Worse: k, Adjusted: 1}
			if d := c.Overall; d != nil {
				p.Difference, p.Low, p.High, p.Adjusted = d.Difference, d.Low, d.High, d.P
			}
			r.Pairs, ps = append(r.Pairs, p), append(ps, p.Adjusted)
		}
	}
	for i := range r.Runs {
		r.Runs[i].Rank = 1
	}
	for i, adjusted := range stat.Holm(ps) {
		p := &r.Pairs[i]
		p.Adjusted, p.Significant = adjusted, adjusted < Significance
		if p.Significant && p.Difference > 0 {
			r.Runs[p.Worse].Rank++
		}
	}
	return nil
}
