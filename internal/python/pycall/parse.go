package pycall

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDepth bounds the nesting of a tree, about where CPython 3.11 raises
// RecursionError while it builds its own.
const maxDepth = 2900

// A parser reads one expression. Its first failure stays in err; from then on
// every token is tError, so that all loops end.
type parser struct {
	src       string
	end       int // end of the current token
	pos       int // start of the current token
	quote     int // first quote of the current string token
	brackets  int
	level     int
	used      int // nodes taken from the current chunk
	work      int // bytes of computed results, see spend
	tok       token
	lineStart bool
	whole     bool   // see ParseWhole
	text      string // the current name
	nodes     []node
	kept      []node // the first chunk, while a later one is in use
	names     *pyval.Names
	buf       []byte // scratch for unparse
	args      []Arg  // stack of the arguments of the calls that are run
	err       error
	bad       node
}

func (p *parser) reset(text string) {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	p.src, p.lineStart = text, true
	switch i := strings.IndexByte(text, 0); {
	case len(text) > 1<<30:
		p.syntax(0, "text too long")
	case i >= 0:
		p.syntax(i, "source code string cannot contain null bytes")
	case !utf8.ValidString(text):
		p.fail("UnicodeEncodeError", 0, "surrogates or invalid UTF-8")
	}
	p.advance()
}

// fail keeps the first failure and returns a node to continue with.
func (p *parser) fail(class string, at int, msg string) *node {
	if p.err == nil {
		p.err = &Error{Class: class, Msg: msg, Offset: at}
	}
	p.tok = tError
	p.bad = node{depth: 1}
	return &p.bad
}

func (p *parser) syntax(at int, msg string) *node { return p.fail("SyntaxError", at, msg) }

func (p *parser) unexpected() *node { return p.syntax(p.pos, "invalid syntax") }

func (p *parser) expect(t token) {
	if p.tok != t {
		p.unexpected()
		return
	}
	p.advance()
}

func (p *parser) take(t token) bool {
	if p.tok != t {
		return false
	}
	p.advance()
	return true
}

// deeper guards the grammar's right recursions.
func (p *parser) deeper() bool {
	if p.level++; p.level > maxDepth {
		p.fail("RecursionError", p.pos, "nested too deeply")
		return false
	}
	return true
}

// eval is the grammar's start rule: expressions NEWLINE* ENDMARKER.
func (p *parser) eval() *node {
	pos := p.pos
	n := p.expression()
	if p.tok == tComma {
		n = p.new(kTuple, pos, n)
		for p.take(tComma) {
			if p.tok == tNewline || p.tok == tEnd {
				break
			}
			p.add(n, p.expression())
		}
	}
	for p.take(tNewline) {
	}
	if p.tok != tEnd {
		p.unexpected()
	}
	return n
}

// namedExpression reads NAME := expression, or an expression.
func (p *parser) namedExpression() *node {
	if p.tok != tName || !p.follows(":=") {
		return p.expression()
	}
	pos := p.pos
	target := p.nameNode()
	p.advance()
	return p.new(kNamed, pos, target, p.expression())
}

// starNamed reads an element of a display: *value, or a named expression.
func (p *parser) starNamed() *node {
	if p.tok != tStar {
		return p.namedExpression()
	}
	return p.starred(p.binaryOrLooser)
}

func (p *parser) starred(value func() *node) *node {
	pos := p.pos
	p.advance()
	return p.new(kStarred, pos, value())
}

func (p *parser) nameNode() *node {
	n := p.new(kName, p.pos)
	n.text = p.text
	p.advance()
	return n
}

// expression reads a conditional expression, a disjunction or a lambda.
func (p *parser) expression() *node {
	if !p.deeper() {
		return &p.bad
	}
	n := p.conditional()
	p.level--
	return n
}

func (p *parser) conditional() *node {
	pos := p.pos
	switch p.tok {
	case tLambda:
		return p.lambda()
	case tName, tNumber, tString, tTrue, tFalse, tNone:
		if p.alone() {
			return p.atom()
		}
	}
	body := p.disjunction()
	if p.tok != tIf {
		return body
	}
	p.advance()
	test := p.disjunction()
	p.expect(tElse)
	return p.new(kIf, pos, body, test, p.expression())
}

