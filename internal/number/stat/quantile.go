package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

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
