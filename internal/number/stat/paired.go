package stat

import (
	"cmp"
	"math"
	"slices"
)

// McNemar returns the p value of the exact two-sided test of paired verdicts:
// for onlyA cases that only A got right and onlyB that only B did, the
// probability of a split at least as uneven if both were equally likely
// (McNemar 1947; a sign test over the pairs that differ).
func McNemar(onlyA, onlyB int) float64 {
	return min(1, 2*halfTail(min(onlyA, onlyB), onlyA+onlyB))
}

// halfTail returns P(X <= k) for k successes of n at even odds.
func halfTail(k, n int) (tail float64) {
	if k < 0 {
		return 1
	}
	logs := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	term := math.Exp(logs(n) - logs(k) - logs(n-k) - float64(float64(n)*math.Ln2))
	for i := k; i >= 0; i-- {
		tail += term
		term *= float64(i) / float64(n-i+1)
	}
	return tail
}

// Level returns the two-sided p value that belongs to a family of intervals:
// the probability of the z at which the interval just touches 0. It is 1 for an
// estimate of 0.
func Level(interval func(z float64) Interval) float64 {
	const widest, steps = 40.0, 60
	excludes := func(z float64) bool {
		i := interval(z)
		return i.Low > 0 || i.High < 0
	}
	low, high := 0.0, widest
	if excludes(high) {
		return 0
	}
	for range steps {
		if mid := (low + high) / 2; excludes(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return TwoSided(high)
}

// Holm adjusts p values for their number (Holm 1979), so that each can be
// compared with the level for a single one. NaNs stay NaNs and do not count.
func Holm(ps []float64) []float64 {
	order := ascending(ps)
	out := slices.Clone(ps)
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, ps[i]*float64(len(order)-rank)))
		out[i] = least
	}
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
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	return order
}
