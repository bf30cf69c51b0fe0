package javacall

// program takes a whole text: statements and methods.
func (p *parser) program() bool {
	for !p.is(tEOF) {
		if !p.statementAt(true) {
			return false
		}
		p.body.done++
		p.body.outer++
	}
	return true
}

// block takes "{" statements "}".
func (p *parser) block() bool {
	return p.expect(tLBrace) && p.statements() && p.close(tRBrace)
}

func (p *parser) statements() bool {
	return p.sequence(func() bool { return p.statementAt(false) })
}

// sequence takes items up to the "}" that ends them.
func (p *parser) sequence(item func() bool) bool {
	around := p.body
	p.body = body{first: p.pos, outer: around.outer, nested: true}
	for !p.is(tRBrace) && !p.is(tEOF) {
		if p.is(tRParen) || p.is(tRBracket) || p.is(tComma) {
			return p.lacks(wantBrace)
		}
		if !item() {
			return false
		}
		p.body.done++
	}
	p.body = around
	return true
}

// statementAt takes a statement; on the top level also a method.
func (p *parser) statementAt(top bool) bool {
	if !p.enter() {
		return false
	}
	ok := p.anyStatement(top)
	p.leave()
	return ok
}

func (p *parser) anyStatement(top bool) bool {
	switch p.tok().kind {
	case tSemi:
		p.pos++
		return true
	case tLBrace:
		return p.block()
	case tAt, tAtInterface:
		return p.declaration(top)
	case tLt:
		return p.declaration(top)
	case tWord:
		return p.wordStatement(top)
	}
	return p.expressionStatement()
}

func (p *parser) wordStatement(top bool) bool {
	w, next := p.tok().word, p.ahead(1)
	switch {
	case w == wSynchronized && next.kind == tLParen:
		p.pos++
		return p.condition() && p.block()
	case w == wYield:
		if next.kind != tEq && next.kind != tDot && next.kind != tLParen && next.kind != tSemi &&
			p.try(func() bool { p.pos++; return p.expression() && p.semicolon(false) }) {
			return true
		}
	case modifiers.has(w) && !reserved.has(w), w == wClass, w == wInterface, w == wEnum:
		return p.declaration(top)
	case reserved.has(w) && p.try(func() bool { return p.declaration(top) }):
		return true
	case next.kind == tColon && !inStatement.has(w) && !reserved.has(w):
		p.pos += 2
		p.body.outer += 2
		return p.statementAt(false)
	}
	if parse := p.keyword(w); parse != nil {
		p.pos++
		return parse()
	}
	return p.local(top)
}

// keyword is the parser of what follows a statement's keyword.
func (p *parser) keyword(w word) func() bool {
	switch w {
	case wAssert:
		return p.assert
	case wBreak, wContinue:
		return func() bool { p.acceptName(); return p.semicolon(true) }
	case wDo:
		return func() bool {
			return p.statementAt(false) && p.word(wWhile) && p.condition() && p.semicolon(false)
		}
	case wFor:
		return p.loop
	case wIf:
		return p.branch
	case wReturn:
		return func() bool {
			return (p.is(tSemi) || p.is(tRBrace) || p.is(tEOF) || p.expression()) && p.semicolon(true)
		}
	case wThrow:
		return func() bool { return p.expression() && p.semicolon(false) }
	case wTry:
		return p.attempt
	case wWhile:
		return func() bool { return p.condition() && p.statementAt(false) }
	case wImport:
		return p.imports
	case wPackage:
		return func() bool { return p.qualified() && p.semicolon(false) }
	}
	return nil
}

func (p *parser) acceptName() {
	if p.is(tWord) {
		p.pos++
	}
}

// local takes a variable declaration, a method on the top level, or else an
// expression statement.
func (p *parser) local(top bool) bool {
	if p.try(func() bool { return p.typ(inExpression&^setOf(wPrimitive)) && p.isName(setOf(wInstanceof)) }) {
		return p.declared(top)
	}
	return p.expressionStatement()
}

