package tally

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// Worth returns what one passing result of a category adds to the overall of
// what ran, in percentage points: 0 for categories that do not count.
func (r *Run) Worth() (map[string]float64, error) {
	// Only the overall is used, and clusters do not affect it.
	tallies := map[string]score.Tally{}
	for _, part := range r.Parts {
		if r.Shard != "" && len(part.Results) == 0 {
			continue
		}
		tallies[part.Category.Name] = r.answered(part)
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

// answered counts the results of a category that have an answer.
func (r *Run) answered(part Part) score.Tally {
	t, cases := score.Tally{Total: len(part.Results)}, map[string]bool{}
	for i := range part.Results {
		switch result := &part.Results[i]; result.Status {
		case eval.Error:
			t.Errors++
			continue
		case eval.Pass:
			t.Correct++
		}
		cases[part.Results[i].Case.ID] = true
	}
	t.Cases = len(cases)
	return t
}

// overall returns the accuracy over what ran.
func (r *Run) overall(tallies map[string]score.Tally) (float64, error) {
	s, err := score.New(score.Run{Dataset: r.Dataset, Model: r.Model, Shard: r.Shard}, tallies, score.Options{Layout: r.layout, Sizes: r.sizes})
	if err != nil {
		return 0, err
	}
	return s.Overall.Ran.Estimate, nil
}
