package jinja

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An args are the arguments of a call.
type args struct {
	pos  []object
	kw   map[string]object
	keys []string // of kw, in order
}

// args evaluates a call's arguments.
func (f *frame) args(line int, list []argument) args {
	var a args
	for _, arg := range list {
		v := arg.value.eval(f)
		switch {
		case arg.spread == "*":
			a.pos = append(a.pos, f.iterate(line, v)...)
		case arg.spread == "**":
			d, ok := v.(*pyval.Dict)
			if !ok {
				fail(line, "TypeError: argument after ** must be a mapping, not %s", typeName(v))
			}
			for key, val := range d.All() {
				a.set(line, pyval.Text(key), val)
			}
		case arg.name != "":
			a.set(line, arg.name, v)
		default:
			a.pos = append(a.pos, v)
		}
	}
	return a
}

func (a *args) set(line int, name string, v object) {
	if _, twice := a.kw[name]; twice {
		fail(line, "TypeError: got multiple values for keyword argument '%s'", name)
	}
	if a.kw == nil {
		a.kw = map[string]object{}
	}
	a.kw[name] = v
	a.keys = append(a.keys, name)
}

// A routine is a row of a table: a filter, a test, a method or a global.
type routine struct {
	required int      // how many parameters must be given; -1 if the routine reads its arguments itself
	params   []string // the names of all
	do       func(c *call) object
}

func takes(required int, params string, do func(c *call) object) routine {
	return routine{required, strings.Fields(params), do}
}

func takesAny(do func(c *call) object) routine { return routine{required: -1, do: do} }

// A call is one use of a routine.
type call struct {
	*frame
	args
	line int
	of   object   // the value that is filtered or tested, or the method's owner
	got  []object // the arguments by parameter, nil for those not given
}

func (f *frame) apply(line int, name string, r routine, of object, a args) object {
	c := &call{frame: f, args: a, line: line, of: of}
	if r.required >= 0 {
		c.got = a.bind(line, name, r)
	}
	return r.do(c)
}

// bind returns the arguments for a routine's parameters.
func (a args) bind(line int, name string, r routine) []object {
	if len(a.pos) > len(r.params) {
		fail(line, "TypeError: %s takes at most %d arguments (%d given)", name, len(r.params), len(a.pos))
	}
	out := make([]object, len(r.params))
	copy(out, a.pos)
	for _, key := range a.keys {
		i := slices.Index(r.params, key)
		if i < 0 {
			fail(line, "TypeError: %s got an unexpected keyword argument '%s'", name, key)
		}
		if out[i] != nil {
			fail(line, "TypeError: %s got multiple values for argument '%s'", name, key)
		}
		out[i] = a.kw[key]
	}
	for i := range r.required {
		if out[i] == nil {
			fail(line, "TypeError: %s is missing its argument '%s'", name, r.params[i])
		}
	}
	return out
}

// given reports whether argument i is there and not None.
func (c *call) given(i int) bool { return c.got[i] != nil && c.got[i].Kind() != pyval.KindNone }

func (c *call) flag(i int) bool { return c.got[i] != nil && truth(c.got[i]) }

// or returns argument i, or a value if it is not given.
func (c *call) or(i int, otherwise object) object {
	if c.got[i] == nil {
		return otherwise
	}
	return c.got[i]
}

// word returns argument i, which must be a str.
func (c *call) word(i int) string { return word(c.line, c.got[i]) }

// subject returns the text of the value that a filter is for.
func (c *call) subject() string { return c.str(c.line, c.of) }

// items returns the items of the value that a filter is for.
func (c *call) items() []object { return c.iterate(c.line, c.of) }

func (e *callExpr) eval(f *frame) object {
	f.step(e.line)
	callee := e.of.eval(f)
	return f.invoke(e.line, callee, f.args(e.line, e.args))
}

func (f *frame) invoke(line int, callee object, a args) object {
	if f.r.calls++; f.r.calls > maxCalls {
		fail(line, "calls nest deeper than %d", maxCalls)
	}
	defer func() { f.r.calls-- }()
	switch c := check(line, callee).(type) {
	case *function:
		if s, ok := c.of.(pyval.Str); ok {
			f.r.spend(line, len(s))
		}
		return f.apply(line, c.name, c.routine, c.of, a)
	case *macro:
		return c.call(f, line, a)
	}
	fail(line, "TypeError: '%s' object is not callable", typeName(callee))
	return nil
}

