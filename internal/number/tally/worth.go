package tally

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// Worth is what one result of a category adds to the overall when it passes, in
// percentage points: 0 for categories that do not count. The overall is that of
// what ran.
func (r *Run) Worth() (map[string]float64, error) {
	before, err := r.Answered(false)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for i, part := range r.Parts {
		at, change := firstAnswered(part)
		if at < 0 {
			continue
		}
		other := *r
		other.Parts = append([]Part(nil), r.Parts...)
		other.Parts[i].Results = append([]Result(nil), part.Results...)
		result := &other.Parts[i].Results[at]
		if change > 0 {
			result.Status, result.ErrorType = eval.Pass, ""
		} else {
			result.Status = eval.Fail
		}
		after, err := other.Answered(false)
		if err != nil {
			return nil, err
		}
		out[part.Category.Name] = change * points(before, after)
	}
	return out, nil
}

// firstAnswered is a result that has an answer, and whether changing its verdict
// adds (1) or takes (-1); -1 where there is none.
func firstAnswered(part Part) (at int, change float64) {
	for i := range part.Results {
		switch part.Results[i].Status {
		case eval.Fail:
			return i, 1
		case eval.Pass:
			return i, -1
		}
	}
	return -1, 0
}

func points(before, after *score.Score) float64 {
	const all = 100
	return all * (after.Overall.Ran.Estimate - before.Overall.Ran.Estimate)
}
