package jscall

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func spaceLen(s string) int { return len(s) - len(strings.TrimLeftFunc(s, pyval.IsSpace)) }

// digitsLen is the length of a run of decimal digits, Python's \d*.
func digitsLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		_, ok := pyval.Decimal(r)
		return !ok
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// looksInteger is Python's pattern -?\d+.
func looksInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && digitsLen(s) == len(s)
}

// looksDecimal is Python's pattern -?\d+(\.\d+)?.
func looksDecimal(s string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return whole != "" && digitsLen(whole) == len(whole) &&
		(!point || fraction != "" && digitsLen(fraction) == len(fraction))
}
