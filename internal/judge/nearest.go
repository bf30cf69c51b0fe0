package judge

import (
	"cmp"
	"slices"
)

// Nearest gives each expected call the call of a model that differs least from
// it, each call once, those with the fewest faults first; -1 where none is left.
// faults counts what differs, and is false for calls of different functions.
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
