package jscall

type nodeKind uint8

const (
	otherNode nodeKind = iota
	nameNode
	undefinedNode
	trueNode
	memberNode // a.b, a[b]
	parenNode
	objectNode
	arrayNode
	callNode
	assignNode
)

// A node is what the parser must remember about an expression that it has read.
type node struct {
	span
	kind    nodeKind
	expr    bool // an expression; {a = 1} is a pattern only
	pattern bool // can be assigned to or destructured
	initial bool // pattern = expression, a parameter with a default
	name    span // of an assignment: the left side
	val     span // of an assignment: its third child, see assignment
}

func (p *parser) done(start int, kind nodeKind) node {
	return node{span: span{start, p.prevEnd}, kind: kind, expr: true}
}

// makeUp supplies the one missing token that the grammar's error recovery
// inserts if everything else fits. It reports whether it may.
func (p *parser) makeUp() bool {
	if !p.mend || p.mended || p.bad {
		return false
	}
	p.mended = true
	return true
}

// closing reads a closing bracket, which may be missing before one of the given
// tokens.
func (p *parser) closing(text string, before ...string) {
	if p.accept(text) {
		return
	}
	for _, b := range before {
		if p.is(b) && p.makeUp() {
			return
		}
	}
	p.fail()
}

// sequence parses expressions with commas between them.
func (p *parser) sequence() node {
	start := p.tok.start
	n := p.expression()
	for p.is(",") && !p.bad {
		p.next()
		p.expression()
		n = p.done(start, otherNode)
	}
	return n
}

// expression parses an expression that is not merely a pattern.
func (p *parser) expression() node {
	n := p.either()
	if !n.expr {
		return p.fail()
	}
	return n
}

// A hole is a place where a missing operand may be supplied. It determines how
// the text must continue after it.
type hole uint8

const (
	noHole hole = iota
	pairHole
	unaryHole
	binaryHole
	ternaryHole // between ? and :
	elseHole
)

// either parses an expression or a pattern; operators need no precedence,
// since only the outermost shape matters.
func (p *parser) either() node { return p.eitherAt(noHole) }

func (p *parser) eitherAt(h hole) node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start := p.tok.start
	n := p.operand(h)
	for n.expr && !p.bad {
		switch {
		case p.binaryOperator():
			p.next()
			h = binaryHole
		case p.is("?"):
			p.next()
			if !p.eitherAt(ternaryHole).expr {
				return p.fail()
			}
			p.expect(":")
			h = elseHole
		default:
			return n
		}
		if right := p.operand(h); !right.expr {
			return p.fail()
		}
		n = p.done(start, otherNode)
	}
	return n
}

func (p *parser) binaryOperator() bool {
	switch p.tok.kind {
	case wordToken:
		return p.tok.text == "in" || p.tok.text == "instanceof"
	case punctToken:
		switch p.tok.text {
		case "+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "!=", "===", "!==",
			"&&", "||", "??", "&", "|", "^", "<<", ">>", ">>>":
			return true
		}
	}
	return false
}

// operand parses what is between binary operators, including assignments and
// arrow functions: the grammar reads `1 + b = 2` as `1 + (b = 2)`.
func (p *parser) operand(h hole) node {
	if !p.enter() {
		return node{}
	}
	defer p.leave()
	start := p.tok.start
	switch {
	case p.unaryOperator():
		p.next()
		if !p.operand(unaryHole).expr {
			return p.fail()
		}
		return p.done(start, otherNode)
	case p.isWord("yield"):
		return p.yield()
	}
	return p.postfix(start, p.primary(h))
}

func (p *parser) unaryOperator() bool {
	switch p.tok.kind {
	case wordToken:
		switch p.tok.text {
		case "typeof", "void", "delete", "await":
			return true
		}
	case punctToken:
		switch p.tok.text {
		case "!", "~", "-", "+", "++", "--":
			return true
		}
	}
	return false
}

func (p *parser) yield() node {
	start := p.tok.start
	p.next()
	if p.accept("*") || p.startsExpression() {
		p.expression()
	}
	return p.done(start, otherNode)
}

