package jscall

import "strings"

// program parses the whole source. It returns false if the grammar refuses it.
func (p *parser) program() bool {
	p.skipSpace()
	if strings.HasPrefix(p.src[p.pos:], "#!") {
		p.skipLine(p.pos)
	}
	p.tok.end = p.pos
	p.next()
	for !p.bad && p.atStatement() {
		p.last = foundCall{}
		if n := p.statement(); n.kind == callNode && p.found == nil {
			call := p.last
			p.found = &call
		}
	}
	return !p.bad && p.tok.kind == endToken
}

// skipLine moves the scan to the end of the line at the given offset.
func (p *parser) skipLine(from int) {
	n := strings.IndexByte(p.src[from:], '\n')
	if n < 0 {
		n = len(p.src) - from
	}
	p.burn(n)
	p.pos = from + n
}

// atStatement skips the line comments of old web pages, which the grammar
// accepts where no operator can be, and reports whether more follows.
func (p *parser) atStatement() bool {
	for !p.bad && p.tok.kind == punctToken {
		rest := p.src[p.tok.start:]
		if !strings.HasPrefix(rest, "<!--") && !strings.HasPrefix(rest, "-->") {
			break
		}
		p.skipLine(p.tok.start)
		p.next()
	}
	return p.tok.kind != endToken
}

// block parses statements in curly brackets. Upstream does not look for calls
// inside.
func (p *parser) block() {
	if !p.enter() {
		return
	}
	defer p.leave()
	enclosed, assigned, found := p.enclosed, p.assigned, p.hide()
	p.enclosed, p.assigned = 0, 0
	p.next()
	p.statements()
	p.enclosed, p.assigned, p.found = enclosed, assigned, found
	p.closing("}", ")")
}

// statements parses up to a token that can only end the list.
func (p *parser) statements() {
	for !p.bad && p.atStatement() && !p.is("}") && !p.isWord("case") && !p.isWord("default") {
		if p.is(")") && p.prevIs(';') {
			return
		}
		p.statement()
	}
}

// statement parses one statement. The node is that of an expression statement.
func (p *parser) statement() node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	switch {
	case p.accept(";"):
		return node{}
	case p.is("{"):
		return p.blockOrObject()
	case p.is("@"):
		p.decorators()
		if p.isWord("export") {
			p.exportStatement()
		} else {
			p.class()
		}
		return node{}
	case p.tok.kind == wordToken:
		if p.keywordStatement() {
			return node{}
		}
	}
	return p.expressionStatement()
}

func (p *parser) expressionStatement() node {
	n := p.sequence()
	p.semicolon()
	return n
}

// blockStatement parses a block whose end may be the end of the source.
func (p *parser) blockStatement() {
	if !p.enter() {
		return
	}
	defer p.leave()
	found := p.hide()
	p.next()
	p.statements()
	p.found = found
	if p.tok.kind != endToken || p.prevIs('{') || !p.makeUp() {
		p.closing("}", ")")
	}
}

// blockOrObject tries a block first, as the grammar prefers it.
func (p *parser) blockOrObject() node {
	saved := p.state
	p.blockStatement()
	if !p.bad && !p.goesOn() {
		return node{}
	}
	p.state = saved
	return p.expressionStatement()
}

// goesOn reports whether the current token can only continue an expression.
func (p *parser) goesOn() bool {
	switch p.tok.text {
	case ".", "?.", "?", "=", ",", "*", "%", "&&", "||", "??", "==", "===", "!=", "!==", "|", "&", "^":
		return p.tok.kind == punctToken
	}
	return false
}

// semicolon ends a statement: with a semicolon, or at a line break, a closing
// bracket or the end, where one is inserted.
func (p *parser) semicolon() {
	if p.accept(";") || p.is("}") || p.tok.kind == endToken {
		return
	}
	if !p.tok.newline {
		p.fail()
		return
	}
	if p.is("++") || p.is("--") || p.tok.kind == numberToken || p.is("!") || p.is("`") {
		return
	}
	if p.tok.kind == punctToken && strings.IndexByte(",:;*%><=?^|&/([.+-!", p.tok.text[0]) >= 0 {
		p.fail()
	}
}

// keywordStatement parses a statement that a keyword introduces. It returns
// false if the word is the start of an expression.
func (p *parser) keywordStatement() bool {
	switch p.tok.text {
	case "var", "const":
		p.next()
		p.declarators()
		p.semicolon()
	case "let":
		return p.letStatement()
	case "if", "while", "with":
		p.conditional()
	case "for":
		p.forStatement()
	case "do":
		p.doStatement()
	case "switch":
		p.switchStatement()
	case "try":
		p.tryStatement()
	case "break", "continue", "debugger", "return", "throw":
		p.jump()
	default:
		return p.declaration()
	}
	return true
}

// declaration parses functions, classes, modules and labels.
func (p *parser) declaration() bool {
	t := p.peek()
	switch p.tok.text {
	case "function":
		if !p.named() {
			return false
		}
		p.function()
	case "async":
		if t.text != "function" || t.kind != wordToken {
			return p.label(t)
		}
		saved := p.state
		p.next()
		if !p.named() {
			p.state = saved
			return false
		}
		p.function()
	case "class":
		if t.kind != wordToken || t.text == "extends" {
			return false
		}
		p.class()
	case "import":
		if t.is("(") || t.is(".") {
			return false
		}
		p.importStatement()
	case "export":
		if t.is("(") || t.is(".") || t.is("=") {
			return false
		}
		p.exportStatement()
	default:
		return p.label(t)
	}
	return true
}

// named reports whether the function at the current token has a name.
func (p *parser) named() bool {
	saved := p.state
	p.next()
	p.accept("*")
	named := p.tok.kind == wordToken
	p.state = saved
	return named
}

// label parses a labelled statement.
func (p *parser) label(colon token) bool {
	if !colon.is(":") {
		return false
	}
	switch p.tok.text {
	case "yield", "await", "this", "super", "true", "false", "null", "new", "typeof", "void", "delete":
		return false
	}
	p.next()
	p.next()
	p.statement()
	return true
}

func (p *parser) letStatement() bool {
	t := p.peek()
	declares := t.kind == wordToken && t.text != "in" && t.text != "instanceof" && !t.newline || t.is("[") || t.is("{")
	if !declares {
		return p.label(t)
	}
	p.next()
	p.declarators()
	p.semicolon()
	return true
}

func (p *parser) declarators() {
	for !p.bad {
		p.target()
		if p.accept("=") {
			p.expression()
		}
		if !p.accept(",") {
			return
		}
	}
}

// target parses a declared name or pattern.
func (p *parser) target() {
	switch {
	case p.tok.kind == wordToken:
		p.next()
	case p.is("[") && p.array().pattern:
	case p.is("{") && p.object().pattern:
	default:
		p.fail()
	}
}
