package pyval

import "strings"

// IsSpace reports whether a character is white space in Python: for
// str.isspace, str.strip, str.split and a pattern's \s.
func IsSpace(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f
	case r < 0x1680:
		return r == 0x85 || r == 0xa0
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// Strip returns Python's s.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }
