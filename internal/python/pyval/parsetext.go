package pyval

import (
	"strings"
	"unicode/utf8"
)

// str reads a string that starts at p.i with a quote.
func (p *jsonParser) str() (string, error) {
	start := p.i + 1
	i := start + plainASCII(p.s[start:])
	if i < len(p.s) && p.s[i] == '"' {
		p.i = i + 1
		return p.s[start:i], nil
	}
	p.i = i
	return p.unusual(start)
}

// unusual reads the rest of a string that began at start, from its first
// character that is not plain.
func (p *jsonParser) unusual(start int) (string, error) {
	for ; p.i < len(p.s); p.i++ {
		if p.i += plainASCII(p.s[p.i:]); p.i == len(p.s) {
			break
		}
		switch c := p.s[p.i]; {
		case c == '"':
			text := p.s[start:p.i]
			if !utf8.ValidString(text) {
				p.odd = true
				if !ValidText(text) {
					return "", p.fail(start, "invalid UTF-8 in string")
				}
			}
			p.i++
			return text, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail(p.i, "raw control character in string")
		}
	}
	return "", p.fail(start-1, "unterminated string")
}

// escaped reads the rest of a string that began at start, from its first
// backslash.
func (p *jsonParser) escaped(start int) (string, error) {
	buf := append(p.buf[:0], p.s[start:p.i]...)
	defer func() { p.buf = buf }()
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == '"':
			p.i++
			if p.check && utf8.Valid(buf) {
				return "", nil
			}
			p.odd = true
			if text := string(buf); ValidText(text) {
				return text, nil
			}
			return "", p.fail(start, "invalid UTF-8 in string")
		case c < ' ':
			return "", p.fail(p.i, "raw control character in string")
		case c != '\\':
			plain := p.i
			p.plain()
			buf = append(buf, p.s[plain:p.i]...)
			continue
		}
		var err error
		if buf, err = p.escape(buf); err != nil {
			return "", err
		}
	}
	return "", p.fail(start-1, "unterminated string")
}

// plain skips the characters that stand for themselves in a string.
func (p *jsonParser) plain() {
	for p.i < len(p.s) {
		if p.i += plainASCII(p.s[p.i:]); p.i == len(p.s) {
			return
		}
		if c := p.s[p.i]; c == '"' || c == '\\' || c < ' ' {
			return
		}
		p.i++
	}
}

const escapeFrom, escapeTo = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

func (p *jsonParser) escape(buf []byte) ([]byte, error) {
	at := p.i
	p.i++
	if p.i >= len(p.s) {
		return nil, p.fail(at, "unterminated string")
	}
	c := p.s[p.i]
	p.i++
	p.odd = p.odd || c == '/' || c == 'u'
	if k := strings.IndexByte(escapeFrom, c); k >= 0 {
		return append(buf, escapeTo[k]), nil
	}
	if c != 'u' {
		return nil, p.fail(at, `unknown escape in string`)
	}
	r, ok := p.hex4()
	if !ok {
		return nil, p.fail(at, `\u needs four hexadecimal digits`)
	}
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.s[p.i:], `\u`) {
		back := p.i
		p.i += 2
		low, ok := p.hex4()
		if ok && low >= 0xdc00 && low < 0xe000 {
			return AppendRune(buf, 0x10000+(r-0xd800)<<10+(low-0xdc00)), nil
		}
		p.i = back
	}
	return AppendRune(buf, r), nil
}

func (p *jsonParser) hex4() (rune, bool) {
	if p.i+4 > len(p.s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.s[p.i : p.i+4]) {
		k := strings.IndexByte(hexDigits, c|0x20)
		if c >= '0' && c <= '9' {
			k = int(c - '0')
		}
		if k < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(k)
	}
	p.i += 4
	return r, true
}
