package judge

import (
	"cmp"
	"slices"
)

// Nearest pairs each expected call with the call of a model that differs least
// from it, those with the fewest faults first. Each call is used once; the
// result is -1 if none is left. faults returns the number of differences, and
// false for calls of different functions.
func Nearest(wanted, made int, faults func(want, made int) (int, bool)) []int {
	type pair struct{ want, made, faults int }
	var pairs []pair
	out := make([]int, wanted)
	for w := range out {
		out[w] = -1
		for m := range made {
			if n, same := faults(w, m); same {
				pairs = append(pairs, pair{w, m, n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.faults, b.faults) })
	taken := make([]bool, made)
	for _, p := range pairs {
		if out[p.want] < 0 && !taken[p.made] {
			out[p.want], taken[p.made] = p.made, true
		}
	}
	return out
}
