package pycall

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Param is a declared parameter.
type Param struct {
	Name string
	// Default is used if the argument is missing; nil makes the parameter
	// required. It is shared by all calls and must be immutable.
	Default pyval.Value
}

// A Callee is the function or method that has the parameters, as Python's
// errors name it.
type Callee struct {
	// Class is a method's class; "" for a function. A method's first parameter,
	// self, is always given and not among its Params.
	Class, Name string
}

// Bind returns one argument for each parameter, in the order of the parameters.
// They are stored in room if its capacity is large enough.
func Bind(room []pyval.Value, callee Callee, params []Param, args []Arg) ([]pyval.Value, error) {
	bound := slices.Grow(room, len(params))[:len(params)]
	clear(bound)
	positional := 0
	for ; positional < len(args) && args[positional].Name == ""; positional++ {
		if positional < len(bound) {
			bound[positional] = args[positional].Value
		}
	}
	if err := callee.keywords(params, bound, args[positional:]); err != nil {
		return nil, err
	}
	if positional > len(params) {
		return nil, callee.tooMany(params, positional)
	}
	var missing []string
	for i := range params {
		if bound[i] == nil {
			if bound[i] = params[i].Default; bound[i] == nil {
				missing = append(missing, "'"+params[i].Name+"'")
			}
		}
	}
	if missing != nil {
		return nil, callee.wrong("missing %d required positional argument%s: %s", len(missing), plural(len(missing)), enumerate(missing))
	}
	return bound, nil
}

func (c Callee) keywords(params []Param, bound []pyval.Value, args []Arg) error {
	for _, arg := range args {
		i := Index(params, arg.Name)
		switch {
		case arg.Name == "":
			return pyval.Raise("SyntaxError", "positional argument follows keyword argument unpacking")
		case arg.Name == "self" && c.Class != "":
			return c.wrong("got multiple values for argument 'self'")
		case i < 0:
			return c.wrong("got an unexpected keyword argument '%s'", arg.Name)
		case bound[i] != nil:
			return c.wrong("got multiple values for argument '%s'", arg.Name)
		}
		bound[i] = arg.Value
	}
	return nil
}

// Index returns the position of the parameter with a name, or -1 if there is
// none.
func Index(params []Param, name string) int {
	return slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
}

// self is how many arguments are given implicitly.
func (c Callee) self() int {
	if c.Class != "" {
		return 1
	}
	return 0
}

func (c Callee) wrong(format string, args ...any) error {
	name := c.Name
	if c.Class != "" {
		name = c.Class + "." + name
	}
	return pyval.Raise("TypeError", "%s() "+format, append([]any{name}, args...)...)
}

