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
