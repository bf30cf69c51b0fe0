package jscall

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// maxDigits is the length from which Python's int() refuses a text.
const maxDigits = 4300

// pySpace tells what Python's str.isspace and the class \s take for white
// space.
func pySpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r >= 0x1c && r <= ' ', r == 0x85, r == 0xa0:
		return true
	case r < 0x1680:
		return false
	}
	return unicode.Is(unicode.Z, r)
}

func spaceLen(s string) int { return len(s) - len(strings.TrimLeftFunc(s, pySpace)) }

// pyTrim is Python's str.strip.
func pyTrim(s string) string { return strings.TrimFunc(s, pySpace) }

// decimal is the value of a decimal digit of any script. Unicode keeps the
// ten digits of a script together, in order.
func decimal(r rune) (int, bool) {
	if r < 0x80 {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	return 0, false
}

// digitsLen is the length of a run of decimal digits, Python's \d*.
func digitsLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		_, ok := decimal(r)
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

// pyInt is Python's int(s); false where it raises ValueError.
func pyInt(s string) (pyval.Int, bool) {
	text, ok := plainNumber(s)
	body := strings.TrimLeft(text, "+-")
	if !ok || len(text)-len(body) > 1 || body == "" || len(body) > maxDigits {
		return pyval.Int{}, false
	}
	if strings.Trim(body, "0123456789") != "" {
		return pyval.Int{}, false
	}
	return pyval.ParseInt(text, 10)
}

// pyFloat is Python's float(s); false where it raises ValueError.
func pyFloat(s string) (pyval.Float, bool) {
	text, ok := plainNumber(s)
	if !ok || strings.ContainsAny(text, "xXpP") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return pyval.Float(f), true
}

// plainNumber trims white space and turns every decimal digit into an ASCII
// one. Underscores are dropped between digits and wrong elsewhere.
func plainNumber(s string) (string, bool) {
	s = pyTrim(s)
	if plainASCII(s) {
		return s, true
	}
	b := make([]byte, 0, len(s))
	after, gap := false, false // a digit came last; an underscore did
	for _, r := range s {
		d, ok := decimal(r)
		switch {
		case ok:
			b = append(b, '0'+byte(d))
		case gap || r >= 0x80 || r == '_' && !after:
			return "", false
		case r != '_':
			b = append(b, byte(r))
		}
		after, gap = ok, r == '_'
	}
	return string(b), !gap
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == '_' {
			return false
		}
	}
	return true
}
