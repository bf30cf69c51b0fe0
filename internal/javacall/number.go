package javacall

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// maxDigits is CPython's limit for the digits of an int.
const maxDigits = 4300

// blankPy tells whether Python's str.strip takes the character off.
func blankPy(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// strip is Python's str.strip().
func strip(s string) string { return strings.TrimFunc(s, blankPy) }

// ascii makes digits of any script those of ASCII, as int() and float() do.
// It fails at other characters beyond ASCII.
func ascii(s string) (string, bool) {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return asciiDigits(s)
		}
	}
	return s, true
}

func asciiDigits(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r >= 0x80 {
			d, ok := digitValue(r)
			if !ok {
				return "", false
			}
			r = '0' + rune(d)
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// digitValue is the value of a decimal digit. Unicode keeps the ten digits of
// a script together, from zero on.
func digitValue(r rune) (int, bool) {
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return int(r-first) % 10, true
}

func valueError(msg string) error { return &Error{"ValueError", msg} }

// pyInt is Python's int(s).
func pyInt(s string) (pyval.Value, error) {
	digits, ok := ascii(strip(s))
	sign := ""
	if ok && digits != "" && (digits[0] == '-' || digits[0] == '+') {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	if ok {
		digits, ok = ungroup(digits)
	}
	if !ok || digits == "" {
		return nil, valueError("invalid literal for int() with base 10: " + pyval.Repr(pyval.Str(s)))
	}
	if len(digits) > maxDigits {
		return nil, valueError("Exceeds the limit (4300 digits) for integer string conversion")
	}
	n, _ := pyval.ParseInt(sign+digits, 10)
	return n, nil
}

// ungroup takes out underscores between digits; anything but digits fails.
func ungroup(s string) (string, bool) {
	grouped := false
	for i := range len(s) {
		if s[i] == '_' && i > 0 && s[i-1] != '_' && i+1 < len(s) {
			grouped = true
		} else if !digit(s[i]) {
			return "", false
		}
	}
	if grouped {
		s = strings.ReplaceAll(s, "_", "")
	}
	return s, true
}

// pyFloat is Python's float(s).
func pyFloat(s string) (pyval.Value, error) {
	text, ok := ascii(strip(s))
	if ok {
		text, ok = floatText(text)
	}
	if ok {
		f, err := strconv.ParseFloat(text, 64)
		if err == nil || errors.Is(err, strconv.ErrRange) {
			return pyval.Float(f), nil
		}
	}
	return nil, valueError("could not convert string to float: " + pyval.Repr(pyval.Str(s)))
}

// floatText takes out underscores between digits and refuses what Go reads as
// a float but Python does not.
func floatText(s string) (string, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "nan":
		return "nan", s[1] != '+' && s[1] != '-'
	case "inf", "infinity":
		return s, s[1] != '+' && s[1] != '-'
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '_':
			if i == 0 || !digit(s[i-1]) || i+1 == len(s) || !digit(s[i+1]) {
				return "", false
			}
			continue
		case !digit(c) && strings.IndexByte("+-.eE", c) < 0:
			return "", false
		}
		b = append(b, c)
	}
	return string(b), len(b) > 0
}
