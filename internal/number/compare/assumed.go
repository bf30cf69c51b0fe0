package compare

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

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

// Clusters returns the clusters of the selected cases.
func Clusters(sel *suite.Selection) *eval.Clusters {
	all := eval.New(0)
	for _, part := range sel.Parts {
		for _, c := range part.Cases {
			all.Add(part.Category, c)
		}
	}
	return all
}

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
