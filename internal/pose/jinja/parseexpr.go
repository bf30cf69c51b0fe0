package jinja

import (
	"slices"
	"strings"

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
	items := []expr{first}
	for p.accept(",") {
		if t := p.peek(); t.kind == endOutput || t.kind == endTag || p.is(")") || p.isName("in") {
			break
		}
		items = append(items, read())
	}
	return display(line, items, true)
}

// noElse is the value of an if-expression without else whose condition is false.
var noElse expr = computed(func(*frame) object {
	return &undefined{hint: "the inline if-expression evaluated to false and no else section was defined."}
})

func (p *parser) expression() expr {
	p.enter()
	defer p.leave()
	line, known := p.line(), len(p.lacking)
	out := p.or()
	for n := 0; p.acceptName("if"); n++ {
		if n > maxDepth {
			fail(line, "nested deeper than %d levels", maxDepth)
		}
		yes, cond := out, p.or()
		alt := noElse
		if p.acceptName("else") {
			alt = p.expression()
		}
		p.lacking = p.lacking[:known]
		out = stepped(line, func(f *frame) object {
			if truth(cond.eval(f)) {
				return yes.eval(f)
			}
			return alt.eval(f)
		})
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

func logic(_ int, op string, a, b expr) expr {
	return computed(func(f *frame) object {
		left := a.eval(f)
		if truth(left) != (op == "and") {
			return left
		}
		return b.eval(f)
	})
}

func (p *parser) or() expr  { return p.chained(p.and, logic, "or") }
func (p *parser) and() expr { return p.chained(p.not, logic, "and") }

func (p *parser) not() expr {
	if p.acceptName("not") {
		p.enter()
		defer p.leave()
		of := p.not()
		return computed(func(f *frame) object { return pyval.Bool(!truth(of.eval(f))) })
	}
	return p.compare()
}

func (p *parser) compare() expr {
	line, operands := p.line(), []expr{p.sum()}
	var ops []string
	for {
		op := p.peek().text
		switch {
		case p.peek().kind == operator && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, op):
			p.at++
		case p.acceptName("in"):
		case p.isName("not") && p.tokens[p.at+1].kind == name && p.tokens[p.at+1].text == "in":
			p.at += 2
			op = "not in"
		case len(ops) == 0:
			return operands[0]
		default:
			return stepped(line, func(f *frame) object {
				a, holds := operands[0].eval(f), true
				for i := 0; i < len(ops) && holds; i++ {
					b := operands[i+1].eval(f)
					holds, a = f.compare(line, ops[i], a, b), b
				}
				return pyval.Bool(holds)
			})
		}
		ops = append(ops, op)
		operands = append(operands, p.sum())
	}
}

func (p *parser) sum() expr { return p.chained(p.concat, binary, "+", "-") }

func (p *parser) concat() expr {
	line, parts := p.line(), []expr{p.product()}
	for p.accept("~") {
		parts = append(parts, p.product())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return stepped(line, func(f *frame) object {
		var b strings.Builder
		for _, part := range parts {
			s := f.str(line, part.eval(f))
			f.r.spend(line, len(s))
			b.WriteString(s)
		}
		return pyval.Str(b.String())
	})
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
		of := p.unary(false)
		p.leave()
		out = stepped(t.line, func(f *frame) object {
			v, err := pyval.Unary(t.text, plain(t.line, of.eval(f)))
			return must(t.line, v, err)
		})
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
			return literal(c)
		}
		if p.macro != nil {
			p.macro.uses[t.text] = true
		}
		return load(t.line, t.text)
	case t.kind == number:
		return literal(t.value)
	case t.kind == text:
		s := t.value.(pyval.Str)
		for p.peek().kind == text {
			s += p.take().value.(pyval.Str)
		}
		return literal(s)
	case t.kind == operator && t.text == "(":
		if p.accept(")") {
			return display(t.line, nil, true)
		}
		out := p.tuple(false)
		p.expect(")")
		return out
	case t.kind == operator && t.text == "[":
		return display(t.line, p.items("]"), false)
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
	var keys, vals []expr
	for !p.accept("}") {
		if len(keys) > 0 {
			p.expect(",")
			if p.accept("}") {
				break
			}
		}
		keys = append(keys, p.expression())
		p.expect(":")
		vals = append(vals, p.expression())
	}
	return stepped(line, func(f *frame) object {
		out := pyval.NewDict(len(keys))
		for i, key := range keys {
			k := plain(line, key.eval(f))
			must(line, 0, out.Set(k, plain(line, vals[i].eval(f))))
		}
		return f.made(line, out)
	})
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
		return stepped(line, func(f *frame) object { return attribute(line, check(line, of.eval(f)), t.text) })
	case number:
		if _, whole := t.value.(pyval.Int); whole {
			return itemOf(line, of, literal(t.value))
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
				p.at++
				return itemOf(line, of, display(line, append([]expr{parts[0]}, p.items("]")...), true))
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
		return itemOf(line, of, parts[0])
	}
	return sliced(line, of, parts)
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

// filter reads the name of a filter and its arguments.
func (p *parser) filter(of expr) expr {
	line := p.line()
	name, args := p.use("filter")
	return stepped(line, func(f *frame) object {
		r, of := routineOf(line, "filter", name), of.eval(f)
		return f.apply(line, name, r, of, f.args(line, args))
	})
}

// use reads the name of a filter or a test, and the arguments in parentheses.
func (p *parser) use(kind string) (string, []argument) {
	t := p.expectKind(name, "a "+kind+"'s name")
	if _, known := routines[kind][t.text]; !known && !p.lenient {
		p.lacking = append(p.lacking, Error{Line: t.line, Msg: "No " + kind + " named '" + t.text + "'."})
	}
	if p.is("(") {
		return t.text, p.arguments()
	}
	return t.text, nil
}

// test reads the name of a test and its argument, which may be without
// parentheses.
func (p *parser) test(of expr, line int) expr {
	negated := p.acceptName("not")
	called, args := p.use("test")
	switch t := p.peek(); {
	case p.tokens[p.at-1].text == ")":
	case t.kind == name && slices.Contains([]string{"else", "or", "and", "is", "if", "in", "not"}, t.text):
	case t.kind == name, t.kind == text, t.kind == number, p.is("["), p.is("{"):
		args = []argument{{value: p.postfix(p.primary())}}
	}
	return stepped(line, func(f *frame) object {
		r, of := routineOf(line, "test", called), of.eval(f)
		return pyval.Bool(truth(f.apply(line, called, r, bare(of), f.args(line, args))) != negated)
	})
}
