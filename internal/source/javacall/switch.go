package javacall

// switchExpression takes a switch, which is a statement and an expression.
func (p *parser) switchExpression() bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.pos++
	if !p.condition() || !p.expect(tLBrace) {
		return false
	}
	rules, first := false, true
	for p.isWord(wCase) || p.isWord(wDefault) {
		if !p.label() {
			return false
		}
		arrow := p.is(tArrow)
		if first {
			rules, first = arrow, false
		}
		if rules != arrow {
			return p.fail()
		}
		if !p.caseBody() {
			return false
		}
	}
	return p.close(tRBrace)
}

func (p *parser) caseBody() bool {
	if p.accept(tArrow) {
		switch {
		case p.is(tLBrace):
			return p.block()
		case p.acceptWord(wThrow):
		}
		return p.expression() && p.semicolon(false)
	}
	if !p.expect(tColon) {
		return false
	}
	for !p.is(tRBrace) && !p.is(tEOF) && !p.isWord(wCase) && !p.isDefaultLabel() {
		if !p.statementAt(false) {
			return false
		}
	}
	return true
}

func (p *parser) isDefaultLabel() bool {
	next := p.ahead(1).kind
	return p.isWord(wDefault) && (next == tColon || next == tArrow)
}

func (p *parser) label() bool {
	if p.acceptWord(wDefault) {
		return true
	}
	p.pos++
	if !p.try(p.pattern) {
		for {
			if !p.labelled() {
				return false
			}
			if !p.accept(tComma) {
				break
			}
		}
	}
	return !p.acceptWord(wWhen) || p.labelled()
}

// labelled takes one of a label's values, or its guard. An arrow after a single
// name ends the label; it does not begin a lambda.
func (p *parser) labelled() bool {
	around := p.labelDepth
	p.labelDepth = p.depth + 1
	ok := p.expression()
	p.labelDepth = around
	return ok
}

// pattern takes a type pattern or a record pattern that ends a label.
func (p *parser) pattern() bool {
	if !p.try(p.recordPattern) && (!p.typ(inExpression&^setOf(wPrimitive)) || !p.name(setOf(wInstanceof))) {
		return false
	}
	return p.is(tColon) || p.is(tArrow) || p.isWord(wWhen) || p.fail()
}

func (p *parser) recordPattern() bool {
	if !p.name(inExpression) || p.is(tLt) && !p.typeArguments() || !p.expect(tLParen) {
		return false
	}
	if p.accept(tRParen) {
		return true
	}
	if !p.enter() {
		return false
	}
	defer p.leave()
	for {
		if !p.component() {
			return false
		}
		if !p.accept(tComma) {
			return p.expect(tRParen)
		}
	}
}

func (p *parser) component() bool {
	next := p.ahead(1).kind
	switch {
	case p.is(tWord) && (next == tComma || next == tRParen):
		if p.tok().end-p.tok().start != 1 {
			return p.fail()
		}
		p.pos++
		return true
	case p.is(tWord) && next == tLParen:
		return p.recordPattern()
	}
	return p.try(p.recordPattern) || p.typ(0) && p.name(0)
}
