package jinja

import (
	"slices"

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

// bind returns the arguments for the named parameters, nil for those not given.
// The first ones, as many as required says, must be given.
func (a args) bind(line int, what string, required int, params ...string) []object {
	if len(a.pos) > len(params) {
		fail(line, "TypeError: %s takes at most %d arguments (%d given)", what, len(params), len(a.pos))
	}
	out := make([]object, len(params))
	copy(out, a.pos)
	for _, key := range a.keys {
		i := slices.Index(params, key)
		if i < 0 {
			fail(line, "TypeError: %s got an unexpected keyword argument '%s'", what, key)
		}
		if out[i] != nil {
			fail(line, "TypeError: %s got multiple values for argument '%s'", what, key)
		}
		out[i] = a.kw[key]
	}
	for i := range required {
		if out[i] == nil {
			fail(line, "TypeError: %s is missing its argument '%s'", what, params[i])
		}
	}
	return out
}

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
		return c.call(f, line, a)
	case *macro:
		return c.call(f, line, a)
	case *loop:
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
