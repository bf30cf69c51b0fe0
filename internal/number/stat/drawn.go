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

// alike is how many values of a stratum all strata's common slope counts as.
const alike = 20

// Slopes returns the slopes of the values on the auxiliary values by stratum,
// each drawn towards one for all strata, in which a value is weighted by its
// contribution to the estimate's variance (Cochran 1977, section 7.10).
func Slopes(strata []Drawn) []float64 {
	type sums struct{ xy, xx, n float64 }
	each := make([]sums, len(strata))
	var all sums
	for k, s := range strata {
		n := float64(len(s.Values))
		weight := square(s.Weight/n) * (1 - n/float64(s.All))
		x, y := mean(s.Beside), mean(s.Values)
		for i, v := range s.Values {
			each[k].xy += float64((s.Beside[i] - x) * (v - y))
			each[k].xx += square(s.Beside[i] - x)
		}
		all.xy += float64(weight * each[k].xy)
		all.xx += float64(weight * each[k].xx)
		all.n += float64(weight * n)
	}
	out := make([]float64, len(strata))
	if !(all.xx > 0) || math.IsInf(all.xy/all.xx, 0) {
		return out
	}
	pooled, usual := all.xy/all.xx, alike*all.xx/all.n
	for k, s := range each {
		out[k] = (s.xy + float64(usual*pooled)) / (s.xx + usual)
	}
	return out
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(len(list), 1))
}

// Whole estimates the weighted mean of all values, with its interval: the
// regression estimate with the strata's slopes, or the plain one for nil. Values
// are drawn independently: those of a finite stratum that share something do
// not say less about the rest.
func Whole(strata []Drawn, slopes []float64, z float64) Estimate {
	list := make([]Stratum, len(strata))
	for k, s := range strata {
		list[k] = Stratum{Weight: s.Weight, Known: float64(len(s.Values)) / float64(s.All), Blocks: make([]Block, len(s.Values))}
		slope := 0.0
		if slopes != nil {
			slope = slopes[k]
		}
		for i, v := range s.Values {
			list[k].Blocks[i].Add(v - float64(slope*s.Beside[i]))
		}
	}
	c := Compose(list)
	c.Mean = min(max(c.Mean, 0), 1) // a regression may go outside
	return c.Share(z)
}
