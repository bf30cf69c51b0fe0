package javacall

// primary takes a primary expression: a literal, name, call or creation, with
// the selectors after it. It reports whether a value can be assigned to it.
func (p *parser) primary() (assignable, ok bool) {
	start, first := p.pos, p.mark()
	switch t := p.tok(); t.kind {
	case tNumber, tChar, tString:
		p.pos++
		return p.selectors(start, first, chain{})
	case tLParen:
		p.pos++
		if !p.expression() || !p.close(tRParen) {
			return false, false
		}
		return p.selectors(start, first, chain{})
	case tAt:
		if !p.annotatedType() {
			return false, false
		}
		return p.selectors(start, first, chain{typeOnly: true})
	case tWord:
		return p.named(t.word, start, first)
	}
	return false, p.fail()
}

// A chain describes the part of a primary expression that has been read so far.
type chain struct {
	assignable bool
	typeLike   bool // it may also be a type
	typeOnly   bool // it is a type: only ".class" and "::" can follow
	super      bool // it ends in "super": only "." and "::" can follow
}

func (p *parser) named(w word, start, first int32) (assignable, ok bool) {
	switch w {
	case wNew:
		if !p.creation(start, first) {
			return false, false
		}
		return p.selectors(start, first, chain{})
	case wTrue, wFalse, wNull, wThis:
		p.pos++
		return p.selectors(start, first, chain{})
	case wSuper:
		p.pos++
		return p.selectors(start, first, chain{super: true})
	case wPrimitive:
		p.pos++
		if !p.dimensions() {
			return false, false
		}
		return p.selectors(start, first, chain{typeOnly: true})
	}
	p.pos++
	if p.is(tLParen) {
		if !p.call(start, first, start, -1) {
			return false, false
		}
		return p.selectors(start, first, chain{})
	}
	return p.selectors(start, first, chain{assignable: true, typeLike: !reserved.has(w)})
}

// call takes the arguments of a call whose name was read.
func (p *parser) call(start, first, name, object int32) bool {
	paren := p.pos
	if !p.arguments() {
		return false
	}
	p.add(node{kind: nCall, start: start, first: first, a: name, b: object, c: paren})
	return true
}

// selectors takes everything that follows a primary expression.
func (p *parser) selectors(start, first int32, c chain) (assignable, ok bool) {
	for {
		if c.typeLike && p.generic() {
			c = chain{typeOnly: true}
		}
		switch {
		case p.is(tColons):
			if !p.methodReference() {
				return false, false
			}
			c = chain{}
		case p.is(tDot):
			if !p.member(start, first, &c) {
				return false, false
			}
		case c.super || c.typeOnly:
			return false, p.fail()
		case p.is(tLBracket):
			if !p.element() {
				return false, false
			}
			c = chain{assignable: true}
		default:
			return c.assignable, true
		}
	}
}

// generic takes type arguments or dimensions after a name, if what follows
// them shows that the name is a type.
func (p *parser) generic() bool {
	if !p.is(tLt) && (!p.is(tLBracket) || p.ahead(1).kind != tRBracket) {
		return false
	}
	return p.try(func() bool {
		if p.is(tLt) && !p.typeArguments() {
			return false
		}
		for p.is(tDot) && p.typeNameAhead() {
			p.pos++
			if !p.annotations() || !p.name(afterDot) || p.is(tLt) && !p.typeArguments() {
				return false
			}
		}
		if !p.dimensions() {
			return false
		}
		if p.is(tColons) || p.is(tDot) && p.ahead(1).word == wClass {
			return true
		}
		return p.fail()
	})
}

func (p *parser) methodReference() bool {
	p.pos++
	if p.is(tLt) && !p.typeArguments() {
		return false
	}
	return p.name(0)
}

func (p *parser) element() bool {
	p.pos++
	return p.expression() && p.close(tRBracket)
}

// member takes "." and what is selected.
func (p *parser) member(start, first int32, c *chain) bool {
	object := p.pos
	p.pos++
	next := p.tok()
	if next.kind == tWord && next.word == wClass && (c.typeLike || c.typeOnly) {
		p.pos++
		p.add(node{kind: nClass, start: start, first: first})
		*c = chain{}
		return true
	}
	if c.typeOnly {
		return p.fail()
	}
	if next.kind == tWord && next.word == wSuper && !c.super {
		p.pos++
		if !p.is(tDot) {
			return p.fail()
		}
		p.pos++
		next = p.tok()
		*c = chain{super: true}
	}
	return p.selected(start, first, object, next, c)
}

func (p *parser) selected(start, first, object int32, next token, c *chain) bool {
	switch {
	case next.kind == tWord && next.word == wThis:
		p.pos++
		*c = chain{assignable: true}
		return true
	case next.kind == tWord && next.word == wNew && !c.super:
		*c = chain{}
		return p.creation(start, first)
	case next.kind == tString && !c.super:
		p.pos++
		*c = chain{}
		return true
	case next.kind == tLt:
		if !p.typeArguments() {
			return false
		}
		name := p.pos
		*c = chain{}
		return p.name(0) && p.call(start, first, name, object)
	}
	if !p.name(setOf(wSuper, wNew)) {
		return false
	}
	if p.is(tLParen) {
		*c = chain{}
		return p.call(start, first, p.pos-1, object)
	}
	*c = chain{assignable: true, typeLike: c.typeLike}
	if c.typeLike {
		p.pathEnd = p.pos
	}
	return true
}

// creation takes "new" and the object or array that it makes.
func (p *parser) creation(start, first int32) bool {
	p.pos++
	if !p.annotations() || p.is(tLt) && !p.typeArguments() || !p.annotations() {
		return false
	}
	n := node{start: start, first: first, a: p.pos, c: -1}
	if !p.simpleType(0) {
		return false
	}
	n.b = p.pos
	switch {
	case p.is(tLParen):
		return p.object(n)
	case p.is(tLBracket):
		return p.array(n)
	}
	return p.fail()
}

// array takes dimensions with their sizes, or empty ones and the elements.
func (p *parser) array(n node) bool {
	n.kind = nArray
	filled := p.ahead(1).kind == tRBracket
	for p.is(tLBracket) && p.ahead(1).kind != tRBracket {
		if !p.element() {
			return false
		}
	}
	if !p.dimensions() {
		return false
	}
	if filled {
		n.c = p.pos
		if !p.is(tLBrace) {
			return p.fail()
		}
		if !p.initializer(p.variableInitializer) {
			return false
		}
	}
	p.add(n)
	return true
}

func (p *parser) object(n node) bool {
	n.kind, n.c = nObject, p.pos
	if p.ahead(1).kind == tLBrace {
		p.pos++
		return p.lacks(wantParen)
	}
	if !p.arguments() {
		return false
	}
	n.d = p.pos
	if p.is(tLBrace) && !p.classBody(p.classMember) {
		return false
	}
	p.add(n)
	return true
}
