package jscall

import "strings"

// element parses a JSX element or fragment from its `<` on. It leaves the
// closing `>` as the current token.
func (p *parser) element() {
	if !p.enter() {
		return
	}
	defer p.leave()
	p.enclosed++
	defer func() { p.enclosed-- }()
	p.next()
	if !p.angle() {
		p.tagName()
		for !p.bad && !p.angle() && !p.is("/") {
			p.attribute()
		}
		if p.is("/") {
			if p.next(); !p.angle() {
				p.fail()
			}
			return
		}
	}
	p.children()
}

// angle reports whether the current token begins with `>`, and cuts a longer
// one down to that.
func (p *parser) angle() bool {
	if p.tok.kind != punctToken || p.tok.text[0] != '>' {
		return false
	}
	p.pos, p.tok.end = p.tok.start+1, p.tok.start+1
	p.tok.text = ">"
	return true
}

// tagName parses a name with dots, or with one colon.
func (p *parser) tagName() {
	p.jsxName()
	switch {
	case p.accept(":"):
		p.jsxName()
	default:
		for p.accept(".") {
			p.jsxName()
		}
	}
}

// jsxName parses an identifier that may contain hyphens.
func (p *parser) jsxName() {
	if p.tok.kind != wordToken {
		p.fail()
		return
	}
	end := p.tok.end
	for end < len(p.src) && (p.src[end] == '-' || wordByte(p.src[end])) {
		end++
	}
	p.resume(p.tok.end, end)
}

func (p *parser) attribute() {
	if p.is("{") {
		p.container()
		p.next()
		return
	}
	p.jsxName()
	if p.accept(":") {
		p.jsxName()
	}
	if !p.is("=") {
		return
	}
	// A string here may contain line breaks and has no escapes.
	p.skipTo()
	if p.pos < len(p.src) && (p.src[p.pos] == '"' || p.src[p.pos] == '\'') {
		p.attributeString()
		return
	}
	p.next()
	switch {
	case p.is("{"):
		p.container()
	case p.is("<"):
		p.element()
	default:
		p.fail()
	}
	p.next()
}

// skipTo moves to the next token without reading it.
func (p *parser) skipTo() {
	from := p.pos
	p.skipSpace()
	p.burn(p.pos - from)
}

func (p *parser) attributeString() {
	i := strings.IndexByte(p.src[p.pos+1:], p.src[p.pos])
	if i < 0 {
		p.fail()
		return
	}
	p.resume(p.pos, p.pos+i+2)
}

// container parses an expression in curly brackets up to its end.
func (p *parser) container() {
	p.next()
	if p.is("}") {
		return
	}
	if p.accept("...") {
		p.expression()
	} else {
		p.sequence()
	}
	if !p.is("}") {
		p.fail()
	}
}

// children parses an element's content and its closing tag.
func (p *parser) children() {
	for !p.bad {
		i := strings.IndexAny(p.src[p.pos:], "<>{}")
		if i < 0 {
			p.fail()
			return
		}
		p.burn(i)
		p.pos += i
		p.tok.end = p.pos
		p.next()
		switch {
		case p.is("{"):
			p.container()
		case p.tok.text == "" || p.tok.text[0] != '<':
			p.fail()
		default:
			p.pos, p.tok.end = p.tok.start+1, p.tok.start+1
			if p.peek().is("/") {
				p.closingTag()
				return
			}
			p.element()
		}
	}
}

func (t token) is(text string) bool { return t.kind == punctToken && t.text == text }

func (p *parser) closingTag() {
	p.next()
	p.next()
	if !p.angle() {
		p.tagName()
	}
	if !p.angle() {
		p.fail()
	}
}