// alone reports whether a comma or a closing bracket follows the current token,
// as in most arguments, so that it is a whole operand. This saves going through
// all the grammar's levels.
func (p *parser) alone() bool {
	if p.end >= len(p.src) {
		return false
	}
	switch p.src[p.end] {
	case ',', ')', ']', '}':
		return true
	}
	return false
}

func (p *parser) disjunction() *node { return p.joined(tBoolOr, (*parser).conjunction) }

func (p *parser) conjunction() *node { return p.joined(tBoolAnd, (*parser).inversion) }

// joined reads one operand or several with an operator between them.
func (p *parser) joined(op token, operand func(*parser) *node) *node {
	pos := p.pos
	n := operand(p)
	if p.tok != op {
		return n
	}
	n = p.new(kBool, pos, n)
	n.op = op
	for p.take(op) {
		p.add(n, operand(p))
	}
	return n
}

func (p *parser) inversion() *node {
	if p.tok != tNot {
		return p.comparison()
	}
	return p.unary(p.inversion)
}

func (p *parser) unary(operand func() *node) *node {
	if !p.deeper() {
		return &p.bad
	}
	pos, op := p.pos, p.tok
	p.advance()
	n := p.new(kUnary, pos, operand())
	n.op = op
	p.level--
	return n
}

func (p *parser) comparison() *node {
	pos := p.pos
	n := p.binaryOrLooser()
	op := p.comparator()
	if op == tError {
		return n
	}
	n = p.new(kCompare, pos, n)
	for ; op != tError; op = p.comparator() {
		pos := p.pos
		value := p.new(kComparand, pos, p.binaryOrLooser())
		value.op = op
		p.add(n, value)
	}
	return n
}

// comparator reads a comparison operator. It returns tError if there is none.
func (p *parser) comparator() token {
	op := p.tok
	switch op {
	case tEqual, tNotEqual, tLess, tLessEqual, tGreater, tGreaterEqual, tIn:
		p.advance()
	case tIs:
		if p.advance(); p.take(tNot) {
			return tIsNot
		}
	case tNot:
		p.advance()
		p.expect(tIn)
		return tNotIn
	default:
		return tError
	}
	return op
}

// tightness is the precedence of the left-associative binary operators.
var tightness = [256]int8{
	tOr: 1, tXor: 2, tAnd: 3, tLeftShift: 4, tRightShift: 4, tPlus: 5, tMinus: 5,
	tStar: 6, tSlash: 6, tDoubleSlash: 6, tPercent: 6, tAt: 6,
}

// binaryOrLooser is the grammar's bitwise_or.
func (p *parser) binaryOrLooser() *node { return p.binary(1) }

func (p *parser) binary(loosest int8) *node {
	pos := p.pos
	left := p.factor()
	for {
		tight := tightness[p.tok]
		if tight < loosest || tight == 0 {
			return left
		}
		op := p.tok
		p.advance()
		left = p.new(kBinary, pos, left, p.binary(tight+1))
		left.op = op
	}
}

func (p *parser) factor() *node {
	switch p.tok {
	case tPlus, tMinus, tTilde:
		return p.unary(p.factor)
	}
	pos := p.pos
	base := p.awaited()
	if p.tok != tDoubleStar {
		return base
	}
	if !p.deeper() {
		return &p.bad
	}
	p.advance()
	n := p.new(kBinary, pos, base, p.factor())
	n.op = tDoubleStar
	p.level--
	return n
}

func (p *parser) awaited() *node {
	if p.tok != tAwait {
		return p.primary()
	}
	pos := p.pos
	p.advance()
	return p.new(kAwait, pos, p.primary())
}

// primary reads an atom and the attributes, calls and subscripts after it.
func (p *parser) primary() *node {
	pos := p.pos
	n := p.atom()
	for {
		switch p.tok {
		case tDot:
			if p.advance(); p.tok != tName {
				return p.unexpected()
			}
			n = p.new(kAttribute, pos, n)
			n.text = p.text
			p.advance()
		case tLeftParen:
			n = p.arguments(p.new(kCall, pos, n))
		case tLeftBracket:
			p.advance()
			n = p.new(kSubscript, pos, n, p.index())
			p.expect(tRightBracket)
		default:
			return n
		}
	}
}
