package exec

import (
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An object is what an expression gives: a pyval.Value, a *Function, a
// *builtin, a *lambda or a module.
type object any

// A scope holds names; those it lacks are looked up in the outer one and last
// among functions, modules and builtins.
type scope struct {
	names map[string]object
	outer *scope
}

func (s *scope) lookup(name string) object {
	for ; s != nil; s = s.outer {
		if o, ok := s.names[name]; ok {
			return o
		}
	}
	if fn := Lookup(name); fn != nil {
		return fn
	}
	if m, ok := modules[name]; ok {
		return m
	}
	if b, ok := builtins[name]; ok {
		return b
	}
	return raise("NameError", "name '%s' is not defined", name)
}

// eval evaluates an expression. Like a frame's operations it raises by
// panicking.
func (m *machine) eval(e *pycall.Expr, s *scope) object {
	if m.steps++; m.steps > maxSteps {
		return raise("TimeoutError", "stopped after too many steps")
	}
	switch e.Kind {
	case pycall.ExprConst:
		return e.Value
	case pycall.ExprName:
		return s.lookup(e.Text)
	case pycall.ExprCall:
		return m.evalCall(e, s)
	case pycall.ExprAttribute:
		return attribute(m.eval(e.Parts[0], s), e.Text)
	case pycall.ExprLambda:
		return m.newLambda(e, s)
	case pycall.ExprIf:
		if pyval.Truth(m.value(e.Parts[1], s)) {
			return m.eval(e.Parts[0], s)
		}
		return m.eval(e.Parts[2], s)
	case pycall.ExprBool:
		return m.evalBool(e, s)
	case pycall.ExprCompare:
		return m.evalCompare(e, s)
	case pycall.ExprList, pycall.ExprTuple, pycall.ExprSet, pycall.ExprDict,
		pycall.ExprSubscript, pycall.ExprUnary, pycall.ExprBinary:
		return m.compose(e, s)
	}
	return raise("NotImplementedError", "%s expressions are not evaluated", e.Kind)
}

// value is eval for what must be a value.
func (m *machine) value(e *pycall.Expr, s *scope) pyval.Value { return plain(m.eval(e, s)) }

// compose evaluates expressions whose parts are all values.
func (m *machine) compose(e *pycall.Expr, s *scope) object {
	parts := make([]pyval.Value, len(e.Parts))
	for i, part := range e.Parts {
		parts[i] = m.value(part, s)
	}
	m.spend(parts...)
	v := pyval.Must(e.Compose(parts))
	if e.Kind == pycall.ExprBinary {
		m.spend(v)
	}
	return v
}

func (m *machine) evalBool(e *pycall.Expr, s *scope) object {
	var v pyval.Value = pyval.None
	for _, part := range e.Parts {
		if v = m.value(part, s); pyval.Truth(v) == (e.Op == "or") {
			break
		}
	}
	return v
}

func (m *machine) evalCompare(e *pycall.Expr, s *scope) object {
	left := m.value(e.Parts[0], s)
	for _, comparand := range e.Parts[1:] {
		right := m.value(comparand.Parts[0], s)
		m.spend(left, right)
		if !pyval.Must(pyval.Compare(comparand.Op, left, right)) {
			return pyval.Bool(false)
		}
		left = right
	}
	return pyval.Bool(true)
}

// evalCall evaluates the function, then the arguments, as Python does.
func (m *machine) evalCall(e *pycall.Expr, s *scope) object {
	fn := m.eval(e.Parts[0], s)
	got := m.invoke(fn, m.arguments(e, s))
	if v, ok := got.(pyval.Value); ok {
		m.spend(v)
	}
	return got
}

func (m *machine) arguments(e *pycall.Expr, s *scope) []pycall.Arg {
	var args []pycall.Arg
	for _, part := range e.Parts[1:] {
		name := ""
		if part.Kind == pycall.ExprKeyword {
			name, part = part.Text, part.Parts[0]
		}
		v := m.value(part, s)
		m.spend(v)
		args = append(args, pycall.Arg{Name: name, Value: v})
	}
	return args
}

// invoke calls an object.
func (m *machine) invoke(fn object, args []pycall.Arg) object {
	switch fn := fn.(type) {
	case *Function:
		return m.call(fn, args)
	case *builtin:
		return fn.call(m, args)
	case *lambda:
		return fn.call(m, args)
	case pyval.Value:
		return raise("TypeError", "'%s' object is not callable", pyval.TypeName(fn))
	}
	return raise("TypeError", "'module' object is not callable")
}

func attribute(owner object, name string) object {
	switch o := owner.(type) {
	case module:
		if member, ok := o.members[name]; ok {
			return member
		}
		return raise("AttributeError", "module '%s' has no attribute '%s'", o.name, name)
	case pyval.Value:
		return raise("AttributeError", "'%s' object has no attribute '%s'", pyval.TypeName(o), name)
	}
	return raise("AttributeError", "'function' object has no attribute '%s'", name)
}
