package stat

import (
	"math/rand/v2"
	"slices"
)

// Bootstrap returns the percentile interval of a figure over resampled clusters
// (Cameron, Gelbach and Miller 2008). In each repetition every stratum draws as
// many of its clusters as it has, with replacement, and figure is computed from
// the draws. The same seed gives the same interval.
func Bootstrap(seed uint64, repetitions int, strata []int, figure func(draws [][]int) float64) Interval {
	random := rand.New(rand.NewPCG(seed, uint64(len(strata))))
	draws := make([][]int, len(strata))
	for i, n := range strata {
		draws[i] = make([]int, n)
		for k := range draws[i] {
			draws[i][k] = k
		}
	}
	out := Interval{Estimate: figure(draws)}
	figures := make([]float64, repetitions)
	for r := range figures {
		for i, n := range strata {
			for k := range draws[i] {
				draws[i][k] = random.IntN(n)
			}
		}
		figures[r] = figure(draws)
	}
	slices.Sort(figures)
	var err error
	if out.Low, err = Percentile(figures, 2.5); err != nil {
		return Interval{Estimate: out.Estimate, Low: out.Estimate, High: out.Estimate}
	}
	out.High, _ = Percentile(figures, 97.5)
	return out
}

// ascending returns the indices of the values in ascending order, without NaNs.
func ascending(xs []float64) []int {
	var order []int
	for i, x := range xs {
		if x == x {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case xs[a] < xs[b]:
			return -1
		case xs[a] > xs[b]:
			return 1
		}
		return 0
	})
	return order
}
