package stat

import "math"

// Z95 is the standard normal's quantile for a two-sided 95% interval.
const Z95 = 1.959963984540054

// An Interval is an estimate with its lower and upper confidence limits.
type Interval struct {
	// Estimate is between Low and High.
	Estimate, Low, High float64
}

// Wilson returns the score interval of a proportion, without continuity
// correction. It stays between 0 and 1 and works for small samples and for
// shares of 0 and 1. Without cases it is 0 to 1.
func Wilson(correct, total int, z float64) Interval {
	return wilson(float64(correct), float64(total), z)
}

func wilson(correct, total, z float64) Interval {
	if !(total > 0) {
		return Interval{High: 1}
	}
	p, zz := correct/total, z*z
	centre := (correct + zz/2) / (total + zz)
	half := z / (total + zz) * math.Sqrt(float64(correct*(1-p))+zz/4)
	return Interval{
		Estimate: p,
		Low:      min(max(centre-half, 0), p),
		High:     max(min(centre+half, 1), p),
	}
}

func square(x float64) float64 { return x * x }
