package jinja

import "slices"

// maxDepth bounds how deep expressions and tags may nest.
const maxDepth = 200

// A parser reads tokens into nodes.
type parser struct {
	tokens []token
	at     int
	depth  int
	loops  int       // loops around the place, within its macro
	macro  *macroDef // the macro around the place

	// lenient says that the place belongs to an `if` tag: what is named there
	// must exist only if the branch is taken. lacking are the filters and tests
	// that no such tag, nor an if-expression, has excused.
	lenient bool
	lacking []Error
}

// within sets whether the place belongs to an `if` tag, and returns a function
// that sets it back.
func (p *parser) within(branch bool) (restore func()) {
	before := p.lenient
	p.lenient = branch
	return func() { p.lenient = before }
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != eof {
		p.at++
	}
	return t
}

func (p *parser) line() int { return p.peek().line }

// enter counts a level of nesting; the caller defers leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		fail(p.line(), "nested deeper than %d levels", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) is(op string) bool {
	t := p.peek()
	return t.kind == operator && t.text == op
}

func (p *parser) isName(word string) bool {
	t := p.peek()
	return t.kind == name && t.text == word
}

// accept reads an operator if it comes next, and reports whether it did.
func (p *parser) accept(op string) bool {
	if p.is(op) {
		p.at++
		return true
	}
	return false
}

