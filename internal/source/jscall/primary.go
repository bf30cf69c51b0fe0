package jscall

// primary parses an operand without what may follow it.
func (p *parser) primary(h hole) node {
	start := p.tok.start
	switch p.tok.kind {
	case wordToken:
		return p.word()
	case numberToken, stringToken:
		p.next()
		return p.done(start, otherNode)
	case privateToken:
		p.next()
		if !p.isWord("in") {
			return p.fail()
		}
		return p.done(start, otherNode)
	case punctToken:
		switch p.tok.text {
		case "(":
			return p.parenthesized()
		case "[":
			return p.array()
		case "{":
			return p.object()
		case "`":
			return p.template()
		case "/", "/=":
			return p.regex()
		case "<":
			p.element()
			p.next()
			return p.done(start, otherNode)
		case "@":
			p.decorators()
			return p.class()
		}
	}
	if p.fills(h) && p.makeUp() {
		return node{span: span{start, p.prevEnd}, expr: true}
	}
	return p.fail()
}

// fills reports whether the grammar's recovery supplies an operand here.
// Skipping the operator before it would cost about the same.
func (p *parser) fills(h hole) bool {
	switch h {
	case pairHole:
		return p.is(",") || p.is("}")
	case unaryHole:
		return p.is(")") && p.assigned > 0
	case binaryHole:
		return p.is(")") && p.assigned == 0 && !p.later
	case ternaryHole:
		return p.is(":")
	case elseHole:
		return p.is(")")
	}
	return false
}

// word parses an operand that starts with a word. Words that cannot start an
// expression, `var` or `if`, are plain names here.
func (p *parser) word() node {
	start, text := p.tok.start, p.tok.text
	switch text {
	case "function":
		return p.function()
	case "class":
		return p.class()
	case "new":
		return p.construct()
	case "import":
		return p.importCall()
	case "async":
		return p.async()
	}
	p.next()
	switch text {
	case "true":
		return p.done(start, trueNode)
	case "this", "super", "false", "null":
		return p.done(start, otherNode)
	}
	n := p.done(start, nameNode)
	n.pattern = true
	if text == "undefined" {
		n.kind = undefinedNode
	}
	return n
}

// importCall parses `import`, which must be called or have a member.
func (p *parser) importCall() node {
	start := p.tok.start
	p.next()
	if !p.is("(") && !p.is(".") {
		return p.fail()
	}
	return p.done(start, otherNode)
}

// async parses an operand that starts with `async`, which may be a name.
func (p *parser) async() node {
	start := p.tok.start
	p.next()
	name := p.done(start, nameNode)
	name.pattern = true
	switch {
	case p.isWord("function"):
		n := p.function()
		n.start = start
		return n
	case p.is("("):
		list := p.list(start)
		if p.is("=>") && list.params {
			return p.arrow(start, unaryHole)
		}
		if !list.exprs {
			return p.fail()
		}
		p.record(span{start, start + len("async")}, list.args)
		return p.done(start, callNode)
	case p.tok.kind == wordToken && !p.binaryOperator() && p.peek().text == "=>":
		p.next()
		return p.arrow(start, noHole)
	}
	return name
}

// construct parses `new`.
func (p *parser) construct() node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start := p.tok.start
	p.next()
	if p.is(".") {
		if p.next(); !p.acceptWord("target") {
			return p.fail()
		}
		return p.done(start, otherNode)
	}
	if (p.is(")") || p.is(",")) && p.assigned > 0 && p.makeUp() {
		return p.done(start, otherNode)
	}
	at := p.tok.start
	n := p.primary(noHole)
	if !n.expr {
		return p.fail()
	}
	for ok := true; ok; {
		n, ok = p.access(at, n, true)
	}
	if p.is("(") && !p.list(start).exprs {
		return p.fail()
	}
	return p.done(start, otherNode)
}

// parenthesized parses an expression in brackets, or an arrow function with its
// parameters in brackets.
func (p *parser) parenthesized() node {
	start := p.tok.start
	list := p.list(-1)
	if p.is("=>") && list.params {
		return p.arrow(start, unaryHole)
	}
	if !list.sequence {
		return p.fail()
	}
	return p.done(start, parenNode)
}

// call parses the arguments of a call.
func (p *parser) call(callee span) node {
	comments := p.tok.comments
	list := p.list(callee.start)
	if !list.exprs {
		return p.fail()
	}
	if comments > 0 {
		list.args = nil // upstream takes the comment for the arguments
	}
	p.record(callee, list.args)
	return p.done(callee.start, callNode)
}

// record remembers the call that ended last outside of all brackets.
func (p *parser) record(callee span, args []argument) {
	if p.enclosed == 0 && p.found == nil {
		p.last = foundCall{callee, args}
	}
}

// A listing is what round brackets can be read as.
type listing struct {
	sequence bool // expressions with commas between them
	params   bool // parameters of a function
	exprs    bool // arguments of a call
	args     []argument
}

// list parses a bracket that holds arguments, or, where callee is negative,
// parameters or a sequence of expressions.
func (p *parser) list(callee int) listing {
	l := listing{sequence: true, params: true, exprs: true}
	assigned, later := p.assigned, p.later
	if callee >= 0 {
		p.assigned, p.later = 0, false
	}
	p.next()
	p.enclosed++
	for !p.is(")") && !p.bad {
		if p.accept(",") {
			l.sequence, l.params = false, false
			continue
		}
		p.item(&l, callee >= 0)
		if !p.accept(",") {
			break
		}
		p.later = p.later || callee >= 0
		l.sequence = l.sequence && !p.is(")")
	}
	p.enclosed--
	p.assigned, p.later = assigned, later
	if p.is(")") && p.prevIs('(') {
		l.sequence = false
	}
	p.closing(")", p.closedBefore(callee)...)
	return l
}

// The tokens before which an open round bracket is closed.
var (
	afterSequence = []string{";", "}", "=", "]", ":"}
	afterInner    = []string{";", "}", "]", ":"}
	afterOuter    = []string{";", "]"}
)

// closedBefore lists the tokens before which a round bracket that was left
// open is closed.
func (p *parser) closedBefore(callee int) []string {
	switch {
	case callee < 0:
		return afterSequence
	case p.enclosed > 0:
		return afterInner
	}
	return afterOuter
}

// prevIs reports whether the last token ended in c.
func (p *parser) prevIs(c byte) bool { return p.prevEnd > 0 && p.src[p.prevEnd-1] == c }

// item parses one argument, expression or parameter.
func (p *parser) item(l *listing, arguments bool) {
	if p.accept("...") {
		n := p.either()
		l.sequence = false
		l.params = l.params && n.pattern
		l.exprs = l.exprs && n.expr
		return
	}
	n := p.either()
	l.sequence = l.sequence && n.expr
	l.params = l.params && (n.pattern || n.initial)
	l.exprs = l.exprs && n.expr
	if !arguments || p.enclosed != 1 || p.found != nil {
		return
	}
	switch n.kind {
	case assignNode:
		l.add(argument{true, n.name, n.val})
	case nameNode, trueNode:
		l.add(argument{val: n.span})
	}
}

// add keeps an argument. Most calls have few.
func (l *listing) add(a argument) {
	if l.args == nil {
		l.args = make([]argument, 0, 4)
	}
	l.args = append(l.args, a)
}
