package javacall

// expression takes an expression. Precedence does not matter to what is
// accepted or to any text, so operators and operands simply alternate.
func (p *parser) expression() bool {
	if !p.enter() {
		return false
	}
	ok := p.operations()
	p.leave()
	return ok
}

func (p *parser) operations() bool {
	if !p.operand() {
		return false
	}
	for {
		switch {
		case p.operator():
			if !p.operand() {
				return false
			}
		case p.acceptWord(wInstanceof):
			if !p.instance() {
				return false
			}
		case p.accept(tQuestion):
			if !p.expression() || !p.expect(tColon) {
				return false
			}
			if p.is(tRParen) {
				return p.lacks(wantName)
			}
			if !p.operand() {
				return false
			}
		default:
			return true
		}
	}
}

// operator takes a binary operator.
func (p *parser) operator() bool {
	switch p.tok().kind {
	case tGt:
		n, assigns := p.angles()
		if assigns {
			return false
		}
		p.pos += n
		return true
	case tBinary, tPlus, tStar, tAmp, tPipe, tLt:
		p.pos++
		return true
	}
	return false
}

// angles is the number of tokens of the operator that begins with ">", and
// whether it is an assignment (">>=", ">>>=").
func (p *parser) angles() (n int32, assigns bool) {
	n = 1
	for n < 3 && p.ahead(n).kind == tGt && p.ahead(n).start == p.ahead(n-1).end {
		n++
	}
	if next := p.ahead(n); next.kind == tEq && next.start == p.ahead(n-1).end {
		return n + 1, n > 1
	}
	return n, false
}

// assignment takes an assignment operator.
func (p *parser) assignment() bool {
	switch p.tok().kind {
	case tEq, tAssign:
		p.pos++
		return true
	case tGt:
		if n, assigns := p.angles(); assigns {
			p.pos += n
			return true
		}
	}
	return false
}

func (p *parser) instance() bool {
	p.acceptWord(wFinal)
	if p.try(p.recordPattern) {
		return true
	}
	if !p.annotatedType() {
		return false
	}
	if p.isName(setOf(wInstanceof)) {
		p.pos++
	}
	return true
}

// operand takes an operand with its prefix and postfix operators, casts and
// assignments.
func (p *parser) operand() bool {
	for {
		switch p.tok().kind {
		case tPlus, tNot, tStep:
			if p.pos++; p.is(tRParen) {
				return p.lacks(wantName)
			}
			continue
		case tLParen:
			if p.cast() {
				continue
			}
			if m := p.match(p.pos); m >= 0 && p.tokens[m+1].kind == tArrow && p.depth != p.labelDepth {
				return p.lambda()
			}
		case tWord:
			if p.ahead(1).kind == tArrow && !inExpression.has(p.tok().word) && p.depth != p.labelDepth {
				return p.lambda()
			}
			if p.isWord(wSwitch) {
				return p.switchExpression()
			}
		}
		return p.primaryOperand()
	}
}

func (p *parser) primaryOperand() bool {
	start, first := p.pos, p.mark()
	assignable, ok := p.primary()
	if !ok {
		return false
	}
	if op := p.pos; assignable && p.assignment() {
		if !p.expression() {
			return false
		}
		p.add(node{kind: nAssign, start: start, first: first, a: op})
		return true
	}
	for p.accept(tStep) {
	}
	return true
}

// cast takes "(" type ")" if it is a cast: if an operand follows that cannot
// continue an expression in parentheses.
func (p *parser) cast() bool {
	m := p.match(p.pos)
	if m < 0 {
		return false
	}
	switch next := p.tokens[m+1]; next.kind {
	case tWord:
		if next.word == wInstanceof {
			return false
		}
	case tNumber, tChar, tString, tLParen, tNot:
	case tPlus, tStep:
		if p.plainName(m) {
			return false
		}
	default:
		return false
	}
	return p.try(func() bool {
		p.pos++
		if !p.types(tAmp) || p.pos != m {
			return false
		}
		p.pos++
		return true
	})
}

// plainName reports whether there are only names and dots before m.
func (p *parser) plainName(m int32) bool {
	for _, t := range p.tokens[p.pos+1 : m] {
		if t.kind != tDot && (t.kind != tWord || t.word == wPrimitive) {
			return false
		}
	}
	return true
}

func (p *parser) lambda() bool {
	if p.is(tWord) {
		p.pos++
	} else if !p.try(p.inferredParameters) && !p.formalParameters() {
		return false
	}
	if !p.expect(tArrow) {
		return false
	}
	if p.is(tLBrace) {
		return p.block()
	}
	return p.expression()
}

func (p *parser) inferredParameters() bool {
	p.pos++
	for {
		if !p.name(inExpression) {
			return false
		}
		if !p.accept(tComma) {
			return p.expect(tRParen)
		}
	}
}

// arguments takes an argument list and notes each argument.
func (p *parser) arguments() bool {
	if !p.expect(tLParen) {
		return false
	}
	if p.accept(tRParen) {
		return true
	}
	for count := 1; ; count++ {
		start, first := p.pos, p.mark()
		if !p.expression() {
			return false
		}
		p.add(node{kind: nArgument, start: start, first: first})
		if !p.accept(tComma) {
			return p.close(tRParen)
		}
		if count > 1 && p.is(tRParen) {
			return p.lacks(wantName)
		}
	}
}

// initializer takes "{" items "}", with commas between and one at the end.
func (p *parser) initializer(item func() bool) bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.pos++
	for !p.is(tRBrace) && !p.is(tComma) {
		if !item() {
			return false
		}
		if !p.is(tComma) || p.ahead(1).kind == tRBrace {
			break
		}
		if p.pos++; p.is(tRParen) {
			return p.lacks(wantBraceWithin)
		}
	}
	p.accept(tComma)
	return p.closing(tRBrace, wantBraceWithin)
}

func (p *parser) variableInitializer() bool {
	if p.is(tLBrace) {
		return p.initializer(p.variableInitializer)
	}
	return p.expression()
}
