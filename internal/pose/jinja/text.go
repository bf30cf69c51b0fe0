package jinja

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// upper returns Python's s.upper().
func upper(s string) string { return cases.Upper(language.Und).String(s) }

// capitalized returns Python's s.capitalize().
func capitalized(s string) string {
	_, n := pyval.DecodeRune(s)
	return titleCase(s[:n]) + pyval.Lower(s[n:])
}

func titleCase(s string) string {
	if s == "ß" {
		return "Ss"
	}
	return strings.Map(unicode.ToTitle, s)
}

// titled implements the filter title: a letter after a blank, a hyphen or an
// opening bracket is made a capital, every other one is not.
func titled(s string) string {
	var b strings.Builder
	start := true
	for i := 0; i < len(s); {
		r, n := pyval.DecodeRune(s[i:])
		if start {
			b.WriteString(upper(s[i : i+n]))
		} else {
			b.WriteString(pyval.Lower(s[i : i+n]))
		}
		start = pyval.IsSpace(r) || strings.ContainsRune("-({[<", r)
		i += n
	}
	return b.String()
}

// title returns Python's s.title(): each letter that does not follow a letter
// is made a capital.
func title(s string) string {
	var b strings.Builder
	letter := false
	for i := 0; i < len(s); {
		r, n := pyval.DecodeRune(s[i:])
		if letter {
			b.WriteString(pyval.Lower(s[i : i+n]))
		} else {
			b.WriteString(titleCase(s[i : i+n]))
		}
		letter = unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
		i += n
	}
	return b.String()
}

func swapped(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// words returns Python's s.split().
func words(s string) []string { return strings.FieldsFunc(s, pyval.IsSpace) }

// textLines returns Python's s.splitlines(keep).
func textLines(s string, keep bool) []string {
	var out []string
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(out, s)
		}
		_, n := pyval.DecodeRune(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		end := i
		if keep {
			end += n
		}
		out = append(out, s[:end])
		s = s[i+n:]
	}
	return out
}

// all reports whether s is not empty and each of its characters satisfies is.
func all(s string, is func(r rune) bool) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !is(r) }) < 0
}

// cased reports whether some character of s satisfies is and none satisfies
// other or is in title case.
func cased(s string, is, other func(r rune) bool) bool {
	return strings.IndexFunc(s, is) >= 0 && strings.IndexFunc(s, other) < 0 && strings.IndexFunc(s, unicode.IsTitle) < 0
}

func isDigit(r rune) bool   { return unicode.Is(unicode.Nd, r) || strings.ContainsRune("²³¹", r) }
func isNumeric(r rune) bool { return unicode.IsNumber(r) }
func isAlnum(r rune) bool   { return unicode.IsLetter(r) || unicode.IsNumber(r) }
