package pycall

import (
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Arg is one argument of a call that is run. Without a Name it is
// positional.
type Arg struct {
	Name  string
	Value pyval.Value
}

// A Function answers a call. The arguments are valid until it returns.
type Function func(args []Arg) (pyval.Value, error)

// A Scope returns the function of a dotted name, or the error that an unknown
// name raises. A text run by Run can use nothing else.
type Scope func(name string) (Function, error)

// Run evaluates one expression whose names are a scope's functions: calls of
// them, literals, operators and subscripts, in Python's order. Everything else
// that upstream's eval would do is an error. Errors are *Error or those of the
// scope and its functions.
func Run(src string, scope Scope) (pyval.Value, error) {
	src = strings.TrimLeft(src, " \t")
	p := start(src)
	defer p.release()
	body := p.eval()
	if p.err == nil && body.depth > maxUnparse {
		p.fail("RecursionError", 0, "maximum recursion depth exceeded")
	}
	if p.err == nil {
		p.checkKeywords(body)
	}
	if p.err != nil {
		var fault *Error
		if errors.As(p.err, &fault) {
			return nil, explain(src, fault)
		}
		return nil, p.err
	}
	r := runner{parser: p, scope: scope}
	v := r.run(body)
	if p.err != nil {
		return nil, p.err
	}
	return v, nil
}

// checkKeywords refuses a repeated keyword before anything runs, as Python's
// compiler does.
func (p *parser) checkKeywords(n *node) {
	if n.kind == kCall && n.op == 1 {
		p.checkRepeated(n)
	}
	for c := n.first; c != nil && p.err == nil; c = c.next {
		p.checkKeywords(c)
	}
}

// checkRepeated compares the keywords of a call, through a map if there are
// many.
func (p *parser) checkRepeated(n *node) {
	const few = 12
	var seen map[string]bool
	if n.keywordCount() > few {
		seen = map[string]bool{}
	}
	for a := n.second(); a != nil; a = a.next {
		if a.kind != kKeyword || a.op == 1 {
			continue
		}
		repeated := seen[a.text]
		if seen != nil {
			seen[a.text] = true
		}
		for b := n.second(); seen == nil && b != a; b = b.next {
			repeated = repeated || b.kind == kKeyword && b.op != 1 && b.text == a.text
		}
		if repeated {
			p.syntax(int(a.pos), "keyword argument repeated: "+a.text)
		}
	}
}

// call finds the function first, then evaluates the arguments from left to
// right, then calls.
func (r *runner) call(n *node) pyval.Value {
	name, ok := r.dotted(n.first)
	if !ok {
		return r.valueMethod(n)
	}
	f, err := r.scope(name)
	if err != nil {
		return r.raised(err)
	}
	before := len(r.args)
	args := r.arguments(n)
	if r.err != nil {
		return pyval.None
	}
	v, err := f(args)
	r.drop(before)
	if err != nil {
		return r.raised(err)
	}
	return v
}

// drop takes a call's arguments off the stack.
func (r *runner) drop(before int) {
	clear(r.args[before:])
	r.args = r.args[:before]
}

// valueMethod calls a method of a value. Only dict.get is known: texts use it
// on the result of a call that is itself an argument.
func (r *runner) valueMethod(n *node) pyval.Value {
	if n.first.kind != kAttribute {
		return r.wrong(n, "TypeError", "only functions can be called")
	}
	v := r.run(n.first.first)
	d, ok := v.(*pyval.Dict)
	if r.err == nil && (!ok || n.first.text != "get") {
		return r.wrong(n, "AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+n.first.text+"'")
	}
	before := len(r.args)
	defer func() { r.drop(before) }()
	args := r.arguments(n)
	switch {
	case r.err != nil:
		return pyval.None
	case len(args) < 1 || len(args) > 2 || args[0].Name != "" || args[len(args)-1].Name != "":
		return r.wrong(n, "TypeError", "get() takes one or two positional arguments")
	}
	if err := pyval.Hashable(args[0].Value); err != nil {
		return r.wrong(n, "TypeError", err.Error())
	}
	if found, ok := d.Get(args[0].Value); ok {
		return found
	}
	if len(args) == 2 {
		return args[1].Value
	}
	return pyval.None
}

func (r *runner) raised(err error) pyval.Value {
	if r.err == nil {
		r.err = err
	}
	return pyval.None
}

// arguments puts a call's arguments on the stack, where they stay until they
// are dropped. A call among them drops its own arguments before the next one is
// put there.
func (r *runner) arguments(n *node) []Arg {
	before := len(r.args)
	for a := n.second(); a != nil && r.err == nil; a = a.next {
		switch {
		case a.kind == kStarred:
			for _, v := range r.element(nil, a) {
				r.push("", v)
			}
		case a.kind != kKeyword:
			r.push("", r.run(a))
		case a.op == 1:
			r.unpackedKeywords(a)
		default:
			r.push(a.text, r.run(a.first))
		}
	}
	return r.args[before:]
}

func (r *runner) push(name string, v pyval.Value) {
	r.args = append(r.args, Arg{Name: name, Value: v})
}

func (r *runner) unpackedKeywords(a *node) {
	d, ok := r.run(a.first).(*pyval.Dict)
	if !ok {
		r.wrong(a, "TypeError", "argument after ** must be a mapping")
		return
	}
	for key, v := range d.All() {
		name, ok := key.(pyval.Str)
		if !ok || name == "" {
			r.wrong(a, "TypeError", "keywords must be strings")
			return
		}
		r.push(string(name), v)
	}
}

// dotted is the text of a name or of attributes of a name.
func (r *runner) dotted(n *node) (string, bool) {
	for f := n; f.kind != kName; f = f.first {
		if f.kind != kAttribute {
			return "", false
		}
	}
	return r.functionName(n), true
}
