package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxText bounds the text of a call, in bytes.
const maxText = 1 << 20

// Run carries out the text of a call, such as "math_gcd(a=12, b=18)", and
// returns its result. Upstream runs the text as the second line of a program;
// here it is parsed and dispatched. Errors are *pyval.Exception,
// *eval.InfraError or the context's own.
func Run(ctx context.Context, env *Env, text string) (pyval.Value, error) {
	return pyval.Try(func() pyval.Value { return plain(newMachine(ctx, env).evalText(text, 2, nil)) })
}

// evalText is Python's eval(text) with these local names; the first line of the
// text is the line-th of its program.
func (m *machine) evalText(text string, line int, locals map[string]object) object {
	e := parseCall(text, line)
	if m.depth++; m.depth > maxNesting {
		return raise("RecursionError", "maximum recursion depth exceeded")
	}
	defer func() { m.depth-- }()
	return m.eval(e, &scope{names: locals})
}

func parseCall(text string, line int) *pycall.Expr {
	if len(text) > maxText {
		raise("MemoryError", "the text of the call is too long")
	}
	text = strings.TrimLeft(text, " \t")
	e, err := pycall.Expression(text)
	if err != nil {
		pyval.Check(syntaxError(text, line, err))
	}
	if name := repeatedKeyword(e); name != "" {
		raise("SyntaxError", "keyword argument repeated: %s (<string>, line %d)", name, line)
	}
	return e
}

// maxNesting bounds texts that are evaluated by texts.
const maxNesting = 50

// syntaxError is CPython's exception for a text that does not parse.
func syntaxError(text string, line int, err error) error {
	var syntax *pycall.Error
	if !errors.As(err, &syntax) {
		return pyval.Raise("SyntaxError", "%v", err)
	}
	if syntax.Class != "SyntaxError" && syntax.Class != "IndentationError" {
		return pyval.Raise(syntax.Class, "%s", syntax.Msg)
	}
	at := min(syntax.Offset, len(text))
	if text == "" {
		line--
	}
	return pyval.Raise(syntax.Class, "%s (<string>, line %d)", syntax.Msg,
		line+strings.Count(text[:at], "\n"))
}

// repeatedKeyword is a keyword that one call gives twice, which Python refuses
// before it runs anything.
func repeatedKeyword(e *pycall.Expr) string {
	var seen map[string]bool
	for _, part := range e.Parts {
		if e.Kind == pycall.ExprCall && part.Kind == pycall.ExprKeyword {
			if seen == nil {
				seen = map[string]bool{}
			}
			if seen[part.Text] {
				return part.Text
			}
			seen[part.Text] = true
		}
		if name := repeatedKeyword(part); name != "" {
			return name
		}
	}
	return ""
}

// plain is a result that is a value, which functions and modules are not.
func plain(o object) pyval.Value {
	if v, ok := o.(pyval.Value); ok {
		return v
	}
	return raise("TypeError", "%s is not a value", describe(o))
}

func describe(o object) string {
	switch o := o.(type) {
	case *Function:
		return "function " + o.Name
	case *builtin:
		return "function " + o.name
	case module:
		return "module"
	case *lambda:
		return "lambda"
	}
	return fmt.Sprintf("%T", o)
}

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
		// Evaluates the function, then the arguments, as Python does.
		fn := m.eval(e.Parts[0], s)
		got := m.invoke(fn, m.arguments(e, s))
		if v, ok := got.(pyval.Value); ok {
			m.spend(v)
		}
		return got
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
		var v pyval.Value = pyval.None
		for _, part := range e.Parts {
			if v = m.value(part, s); pyval.Truth(v) == (e.Op == "or") {
				break
			}
		}
		return v
	case pycall.ExprCompare:
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
	case pycall.ExprList, pycall.ExprTuple, pycall.ExprSet, pycall.ExprDict,
		pycall.ExprSubscript, pycall.ExprUnary, pycall.ExprBinary:
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
	return raise("NotImplementedError", "%s expressions are not evaluated", e.Kind)
}

// value is eval for what must be a value.
func (m *machine) value(e *pycall.Expr, s *scope) pyval.Value { return plain(m.eval(e, s)) }

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
		bound := pyval.Must(pycall.Bind(nil, pycall.Callee{Name: "<lambda>"}, fn.params, args))
		if m.depth++; m.depth > maxNesting {
			return raise("RecursionError", "maximum recursion depth exceeded")
		}
		defer func() { m.depth-- }()
		names := make(map[string]object, len(bound))
		for i, p := range fn.params {
			names[p.Name] = bound[i]
		}
		return m.eval(fn.body, &scope{names: names, outer: fn.outer})
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

// A lambda is a function that a text defines.
type lambda struct {
	params []Param
	body   *pycall.Expr
	outer  *scope
}

// newLambda makes a lambda. Its body sees the parameters of lambdas around it
// but, as under Python's eval, not the local names of the code that evaluates
// the text.
func (m *machine) newLambda(e *pycall.Expr, s *scope) object {
	last := len(e.Parts) - 1
	l := &lambda{body: e.Parts[last], outer: &scope{}}
	if s.outer != nil {
		l.outer = s
	}
	for _, part := range e.Parts[:last] {
		if part.Kind != pycall.ExprParam {
			return raise("NotImplementedError", "%s parameters are not evaluated", part.Kind)
		}
		p := Param{Name: part.Text}
		if len(part.Parts) > 0 {
			p.Default = m.value(part.Parts[0], s)
		}
		l.params = append(l.params, p)
	}
	return l
}

// dotted is a chain of names.
func dotted(e *pycall.Expr) (string, bool) {
	switch e.Kind {
	case pycall.ExprName:
		return e.Text, true
	case pycall.ExprAttribute:
		owner, ok := dotted(e.Parts[0])
		return owner + "." + e.Text, ok
	}
	return "", false
}
