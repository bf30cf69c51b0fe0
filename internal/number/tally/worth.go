package tally

import (
	"cmp"

	"github.com/gobfcl/bfcl/internal/number/score"
)

// Worth returns what one passing result of a category adds to the overall of
// what ran, in percentage points; nothing of a category that does not count.
func (r *Run) Worth() map[string]float64 {
	cases, answers := map[string]int{}, map[string]int{}
	for _, a := range r.Attempted(false) {
		if a.Answered > 0 {
			cases[a.Category.Name]++
			answers[a.Category.Name] += a.Answered
		}
	}
	sizes, out := r.Sizes(), map[string]float64{}
	for _, share := range r.Layout().Overall.Shares(func(category string) (int, bool) {
		return cmp.Or(sizes[category], cases[category]), answers[category] > 0
	}) {
		const all = 100
		out[share.Category] = all * share.Weight / float64(answers[share.Category])
	}
	return out
}

func (r *Run) plainScore(tallies map[string]score.Tally) (*score.Score, error) {
	return score.New(score.Run{Dataset: r.Dataset, Model: r.Model, Shard: r.Shard}, tallies, score.Options{Layout: r.layout, Sizes: r.sizes})
}
