package jscall

// condition parses an expression in round brackets.
func (p *parser) condition() {
	if !p.is("(") || p.parenthesized().kind != parenNode {
		p.fail()
	}
}

// body parses the statement a condition governs.
func (p *parser) body() {
	if p.tok.kind == endToken && p.makeUp() {
		return
	}
	if p.tok.kind == endToken {
		p.fail()
	}
	p.statement()
}

func (p *parser) conditional() {
	branches := p.isWord("if")
	p.next()
	p.condition()
	p.body()
	if branches && p.acceptWord("else") {
		p.body()
	}
}

func (p *parser) doStatement() {
	p.next()
	p.body()
	if !p.acceptWord("while") {
		p.fail()
	}
	p.condition()
	p.accept(";")
}

func (p *parser) forStatement() {
	p.next()
	p.acceptWord("await")
	p.expect("(")
	p.enclosed++
	saved := p.state
	if !p.forIn() {
		p.state = saved
		p.forClauses()
	}
	p.enclosed--
	p.expect(")")
	p.body()
}

// forIn parses the header of for-in and for-of.
func (p *parser) forIn() bool {
	if p.isWord("var") || p.isWord("const") || p.isWord("let") && p.peek().text != "in" {
		p.next()
	}
	start := p.tok.start
	n := p.primary(noHole)
	for ok := n.expr; ok && !p.bad; {
		n, ok = p.access(start, n, false)
	}
	if p.bad || !n.pattern && n.kind != parenNode || !p.acceptWord("in") && !p.acceptWord("of") {
		return false
	}
	p.sequence()
	return !p.bad
}

func (p *parser) forClauses() {
	if p.isWord("var") || p.isWord("let") || p.isWord("const") {
		p.next()
		p.declarators()
	} else if !p.is(";") {
		p.sequence()
	}
	p.expect(";")
	if !p.is(";") {
		p.sequence()
	}
	p.expect(";")
	if !p.is(")") {
		p.sequence()
	}
}

func (p *parser) switchStatement() {
	p.next()
	p.condition()
	p.expect("{")
	for !p.bad && !p.is("}") {
		switch {
		case p.acceptWord("case"):
			p.sequence()
		case !p.acceptWord("default"):
			p.fail()
		}
		p.expect(":")
		p.statements()
	}
	p.expect("}")
}

func (p *parser) tryStatement() {
	p.next()
	p.braced()
	if p.acceptWord("catch") {
		if p.accept("(") {
			p.target()
			p.expect(")")
		}
		p.braced()
	}
	if p.acceptWord("finally") {
		p.braced()
	}
}

func (p *parser) braced() {
	if !p.is("{") {
		p.fail()
		return
	}
	p.block()
}

// jump parses break, continue, debugger, return and throw.
func (p *parser) jump() {
	word := p.tok.text
	p.next()
	ends := p.tok.newline || p.is(";") || p.is("}") || p.tok.kind == endToken
	switch {
	case word == "throw" || word == "return" && !ends:
		p.sequence()
	case (word == "break" || word == "continue") && !ends && p.tok.kind == wordToken:
		p.next()
	}
	p.semicolon()
}

func (p *parser) importStatement() {
	p.next()
	if p.tok.kind != stringToken {
		if p.tok.kind == wordToken {
			p.next()
			if p.accept(",") && !p.is("*") && !p.is("{") {
				p.fail()
			}
		}
		if p.is("*") {
			p.namespace()
		} else if p.is("{") {
			p.specifiers()
		}
		if !p.acceptWord("from") {
			p.fail()
		}
	}
	p.moduleName()
	p.semicolon()
}

func (p *parser) namespace() {
	p.next()
	if p.acceptWord("as") && (p.tok.kind == wordToken || p.tok.kind == stringToken) {
		p.next()
		return
	}
	p.fail()
}

// moduleName parses the module's string and its import attributes.
func (p *parser) moduleName() {
	if p.tok.kind != stringToken {
		p.fail()
		return
	}
	p.next()
	if p.acceptWord("with") && !(p.is("{") && p.object().expr) {
		p.fail()
	}
}

func (p *parser) specifiers() {
	p.next()
	for !p.bad && !p.is("}") {
		p.specifierName()
		if p.acceptWord("as") {
			p.specifierName()
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
}

func (p *parser) specifierName() {
	if p.tok.kind != wordToken && p.tok.kind != stringToken {
		p.fail()
	}
	p.next()
}

func (p *parser) exportStatement() {
	p.next()
	switch {
	case p.is("*"):
		if p.peek().text == "as" {
			p.namespace()
		} else {
			p.next()
		}
		if !p.acceptWord("from") {
			p.fail()
		}
		p.moduleName()
		p.semicolon()
	case p.is("{"):
		p.specifiers()
		if p.acceptWord("from") {
			p.moduleName()
		}
		p.semicolon()
	case p.isWord("default"):
		p.next()
		if !p.keywordDeclaration() {
			p.expression()
			p.semicolon()
		}
	default:
		if !p.keywordDeclaration() {
			p.fail()
		}
	}
}

// keywordDeclaration parses a declaration with a name.
func (p *parser) keywordDeclaration() bool {
	switch p.tok.text {
	case "var", "let", "const", "function", "async", "class":
		return p.tok.kind == wordToken && p.keywordStatement()
	}
	return false
}
