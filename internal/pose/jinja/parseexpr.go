package jinja

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// constant returns the value of a word that is a constant, nil for a name.
func constant(word string) pyval.Value {
	switch word {
	case "true", "True":
		return pyval.Bool(true)
	case "false", "False":
		return pyval.Bool(false)
	case "none", "None":
		return pyval.None
	}
	return nil
}

// tuple reads an expression, or several with commas between them, which make a
// tuple. In the head of a loop or a condition `if` is not an operator.
func (p *parser) tuple(head bool) expr {
	read := p.expression
	if head {
		read = p.or
	}
	line := p.line()
	first := read()
	if !p.is(",") {
		return first
	}
	out := &listExpr{line: line, tuple: true, items: []expr{first}}
	for p.accept(",") {
		if t := p.peek(); t.kind == endOutput || t.kind == endTag || p.is(")") || p.isName("in") {
			break
		}
		out.items = append(out.items, read())
	}
	return out
}

func (p *parser) expression() expr {
	p.enter()
	defer p.leave()
	line, known := p.line(), len(p.lacking)
	out := p.or()
	for n := 0; p.acceptName("if"); n++ {
		if n > maxDepth {
			fail(line, "nested deeper than %d levels", maxDepth)
		}
		c := &condExpr{line: line, yes: out, cond: p.or()}
		if p.acceptName("else") {
			c.alt = p.expression()
		}
		p.lacking = p.lacking[:known]
		out = c
	}
	return out
}

// chained reads operands of one level with the operators between them. Their
// number is bounded, because a chain nests as deep as it is long.
func (p *parser) chained(next func() expr, join func(line int, op string, a, b expr) expr, ops ...string) expr {
	out := next()
	for n := 0; ; n++ {
		t := p.peek()
		if (t.kind != operator && t.kind != name) || !slices.Contains(ops, t.text) {
			return out
		}
		if n > 10*maxDepth {
			fail(t.line, "more than %d operators in a row", 10*maxDepth)
		}
		p.at++
		out = join(t.line, t.text, out, next())
	}
}

func logic(_ int, op string, a, b expr) expr { return &logicExpr{op == "and", a, b} }

func binary(line int, op string, a, b expr) expr { return &binaryExpr{line, op, a, b} }

func (p *parser) or() expr  { return p.chained(p.and, logic, "or") }
func (p *parser) and() expr { return p.chained(p.not, logic, "and") }

func (p *parser) not() expr {
	if p.acceptName("not") {
		p.enter()
		defer p.leave()
		return &notExpr{p.not()}
	}
	return p.compare()
}

func (p *parser) compare() expr {
	out := &compareExpr{line: p.line(), first: p.sum()}
	for {
		op := p.peek().text
		switch {
		case p.peek().kind == operator && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, op):
			p.at++
		case p.acceptName("in"):
		case p.isName("not") && p.tokens[p.at+1].kind == name && p.tokens[p.at+1].text == "in":
			p.at += 2
			op = "not in"
		default:
			if len(out.ops) == 0 {
				return out.first
			}
			return out
		}
		out.ops = append(out.ops, op)
		out.rest = append(out.rest, p.sum())
	}
}

func (p *parser) sum() expr { return p.chained(p.concat, binary, "+", "-") }

func (p *parser) concat() expr {
	line := p.line()
	first := p.product()
	if !p.is("~") {
		return first
	}
	out := &concatExpr{line: line, parts: []expr{first}}
	for p.accept("~") {
		out.parts = append(out.parts, p.product())
	}
	return out
}

func (p *parser) product() expr { return p.chained(p.power, binary, "*", "/", "//", "%") }

func (p *parser) power() expr {
	return p.chained(func() expr { return p.unary(true) }, binary, "**")
}

func (p *parser) unary(filters bool) expr {
	t := p.peek()
	var out expr
	switch {
	case p.accept("-"), p.accept("+"):
		p.enter()
		out = &unaryExpr{t.line, t.text, p.unary(false)}
		p.leave()
	default:
		out = p.primary()
	}
	out = p.postfix(out)
	if filters {
		out = p.suffix(out)
	}
	return out
}

func (p *parser) primary() expr {
	p.enter()
	defer p.leave()
	switch t := p.take(); {
	case t.kind == name:
		if c := constant(t.text); c != nil {
			return &literal{c}
		}
		if p.macro != nil {
			p.macro.uses[t.text] = true
		}
		return &load{t.line, t.text}
	case t.kind == number:
		return &literal{t.value}
	case t.kind == text:
		s := t.value.(pyval.Str)
		for p.peek().kind == text {
			s += p.take().value.(pyval.Str)
		}
		return &literal{s}
	case t.kind == operator && t.text == "(":
		if p.accept(")") {
			return &listExpr{line: t.line, tuple: true}
		}
		out := p.tuple(false)
		p.expect(")")
		return out
	case t.kind == operator && t.text == "[":
		return &listExpr{line: t.line, items: p.items("]")}
	case t.kind == operator && t.text == "{":
		return p.dict(t.line)
	}
	p.at = max(0, p.at-1)
	p.unexpected("an expression")
	return nil
}

