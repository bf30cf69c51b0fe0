package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
)

// A Ranking orders several runs of the same cases.
type Ranking struct {
	Dataset string `json:"dataset"`
	Digest  string `json:"digest"`
	Layout  string `json:"layout"`
	// Complete reports whether every case that counts was compared. Cases are those
	// that all runs answered; Errors more were left out because one did not.
	Complete bool `json:"complete"`
	Cases    int  `json:"cases"`
	Errors   int  `json:"errors"`
	// Runs are ordered by overall accuracy, the best first.
	Runs []Ranked `json:"runs"`
	// Pairs are all comparisons of two runs, with p values adjusted together.
	Pairs []RankedPair `json:"pairs"`
	Notes []string     `json:"notes,omitempty"`

	shape *score.Layout
}

// A Ranked run.
type Ranked struct {
	// Rank is one more than the number of significantly better runs, and Lowest
	// the number of runs less the significantly worse ones. The rank is
	// somewhere between the two.
	Rank   int `json:"rank"`
	Lowest int `json:"lowest_rank"`
	Side
	// Overall is the accuracy over the cases that all runs have.
	Overall stat.Estimate `json:"overall"`
	// Groups are the accuracies of the overall's parts.
	Groups map[string]float64 `json:"groups"`
	// Errors is the number of infrastructure errors, Latency the mean in
	// seconds, and Cost the dollars per thousand cases; nil if not known.
	Errors  int      `json:"errors"`
	Latency *float64 `json:"latency,omitempty"`
	Cost    *float64 `json:"cost_per_1000,omitempty"`
}

// Ranks returns the range of ranks that the run may have, such as "2–4".
func (r *Ranked) Ranks() string {
	if r.Rank == r.Lowest {
		return strconv.Itoa(r.Rank)
	}
	return fmt.Sprintf("%d–%d", r.Rank, r.Lowest)
}

// Parts returns the parts of the overall that were run.
func (r *Ranking) Parts() (out []*score.Node) {
	for _, n := range r.shape.Overall.Parts {
		if _, ran := r.Runs[0].Groups[n.Name]; ran {
			out = append(out, n)
		}
	}
	return out
}

// A RankedPair is a comparison of two ranked runs, given by their indices.
type RankedPair struct {
	Better int `json:"better"`
	Worse  int `json:"worse"`
	// The estimate is of the better's accuracy less the worse's.
	stat.Estimate
	Significant bool `json:"significant"`
	// Comparison is of the run that was given first with the other; its Flips are
	// nil without Options.Keep.
	Comparison *Comparison `json:"-"`
}

// Rank compares every pair of runs that Align has accepted, all on the cases that
// each of them answered.
func Rank(runs []*tally.Run, o Options) (*Ranking, error) {
	all := make([]*side, len(runs))
	ranked := make([]Ranked, len(runs))
	same := answered(runs, o)
	if same[0].Len() == 0 {
		return nil, newSide(runs[0], o).nothing(newSide(runs[1], o), len(runs[0].Attempted(true)))
	}
	parallel.Each(len(runs), func(i int) { all[i], ranked[i] = newSide(same[i], o), ranking(same[i], runs[i], o) })
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ranked[j].Overall.Value, ranked[i].Overall.Value) })
	cases := len(same[0].Attempted(true))
	out := &Ranking{Dataset: runs[0].Dataset, Digest: runs[0].Digest, Cases: cases, Errors: len(runs[0].Attempted(true)) - cases}
	for _, i := range order {
		out.Runs = append(out.Runs, ranked[i])
	}
	return out, out.compare(order, all, o.Keep)
}

// ranking returns what ranks a run by the cases that are compared; what it took is
// that of the whole run.
func ranking(r, whole *tally.Run, o Options) Ranked {
	measured, layout := r.Measure(o.Measure, o.AllowErrors), r.Layout()
	all, _, _ := measured.Of(layout.Overall.Name)
	one := Ranked{Side: sideOf(r), Overall: all, Errors: whole.Errors(), Groups: map[string]float64{}}
	add := func(name string) {
		if i, _, ok := measured.Of(name); ok {
			one.Groups[name] = i.Value
		}
	}
	layout.Walk(func(n *score.Node, _ int, _ bool) { add(n.Name) })
	for _, part := range r.Parts {
		add(part.Category.Name)
	}
	spend := whole.Spend()
	one.Latency, one.Cost = spend.LatencyMean, spend.CostPer1000
	return one
}

// compare fills in pairs and ranks.
func (r *Ranking) compare(order []int, all []*side, keep bool) error {
	for i := range order {
		for k := i + 1; k < len(order); k++ {
			r.Pairs = append(r.Pairs, RankedPair{Better: i, Worse: k, Estimate: stat.Estimate{P: 1}})
		}
	}
	errs := make([]error, len(r.Pairs))
	parallel.Each(len(r.Pairs), func(n int) {
		p := &r.Pairs[n]
		better, worse := order[p.Better], order[p.Worse]
		c, err := pair(all[min(better, worse)], all[max(better, worse)])
		if errs[n] = err; err != nil {
			return
		}
		if !keep {
			c.Flips = nil // which are most of it
		}
		if p.Comparison, c.Errors = c, r.Errors; c.Overall != nil {
			if p.Estimate = c.Overall.Estimate; better < worse { // the comparison is of the worse with the better
				p.Value, p.Low, p.High = -p.Value, -p.High, -p.Low
			}
		}
	})
	for n := range r.Pairs {
		if errs[n] != nil {
			return errs[n]
		}
		c := r.Pairs[n].Comparison
		r.Layout, r.shape, r.Complete = c.Layout, c.matching.layout, c.Complete && (n == 0 || r.Complete)
	}
	for i := range r.Runs {
		r.Runs[i].Rank, r.Runs[i].Lowest = 1, len(r.Runs)
	}
	stat.Holm(len(r.Pairs), func(i int) *stat.Estimate { return &r.Pairs[i].Estimate })
	for i := range r.Pairs {
		p := &r.Pairs[i]
		p.Significant = p.Adjusted < Significance && (p.Comparison.Overall == nil || !p.Comparison.Overall.Overlooked) // not only for calls that were not read
		switch {
		case p.Significant && p.Value > 0:
			r.Runs[p.Worse].Rank++
			r.Runs[p.Better].Lowest--
		case p.Significant:
			r.Runs[p.Better].Rank++
			r.Runs[p.Worse].Lowest--
		}
	}
	return nil
}
