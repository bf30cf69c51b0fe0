package pycall

import (
	"strings"
	"unicode/utf8"
)

// maxBrackets is CPython's MAXLEVEL, the most brackets open at once.
const maxBrackets = 200

// advance reads the next token. After a failure it stays at tError.
func (p *parser) advance() {
	if p.err != nil {
		p.tok = tError
		return
	}
	if p.lineStart && p.brackets == 0 && !p.indentation() {
		return
	}
	p.pos = p.skipBlanks(p.end)
	if p.pos < 0 {
		p.syntax(p.end, "unexpected text or end after a line continuation")
		return
	}
	p.end = p.pos
	if p.pos >= len(p.src) {
		p.tok = tEnd
		return
	}
	switch c := p.src[p.pos]; {
	case c == '\n':
		p.end++
		p.tok, p.lineStart = tNewline, true
	case isNameByte(c) && !isDigit(c):
		p.name()
	case isDigit(c) || c == '.' && p.pos+1 < len(p.src) && isDigit(p.src[p.pos+1]):
		p.number()
	case c == '"' || c == '\'':
		p.quoted(p.pos)
	default:
		p.operator()
	}
}

// indentation skips blank lines and comments at the start of a line; a first
// line that is indented is CPython's IndentationError.
func (p *parser) indentation() bool {
	for {
		i, col, kept := p.end, 0, 0
		for ; i < len(p.src); i++ {
			switch c := p.src[i]; {
			case c == ' ':
				col++
				continue
			case c == '\t':
				col = (col/8 + 1) * 8
				continue
			case c == '\f':
				col = 0
				continue
			case c == '\\' && i+2 < len(p.src) && p.src[i+1] == '\n':
				if kept == 0 {
					kept = col
				}
				i++
				continue
			}
			break
		}
		if i < len(p.src) && p.src[i] == '#' {
			i = lineEnd(p.src, i)
		}
		if i < len(p.src) && p.src[i] == '\n' {
			p.end = i + 1
			continue
		}
		if i < len(p.src) && (kept > 0 || col > 0) && !p.whole {
			p.fail("IndentationError", i, "unexpected indent")
			return false
		}
		p.end, p.lineStart = i, false
		return true
	}
}

func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// skipBlanks returns the start of the next token from i on, or -1 at a
// backslash that does not continue the line. Newlines count as blanks within
// brackets.
func (p *parser) skipBlanks(i int) int {
	for ; i < len(p.src); i++ {
		switch c := p.src[i]; c {
		case ' ', '\t', '\f':
		case '\n':
			if p.brackets == 0 {
				return i
			}
		case '#':
			i = lineEnd(p.src, i) - 1
		case '\\':
			if i+2 >= len(p.src) || p.src[i+1] != '\n' {
				return -1
			}
			i++
		default:
			return i
		}
	}
	return i
}

// follows reports whether the token after the current one is this operator of
// one or two characters, without moving.
func (p *parser) follows(op string) bool {
	i := p.end
	if i >= len(p.src) || p.src[i] != op[0] {
		if i = p.skipBlanks(i); i < 0 {
			return false
		}
	}
	if !strings.HasPrefix(p.src[i:], op) {
		return false
	}
	return op != "=" || !strings.HasPrefix(p.src[i:], "==")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNameByte reports whether CPython's tokenizer takes a byte into a name
// before it looks at the name more closely.
func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || isDigit(c) || c >= utf8.RuneSelf
}

func (p *parser) name() {
	i, ascii := p.pos, true
	for ; i < len(p.src) && isNameByte(p.src[i]); i++ {
		ascii = ascii && p.src[i] < utf8.RuneSelf
	}
	text := p.src[p.pos:i]
	if i < len(p.src) && (p.src[i] == '"' || p.src[i] == '\'') && isPrefix(text) {
		p.quoted(i)
		return
	}
	p.end, p.text = i, text
	if ascii {
		if p.tok = keyword(text); p.whole {
			switch text {
			case "true":
				p.tok = tTrue
			case "false":
				p.tok = tFalse
			case "null":
				p.tok = tNone
			}
		}
		return
	}
	if p.text = identifier(text); p.text == "" {
		p.syntax(p.pos, "invalid character in a name")
		return
	}
	p.tok = tName
}

// quoted skips a string literal whose first quote is at i.
func (p *parser) quoted(i int) {
	quote, triple := p.src[i], false
	body := i + 1
	if i+2 < len(p.src) && p.src[i+1] == quote && p.src[i+2] == quote {
		triple, body = true, body+2
	}
	for j := body; j < len(p.src); j++ {
		switch c := p.src[j]; {
		case c == '\\':
			j++
		case c == '\n' && !triple && !p.whole:
			p.syntax(p.pos, "unterminated string literal")
			return
		case c == quote && !triple:
			p.tok, p.quote, p.end = tString, i, j+1
			return
		case c == quote && strings.HasPrefix(p.src[j:], p.src[body-3:body]):
			p.tok, p.quote, p.end = tString, i, j+3
			return
		}
	}
	p.syntax(p.pos, "unterminated string literal")
}

func (p *parser) operator() {
	c := p.src[p.pos]
	switch c {
	case ',':
		p.tok, p.end = tComma, p.pos+1
	case '(', '[', '{':
		p.tok, p.end = single[c], p.pos+1
		if p.brackets++; p.brackets > maxBrackets {
			p.syntax(p.pos, "too many nested parentheses")
		}
	case ')', ']', '}':
		p.tok, p.end = single[c], p.pos+1
		if p.brackets--; p.brackets < 0 {
			p.syntax(p.pos, "unmatched closing bracket")
		}
	default:
		tok, size := operatorAt(p.src[p.pos:])
		p.tok, p.end = tok, p.pos+size
		if tok == tError {
			p.syntax(p.pos, "invalid character")
		}
	}
}
