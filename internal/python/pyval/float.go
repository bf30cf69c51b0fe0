package pyval

import "strconv"

// ParseFloat reads a float in decimal digits with a point, an exponent or both,
// as JSON and Python write it. A value out of range gives ±Inf, as in Python.
func ParseFloat(text string) Float {
	if f, ok := shortFloat(text); ok {
		return Float(f)
	}
	f, _ := strconv.ParseFloat(text, 64)
	return Float(f)
}

// tenths are the powers of ten that the digits of a shortFloat are divided by.
// Floats hold them exactly.
var tenths = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortFloat reads a float of at most 15 digits around a point. A float holds
// the digits exactly, so that the single division rounds correctly.
func shortFloat(text string) (f float64, ok bool) {
	digits := text
	if digits != "" && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > len(tenths) {
		return 0, false
	}
	n, point := int64(0), 0
	for i, c := range []byte(digits) {
		switch {
		case c == '.' && point == 0:
			point = i + 1
		case c >= '0' && c <= '9':
			n = 10*n + int64(c-'0')
		default:
			return 0, false
		}
	}
	if point == 0 || len(digits) == 1 {
		return 0, false
	}
	f = float64(n) / tenths[len(digits)-point]
	if len(digits) < len(text) {
		f = -f
	}
	return f, true
}
