package pycall

import "github.com/gobfcl/bfcl/internal/python/pyval"

func (p *parser) atom() *node {
	switch p.tok {
	case tName:
		return p.nameNode()
	case tTrue:
		return p.constant(pyval.Bool(true))
	case tFalse:
		return p.constant(pyval.Bool(false))
	case tNone:
		return p.constant(pyval.None)
	case tEllipsis:
		return p.constant(pyval.Ellipsis)
	case tNumber:
		v, err := Number(p.src[p.pos:p.end])
		if err != nil {
			return p.syntax(p.pos, err.Error())
		}
		return p.constant(v)
	case tString:
		return p.strings()
	case tLeftParen:
		return p.parenthesised()
	case tLeftBracket:
		return p.list()
	case tLeftBrace:
		return p.braces()
	}
	return p.unexpected()
}

func (p *parser) constant(v pyval.Value) *node {
	n := p.new(kConst, p.pos)
	n.val = v
	p.advance()
	return n
}

// parenthesised reads a tuple, a group or a generator expression.
func (p *parser) parenthesised() *node {
	pos := p.pos
	p.advance()
	if p.tok == tRightParen {
		p.advance()
		return p.new(kTuple, pos)
	}
	if p.tok == tYield {
		n := p.yield()
		p.expect(tRightParen)
		return n
	}
	n := p.starNamed()
	switch {
	case p.tok == tComma:
		n = p.elements(p.new(kTuple, pos, n), tRightParen)
	case n.kind == kStarred:
		return p.unexpected()
	case p.atFor():
		n = p.clauses(p.new(kGenerator, pos, n))
	}
	p.expect(tRightParen)
	return n
}

// elements reads the rest of a display after its first element, up to the
// closing bracket.
func (p *parser) elements(n *node, closing token) *node {
	for p.take(tComma) && p.tok != closing {
		p.add(n, p.starNamed())
	}
	return n
}

func (p *parser) yield() *node {
	pos := p.pos
	p.advance()
	if p.take(tFrom) {
		return p.new(kYieldFrom, pos, p.expression())
	}
	n := p.new(kYield, pos)
	if p.tok != tRightParen {
		p.add(n, p.several((*parser).starExpression, tRightParen))
	}
	return n
}

func (p *parser) several(item func(*parser) *node, closing token) *node {
	pos := p.pos
	n := item(p)
	if p.tok != tComma {
		return n
	}
	n = p.new(kTuple, pos, n)
	for p.take(tComma) && p.tok != closing {
		p.add(n, item(p))
	}
	return n
}

func (p *parser) starExpression() *node {
	if p.tok == tStar {
		return p.starred(p.binaryOrLooser)
	}
	return p.expression()
}

func (p *parser) list() *node {
	n := p.new(kList, p.pos)
	p.advance()
	if p.tok != tRightBracket {
		first := p.starNamed()
		p.add(n, first)
		if p.atFor() && first.kind != kStarred {
			n.kind = kListComp
			p.clauses(n)
		} else {
			p.elements(n, tRightBracket)
		}
	}
	p.expect(tRightBracket)
	return n
}

// braces reads a dict, a set or a comprehension of either.
func (p *parser) braces() *node {
	n := p.new(kDict, p.pos)
	p.advance()
	switch p.tok {
	case tRightBrace:
		p.advance()
		return n
	case tDoubleStar:
		p.add(n, p.unpacked())
		return p.pairs(n)
	}
	pos := p.pos
	first := p.starNamed()
	if p.tok == tColon && first.kind != kStarred && first.kind != kNamed || p.tok == tColon && p.src[pos] == '(' {
		p.add(n, p.pair(pos, first))
		if !p.atFor() {
			return p.pairs(n)
		}
		n.kind = kDictComp
		p.clauses(n)
		p.expect(tRightBrace)
		return n
	}
	n.kind = kSet
	p.add(n, first)
	if p.atFor() && first.kind != kStarred {
		n.kind = kSetComp
		p.clauses(n)
	} else {
		p.elements(n, tRightBrace)
	}
	p.expect(tRightBrace)
	return n
}

func (p *parser) pair(pos int, key *node) *node {
	p.expect(tColon)
	return p.new(kPair, pos, key, p.expression())
}

func (p *parser) unpacked() *node {
	pos := p.pos
	p.advance()
	return p.new(kUnpack, pos, p.binaryOrLooser())
}

// pairs reads the rest of a dict display after its first item.
func (p *parser) pairs(n *node) *node {
	for p.take(tComma) && p.tok != tRightBrace {
		if p.tok == tDoubleStar {
			p.add(n, p.unpacked())
			continue
		}
		pos := p.pos
		p.add(n, p.pair(pos, p.expression()))
	}
	p.expect(tRightBrace)
	return n
}

func (p *parser) atFor() bool { return p.tok == tFor || p.tok == tAsync }

// clauses reads the for and if clauses of a comprehension.
func (p *parser) clauses(n *node) *node {
	for p.atFor() {
		pos, async := p.pos, p.take(tAsync)
		p.expect(tFor)
		clause := p.new(kFor, pos, p.several((*parser).target, tIn))
		p.expect(tIn)
		p.add(clause, p.disjunction())
		for p.take(tIf) {
			p.add(clause, p.disjunction())
		}
		if async {
			clause.op = 1
		}
		p.add(n, clause)
	}
	return n
}

func (p *parser) target() *node {
	if p.tok == tStar {
		pos := p.pos
		p.advance()
		return p.new(kStarred, pos, p.assignable(p.primary()))
	}
	return p.assignable(p.primary())
}

func (p *parser) assignable(n *node) *node {
	if p.err == nil && !isTarget(n) {
		return p.syntax(int(n.pos), "cannot assign to this")
	}
	return n
}

func isTarget(n *node) bool {
	switch n.kind {
	case kName, kAttribute, kSubscript:
		return true
	case kTuple, kList:
		for e := n.first; e != nil; e = e.next {
			if e.kind == kStarred && isTarget(e.first) {
				continue
			}
			if !isTarget(e) {
				return false
			}
		}
		return true
	}
	return false
}
