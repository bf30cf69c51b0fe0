package javacall

// typ takes a type: names with type arguments, or a primitive type, and
// dimensions. Words of the given set cannot begin it.
func (p *parser) typ(not words64) bool {
	return p.simpleType(not) && p.dimensions()
}

// annotatedType takes a type with annotations before it.
func (p *parser) annotatedType() bool {
	return p.annotations() && p.typ(reserved)
}

func (p *parser) simpleType(not words64) bool {
	if p.acceptWord(wPrimitive) {
		return true
	}
	if !p.name(not | reserved) {
		return false
	}
	for {
		if p.is(tLt) && !p.typeArguments() {
			return false
		}
		if !p.is(tDot) || !p.typeNameAhead() {
			return true
		}
		p.pos++
		if !p.annotations() || !p.name(afterDot) {
			return false
		}
	}
}

func (p *parser) typeNameAhead() bool {
	next := p.ahead(1)
	return next.kind == tAt || next.kind == tWord && !(afterDot|setOf(wClass)).has(next.word)
}

func (p *parser) dimensions() bool {
	for {
		if p.is(tAt) {
			if !p.try(func() bool { return p.annotations() && p.is(tLBracket) && p.ahead(1).kind == tRBracket }) {
				return true
			}
		}
		if !p.is(tLBracket) || p.ahead(1).kind != tRBracket {
			return true
		}
		p.pos += 2
	}
}

// typeArguments takes "<" types ">". The outcome is kept, because an outer
// speculation may try it again.
func (p *parser) typeArguments() bool {
	start := p.pos
	if end, known := p.typeEnds[start]; known {
		if end >= 0 {
			p.pos = end
		}
		return end >= 0
	}
	if !p.enter() {
		return false
	}
	ok := p.readTypeArguments()
	p.leave()
	if p.typeEnds == nil {
		p.typeEnds = map[int32]int32{}
	}
	if !ok {
		p.typeEnds[start] = -1
		return false
	}
	p.typeEnds[start] = p.pos
	return true
}

func (p *parser) readTypeArguments() bool { return p.between(tLt, (*parser).typeArgument, tGt) }

// between reads items with commas between two tokens.
func (p *parser) between(open kind, item func(*parser) bool, end kind) bool {
	if !p.expect(open) {
		return false
	}
	if p.accept(end) {
		return true
	}
	for item(p) {
		if !p.accept(tComma) {
			return p.close(end)
		}
	}
	return false
}

func (p *parser) typeArgument() bool {
	if !p.annotations() {
		return false
	}
	if !p.accept(tQuestion) {
		return p.typ(reserved)
	}
	if p.acceptWord(wExtends) || p.acceptWord(wSuper) {
		return p.annotatedType()
	}
	return true
}

// typeParameters takes "<" names with bounds ">".
func (p *parser) typeParameters() bool {
	if !p.expect(tLt) {
		return false
	}
	for {
		if !p.annotations() || !p.name(0) {
			return false
		}
		if p.acceptWord(wExtends) && !p.types(tAmp) {
			return false
		}
		if !p.accept(tComma) {
			return p.expect(tGt)
		}
	}
}

// types takes one or more types with separators between them.
func (p *parser) types(separator kind) bool {
	for {
		if !p.annotatedType() {
			return false
		}
		if !p.accept(separator) {
			return true
		}
	}
}

// annotations takes any number of annotations.
func (p *parser) annotations() bool {
	for p.is(tAt) {
		p.pos++
		if !p.qualified() {
			return false
		}
		if p.is(tLParen) && !p.annotationArguments() {
			return false
		}
	}
	return true
}

// qualified takes names joined by dots.
func (p *parser) qualified() bool {
	if !p.name(0) {
		return false
	}
	for p.is(tDot) && p.ahead(1).kind == tWord {
		p.pos += 2
	}
	return true
}

func (p *parser) annotationArguments() bool {
	p.pos++
	for !p.is(tRParen) {
		if p.is(tWord) && p.ahead(1).kind == tEq {
			p.pos += 2
		}
		if !p.elementValue() {
			return false
		}
		if !p.accept(tComma) {
			break
		}
	}
	return p.close(tRParen)
}

func (p *parser) elementValue() bool {
	switch {
	case p.is(tAt):
		return p.annotations()
	case p.is(tLBrace):
		return p.initializer(p.elementValue)
	}
	return p.expression()
}