func (p *parser) startsExpression() bool {
	switch p.tok.kind {
	case endToken, badToken:
		return false
	case punctToken:
		switch p.tok.text {
		case "(", "[", "{", "`", "/", "/=", "<", "!", "~", "-", "+", "++", "--", "@":
			return true
		}
		return false
	}
	return p.tok.text != "in" && p.tok.text != "instanceof"
}

// postfix parses what follows a primary expression: members, calls, and then
// at most one of `++`, `=` and `=>`.
func (p *parser) postfix(start int, n node) node {
	for !p.bad {
		switch {
		case p.is("=") && n.pattern || p.is("=") && n.kind == parenNode:
			return p.assignment(start, n)
		case !n.expr:
			return n
		case p.augmented() && (n.kind == nameNode || n.kind == memberNode || n.kind == parenNode):
			p.next()
			p.expression()
			return p.done(start, otherNode)
		case p.is("=>") && n.kind == nameNode:
			n = p.arrow(start, noHole)
		case p.splits():
			return n
		case p.is("++") || p.is("--"):
			p.next()
			n = p.done(start, otherNode)
		default:
			more, ok := p.access(start, n, false)
			if !ok {
				return n
			}
			n = more
		}
	}
	return n
}

// splits reports whether a line break ends the statement here although the
// next token could continue it.
func (p *parser) splits() bool {
	return p.enclosed == 0 && p.tok.newline && (p.is("++") || p.is("--") || p.is("`"))
}

func (p *parser) augmented() bool {
	if p.tok.kind != punctToken || len(p.tok.text) < 2 {
		return false
	}
	switch p.tok.text {
	case "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ">>=", ">>>=", "<<=", "**=", "&&=", "||=", "??=":
		return true
	}
	return false
}

// access parses one member, subscript or call after n. The constructor of `new`
// takes members only.
func (p *parser) access(start int, n node, constructor bool) (node, bool) {
	callee := span{start, p.prevEnd}
	switch {
	case p.accept("."):
		p.memberName()
	case p.is("["):
		p.subscript()
	case constructor:
		return n, false
	case p.is("("):
		return p.call(callee), true
	case p.is("`"):
		p.template()
		p.record(callee, nil)
		return p.done(start, callNode), true
	case p.accept("?."):
		if p.is("(") {
			p.call(callee)
			p.record(callee, nil)
			return p.done(start, callNode), true
		}
		if p.is("[") {
			p.subscript()
		} else {
			p.memberName()
		}
	default:
		return n, false
	}
	m := p.done(start, memberNode)
	m.pattern = true
	return m, true
}

func (p *parser) memberName() {
	if p.tok.kind == wordToken || p.tok.kind == privateToken {
		p.next()
	} else if !(p.is("=") && p.makeUp()) {
		p.fail()
	}
}

func (p *parser) subscript() {
	p.next()
	p.enclosed++
	p.sequence()
	p.enclosed--
	p.closing("]", ")", "}")
}

// assignment parses the right side. Upstream takes the third child of the
// assignment for the value, and comments are children too.
func (p *parser) assignment(start int, left node) node {
	name := span{start, p.prevEnd}
	children := make([]span, 0, 4)
	children = append(p.tok.appendComments(children), p.tok.span)
	p.next()
	children = p.tok.appendComments(children)
	p.assigned++
	at := p.tok.start
	p.expression()
	p.assigned--
	children = append(children, span{at, p.prevEnd})
	n := p.done(start, assignNode)
	n.initial = left.pattern
	n.name, n.val = name, children[1]
	return n
}

func (t *token) appendComments(dst []span) []span {
	return append(dst, t.comment[:min(t.comments, len(t.comment))]...)
}

// arrow parses an arrow function from its `=>` on.
func (p *parser) arrow(start int, h hole) node {
	p.next()
	if p.is("{") {
		saved := p.state
		p.block()
		if !p.bad {
			return p.done(start, otherNode)
		}
		p.state = saved
	}
	if !p.eitherAt(h).expr {
		return p.fail()
	}
	return p.done(start, otherNode)
}