func (c Callee) tooMany(params []Param, given int) error {
	required := c.self()
	for _, p := range params {
		if p.Default == nil {
			required++
		}
	}
	most := len(params) + c.self()
	takes := strconv.Itoa(most)
	if required < most {
		takes = "from " + strconv.Itoa(required) + " to " + takes
	}
	were := "were"
	if given += c.self(); given == 1 {
		were = "was"
	}
	return c.wrong("takes %s positional argument%s but %d %s given", takes, plural(most), given, were)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// enumerate joins as Python's error texts do: 'a', 'b', and 'c'.
func enumerate(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
}

// arguments reads the arguments of a call whose function is n's first child.
func (p *parser) arguments(n *node) *node {
	p.advance()
	a := argumentReader{parser: p, call: n}
	for p.tok != tRightParen {
		if !a.argument() || !p.take(tComma) {
			break
		}
	}
	p.expect(tRightParen)
	return n
}

// An argumentReader enforces CPython's order of arguments: no positional one
// after a keyword, no *value after a **value.
type argumentReader struct {
	*parser
	call     *node
	keywords bool
	unpacked bool
}

// argument reads one argument. It returns false after a generator expression,
// which must be the only argument.
func (a *argumentReader) argument() bool {
	pos := a.pos
	switch {
	case a.tok == tStar && !a.unpacked:
		a.add(a.call, a.starred(a.expression))
	case a.tok == tDoubleStar:
		a.advance()
		n := a.new(kKeyword, pos, a.expression())
		n.op, a.call.op = 1, 1
		a.unpacked = true
		a.add(a.call, n)
	case (a.tok == tName || a.whole && a.tok != tString && pos >= 0 && pos < len(a.src) && isNameByte(a.src[pos]) && !isDigit(a.src[pos])) && a.follows("="):
		name := a.text
		a.advance()
		a.advance()
		n := a.new(kKeyword, pos, a.expression())
		n.text, a.call.op = name, 1
		a.keywords = true
		a.add(a.call, n)
	case a.keywords || a.unpacked:
		a.syntax(pos, "positional argument follows keyword argument")
		return false
	default:
		first := a.call.first == a.call.last
		value := a.namedExpression()
		if first && a.atFor() {
			a.add(a.call, a.clauses(a.new(kGenerator, pos, value)))
			return false
		}
		a.add(a.call, value)
	}
	return true
}

// index reads what is between the brackets of a subscript.
func (p *parser) index() *node {
	pos := p.pos
	n := p.slice()
	if p.tok != tComma && n.kind != kStarred {
		return n
	}
	n = p.new(kTuple, pos, n)
	for p.take(tComma) && p.tok != tRightBracket {
		p.add(n, p.slice())
	}
	return n
}

func (p *parser) slice() *node {
	pos := p.pos
	var lower *node
	switch p.tok {
	case tStar:
		return p.starred(p.expression)
	case tColon:
	default:
		lower = p.namedExpression()
		if p.tok != tColon || lower.kind == kNamed && p.src[pos] != '(' {
			return lower
		}
	}
	n := p.new(kSlice, pos)
	if lower != nil {
		n.op = 1
		p.add(n, lower)
	}
	for bit := uint8(2); bit <= 4 && p.take(tColon); bit *= 2 {
		switch p.tok {
		case tColon, tComma, tRightBracket:
		default:
			n.op |= bit
			p.add(n, p.expression())
		}
	}
	return n
}

// lambda reads a lambda's parameters and body.
func (p *parser) lambda() *node {
	n := p.new(kLambda, p.pos)
	p.advance()
	r := parameterReader{parser: p, lambda: n}
	for p.tok != tColon {
		if !r.parameter() || !p.take(tComma) {
			break
		}
	}
	if r.bareStar {
		return p.syntax(p.pos, "named arguments must follow bare *")
	}
	p.expect(tColon)
	p.add(n, p.expression())
	return n
}

type parameterReader struct {
	*parser
	lambda   *node
	pass     uint8 // how the next named parameter is passed
	slash    bool
	bareStar bool // a bare * still needs a parameter after it
	defaults bool // a positional parameter had a default
}

// parameter reads one parameter, "/" or "*". It returns false after **kwargs,
// which comes last, and after a failure.
func (r *parameterReader) parameter() bool {
	switch r.tok {
	case tSlash:
		if r.slash || r.pass != passPlain || r.lambda.first == nil {
			return false
		}
		r.slash = true
		for q := r.lambda.first; q != nil; q = q.next {
			q.op = passPosOnly
		}
		r.advance()
	case tStar:
		if r.pass != passPlain {
			return false
		}
		r.advance()
		r.pass = passKeyOnly
		if r.bareStar = r.tok == tComma; !r.bareStar {
			r.named(passVar)
		}
	case tDoubleStar:
		if r.advance(); r.bareStar {
			return false
		}
		r.named(passKwargs)
		r.take(tComma)
		return false
	case tName:
		n := r.named(r.pass)
		if r.take(tAssign) {
			r.add(n, r.expression())
			if r.lambda.depth <= n.depth {
				r.lambda.depth = n.depth + 1
			}
			r.defaults = r.defaults || r.pass == passPlain
		} else if r.defaults && r.pass == passPlain {
			r.syntax(r.pos, "non-default argument follows default argument")
		}
		r.bareStar = false
	default:
		return false
	}
	return r.err == nil
}

func (r *parameterReader) named(pass uint8) *node {
	if r.tok != tName {
		return r.unexpected()
	}
	n := r.new(kParam, r.pos)
	n.text, n.op = r.text, pass
	r.advance()
	r.add(r.lambda, n)
	return n
}
