package exec

import (
	"context"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// getPositional are the parameters of requests.get that may be given without
// their names.
var getPositional = []Param{{Name: "url"}, {Name: "params"}}

// Named reads the text of a call without carrying it out, and returns its
// function and its arguments by name; false if the text is not a call. An
// argument that is not a value, such as an unknown name, is None; one without a
// parameter is under its number.
func Named(text string) (name string, arguments *pyval.Dict, ok bool) {
	text = strings.TrimLeft(strings.ReplaceAll(text, "requests_get", "requests.get"), " \t")
	if len(text) > maxText {
		return "", nil, false
	}
	e, err := pycall.Expression(text)
	if err != nil || e.Kind != pycall.ExprCall {
		return "", nil, false
	}
	if name, ok = dotted(e.Parts[0]); !ok {
		return "", nil, false
	}
	params := getPositional
	if fn := Lookup(name); fn != nil {
		params = fn.Params
	}
	m := newMachine(context.Background(), nil)
	arguments = pyval.NewDict(len(e.Parts))
	for i, part := range e.Parts[1:] {
		param := fmt.Sprintf("#%d", i+1)
		switch {
		case part.Kind == pycall.ExprKeyword:
			param, part = part.Text, part.Parts[0]
		case i < len(params):
			param = params[i].Name
		}
		arguments.SetStr(param, m.constant(part))
	}
	return name, arguments, true
}

// constant is the value of an argument as it is written.
func (m *machine) constant(e *pycall.Expr) pyval.Value {
	if calls(e) {
		return pyval.None
	}
	v, err := pyval.Try(func() pyval.Value { return m.value(e, &scope{}) })
	if err != nil {
		return pyval.None
	}
	return v
}

// calls reports whether an expression holds a call, which is not to be carried
// out.
func calls(e *pycall.Expr) bool {
	if e.Kind == pycall.ExprCall {
		return true
	}
	for _, part := range e.Parts {
		if part != nil && calls(part) {
			return true
		}
	}
	return false
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
