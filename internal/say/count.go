package say

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// Count returns a number with its noun, such as "1 case" or "2 cases".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Cases returns a number of cases, such as "1 case" or "2 cases".
func Cases(n int) string { return Count(n, "case", "cases") }

// Frequent returns the keys of a map of numbers, the most frequent first.
func Frequent[K cmp.Ordered](numbers map[K]int) []K {
	return slices.SortedFunc(maps.Keys(numbers), func(a, b K) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
}
