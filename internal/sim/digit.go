package sim

import (
	"strings"
	"unicode"
)

// maxDigits is how many decimal digits CPython converts between int and str.
const maxDigits = 4300

var tooManyDigits = Raise("ValueError",
	"Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit")

// Decimal is Python's int(r) for one decimal digit of any script.
func Decimal(r rune) (digit int, ok bool) {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0'), true
	case r < 0x80 || !unicode.Is(unicode.Nd, r):
		return 0, false
	}
	return int(decimalDigit(r)), true
}

// asciiDigits turns every decimal digit of Unicode into the ASCII one, as
// Python's int() and float() do.
func asciiDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if d, ok := Decimal(r); ok {
			return '0' + rune(d)
		}
		return r
	}, s)
}

// decimalDigit relies on Unicode's promise that decimal digits stand in runs
// of ten, zero first.
func decimalDigit(r rune) rune {
	for _, run := range unicode.Nd.R16 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return (r - rune(run.Lo)) % 10
		}
	}
	for _, run := range unicode.Nd.R32 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return (r - rune(run.Lo)) % 10
		}
	}
	return 0
}
