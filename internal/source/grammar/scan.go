package grammar

// Digit reports whether c is a decimal digit.
func Digit(c byte) bool { return c >= '0' && c <= '9' }

// Hex reports whether c is a hexadecimal digit.
func Hex(c byte) bool { return Digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// Octal reports whether c is an octal digit.
func Octal(c byte) bool { return c >= '0' && c <= '7' }

// Binary reports whether c is a binary digit.
func Binary(c byte) bool { return c == '0' || c == '1' }

// Digits returns the length of the digits of one sort that s begins with, in
// groups joined by single underscores.
func Digits(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && (is(s[n]) || s[n] == '_' && n > 0 && s[n-1] != '_' && n+1 < len(s) && is(s[n+1])) {
		n++
	}
	return n
}

// Unicode returns the length of uXXXX or u{X…} at the start of s.
func Unicode(s string) int {
	if len(s) < 3 || s[0] != 'u' {
		return 0
	}
	n, braced := 1, s[1] == '{'
	if braced {
		n = 2
	}
	start := n
	for n < len(s) && Hex(s[n]) && (braced || n < 5) {
		n++
	}
	switch {
	case !braced && n == 5:
		return 5
	case braced && n > start && n < len(s) && s[n] == '}':
		return n + 1
	}
	return 0
}
