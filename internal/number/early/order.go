package early

import (
	"math"

	"github.com/gobfcl/bfcl/internal/run/sample"
)

// The chances with which a verdict is expected to change, an assumption: what was right goes wrong seldom, what was wrong goes right more often.
const (
	loses = 0.12
	gains = 0.3
)

// Order returns the order to ask cases in: strata are a category's cases that
// the baseline had right, and those that it had not, each with as many as make
// the estimate most certain.
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
