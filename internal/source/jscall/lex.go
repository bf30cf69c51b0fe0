package jscall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// lex scans the next token of a JavaScript text. Regular expressions, templates
// and elements begin with tokens too; only the grammar can tell them apart.
func lex(src string, from int) grammar.Token {
	return grammar.Scan(src, from, blank, next)
}

// blank returns the length of the white space or the comment that s begins
// with, and whether it ends a line.
func blank(s string) (n int, line bool) {
	switch c := s[0]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return 1, c == '\n'
	case strings.HasPrefix(s, "//"):
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n, false
		}
		return len(s), false
	case strings.HasPrefix(s, "/*"):
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return n + 4, false
		}
	case c >= utf8.RuneSelf:
		if r, size := utf8.DecodeRuneInString(s); space(r) {
			return size, r == 0x2028 || r == 0x2029
		}
	}
	return 0, false
}

// space reports whether r is white space beyond ASCII that the grammar skips.
func space(r rune) bool {
	switch r {
	case 0x2028, 0x2029, 0xfeff, 0x2060, 0x200b:
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

// next returns the kind and the length of the token that s begins with.
func next(s string) (grammar.Kind, int) {
	if s == "" {
		return grammar.EOF, 0
	}
	switch c := s[0]; {
	case c == '"' || c == '\'':
		if n := text(s); n > 0 {
			return grammar.String, n
		}
		return grammar.Bad, 1
	case grammar.Digit(c) || c == '.' && len(s) > 1 && grammar.Digit(s[1]):
		return grammar.Number, number(s)
	case c == '#':
		if n := word(s[1:]); n > 0 {
			return grammar.Private, n + 1
		}
		return grammar.Bad, 1
	}
	if n := word(s); n > 0 {
		return grammar.Word, n
	}
	for _, op := range operators {
		if strings.HasPrefix(s, op) && !(op == "?." && len(s) > 2 && grammar.Digit(s[2])) {
			return grammar.Punct, len(op)
		}
	}
	return grammar.Bad, 1
}

// operators lists an operator before any other that it begins with.
var operators = strings.Fields(`>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- ** << >>
	+= -= *= /= %= &= |= ^= ( ) [ ] { } , ; : ~ @ = + - * / % < > & | ^ ! ? . ` + "`")

// notInWord are the ASCII characters that end an identifier.
const notInWord = " :;`\"'@#.,|^&<=>+-*/\\%?!~()[]{}"

func wordByte(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && strings.IndexByte(notInWord, c) < 0
}

// word returns the length of an identifier: nearly every character beyond ASCII
// belongs to one, emoji too.
func word(s string) int {
	i := 0
	for i < len(s) {
		c, n := s[i], 1
		switch {
		case c == '\\':
			if n = 1 + grammar.Unicode(s[i+1:]); n == 1 {
				return i
			}
		case c >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRuneInString(s[i:]); space(r) {
				return i
			}
		case !wordByte(c) || i == 0 && grammar.Digit(c):
			return i
		}
		i += n
	}
	return i
}

// text returns the length of a string up to its closing quote. After a line end
// only blanks and the quote can follow.
func text(s string) int {
	for i := 1; i < len(s); {
		switch c := s[i]; c {
		case s[0]:
			return i + 1
		case '\n', '\r':
			for i < len(s) && (s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r') {
				i++
			}
			if i >= len(s) || s[i] != s[0] {
				return 0
			}
		case '\\':
			n := escape(s[i:])
			if n == 0 {
				return 0
			}
			i += n
		default:
			i++
		}
	}
	return 0
}

// escape returns the length of the escape sequence at the start of s, 0 if it
// is malformed.
func escape(s string) int {
	if strings.HasPrefix(s, "\\\r\n") {
		return 3
	}
	return grammar.Escape(s)
}

// number returns the length of the longest number at the start of s, which
// starts with a digit or a dot and a digit.
func number(s string) int {
	if n := radix(s); n > 0 {
		return n
	}
	n := grammar.Digits(s, grammar.Digit)
	if n < len(s) && s[n] == 'n' {
		return n + 1
	}
	if s[:n] == "0" || n == 0 || s[0] != '0' || n > 1 && s[1] >= '1' && s[1] <= '9' {
		if n < len(s) && s[n] == '.' {
			n++
			n += grammar.Digits(s[n:], grammar.Digit)
		}
		n += exponent(s[n:])
	}
	return n
}

func exponent(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if n := grammar.Digits(s[i:], grammar.Digit); n > 0 {
		return i + n
	}
	return 0
}

func radix(s string) int {
	if len(s) < 3 || s[0] != '0' {
		return 0
	}
	is := map[byte]func(byte) bool{'x': grammar.Hex, 'o': grammar.Octal, 'b': grammar.Binary}[s[1]|0x20]
	if is == nil {
		return 0
	}
	n := grammar.Digits(s[2:], is)
	if n == 0 {
		return 0
	}
	if n += 2; n < len(s) && s[n] == 'n' {
		n++
	}
	return n
}

// regex returns the length of a regular expression with its flags, 0 if s does
// not begin with one.
func regex(s string) int {
	class := false
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == '\\':
			if i++; i < len(s) && s[i] == '\n' {
				return 0
			}
		case s[i] == '/' && !class:
			if i == 1 {
				return 0
			}
			for i++; i < len(s) && s[i] >= 'a' && s[i] <= 'z'; {
				i++
			}
			return i
		case s[i] == '[':
			class = true
		case s[i] == ']':
			class = false
		}
	}
	return 0
}
