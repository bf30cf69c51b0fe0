package say

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// Units returns a number of units, such as "1 scenario" or "2 question families".
func Units(n int, unit string) string {
	many := unit + "s"
	if rest, ok := strings.CutSuffix(unit, "y"); ok {
		many = rest + "ies"
	}
	return Count(n, unit, many)
}

// Frequent returns the keys of a map of numbers, the most frequent first.
func Frequent[K cmp.Ordered](numbers map[K]int) []K {
	return slices.SortedFunc(maps.Keys(numbers), func(a, b K) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
}