func (p *parser) items(end string) []expr {
	var out []expr
	for !p.accept(end) {
		if len(out) > 0 {
			p.expect(",")
			if p.accept(end) {
				break
			}
		}
		out = append(out, p.expression())
	}
	return out
}

func (p *parser) dict(line int) expr {
	out := &dictExpr{line: line}
	for !p.accept("}") {
		if len(out.keys) > 0 {
			p.expect(",")
			if p.accept("}") {
				break
			}
		}
		out.keys = append(out.keys, p.expression())
		p.expect(":")
		out.vals = append(out.vals, p.expression())
	}
	return out
}

// postfix reads members, subscripts and calls after a primary expression.
func (p *parser) postfix(of expr) expr {
	for n := 0; ; n++ {
		t := p.peek()
		if n > maxDepth {
			fail(t.line, "more than %d members in a row", maxDepth)
		}
		switch {
		case p.accept("."):
			of = p.member(t.line, of)
		case p.accept("["):
			of = p.subscript(t.line, of)
		case p.is("("):
			of = p.call(of)
		default:
			return of
		}
	}
}

func (p *parser) member(line int, of expr) expr {
	switch t := p.take(); t.kind {
	case name:
		return &attrExpr{line, of, t.text}
	case number:
		if _, whole := t.value.(pyval.Int); whole {
			return &itemExpr{line, of, &literal{t.value}}
		}
	}
	fail(line, "expected name or number")
	return nil
}

func (p *parser) subscript(line int, of expr) expr {
	var parts [3]expr
	n := 0
	for !p.is("]") && n < 3 {
		if !p.is(":") {
			parts[n] = p.expression()
			if n == 0 && p.is(",") {
				return p.tupleKey(line, of, parts[0])
			}
		}
		if !p.accept(":") {
			break
		}
		n++
	}
	colons := n
	p.expect("]")
	if colons == 0 {
		if parts[0] == nil {
			fail(line, "expected subscript expression")
		}
		return &itemExpr{line, of, parts[0]}
	}
	return &sliceExpr{line, of, parts[0], parts[1], parts[2]}
}

func (p *parser) tupleKey(line int, of, first expr) expr {
	p.expect(",")
	items := append([]expr{first}, p.items("]")...)
	return &itemExpr{line, of, &listExpr{line: line, items: items, tuple: true}}
}

func (p *parser) call(of expr) *callExpr {
	line := p.line()
	return &callExpr{line, of, p.arguments()}
}

func (p *parser) arguments() []argument {
	p.expect("(")
	var out []argument
	for !p.accept(")") {
		if len(out) > 0 {
			p.expect(",")
			if p.accept(")") {
				break
			}
		}
		out = append(out, p.argument(out))
	}
	return out
}

func (p *parser) argument(before []argument) argument {
	t := p.peek()
	switch {
	case p.accept("*"), p.accept("**"):
		return argument{spread: t.text, value: p.expression()}
	case t.kind == name && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=":
		p.at += 2
		return argument{name: t.text, value: p.expression()}
	}
	if len(before) > 0 && (before[len(before)-1].name != "" || before[len(before)-1].spread == "**") {
		fail(t.line, "invalid syntax for function call expression")
	}
	return argument{value: p.expression()}
}

// suffix reads filters, tests and calls of their results.
func (p *parser) suffix(of expr) expr {
	for n := 0; ; n++ {
		t := p.peek()
		if n > maxDepth {
			fail(t.line, "more than %d filters in a row", maxDepth)
		}
		switch {
		case p.accept("|"):
			of = p.filter(of)
		case p.acceptName("is"):
			of = p.test(of, t.line)
		case p.is("("):
			of = p.call(of)
		default:
			return of
		}
	}
}

// filters reads the filters of a block, the first one without a bar.
func (p *parser) filters(of expr, word token) expr {
	of = p.filter(of)
	for n := 0; p.accept("|"); n++ {
		if n > maxDepth {
			fail(word.line, "more than %d filters in a row", maxDepth)
		}
		of = p.filter(of)
	}
	return of
}

func (p *parser) filter(of expr) expr {
	return p.use(&useExpr{line: p.line(), kind: "filter", of: of})
}

// use reads the name of a filter or a test, and the arguments in parentheses.
func (p *parser) use(out *useExpr) *useExpr {
	t := p.expectKind(name, "a "+out.kind+"'s name")
	out.name = t.text
	if _, known := routines[out.kind][t.text]; !known {
		if !p.lenient {
			p.lacking = append(p.lacking, Error{Line: t.line, Msg: "No " + out.kind + " named '" + t.text + "'."})
		}
	}
	if p.is("(") {
		out.args = p.arguments()
	}
	return out
}

func (p *parser) test(of expr, line int) expr {
	out := p.use(&useExpr{line: line, kind: "test", of: of, negated: p.acceptName("not")})
	if p.tokens[p.at-1].text == ")" {
		return out
	}
	switch t := p.peek(); {
	case t.kind == name && slices.Contains([]string{"else", "or", "and", "is", "if", "in", "not"}, t.text):
	case t.kind == name, t.kind == text, t.kind == number, p.is("["), p.is("{"):
		out.args = []argument{{value: p.postfix(p.primary())}}
	}
	return out
}
