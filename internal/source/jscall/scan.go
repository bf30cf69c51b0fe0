package jscall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	privateToken // #name
	numberToken
	stringToken
	punctToken
	badToken
)

// A token records what came before it: whether a line ended there (outside of
// block comments), and the first two comments.
type token struct {
	span
	kind     tokenKind
	text     string
	newline  bool
	comments int
	comment  [2]span
}

// maxDepth bounds the nesting, so that no text can exhaust the stack.
const maxDepth = 10000

// A state is everything that a trial must restore if it fails.
type state struct {
	tok      token
	pos      int // where the next token's scan starts
	prevEnd  int
	bad      bool
	mended   bool
	depth    int
	enclosed int  // brackets open since the last statement began
	assigned int  // assignments open in the current arguments
	later    bool // the current argument is not the first
	found    *foundCall
	last     foundCall
}

type parser struct {
	state
	src  string
	fuel int  // bytes that may still be scanned; trials rescan
	mend bool // one missing token may be made up
}

func newParser(src string) *parser {
	return &parser{src: src, fuel: 16*len(src) + 4096}
}

// fail marks the text as refused. The parser is then at the end of the source,
// so that every loop ends.
func (p *parser) fail() node {
	p.bad = true
	p.pos = len(p.src)
	p.tok = token{span: span{p.pos, p.pos}}
	return node{}
}

func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail()
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

func (p *parser) is(text string) bool { return p.tok.kind == punctToken && p.tok.text == text }

func (p *parser) isWord(text string) bool { return p.tok.kind == wordToken && p.tok.text == text }

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptWord(text string) bool {
	if p.isWord(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail()
	}
}

// peek is the token after the current one.
func (p *parser) peek() token {
	saved := p.state
	p.next()
	t := p.tok
	p.state = saved
	return t
}

// next scans the next token.
func (p *parser) next() {
	if p.bad {
		return
	}
	p.prevEnd = p.tok.end
	from := p.pos
	p.tok = token{}
	p.skipSpace()
	p.tok.start = p.pos
	p.scanToken()
	p.tok.end = p.pos
	p.tok.text = p.src[p.tok.start:p.pos]
	p.burn(p.pos - from + 1)
}

func (p *parser) burn(n int) {
	if p.fuel -= n; p.fuel < 0 {
		p.fail()
	}
}

func (p *parser) scanToken() {
	if p.pos >= len(p.src) {
		p.tok.kind = endToken
		return
	}
	c := p.src[p.pos]
	switch {
	case c == '"' || c == '\'':
		p.tok.kind = p.scanString(c)
	case digit(c) || c == '.' && p.pos+1 < len(p.src) && digit(p.src[p.pos+1]):
		p.pos += numberLen(p.src[p.pos:])
		p.tok.kind = numberToken
	case c == '#':
		p.pos++
		p.tok.kind = badToken
		if p.scanWord() {
			p.tok.kind = privateToken
		}
	case p.scanWord():
		p.tok.kind = wordToken
	default:
		p.scanPunct()
	}
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '\n':
			p.tok.newline = true
			p.pos++
		case c == ' ' || c >= '\t' && c <= '\r':
			p.pos++
		case c == '/' && p.skipComment():
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(p.src[p.pos:])
			if !space(r) {
				return
			}
			p.tok.newline = p.tok.newline || r == 0x2028 || r == 0x2029
			p.pos += size
		default:
			return
		}
	}
}

func (p *parser) skipComment() bool {
	rest := p.src[p.pos:]
	n := -1
	switch {
	case strings.HasPrefix(rest, "//"):
		if n = strings.IndexByte(rest, '\n'); n < 0 {
			n = len(rest)
		}
	case strings.HasPrefix(rest, "/*"):
		if n = strings.Index(rest[2:], "*/"); n >= 0 {
			n += 4
		}
	}
	if n < 0 {
		return false
	}
	if p.tok.comments < len(p.tok.comment) {
		p.tok.comment[p.tok.comments] = span{p.pos, p.pos + n}
	}
	p.tok.comments++
	p.pos += n
	return true
}

// space reports whether r is white space beyond ASCII that the grammar skips.
func space(r rune) bool {
	switch r {
	case 0x2028, 0x2029, 0xfeff, 0x2060, 0x200b:
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func hexDigit(c byte) bool {
	return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// puncts are the operators of more than one character. An operator that starts
// with another one comes before it.
var puncts = [...]string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "**", "<<", ">>",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
}

func (p *parser) scanPunct() {
	p.tok.kind = punctToken
	rest := p.src[p.pos:]
	switch rest[0] {
	case '(', ')', '[', ']', '{', '}', ',', ';', ':', '~', '@', '`':
		p.pos++
		return
	}
	long := puncts[:]
	if len(rest) < 2 || strings.IndexByte("=>&|?.+-*<", rest[1]) < 0 {
		long = nil
	}
	for _, op := range long {
		if rest[0] == op[0] && strings.HasPrefix(rest, op) && !(op == "?." && len(rest) > 2 && digit(rest[2])) {
			p.pos += len(op)
			return
		}
	}
	if strings.IndexByte("=+-*/%<>&|^!?.", rest[0]) < 0 {
		p.tok.kind = badToken
	}
	p.pos++
}

// notInWord are the ASCII characters that end an identifier.
const notInWord = " :;`\"'@#.,|^&<=>+-*/\\%?!~()[]{}"

var wordBytes = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		is[c] = c > ' ' && strings.IndexByte(notInWord, byte(c)) < 0
	}
	return is
}()

func wordByte(c byte) bool { return c < utf8.RuneSelf && wordBytes[c] }

// scanWord scans an identifier: nearly every character beyond ASCII belongs
// to one, emoji too.
func (p *parser) scanWord() bool {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		n := 1
		switch {
		case c == '\\':
			if n = unicodeEscapeLen(p.src[p.pos+1:]); n == 0 {
				return p.pos > start
			}
			n++
		case c >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRuneInString(p.src[p.pos:]); space(r) {
				return p.pos > start
			}
		case !wordByte(c) || p.pos == start && digit(c):
			return p.pos > start
		}
		p.pos += n
	}
	return p.pos > start
}
