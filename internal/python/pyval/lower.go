package pyval

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower is Python's s.lower(): Unicode's full lower case, in which a capital
// sigma that ends a word becomes a final one.
func Lower(s string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf })
	if first < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)+utf8.UTFMax), s[:first]...)
	for i := first; i < len(s); {
		r, size := DecodeRune(s[i:])
		switch {
		case size == 1 && r >= utf8.RuneSelf:
			out = append(out, s[i])
		case r == 'Σ' && endsWord(s[:i], s[i+size:]):
			out = append(out, "ς"...)
		case r == 'İ': // the only letter whose lower case is two
			out = append(out, "i̇"...)
		default:
			out = AppendRune(out, unicode.ToLower(r))
		}
		i += size
	}
	return string(out)
}

// endsWord is Unicode's condition Final_Sigma: a cased letter before and none
// after, not counting what is case-ignorable. (A letter may be both.)
func endsWord(before, after string) bool {
	for {
		r, size := utf8.DecodeLastRuneInString(before)
		if size == 0 {
			return false
		}
		before = before[:len(before)-size]
		if !caseIgnorable(r) {
			if !cased(r) {
				return false
			}
			break
		}
	}
	for after != "" {
		r, size := DecodeRune(after)
		if after = after[size:]; !caseIgnorable(r) {
			return !cased(r)
		}
	}
	return true
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// middle are the letters' companions of Unicode's Word_Break property:
// MidLetter, MidNumLet and Single_Quote.
const middle = "'.:·\u0387\u055f\u05f4‘’\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"

func caseIgnorable(r rune) bool {
	return strings.ContainsRune(middle, r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
