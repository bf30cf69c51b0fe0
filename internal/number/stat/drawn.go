package stat

import "math"

// A Drawn stratum is a random sample of a finite stratum's values.
type Drawn struct {
	// Weight is how much the stratum's mean counts.
	Weight float64
	// All is the number of values in the stratum.
	All int
	// Values are the values that were drawn.
	Values []float64
	// Beside is, for each value, the distance of an auxiliary value, which is
	// known for the whole stratum, from its mean; zeros if there is none.
	Beside []float64
}

// Slope returns the slope of the values on the auxiliary values: one for all
// strata, with each value weighted by its contribution to the estimate's
// variance (Cochran 1977, section 7.10).
func Slope(strata []Drawn) float64 {
	var xy, xx float64
	for _, s := range strata {
		n := float64(len(s.Values))
		weight := square(s.Weight/n) * (1 - n/float64(s.All))
		x, y := mean(s.Beside), mean(s.Values)
		for i, v := range s.Values {
			xy += float64(weight * (s.Beside[i] - x) * (v - y))
			xx += float64(weight * square(s.Beside[i]-x))
		}
	}
	if !(xx > 0) || math.IsInf(xy/xx, 0) {
		return 0
	}
	return xy / xx
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(len(list), 1))
}

// Whole estimates the weighted mean of all values, with its interval: the
// regression estimate with the given slope, or the plain one if it is 0. Values
// are drawn independently: those of a finite stratum that share something do
// not say less about the rest.
func Whole(strata []Drawn, slope, z float64) Interval {
	list := make([]Stratum, len(strata))
	for k, s := range strata {
		list[k] = Stratum{Weight: s.Weight, Known: float64(len(s.Values)) / float64(s.All), Blocks: make([]Block, len(s.Values))}
		for i, v := range s.Values {
			list[k].Blocks[i].Add(v - float64(slope*s.Beside[i]))
		}
	}
	c := Compose(list)
	c.Mean = min(max(c.Mean, 0), 1) // a regression may go outside
	return c.Share(z)
}
