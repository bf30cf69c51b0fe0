package javacall

import "strings"

// text reads a string or a text block. Both may contain line ends.
func (l *lexer) text() kind {
	if l.peek(1) == '"' && l.peek(2) == '"' {
		return l.block()
	}
	i := l.i + 1
	for i < len(l.src) && l.src[i] != '"' {
		switch l.src[i] {
		case 0:
			return tBad
		case '\\':
			n := escape(l.src[i:])
			if i+1 < len(l.src) && l.src[i+1] == '{' {
				n = l.embedded(i + 2)
			}
			if n == 0 {
				return tBad
			}
			i += n
		default:
			i++
		}
	}
	if i >= len(l.src) {
		return tBad
	}
	l.i = i + 1
	return tString
}

// maxEmbedding bounds texts within expressions within texts.
const maxEmbedding = 20

// embedded is the length of an escape sequence that embeds an expression:
// "\\{", the expression, which begins at from, and "}". It is 0 if there is
// none.
func (l *lexer) embedded(from int) int {
	in := lexer{src: l.src, i: from, depth: l.depth + 1}
	if in.depth > maxEmbedding {
		return 0
	}
	end := in.scanEmbedded()
	p := parser{tokens: in.tokens, trouble: trouble{far: -1}}
	if end < 0 || !p.expression() || !p.is(tEOF) {
		return 0
	}
	return end - from + 2
}

// scanEmbedded reads tokens up to the "}" of an embedded expression, which
// becomes tEOF, and returns where it ends; -1 if it does not.
func (l *lexer) scanEmbedded() int {
	for open := 0; ; {
		l.blanks()
		start := l.i
		if start >= len(l.src) {
			return -1
		}
		switch k := l.next(l.src[start]); {
		case k == tBad:
			return -1
		case k == tRBrace && open == 0:
			l.push(tEOF, start)
			return l.i
		default:
			if k == tLBrace {
				open++
			} else if k == tRBrace {
				open--
			}
			l.push(k, start)
		}
	}
}

func (l *lexer) block() kind {
	i := l.i + 3
	for i < len(l.src) && l.src[i] != 0 {
		switch {
		case strings.HasPrefix(l.src[i:], `"""`):
			l.i = i + 3
			return tString
		case l.src[i] == '\\' && i+1 < len(l.src):
			i += 2
		default:
			i++
		}
	}
	return tBad
}

// escape is the length of the escape sequence at the start of s, 0 if it is
// malformed. In an octal one, only the first digit counts: the others are read
// as ordinary text, which makes no difference.
func escape(s string) int {
	if len(s) < 2 || s[1] == 0 {
		return 0
	}
	switch c := s[1]; {
	case c == 'x':
		return fixedHex(s, 2)
	case c == 'u' && len(s) > 2 && s[2] == '{':
		n := 3
		for n < len(s) && hex(s[n]) {
			n++
		}
		if n == 3 || n >= len(s) || s[n] != '}' {
			return 0
		}
		return n + 1
	case c == 'u':
		return fixedHex(s, 4)
	}
	return 2
}

func fixedHex(s string, digits int) int {
	if len(s) < 2+digits {
		return 0
	}
	for i := 2; i < 2+digits; i++ {
		if !hex(s[i]) {
			return 0
		}
	}
	return 2 + digits
}

func hex(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// number takes the longest text that any of the grammar's number forms
// matches.
func (l *lexer) number() kind {
	s := l.src[l.i:]
	n := short(s)
	if n == 0 {
		n = max(decimal(s), radix(s))
	}
	l.i += n
	return tNumber
}

// short is the length of a number that has only digits and, unless it is 0
// itself, does not begin with 0. It is 0 for other numbers.
func short(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	if n > 1 && s[0] == '0' {
		return 0
	}
	if n < len(s) {
		if c := s[n]; c == '.' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return 0
		}
	}
	return n
}

// run is the length of digits of one sort, in groups joined by single
// underscores.
func run(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && (is(s[n]) || s[n] == '_' && n > 0 && s[n-1] != '_' && n+1 < len(s) && is(s[n+1])) {
		n++
	}
	return n
}

// whole is the length of a decimal integer without leading zeros. Groups are
// joined by any number of underscores, after the first digit by one.
func whole(s string) int {
	if s == "" || !digit(s[0]) {
		return 0
	}
	n := 1
	if s[0] == '0' || strings.HasPrefix(s[1:], "__") {
		return n
	}
	for i := 1; i < len(s) && (digit(s[i]) || s[i] == '_'); i++ {
		if digit(s[i]) {
			n = i + 1
		}
	}
	return n
}

func suffix(s string, letters string) int {
	if s != "" && strings.IndexByte(letters, s[0]) >= 0 {
		return 1
	}
	return 0
}

// exponent is the length of an exponent, 0 if there is none.
func exponent(s, letters string, digits func(string) int) int {
	n := suffix(s, letters)
	if n == 0 {
		return 0
	}
	n += suffix(s[n:], "+-")
	d := digits(s[n:])
	if d == 0 {
		return 0
	}
	return n + d
}

func decimalDigits(s string) int { return run(s, digit) }

func decimal(s string) int {
	best := 0
	if n := whole(s); n > 0 {
		best = n + suffix(s[n:], "lL")
		if e := exponent(s[n:], "eEpP", decimalDigits); e > 0 {
			best = max(best, n+e+suffix(s[n+e:], "fFdD"))
		}
		e := exponent(s[n:], "eE", decimalDigits)
		if f := suffix(s[n+e:], "fFdD"); f > 0 {
			best = max(best, n+e+f)
		}
	}
	n := decimalDigits(s)
	if n < len(s) && s[n] == '.' {
		fraction := decimalDigits(s[n+1:])
		if n > 0 || fraction > 0 {
			n += 1 + fraction
			n += exponent(s[n:], "eE", decimalDigits)
			best = max(best, n+suffix(s[n:], "fFdD"))
		}
	}
	return best
}

// radix is the length of a number that begins with 0: octal, binary or
// hexadecimal.
func radix(s string) int {
	if s[0] != '0' || len(s) < 2 {
		return 0
	}
	octal := func(c byte) bool { return c >= '0' && c <= '7' }
	switch s[1] | 0x20 {
	case 'b':
		return prefixed(s, run(s[2:], func(c byte) bool { return c == '0' || c == '1' }))
	case 'o':
		return prefixed(s, run(s[2:], octal))
	case 'x':
		return hexadecimal(s)
	}
	if n := run(s[1:], octal); n > 0 {
		return 1 + n + suffix(s[1+n:], "lL")
	}
	return 0
}

func prefixed(s string, n int) int {
	if n == 0 {
		return 0
	}
	return 2 + n + suffix(s[2+n:], "lL")
}

func hexadecimal(s string) int {
	digits := run(s[2:], hex)
	best, n := prefixed(s, digits), 2+digits
	if n < len(s) && s[n] == '.' {
		fraction := run(s[n+1:], hex)
		if digits == 0 && fraction == 0 {
			return best
		}
		n += 1 + fraction
	} else if digits == 0 {
		return 0
	}
	if e := exponent(s[n:], "eEpP", whole); e > 0 {
		n += e
		n += suffix(s[n:], "fFdD")
	}
	return max(best, n)
}
