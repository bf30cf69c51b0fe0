package jscall

import "strings"

// scanString scans a string literal up to its closing quote.
func (p *parser) scanString(quote byte) tokenKind {
	for p.pos++; p.pos < len(p.src); {
		switch c := p.src[p.pos]; c {
		case quote:
			p.pos++
			return stringToken
		case '\n':
			return badToken
		case '\\':
			n := escapeLen(p.src[p.pos:])
			if n == 0 {
				return badToken
			}
			p.pos += n
		default:
			p.pos++
		}
	}
	return badToken
}

// escapeLen is the length of the escape sequence at the start of s, 0 if it is
// malformed.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch c := s[1]; {
	case c == 'x':
		if len(s) >= 4 && hexDigit(s[2]) && hexDigit(s[3]) {
			return 4
		}
		return 0
	case c == 'u':
		if n := unicodeEscapeLen(s[1:]); n > 0 {
			return n + 1
		}
		return 0
	case c == '\r' && len(s) > 2 && s[2] == '\n':
		return 3
	}
	return 2
}

// unicodeEscapeLen is the length of uXXXX or u{X..} at the start of s.
func unicodeEscapeLen(s string) int {
	if len(s) < 2 || s[0] != 'u' {
		return 0
	}
	start, most := 1, 5
	if s[1] == '{' {
		start, most = 2, len(s)
	}
	i := start
	for i < len(s) && i < most && hexDigit(s[i]) {
		i++
	}
	switch {
	case start == 1 && i == 5:
		return 5
	case start == 2 && i > 2 && i < len(s) && s[i] == '}':
		return i + 1
	}
	return 0
}

// digits is the length of a run of digits, which single underscores may
// separate.
func digits(s string, ok func(byte) bool) int {
	i := 0
	for i < len(s) {
		if ok(s[i]) {
			i++
		} else if s[i] == '_' && i > 0 && i+1 < len(s) && ok(s[i+1]) {
			i += 2
		} else {
			break
		}
	}
	return i
}

// numberLen is the length of the longest number at the start of s, which
// starts with a digit or a dot and a digit.
func numberLen(s string) int {
	if n := radixLen(s); n > 0 {
		return n
	}
	n := digits(s, digit)
	if n < len(s) && s[n] == 'n' {
		return n + 1
	}
	if plainInteger(s[:n]) || n == 0 {
		if n < len(s) && s[n] == '.' {
			n++
			n += digits(s[n:], digit)
		}
		n += exponentLen(s[n:])
	}
	return n
}

// plainInteger reports whether a fraction or an exponent may follow: not after
// two leading zeros.
func plainInteger(s string) bool {
	return s == "0" || s != "" && (s[0] != '0' || s[1] >= '1' && s[1] <= '9')
}

func exponentLen(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if n := digits(s[i:], digit); n > 0 {
		return i + n
	}
	return 0
}

func radixLen(s string) int {
	if len(s) < 3 || s[0] != '0' {
		return 0
	}
	ok := hexDigit
	switch s[1] | 0x20 {
	case 'x':
	case 'o':
		ok = func(c byte) bool { return c >= '0' && c <= '7' }
	case 'b':
		ok = func(c byte) bool { return c == '0' || c == '1' }
	default:
		return 0
	}
	n := digits(s[2:], ok)
	if n == 0 {
		return 0
	}
	if n += 2; n < len(s) && s[n] == 'n' {
		n++
	}
	return n
}

// regex scans a regular expression that starts at the current token.
func (p *parser) regex() node {
	start := p.tok.start
	i, class := start+1, false
	for ; i < len(p.src); i++ {
		c := p.src[i]
		if c == '/' && !class {
			break
		}
		switch c {
		case '\\':
			if i++; i < len(p.src) && p.src[i] == '\n' {
				return p.fail()
			}
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return p.fail()
		}
	}
	if i >= len(p.src) || i == start+1 {
		return p.fail()
	}
	for i++; i < len(p.src) && p.src[i] >= 'a' && p.src[i] <= 'z'; {
		i++
	}
	p.resume(start, i)
	return p.done(start, otherNode)
}

// resume continues after a literal that was scanned by hand.
func (p *parser) resume(from, to int) {
	p.burn(to - from)
	p.pos, p.tok.end = to, to
	p.next()
}

// template parses a template string that starts at the current token.
func (p *parser) template() node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start := p.tok.start
	for i := start + 1; i < len(p.src); {
		rest := p.src[i:]
		switch {
		case rest[0] == '`':
			p.resume(start, i+1)
			return p.done(start, otherNode)
		case rest[0] == '\\':
			n := escapeLen(rest)
			if n == 0 {
				return p.fail()
			}
			i += n
		case strings.HasPrefix(rest, "${"):
			p.resume(i, i+2)
			p.substitution()
			if !p.is("}") {
				return p.fail()
			}
			i = p.tok.end
		default:
			i++
		}
	}
	return p.fail()
}

func (p *parser) substitution() {
	p.enclosed++
	if p.is("}") && p.makeUp() {
		p.enclosed--
		return
	}
	p.sequence()
	p.enclosed--
}
