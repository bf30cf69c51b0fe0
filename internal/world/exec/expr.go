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

func (s *scope) lookup(name string) (object, error) {
	for ; s != nil; s = s.outer {
		if o, ok := s.names[name]; ok {
			return o, nil
		}
	}
	if fn := Lookup(name); fn != nil {
		return fn, nil
	}
	if m, ok := modules[name]; ok {
		return m, nil
	}
	if b, ok := builtins[name]; ok {
		return b, nil
	}
	return nil, pyval.Raise("NameError", "name '%s' is not defined", name)
}

// eval evaluates an expression.
func (m *machine) eval(e *pycall.Expr, s *scope) (object, error) {
	if m.steps++; m.steps > maxSteps {
		return nil, pyval.Raise("TimeoutError", "stopped after too many steps")
	}
	switch e.Kind {
	case pycall.ExprConst:
		return e.Value, nil
	case pycall.ExprName:
		return s.lookup(e.Text)
	case pycall.ExprCall:
		return m.evalCall(e, s)
	case pycall.ExprAttribute:
		return m.attribute(e, s)
	case pycall.ExprLambda:
		return m.newLambda(e, s)
	case pycall.ExprIf:
		return m.evalIf(e, s)
	case pycall.ExprBool:
		return m.evalBool(e, s)
	}
	return m.evalValue(e, s)
}

// value is eval for what must be a value.
func (m *machine) value(e *pycall.Expr, s *scope) (pyval.Value, error) {
	o, err := m.eval(e, s)
	if err != nil {
		return nil, err
	}
	return plain(o)
}

// evalValue evaluates expressions whose parts are all values.
func (m *machine) evalValue(e *pycall.Expr, s *scope) (object, error) {
	switch e.Kind {
	case pycall.ExprCompare:
		return m.evalCompare(e, s)
	case pycall.ExprList, pycall.ExprTuple, pycall.ExprSet, pycall.ExprDict,
		pycall.ExprSubscript, pycall.ExprUnary, pycall.ExprBinary:
	default:
		return nil, pyval.Raise("NotImplementedError", "%s expressions are not evaluated", e.Kind)
	}
	parts := make([]pyval.Value, len(e.Parts))
	for i, part := range e.Parts {
		var err error
		if parts[i], err = m.value(part, s); err != nil {
			return nil, err
		}
	}
	if err := m.spend(parts...); err != nil {
		return nil, err
	}
	v, err := e.Compose(parts)
	if err == nil && e.Kind == pycall.ExprBinary {
		err = m.spend(v)
	}
	return v, err
}

func (m *machine) evalIf(e *pycall.Expr, s *scope) (object, error) {
	test, err := m.value(e.Parts[1], s)
	switch {
	case err != nil:
		return nil, err
	case pyval.Truth(test):
		return m.eval(e.Parts[0], s)
	}
	return m.eval(e.Parts[2], s)
}

func (m *machine) evalBool(e *pycall.Expr, s *scope) (object, error) {
	var v pyval.Value = pyval.None
	for _, part := range e.Parts {
		var err error
		if v, err = m.value(part, s); err != nil {
			return nil, err
		}
		if pyval.Truth(v) == (e.Op == "or") {
			break
		}
	}
	return v, nil
}

func (m *machine) evalCompare(e *pycall.Expr, s *scope) (object, error) {
	left, err := m.value(e.Parts[0], s)
	if err != nil {
		return nil, err
	}
	for _, comparand := range e.Parts[1:] {
		right, err := m.value(comparand.Parts[0], s)
		if err != nil {
			return nil, err
		}
		if err := m.spend(left, right); err != nil {
			return nil, err
		}
		holds, err := pyval.Compare(comparand.Op, left, right)
		if err != nil || !holds {
			return pyval.Bool(false), err
		}
		left = right
	}
	return pyval.Bool(true), nil
}

// evalCall evaluates the function, then the arguments, as Python does.
func (m *machine) evalCall(e *pycall.Expr, s *scope) (object, error) {
	fn, err := m.eval(e.Parts[0], s)
	if err != nil {
		return nil, err
	}
	args, err := m.arguments(e, s)
	if err != nil {
		return nil, err
	}
	got, err := m.invoke(fn, args)
	if v, ok := got.(pyval.Value); ok && err == nil {
		err = m.spend(v)
	}
	return got, err
}

func (m *machine) arguments(e *pycall.Expr, s *scope) ([]pycall.Arg, error) {
	var args []pycall.Arg
	for _, part := range e.Parts[1:] {
		name := ""
		if part.Kind == pycall.ExprKeyword {
			name, part = part.Text, part.Parts[0]
		}
		v, err := m.value(part, s)
		if err != nil {
			return nil, err
		}
		if err := m.spend(v); err != nil {
			return nil, err
		}
		args = append(args, pycall.Arg{Name: name, Value: v})
	}
	return args, nil
}

// invoke calls an object.
func (m *machine) invoke(fn object, args []pycall.Arg) (object, error) {
	switch fn := fn.(type) {
	case *Function:
		return m.call(fn, args)
	case *builtin:
		return fn.call(m, args)
	case *lambda:
		return fn.call(m, args)
	case pyval.Value:
		return nil, typeError("'%s' object is not callable", pyval.TypeName(fn))
	}
	return nil, typeError("'module' object is not callable")
}

func (m *machine) attribute(e *pycall.Expr, s *scope) (object, error) {
	owner, err := m.eval(e.Parts[0], s)
	if err != nil {
		return nil, err
	}
	switch o := owner.(type) {
	case module:
		if member, ok := o.members[e.Text]; ok {
			return member, nil
		}
		return nil, pyval.Raise("AttributeError", "module '%s' has no attribute '%s'", o.name, e.Text)
	case pyval.Value:
		return nil, pyval.Raise("AttributeError", "'%s' object has no attribute '%s'", pyval.TypeName(o), e.Text)
	}
	return nil, pyval.Raise("AttributeError", "'function' object has no attribute '%s'", e.Text)
}
