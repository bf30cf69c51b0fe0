package tally

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// Worth returns what one passing result of a category adds to the overall of
// what ran, in percentage points: 0 for categories that do not count.
func (r *Run) Worth() (map[string]float64, error) {
	tallies := r.talliesBy(eval.New(), false)
	for name, t := range tallies {
		t.Clusters = nil // the overall is computed from the counts, which change below
		tallies[name] = t
	}
	before, err := r.overall(tallies)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, part := range r.Parts {
		name := part.Category.Name
		was := tallies[name]
		if was.Answered() == 0 {
			continue
		}
		now, change := was, 1.0
		if now.Correct == now.Answered() {
			change = -1
		}
		now.Correct += int(change)
		tallies[name] = now
		after, err := r.overall(tallies)
		if err != nil {
			return nil, err
		}
		tallies[name] = was
		const all = 100
		out[name] = change * all * (after - before)
	}
	return out, nil
}

// overall returns the accuracy over what ran.
func (r *Run) overall(tallies map[string]score.Tally) (float64, error) {
	s, err := r.plainScore(tallies)
	if err != nil {
		return 0, err
	}
	return s.Overall.Ran.Value, nil
}

func (r *Run) plainScore(tallies map[string]score.Tally) (*score.Score, error) {
	return score.New(score.Run{Dataset: r.Dataset, Model: r.Model, Shard: r.Shard}, tallies, score.Options{Layout: r.layout, Sizes: r.sizes})
}
