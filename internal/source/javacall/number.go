package javacall

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// whole is the length of a decimal integer without leading zeros. Groups are
// joined by any number of underscores, after the first digit by one.
func whole(s string) int {
	if s == "" || !grammar.Digit(s[0]) {
		return 0
	}
	n := 1
	if s[0] == '0' || strings.HasPrefix(s[1:], "__") {
		return n
	}
	for i := 1; i < len(s) && (grammar.Digit(s[i]) || s[i] == '_'); i++ {
		if grammar.Digit(s[i]) {
			n = i + 1
		}
	}
	return n
}

func suffix(s string, letters string) int {
	if s != "" && strings.IndexByte(letters, s[0]) >= 0 {
		return 1
	}
	return 0
}

// exponent is the length of an exponent, 0 if there is none.
func exponent(s, letters string, digits func(string) int) int {
	n := suffix(s, letters)
	if n == 0 {
		return 0
	}
	n += suffix(s[n:], "+-")
	d := digits(s[n:])
	if d == 0 {
		return 0
	}
	return n + d
}

func decimalDigits(s string) int { return grammar.Digits(s, grammar.Digit) }

func decimal(s string) int {
	best := 0
	if n := whole(s); n > 0 {
		best = n + suffix(s[n:], "lL")
		if e := exponent(s[n:], "eEpP", decimalDigits); e > 0 {
			best = max(best, n+e+suffix(s[n+e:], "fFdD"))
		}
		e := exponent(s[n:], "eE", decimalDigits)
		if f := suffix(s[n+e:], "fFdD"); f > 0 {
			best = max(best, n+e+f)
		}
	}
	n := decimalDigits(s)
	if n < len(s) && s[n] == '.' {
		fraction := decimalDigits(s[n+1:])
		if n > 0 || fraction > 0 {
			n += 1 + fraction
			n += exponent(s[n:], "eE", decimalDigits)
			best = max(best, n+suffix(s[n:], "fFdD"))
		}
	}
	return best
}

// radix is the length of a number that begins with 0: octal, binary or
// hexadecimal.
func radix(s string) int {
	if s[0] != '0' || len(s) < 2 {
		return 0
	}
	octal := func(c byte) bool { return c >= '0' && c <= '7' }
	switch s[1] | 0x20 {
	case 'b':
		return prefixed(s, grammar.Digits(s[2:], func(c byte) bool { return c == '0' || c == '1' }))
	case 'o':
		return prefixed(s, grammar.Digits(s[2:], octal))
	case 'x':
		return hexadecimal(s)
	}
	if n := grammar.Digits(s[1:], octal); n > 0 {
		return 1 + n + suffix(s[1+n:], "lL")
	}
	return 0
}

func prefixed(s string, n int) int {
	if n == 0 {
		return 0
	}
	return 2 + n + suffix(s[2+n:], "lL")
}

func hexadecimal(s string) int {
	digits := grammar.Digits(s[2:], grammar.Hex)
	best, n := prefixed(s, digits), 2+digits
	if n < len(s) && s[n] == '.' {
		fraction := grammar.Digits(s[n+1:], grammar.Hex)
		if digits == 0 && fraction == 0 {
			return best
		}
		n += 1 + fraction
	} else if digits == 0 {
		return 0
	}
	if e := exponent(s[n:], "eEpP", whole); e > 0 {
		n += e
		n += suffix(s[n:], "fFdD")
	}
	return max(best, n)
}