func (p *parser) acceptName(word string) bool {
	if p.isName(word) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(op string) {
	if !p.accept(op) {
		p.unexpected("'" + op + "'")
	}
}

func (p *parser) expectKind(k kind, what string) token {
	if p.peek().kind != k {
		p.unexpected(what)
	}
	return p.take()
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	fail(t.line, "unexpected %s, expected %s", t.describe(), want)
}

// body reads statements up to and including a tag of one of the given names; of
// is the tag that the body belongs to.
func (p *parser) body(of token, ends ...string) ([]stmt, string) {
	p.enter()
	defer p.leave()
	var out []stmt
	for {
		switch t := p.take(); t.kind {
		case eof:
			if len(ends) > 0 {
				fail(of.line, "the tag '%s' is never closed: '%s' is missing", of.text, ends[len(ends)-1])
			}
			return out, ""
		case data:
			out = append(out, func(f *frame) signal { return f.write(0, t.text) })
		case beginOutput:
			value := p.tuple(false)
			out = append(out, func(f *frame) signal { return f.write(t.line, f.str(t.line, value.eval(f))) })
			p.expectKind(endOutput, "end of print statement")
		default:
			word := p.expectKind(name, "a tag's name")
			if slices.Contains(ends, word.text) {
				return out, word.text
			}
			out = append(out, p.statement(word))
		}
	}
}

// block reads a body up to its only end, and closes that tag.
func (p *parser) block(of token, end string) []stmt {
	p.closeTag()
	body, _ := p.body(of, end)
	p.closeTag()
	return body
}

// captured reads a block whose text is kept: no break can leave it.
func (p *parser) captured(of token, end string) []stmt {
	loops := p.loops
	p.loops = 0
	defer func() { p.loops = loops }()
	return p.block(of, end)
}

func (p *parser) closeTag() { p.expectKind(endTag, "end of statement block") }

// statement reads the rest of a tag after its name, with its body.
func (p *parser) statement(word token) stmt {
	switch word.text {
	case "if":
		return p.ifTag(word)
	case "for":
		return p.forTag(word)
	case "set":
		return p.setTag(word)
	case "macro":
		defer p.within(false)()
		m := &macroDef{line: word.line, name: p.expectKind(name, "the macro's name").text}
		p.signature(m)
		p.macroBody(m, word, "endmacro")
		return func(f *frame) signal {
			f.vars[m.name] = &macro{def: m, home: f}
			return proceed
		}
	case "call":
		return p.callTag(word)
	case "filter":
		defer p.within(false)()
		filter, body := p.filters(load(word.line, blockText), word), p.captured(word, "endfilter")
		return func(f *frame) signal { return f.write(0, f.str(0, f.filtered(filter, body))) }
	case "with":
		return p.withTag(word)
	case "generation":
		defer p.within(false)()
		body := p.block(word, "endgeneration")
		return func(f *frame) signal { return f.inner().run(body) }
	case "break", "continue":
		if p.loops == 0 {
			fail(word.line, "'%s' outside of a loop", word.text)
		}
		p.closeTag()
		sent := map[string]signal{"break": leave, "continue": again}[word.text]
		return func(*frame) signal { return sent }
	case "include", "import", "from", "extends", "block":
		fail(word.line, "the tag '%s' needs other files, which a chat template does not have", word.text)
	}
	fail(word.line, "Encountered unknown tag '%s'", word.text)
	return nil
}

func (p *parser) ifTag(word token) stmt {
	defer p.within(true)()
	var conds []expr
	var bodies [][]stmt // one more than conditions if there is an else
	for end := "elif"; end == "elif"; {
		conds = append(conds, p.tuple(true))
		p.closeTag()
		var body []stmt
		body, end = p.body(word, "elif", "else", "endif")
		bodies = append(bodies, body)
		switch end {
		case "else":
			bodies = append(bodies, p.block(word, "endif"))
		case "endif":
			p.closeTag()
		}
	}
	return func(f *frame) signal {
		at := slices.IndexFunc(conds, func(cond expr) bool { return truth(cond.eval(f)) })
		if at < 0 {
			at = len(conds)
		}
		if at == len(bodies) {
			return proceed
		}
		return f.run(bodies[at])
	}
}

func (p *parser) forTag(word token) stmt {
	to := p.target(false)
	if !p.acceptName("in") {
		p.unexpected("'in'")
	}
	in := p.tuple(true)
	defer p.within(false)()
	var only expr // nil without a filter
	if p.acceptName("if") {
		only = p.expression()
	}
	p.closeTag()
	p.loops++
	body, end := p.body(word, "else", "endfor")
	p.loops--
	var alt []stmt
	if end == "else" {
		alt = p.block(word, "endfor")
	} else {
		p.closeTag()
	}
	return func(f *frame) signal {
		f.step(word.line)
		l := &loop{items: f.iterate(word.line, in.eval(f))}
		if only != nil {
			l.items = f.selected(l.items, to, only)
		}
		for l.at = range l.items {
			f.r.spend(word.line, loopCost)
			inner := f.inner()
			inner.vars["loop"] = l
			inner.assign(to, l.items[l.at])
			if inner.run(body) == leave {
				break
			}
		}
		if len(l.items) == 0 {
			f.inner().run(alt)
		}
		return proceed
	}
}

func (p *parser) setTag(word token) stmt {
	to := p.target(true)
	if p.accept("=") {
		value := p.tuple(false)
		p.closeTag()
		return func(f *frame) signal { return f.assign(to, value.eval(f)) }
	}
	defer p.within(false)()
	filter := load(word.line, blockText)
	if p.accept("|") {
		filter = p.filters(filter, word)
	}
	body := p.captured(word, "endset")
	return func(f *frame) signal { return f.assign(to, f.filtered(filter, body)) }
}

func (p *parser) withTag(word token) stmt {
	var targets []target
	var values []expr
	for p.peek().kind != endTag {
		if len(targets) > 0 {
			p.expect(",")
		}
		targets = append(targets, p.oneTarget(false))
		p.expect("=")
		values = append(values, p.expression())
	}
	defer p.within(false)()
	body := p.block(word, "endwith")
	return func(f *frame) signal {
		inner := f.inner()
		for i, t := range targets {
			inner.assign(t, values[i].eval(f))
		}
		return inner.run(body)
	}
}

func (p *parser) callTag(word token) stmt {
	m := &macroDef{line: word.line, name: "caller"}
	if p.is("(") {
		restore := p.within(false)
		p.signature(m)
		restore()
	}
	call, ok := p.expression().(*callExpr)
	if !ok {
		fail(word.line, "expected a call")
	}
	defer p.within(false)()
	p.macroBody(m, word, "endcall")
	return func(f *frame) signal {
		callee := call.of.eval(f)
		a := f.args(word.line, call.args)
		a.set(word.line, "caller", &macro{def: m, home: f})
		return f.write(word.line, f.str(word.line, f.invoke(word.line, callee, a)))
	}
}

// macroBody reads a macro's body; break and continue in it do not reach the
// loops around the macro.
func (p *parser) macroBody(m *macroDef, word token, end string) {
	m.uses = map[string]bool{}
	loops, around := p.loops, p.macro
	p.loops, p.macro = 0, m
	m.body = p.block(word, end)
	p.loops, p.macro = loops, around
}

func (p *parser) signature(m *macroDef) {
	p.expect("(")
	for !p.accept(")") {
		if len(m.params) > 0 {
			p.expect(",")
		}
		m.params = append(m.params, p.expectKind(name, "a parameter's name").text)
		if p.accept("=") {
			m.defaults = append(m.defaults, p.expression())
		} else if len(m.defaults) > 0 {
			fail(p.line(), "non-default argument follows default argument")
		}
	}
}

// target reads the target of an assignment, which with commas is a tuple; attr
// allows a namespace's attribute.
func (p *parser) target(attr bool) target {
	first := p.oneTarget(attr)
	if !p.is(",") {
		return first
	}
	out := target{line: first.line, parts: []target{first}}
	for p.accept(",") {
		if p.isName("in") || p.is("=") || p.is(")") {
			break
		}
		out.parts = append(out.parts, p.oneTarget(attr))
	}
	return out
}

func (p *parser) oneTarget(attr bool) target {
	p.enter()
	defer p.leave()
	if p.accept("(") {
		t := p.target(attr)
		p.expect(")")
		return t
	}
	word := p.expectKind(name, "a name to assign to")
	if constant(word.text) != nil {
		fail(word.line, "can't assign to '%s'", word.text)
	}
	t := target{line: word.line, name: word.text}
	if attr && p.accept(".") {
		t.attr = p.expectKind(name, "an attribute's name").text
	}
	return t
}