// call runs a macro's body in a scope of its own inside the scope of its
// definition.
func (m *macro) call(f *frame, line int, a args) object {
	inner := m.home.inner()
	def := m.def
	n := min(len(a.pos), len(def.params))
	for i, param := range def.params {
		given, ok := a.kw[param]
		switch {
		case i < n && ok:
			fail(line, "TypeError: macro '%s' got multiple values for argument '%s'", def.name, param)
		case i < n:
			given = a.pos[i]
		case ok:
		case i >= len(def.params)-len(def.defaults):
			given = def.defaults[i-len(def.params)+len(def.defaults)].eval(inner)
		default:
			given = &undefined{hint: "parameter '" + param + "' was not provided"}
		}
		inner.vars[param] = given
	}
	m.extras(inner, line, a, n)
	return pyval.Str(inner.capture(def.body))
}

// extras sets the arguments beyond a macro's parameters, which only a macro
// that names them takes.
func (m *macro) extras(inner *frame, line int, a args, n int) {
	def := m.def
	if def.uses["varargs"] {
		inner.vars["varargs"] = pyval.NewTuple(inner.list(line, a.pos[n:]).Items...)
	} else if n < len(a.pos) {
		fail(line, "TypeError: macro '%s' takes not more than %d argument(s)", def.name, len(def.params))
	}
	rest := pyval.NewDict(0)
	for _, key := range a.keys {
		switch {
		case slices.Contains(def.params, key):
		case key == "caller" && def.uses["caller"]:
			inner.vars["caller"] = a.kw[key]
		case def.uses["kwargs"]:
			rest.SetStr(key, plain(line, a.kw[key]))
		case key == "caller":
			fail(line, "TypeError: macro '%s' was invoked with two values for the special caller argument or takes none", def.name)
		default:
			fail(line, "TypeError: macro '%s' takes no keyword argument '%s'", def.name, key)
		}
	}
	if def.uses["kwargs"] {
		inner.vars["kwargs"] = rest
	}
	if _, ok := inner.vars["caller"]; def.uses["caller"] && !ok && !slices.Contains(def.params, "caller") {
		inner.vars["caller"] = &undefined{hint: "No caller defined"}
	}
}

// What rendering may cost: about a second. A step is one node; values and texts
// that are made cost their size.
const (
	budget    = 1 << 29
	stepCost  = 64
	loopCost  = 512
	maxOutput = 64 << 20
	maxCalls  = 100
)

// A render is one rendering of a template.
type render struct {
	options Options
	out     *strings.Builder
	left    int // of the budget
	calls   int // of macros that have not returned
}

// spend takes from the budget.
func (r *render) spend(line, cost int) {
	if r.left -= cost; r.left < 0 {
		fail(line, "the template takes too many steps and was stopped")
	}
}

// A frame is a scope: names and the scope around it.
type frame struct {
	r     *render
	vars  map[string]object
	outer *frame
}

func (f *frame) inner() *frame { return &frame{r: f.r, vars: map[string]object{}, outer: f} }

func (f *frame) lookup(name string) (object, bool) {
	for ; f != nil; f = f.outer {
		if v, ok := f.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// step counts a node.
func (f *frame) step(line int) { f.r.spend(line, stepCost) }

// weigh counts the size of a value that is copied or written out.
func (f *frame) weigh(line int, v object) {
	if p, ok := v.(pyval.Value); ok {
		f.r.spend(line, pyval.Weight(p, f.r.left))
	}
}

// made counts the size of a container that was made from others.
func (f *frame) made(line int, v pyval.Value) pyval.Value {
	f.weigh(line, v)
	return v
}

func (f *frame) write(line int, s string) signal {
	f.r.spend(line, len(s))
	if f.r.out.Len()+len(s) > maxOutput {
		fail(line, "the template writes more than %d bytes and was stopped", maxOutput)
	}
	f.r.out.WriteString(s)
	return proceed
}

// capture returns what a body writes.
func (f *frame) capture(body []stmt) string {
	outer := f.r.out
	f.r.out = &strings.Builder{}
	f.run(body)
	s := f.r.out.String()
	f.r.out = outer
	return s
}

// run executes statements until one leaves the loop around them.
func (f *frame) run(body []stmt) signal {
	for _, s := range body {
		if sig := s(f); sig != proceed {
			return sig
		}
	}
	return proceed
}