// declared takes what follows the type of a variable or method.
func (p *parser) declared(method bool) bool {
	if method && p.ahead(1).kind == tLParen {
		p.pos++
		return p.methodRest()
	}
	return p.variables() && p.semicolon(false)
}

func (p *parser) expressionStatement() bool {
	if p.is(tWord) && p.isWord(wSwitch) {
		if !p.switchExpression() {
			return false
		}
		if p.is(tSemi) || !p.continues() {
			return true
		}
		return p.fail()
	}
	return p.expression() && p.semicolon(true)
}

// continues reports whether the token can only continue an expression.
func (p *parser) continues() bool {
	switch p.tok().kind {
	case tDot, tBinary, tQuestion, tColons:
		return true
	}
	return false
}

func (p *parser) condition() bool {
	return p.expect(tLParen) && p.expression() && p.close(tRParen)
}

func (p *parser) assert() bool {
	if !p.expression() {
		return false
	}
	if p.accept(tColon) && !p.expression() {
		return false
	}
	return p.semicolon(false)
}

// branch takes the rest of an if statement and of the if statements in its else
// chain.
func (p *parser) branch() bool {
	for {
		if !p.condition() || !p.statementAt(false) {
			return false
		}
		if !p.acceptWord(wElse) {
			return true
		}
		if !p.acceptWord(wIf) {
			return p.statementAt(false)
		}
	}
}

func (p *parser) loop() bool {
	if !p.expect(tLParen) {
		return false
	}
	if p.try(p.eachHead) {
		return p.statementAt(false)
	}
	return p.loopHead() && p.statementAt(false)
}

func (p *parser) eachHead() bool {
	return p.modifiers() && p.typ(reserved) && p.name(0) && p.dimensions() &&
		p.expect(tColon) && p.expression() && p.expect(tRParen)
}

func (p *parser) loopHead() bool {
	declares := func() bool {
		return p.modifiers() && p.typ(inExpression&^setOf(wPrimitive)) && p.isName(setOf(wInstanceof))
	}
	switch {
	case p.try(declares):
		if !p.variables() || !p.expect(tSemi) {
			return false
		}
	case !p.expressions(tSemi):
		return false
	}
	if !p.is(tSemi) && !p.expression() {
		return false
	}
	return p.expect(tSemi) && p.expressions(tRParen)
}

// expressions takes expressions with commas between, and the token at their
// end.
func (p *parser) expressions(end kind) bool {
	if p.accept(end) {
		return true
	}
	for p.expression() {
		if !p.accept(tComma) {
			return p.expect(end)
		}
	}
	return false
}

// attempt takes the rest of a try statement.
func (p *parser) attempt() bool {
	resources := p.is(tLParen)
	if resources && !p.resources() || !p.block() {
		return false
	}
	clauses := 0
	for ; p.acceptWord(wCatch); clauses++ {
		if !p.expect(tLParen) || !p.modifiers() || !p.types(tPipe) || !p.name(0) ||
			!p.dimensions() || !p.expect(tRParen) || !p.block() {
			return false
		}
	}
	if p.acceptWord(wFinally) {
		return p.block()
	}
	return resources || clauses > 0 || p.fail()
}

func (p *parser) resources() bool {
	p.pos++
	for {
		declares := func() bool { return p.modifiers() && p.typ(reserved) && p.name(0) && p.dimensions() && p.expect(tEq) }
		p.try(declares)
		if !p.expression() {
			return false
		}
		if !p.accept(tSemi) || p.is(tRParen) {
			return p.expect(tRParen)
		}
	}
}

func (p *parser) imports() bool {
	p.acceptWord(wStatic)
	if !p.qualified() {
		return false
	}
	if p.accept(tDot) && !p.expect(tStar) {
		return false
	}
	return p.semicolon(false)
}
