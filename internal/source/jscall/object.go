package jscall

// array parses an array or an array pattern.
func (p *parser) array() node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start, direct := p.tok.start, p.assigned == 0
	expr, pattern := true, true
	p.next()
	p.enclosed++
	for !p.is("]") && !p.bad {
		if p.accept(",") {
			continue
		}
		if (p.is(")") || p.is("}")) && !(direct && p.prevIs('[')) {
			break
		}
		rest := p.accept("...")
		n := p.either()
		expr = expr && n.expr
		pattern = pattern && (n.pattern || n.initial && !rest)
		if !p.is(",") {
			break
		}
	}
	p.enclosed--
	p.closing("]", ")", "}")
	return p.collection(start, arrayNode, expr, pattern)
}

func (p *parser) collection(start int, kind nodeKind, expr, pattern bool) node {
	if !expr && !pattern {
		return p.fail()
	}
	n := p.done(start, kind)
	n.expr, n.pattern = expr, pattern
	return n
}

// object parses an object or an object pattern.
func (p *parser) object() node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start, direct := p.tok.start, p.assigned == 0
	expr, pattern := true, true
	p.next()
	p.enclosed++
	for !p.is("}") && !p.bad {
		if p.accept(",") {
			continue
		}
		if (p.is(")") || p.is("]")) && !(direct && p.prevIs('{')) {
			break
		}
		e, t := p.property()
		expr, pattern = expr && e, pattern && t
		if !p.is(",") {
			break
		}
	}
	p.enclosed--
	p.closing("}", ")", "]")
	return p.collection(start, objectNode, expr, pattern)
}

// property parses one entry and reports whether it fits an object and whether
// it fits a pattern.
func (p *parser) property() (expr, pattern bool) {
	if p.accept("...") {
		n := p.either()
		return n.expr, n.pattern
	}
	word := p.tok.kind == wordToken
	if p.modified() {
		p.method()
		return true, false
	}
	p.propertyName()
	switch {
	case p.accept(":"):
		n := p.eitherAt(pairHole)
		return n.expr, n.pattern || n.initial
	case p.is("("):
		p.parametersAndBody()
		return true, false
	case word && p.accept("="):
		p.expression()
		return false, true
	}
	return word, word
}

// modified reports whether the entry starts with `async`, `get`, `set`,
// `static` or `*` before its name.
func (p *parser) modified() bool {
	switch p.tok.text {
	case "*", "@":
		return p.tok.kind == punctToken
	case "async", "get", "set", "static":
		if p.tok.kind != wordToken {
			return false
		}
		switch t := p.peek(); t.kind {
		case punctToken:
			return t.text == "*" || t.text == "["
		case endToken, badToken:
			return false
		}
		return true
	}
	return false
}

// method parses a method with its modifiers.
func (p *parser) method() {
	p.decorators()
	for p.modified() && !p.bad {
		p.next()
	}
	p.propertyName()
	p.parametersAndBody()
}

func (p *parser) propertyName() {
	switch {
	case p.tok.kind == wordToken || p.tok.kind == privateToken || p.tok.kind == stringToken || p.tok.kind == numberToken:
		p.next()
	case p.accept("["):
		p.enclosed++
		p.expression()
		p.enclosed--
		p.expect("]")
	case p.is(":") && p.prevIs('{') && p.makeUp():
	default:
		p.fail()
	}
}

// parametersAndBody parses the signature and the body of a function.
func (p *parser) parametersAndBody() {
	if !p.is("(") {
		p.fail()
		return
	}
	if !p.parameters() || !p.is("{") {
		p.fail()
		return
	}
	p.block()
}

func (p *parser) parameters() bool {
	l := listing{sequence: true, params: true}
	p.next()
	p.enclosed++
	for !p.is(")") && !p.bad {
		p.item(&l, false)
		if !p.accept(",") {
			break
		}
	}
	p.enclosed--
	p.closing(")", "{")
	return l.params
}

// function parses a function expression or declaration.
func (p *parser) function() node {
	start := p.tok.start
	p.next()
	p.accept("*")
	if p.tok.kind == wordToken {
		p.next()
	}
	p.parametersAndBody()
	return p.done(start, otherNode)
}

func (p *parser) decorators() {
	for p.accept("@") && !p.bad {
		start := p.tok.start
		if p.tok.kind != wordToken {
			p.fail()
			return
		}
		p.next()
		for p.accept(".") {
			p.memberName()
		}
		if p.is("(") {
			p.enclosed++
			if !p.list(start).exprs {
				p.fail()
			}
			p.enclosed--
		}
	}
}

// class parses a class expression or declaration.
func (p *parser) class() node {
	start := p.tok.start
	if !p.acceptWord("class") {
		return p.fail()
	}
	if p.tok.kind == wordToken && p.tok.text != "extends" {
		p.next()
	}
	if p.acceptWord("extends") {
		p.heritage()
	}
	if !p.is("{") || !p.enter() {
		return p.fail()
	}
	p.next()
	enclosed, assigned := p.enclosed, p.assigned
	p.enclosed, p.assigned = 0, 0
	found := p.hide()
	for !p.is("}") && !p.bad {
		p.classMember()
	}
	p.found = found
	p.enclosed, p.assigned = enclosed, assigned
	p.leave()
	p.expect("}")
	return p.done(start, otherNode)
}

// heritage parses what a class extends, short of the body's bracket.
func (p *parser) heritage() {
	start := p.tok.start
	p.enclosed++
	n := p.primary(noHole)
	for ok := n.expr; ok && !p.is("{"); {
		n, ok = p.access(start, n, false)
	}
	p.enclosed--
}

// hidden stands for a call already found, so that no call inside a body is
// recorded.
var hidden = &foundCall{}

// hide keeps calls inside a body from being recorded until found is restored.
func (p *parser) hide() *foundCall {
	found := p.found
	p.found = hidden
	return found
}

func (p *parser) classMember() {
	if p.accept(";") {
		return
	}
	if p.isWord("static") && p.peek().text == "{" {
		p.next()
		p.block()
		return
	}
	p.decorators()
	for p.modified() && !p.bad {
		p.next()
	}
	p.propertyName()
	if p.is("(") {
		p.parametersAndBody()
		return
	}
	if p.accept("=") {
		p.expression()
	}
	p.semicolon()
}
