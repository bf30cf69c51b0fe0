// Package stat has the statistics behind scores: the exact means, deviations,
// percentiles and roundings of upstream's tables, and intervals and tests. It
// knows nothing about cases or categories.
//
//	Mean, Spread, Percentile, Round2   upstream's figures, to the last digit
//	Estimate                           a value with its interval and its test
//	Compose, Composite                 a weighted mean of strata over units
//	Holm                               several tests
//	Measure                            several trials of a case
//	Drawn, Whole                       a sample of a finite whole
//
// docs/statistics.md gives formulas, sources and assumptions.
//
// Products that are added to something are converted with float64(): the
// conversion forbids fusing both operations into one instruction, because the
// last digit would depend on the machine.
package stat

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Z95 is the standard normal's quantile for a two-sided 95% interval, and
// Power80 the number of standard errors by which an effect must exceed a test's
// critical value to be found in 80% of samples.
const (
	Z95     = 1.959963984540054
	Power80 = 0.8416212335729143
)

// An Estimate is a value with its 95% interval, the test of whether it is 0, and
// what it stands on. Every accuracy, difference and figure is one.
type Estimate struct {
	// Value is between Low and High.
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// P is the level at which the interval would touch 0, and Adjusted is P
	// adjusted for the number of comparisons; 0 without a test.
	P        float64 `json:"p,omitempty"`
	Adjusted float64 `json:"adjusted_p,omitempty"`
	// N is the number of independent units, and Unit what one is, such as
	// "case" or "scenario"; "unit" if there are several kinds.
	N    int    `json:"n,omitempty"`
	Unit string `json:"unit,omitempty"`
}

// Most is how many units Needs counts up to.
const Most = 1_000_000

// Needs returns on how many units like these, about, the interval of a share
// would leave another share out; 0 if Most would not do.
func (e Estimate) Needs(other float64) int {
	least := func(done func(i Estimate) bool) float64 {
		const steps, widest = 60, 30.0 // powers of 2
		return math.Exp2(fewest(-widest, widest, steps, func(x float64) bool {
			n := math.Exp2(x)
			return done(exactly(wilson(e.Value*n, n, Z95), n, Z95))
		}))
	}
	stands := least(func(i Estimate) bool { return i.High-i.Low <= e.High-e.Low })
	needs := least(func(i Estimate) bool { return other < i.Low || other > i.High })
	if units := math.Ceil(float64(e.N) * needs / stands); units <= Most {
		return int(units)
	}
	return 0
}

// Detectable returns the smallest true difference of two such values, told by two
// samples like this one, that a two-sided test at 5% finds in 80% of them (Miller 2024,
// section 5). The standard error is a third or so of the interval's half if there are
// few units, because Student's quantile is larger.
func (e Estimate) Detectable() float64 {
	return (Z95 + Power80) * (math.Sqrt2 * ((e.High - e.Low) / (2 * Z95)))
}

// Wilson returns the score interval of a proportion, without continuity
// correction. It stays between 0 and 1 and works for small samples and for
// shares of 0 and 1. Without cases it is 0 to 1.
func Wilson(correct, total int, z float64) Estimate {
	e := wilson(float64(correct), float64(total), z)
	e.N, e.Unit = total, "case"
	return e
}

func wilson(correct, total, z float64) Estimate {
	if !(total > 0) {
		return Estimate{High: 1}
	}
	p, zz := correct/total, z*z
	centre := (correct + zz/2) / (total + zz)
	half := z / (total + zz) * math.Sqrt(float64(correct*(1-p))+zz/4)
	return Estimate{
		Value: p,
		Low:   min(max(centre-half, 0), p),
		High:  max(min(centre+half, 1), p),
	}
}

// leastP is the smallest p value that is told apart from none.
const leastP = 1e-300

// Level returns the two-sided p value that belongs to a family of intervals:
// the probability of the z at which the interval just touches 0. It is 1 for an
// estimate of 0.
func Level(interval func(z float64) Estimate) float64 {
	const widest, steps = 37.0, 60
	excludes := func(z float64) bool {
		i := interval(z)
		return i.Low > 0 || i.High < 0
	}
	if excludes(widest) {
		return leastP
	}
	return max(leastP, TwoSided(fewest(0, widest, steps, func(z float64) bool { return !excludes(z) })))
}

// fewest returns where, between two values, something begins to hold.
func fewest(low, high float64, steps int, holds func(x float64) bool) float64 {
	for range steps {
		if mid := (low + high) / 2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// Holm adjusts the p values of n estimates for their number (Holm 1979), so
// that each can be compared with the level for a single one.
func Holm(n int, at func(i int) *Estimate) {
	order := make([]*Estimate, n)
	for i := range order {
		order[i] = at(i)
	}
	slices.SortStableFunc(order, func(a, b *Estimate) int { return cmp.Compare(a.P, b.P) })
	least := 0.0
	for rank, e := range order {
		least = max(least, min(1, e.P*float64(len(order)-rank)))
		e.Adjusted = least
	}
}

func square(x float64) float64 { return x * x }

// TwoSided returns the probability that a standard normal value is further from
// 0 than z.
func TwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// Student returns the quantile of Student's distribution for the two-sided
// probability that z has in the standard normal.
func Student(z float64, freedom float64) float64 {
	const asNormal = 1e6
	if !(freedom > 0) {
		return math.Inf(1)
	}
	nu := freedom
	p := TwoSided(z)
	if nu > asNormal || z == 0 || p < 1e-300 {
		return z
	}
	x := mathext.InvRegIncBeta(nu/2, 0.5, p)
	return math.Sqrt(nu * (1 - x) / x)
}

// Quantile returns the standard normal quantile for a two-sided level: 1.96 for
// 0.05.
func Quantile(level float64) float64 { return math.Sqrt2 * math.Erfcinv(level) }
