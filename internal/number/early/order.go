package early

import (
	"math"

	"github.com/gobfcl/bfcl/internal/run/sample"
)

// The assumed probabilities that a verdict changes: right answers seldom become
// wrong, wrong ones more often become right.
const (
	loses = 0.12
	gains = 0.3
)

// Order returns the order to ask cases in. The strata are a category's cases
// that the baseline had right and those that it had wrong; each contributes as
// many cases as make the estimate most certain.
func Order(cases []Case, seed uint64, id func(i int) string) []int {
	var strata []sample.Stratum
	for _, s := range stratify(cases) {
		chance := gains
		if s.right {
			chance = loses
		}
		strata = append(strata, sample.Stratum{Scale: s.weight * math.Sqrt(chance*(1-chance)), Cases: s.cases})
	}
	return sample.Order(strata, seed, id)
}
