package javacall

// modifiers takes modifiers and annotations.
func (p *parser) modifiers() bool {
	for {
		switch {
		case p.is(tAt):
			if !p.annotations() {
				return false
			}
		case modifiers.has(p.tok().word) && p.modifierAhead():
			p.pos++
		default:
			return true
		}
	}
}

// modifierAhead distinguishes a modifier from the same word as a name: "sealed x".
func (p *parser) modifierAhead() bool {
	return !p.isWord(wSealed) || p.ahead(1).kind == tWord
}

// declaration takes modifiers and what they belong to.
func (p *parser) declaration(top bool) bool {
	if !p.modifiers() {
		return false
	}
	w, next := p.tok().word, p.ahead(1)
	switch {
	case p.is(tAtInterface), w == wClass, w == wInterface, w == wEnum, w == wRecord && next.kind == tWord:
		return p.nested()
	case w == wPackage:
		p.pos++
		return p.qualified() && p.semicolon(false)
	case w == wModule && next.kind == tWord, w == wOpen && next.word == wModule:
		return p.module()
	case top && p.is(tLt):
		return p.typeParameters() && p.annotations() && p.typ(reserved) && p.name(0) && p.methodRest()
	}
	return p.typ(reserved) && (p.isName(0) || p.fail()) && p.declared(top)
}

// nested takes a class, record, interface, enum or annotation type.
func (p *parser) nested() bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	w := p.tok().word
	p.pos++
	if !p.name(0) {
		return false
	}
	if p.is(tLt) && !p.typeParameters() || w == wRecord && !p.formalParameters() {
		return false
	}
	for _, clause := range [...]word{wExtends, wImplements, wPermits} {
		if p.acceptWord(clause) && !p.types(tComma) {
			return false
		}
	}
	if !p.is(tLBrace) {
		return p.fail()
	}
	if w == wEnum {
		return p.enumBody()
	}
	return p.classBody(p.classMember)
}

func (p *parser) classBody(member func() bool) bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.pos++
	return p.sequence(member) && p.close(tRBrace)
}

// classMember takes one member of a class.
func (p *parser) classMember() bool {
	switch {
	case p.accept(tSemi):
		return true
	case p.is(tLBrace):
		return p.block()
	case p.isWord(wStatic) && p.ahead(1).kind == tLBrace:
		p.pos++
		return p.block()
	}
	if !p.modifiers() {
		return false
	}
	w := p.tok().word
	if p.is(tAtInterface) || w == wClass || w == wInterface || w == wEnum || w == wRecord && p.ahead(1).kind == tWord {
		return p.nested()
	}
	if p.is(tLt) && !p.typeParameters() || !p.annotations() {
		return false
	}
	if next := p.ahead(1).kind; p.is(tWord) && (next == tLParen || next == tLBrace) {
		return p.constructor()
	}
	return p.typ(reserved) && (p.isName(0) || p.fail()) && p.declared(true)
}

func (p *parser) constructor() bool {
	p.pos++
	if p.is(tLBrace) {
		return p.block()
	}
	if !p.formalParameters() || p.acceptWord(wThrows) && !p.types(tComma) || !p.expect(tLBrace) {
		return false
	}
	p.try(p.otherConstructor)
	return p.statements() && p.close(tRBrace)
}

// otherConstructor takes a call of this(…) or super(…).
func (p *parser) otherConstructor() bool {
	if p.is(tLt) && !p.typeArguments() {
		return false
	}
	if !p.acceptWord(wThis) && !p.acceptWord(wSuper) {
		return false
	}
	return p.arguments() && p.expect(tSemi)
}

// methodRest takes a method from its parameters on.
func (p *parser) methodRest() bool {
	if !p.formalParameters() || !p.dimensions() || p.acceptWord(wThrows) && !p.types(tComma) {
		return false
	}
	if p.acceptWord(wDefault) {
		return p.elementValue() && p.semicolon(false)
	}
	if p.is(tLBrace) {
		return p.block()
	}
	return p.semicolon(false)
}

func (p *parser) formalParameters() bool {
	return p.between(tLParen, (*parser).formalParameter, tRParen)
}

func (p *parser) formalParameter() bool {
	if !p.modifiers() || !p.typ(reserved) {
		return false
	}
	if p.accept(tDots) {
		return p.variable()
	}
	for p.is(tWord) && p.ahead(1).kind == tDot {
		p.pos += 2
	}
	return p.name(0) && p.dimensions()
}

func (p *parser) variables() bool {
	for p.variable() {
		if !p.accept(tComma) {
			return true
		}
	}
	return false
}

func (p *parser) variable() bool {
	if !p.name(0) || !p.dimensions() {
		return false
	}
	return !p.accept(tEq) || p.variableInitializer()
}

func (p *parser) enumBody() bool {
	p.pos++
	for p.is(tWord) || p.is(tAt) {
		if !p.modifiers() || !p.name(0) || p.is(tLParen) && !p.arguments() ||
			p.is(tLBrace) && !p.classBody(p.classMember) {
			return false
		}
		if !p.accept(tComma) {
			break
		}
	}
	for p.is(tSemi) || p.is(tComma) {
		semi := p.is(tSemi)
		p.pos++
		for semi && !p.is(tRBrace) && !p.is(tEOF) {
			if !p.classMember() {
				return false
			}
		}
	}
	return p.close(tRBrace)
}

// module takes a module declaration. Each of its directives is words and names
// up to a semicolon.
func (p *parser) module() bool {
	p.acceptWord(wOpen)
	p.pos++
	if !p.qualified() || !p.expect(tLBrace) {
		return false
	}
	for p.is(tWord) {
		for !p.is(tSemi) {
			if !p.qualified() {
				return false
			}
			p.accept(tComma)
		}
		p.pos++
	}
	return p.close(tRBrace)
}
