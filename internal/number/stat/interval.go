package stat

import "math"

// Z95 is the standard normal's quantile for a two-sided 95% interval.
const Z95 = 1.959963984540054

// An Interval is an estimate with its lower and upper confidence limit.
type Interval struct {
	// Estimate lies between Low and High.
	Estimate, Low, High float64
}

// Wilson is the score interval of a proportion, without continuity correction.
// It keeps inside 0 and 1 and works for small samples and for shares of 0 and
// 1. Without any case nothing is known: 0 to 1.
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

// Combine is the interval of a weighted sum of estimates by the "method of
// variance estimates recovery" (Zou and Donner 2008): each limit is as far from
// the sum as the parts' own limits, taken at right angles, are from the parts.
// Weights are not negative; those of a mean add up to 1. With a correlation
// between the estimates the angles are its (Zou 2007); nil stands for none.
func Combine(weights []float64, parts []Interval, correlation [][]float64) Interval {
	n := min(len(parts), len(weights))
	var sum Interval
	below, above := make([]float64, n), make([]float64, n)
	for i, part := range parts[:n] {
		w := weights[i]
		sum.Estimate += float64(w * part.Estimate)
		below[i] = w * (part.Estimate - part.Low)
		above[i] = w * (part.High - part.Estimate)
	}
	sum.Low = sum.Estimate - length(below, correlation)
	sum.High = sum.Estimate + length(above, correlation)
	return sum
}

// length is that of the sum of vectors of given lengths.
func length(lengths []float64, correlation [][]float64) float64 {
	var sum float64
	for i, x := range lengths {
		sum += square(x)
		for j := range i {
			if correlation != nil {
				sum += 2 * float64(correlation[i][j]*float64(x*lengths[j]))
			}
		}
	}
	return math.Sqrt(max(0, sum))
}

func square(x float64) float64 { return x * x }
