package jscall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
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
		if n := len(textForm().FindString(s)); n > 0 {
			return grammar.String, n
		}
		return grammar.Bad, 1
	case grammar.Digit(c) || c == '.' && len(s) > 1 && grammar.Digit(s[1]):
		return grammar.Number, len(numberForm().FindString(s))
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

const (
	digits   = `[0-9](?:_?[0-9])*`
	exponent = `(?:[eE][+-]?` + digits + `)?`
	escaped  = `|\\(?:\r\n|x[0-9a-fA-F]{2}|` + unicodes + `|[^xu])`
	unicodes = `u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})`
	newline  = `(?:[\n\r][ \t-\r]*)?` // only blanks and the closing quote can follow
)

var (
	textForm = pattern.Of(`^(?:"(?:[^"\\\n\r]` + escaped + `)*` + newline + `"|'(?:[^'\\\n\r]` + escaped + `)*` + newline + `')`)
	// numberForm is a number; the alternatives stand before shorter ones.
	numberForm = pattern.Of(`^(?:(?:0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*|0[oO][0-7](?:_?[0-7])*|0[bB][01](?:_?[01])*)n?|` + digits + `n|\.` + digits + exponent +
		`|0?[1-9](?:_?[0-9])*(?:\.(?:` + digits + `)?)?` + exponent + `|0(?:_?[0-9])+|0(?:\.(?:` + digits + `)?)?` + exponent + `)`)
	unicodeForm = pattern.Of(`^` + unicodes)
	// escapeForm is an escape sequence.
	escapeForm = pattern.Of(`^(?:` + escaped[1:] + `)`)
	// regexForm is a regular expression with its flags.
	regexForm = pattern.Of(`^/(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/[a-z]*`)
)

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
			if n = 1 + len(unicodeForm().FindString(s[i+1:])); n == 1 {
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
