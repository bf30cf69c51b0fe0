package say

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// This file holds the words that several outputs share, so that a page, a
// terminal, a comment and a log say one thing in one way.

// What the evidence of a failure speaks for, as JSON has it.
const (
	Benchmark   = "benchmark"
	Server      = "server"
	Listed      = "listed"
	Unexplained = "unexplained"
)

// Evidences are these, in the order in which they are shown.
var Evidences = []string{Benchmark, Listed, Server, Unexplained}

// Evidence returns the words for what evidence speaks for.
func Evidence(who string) string {
	switch who {
	case Benchmark:
		return "defect confirmed"
	case Listed:
		return "case has a listed defect"
	}
	return who
}

// NoServer is said where nothing speaks for the server; that is less than to say
// that it is right.
const NoServer = "no server fault seen"

// negativeZero is what rounds to nothing, with its sign.
var negativeZero = pattern.Of(`-(0(?:\.0+)?)([^.\d]|$)`)

// Signed formats a number with the sign of print: a hyphen would be read as a dash
// where it stands before a figure. What rounds to 0 from below has no sign.
func Signed(format string, x ...any) string {
	return strings.ReplaceAll(negativeZero().ReplaceAllString(fmt.Sprintf(format, x...), "$1$2"), "-", "−")
}

// Detects returns the smallest difference that a comparison finds in 80% of cases.
func Detects(points float64) string { return fmt.Sprintf("could detect %.1f points", points) }

// Unweighted counts failures that cost nothing.
func Unweighted(n int) string { return fmt.Sprintf("%d in unweighted categories", n) }

// Intervals says what intervals are about. Cases that belong together tell as much
// as one: units are how many there are of each kind, by its name.
func Intervals(units map[string]int) string {
	const about = "Intervals are about other cases of this kind, not about these again."
	parts := make([]string, 0, len(units))
	for _, unit := range Frequent(units) {
		parts = append(parts, Units(units[unit], unit))
	}
	if units["case"] > 0 && len(units) == 1 {
		return about
	}
	return about + " Cases that belong together count once: " + strings.Join(parts, ", ") + "."
}

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

// First lists the first of some names, and how many more there are.
func First(names []string, most int) string {
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Frequent returns the keys of a map of numbers, the most frequent first.
func Frequent[K cmp.Ordered](numbers map[K]int) []K {
	return slices.SortedFunc(maps.Keys(numbers), func(a, b K) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
}
