package xmlcall

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/pycall"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// convert turns a value's text into the value that its type attribute asks
// for; unknown types keep the text.
func convert(text, typeName string) (pyval.Value, error) {
	switch typeName {
	case "integer":
		return integer(text)
	case "float":
		return float(text)
	case "boolean":
		return pyval.Bool(pyval.Lower(text) == "true"), nil
	case "null":
		return pyval.None, nil
	case "array", "tuple", "dict", "object":
		v, err := pycall.Literal(text)
		var wrong *pycall.Error
		if errors.As(err, &wrong) {
			return nil, &Error{Class: wrong.Class, Msg: wrong.Msg}
		}
		return v, err
	}
	return pyval.Str(text), nil
}

// maxDigits is CPython's limit for decimal ints.
const maxDigits = 4300

// integer is Python's int(text).
func integer(text string) (pyval.Value, error) {
	s, ok := plainNumber(text)
	digits := strings.TrimLeft(s, "+-")
	if ok && len(digits) <= maxDigits && len(s)-len(digits) <= 1 {
		if n, ok := pyval.ParseInt(s, 10); ok {
			return n, nil
		}
	}
	return nil, &Error{Class: "ValueError", Msg: "invalid literal for int()"}
}

// float is Python's float(text).
func float(text string) (pyval.Value, error) {
	s, ok := plainNumber(text)
	if ok {
		switch strings.ToLower(strings.TrimLeft(s, "+-")) {
		case "inf", "infinity", "nan":
			ok = len(strings.TrimLeft(s, "+-")) >= len(s)-1
		default:
			ok = strings.Trim(s, "0123456789+-.eE") == ""
		}
	}
	if ok {
		f, err := strconv.ParseFloat(s, 64)
		if err == nil || math.IsInf(f, 0) { // out of range gives ±Inf, as in Python
			return pyval.Float(f), nil
		}
	}
	return nil, &Error{Class: "ValueError", Msg: "could not convert string to float"}
}

// plainNumber strips a number's text, turns any decimal digit of Unicode into
// ASCII and takes out underscores, which must stand between two digits.
func plainNumber(text string) (string, bool) {
	var out []byte
	under, digit := false, false
	for _, r := range pyval.Strip(text) {
		if r == '_' {
			if !digit || under {
				return "", false
			}
			under = true
			continue
		}
		value, isDigit := decimalDigit(r)
		if under && !isDigit {
			return "", false
		}
		under, digit = false, isDigit
		switch {
		case isDigit:
			out = append(out, '0'+value)
		case r < 0x80:
			out = append(out, byte(r))
		default:
			return "", false
		}
	}
	return string(out), len(out) > 0 && !under
}

// decimalDigit is the value of a character of Unicode's category Nd. These
// come in runs of ten that begin with a zero.
func decimalDigit(r rune) (byte, bool) {
	if r < 0x80 {
		return byte(r - '0'), r >= '0' && r <= '9'
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	if r >= 0x1d7ce && r <= 0x1d7ff { // mathematical digits: five runs side by side
		return byte(r-0x1d7ce) % 10, true
	}
	zero := r
	for unicode.Is(unicode.Nd, zero-1) && r-zero < 9 {
		zero--
	}
	return byte(r - zero), true
}
