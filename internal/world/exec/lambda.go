package exec

import (
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

func (l *lambda) call(m *machine, args []pycall.Arg) object {
	bound := pyval.Must(pycall.Bind(nil, pycall.Callee{Name: "<lambda>"}, l.params, args))
	if m.depth++; m.depth > maxNesting {
		return raise("RecursionError", "maximum recursion depth exceeded")
	}
	defer func() { m.depth-- }()
	names := make(map[string]object, len(bound))
	for i, p := range l.params {
		names[p.Name] = bound[i]
	}
	return m.eval(l.body, &scope{names: names, outer: l.outer})
}
