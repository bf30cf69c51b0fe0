package stat

import (
	"math"
	"slices"
)

// Percentile is numpy.percentile(xs, q) with its default method: linear
// interpolation between the two closest ranks, starting from the nearer one.
func Percentile(xs []float64, q float64) (float64, error) {
	if len(xs) == 0 {
		return 0, ErrTooFew
	}
	if slices.ContainsFunc(xs, notFinite) {
		return 0, ErrNotFinite
	}
	sorted := slices.Sorted(slices.Values(xs))
	position := min(max(q/100, 0), 1) * float64(len(sorted)-1)
	low := int(math.Floor(position))
	high := min(low+1, len(sorted)-1)
	return between(sorted[low], sorted[high], position-float64(low)), nil
}

func notFinite(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) }

func between(a, b, t float64) float64 {
	diff := b - a
	if t >= 0.5 {
		return b - float64(diff*(1-t))
	}
	return a + float64(diff*t)
}
