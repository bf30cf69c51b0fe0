package pycall

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestRun: calls of a scope's functions in Python's order, and the class of
// the exception where CPython raises one.
func TestRun(t *testing.T) {
	many := ""
	for i := range 20 {
		many += fmt.Sprintf("k%d=%d, ", i, i)
	}
	for _, c := range []struct{ src, want, called string }{
		{"f(1, b=f(2), *[3, 4], **{'c': 5})", "[1, ('b', [2]), 3, 4, ('c', 5)]", "f f"},
		{"a.b.c('x')['k'] if f() else f(9)", "[9]", "f f"},
		{"f() and f(1)", "[]", "f"},
		{"f() or f(1)", "[1]", "f f"},
		{"1 < len_(f(1, 2)) < 5", "True", "f len_"},
		{"3 < len_(f(1, 2)) < f(9)", "False", "f len_"},
		{"[f(1), (f(2),), {f: 1} if 0 else {'k': f(3)}]", "[[1], ([2],), {'k': [3]}]", "f f f"},
		{"f'{f(1)}-{len_([])!r}'", "'[1]-0'", "f len_"},
		{"d().get('k')", "'v'", "d"},
		{"d().get('x')", "None", "d"},
		{"d().get('x', 5)", "5", "d"},
		{"{**d(), 'k': 1}", "{'k': 1}", "d"},
		{"d()['k']", "'v'", "d"},
		{"len_(f(" + many + "z=1))", "21", "f len_"},
		{"d().get()", "TypeError", "d"},
		{"d().get(1, 2, 3)", "TypeError", "d"},
		{"d().get(key='k')", "TypeError", "d"},
		{"d().get([])", "TypeError", "d"},
		{"d().keys()", "AttributeError", "d"},
		{"f(1).get('k')", "AttributeError", "f"},
		{"f(1).x", "AttributeError", ""},
		{"d().get(nothing())", "no nothing", "d"},
		{"f()()", "TypeError", ""},
		{"f", "TypeError", ""},
		{"a.b", "no a.b", ""},
		{"f(x)", "no x", ""},
		{"nothing(f(1))", "no nothing", ""},
		{"f(*5)", "TypeError", ""},
		{"f(**5)", "TypeError", ""},
		{"f(**{1: 2})", "TypeError", ""},
		{"f(a=1, a=2)", "SyntaxError", ""},
		{"f(" + many + "k3=1)", "SyntaxError", ""},
		{"[f(1), {f(2): 3}]", "TypeError", "f f"},
		{"f(f(1) < f('a'))", "TypeError", "f f"},
		{"fail() + f()", "it failed", "fail"},
		{"f(fail(), f())", "it failed", "fail"},
		{"[*nothing()]", "no nothing", ""},
		{strings.Repeat("(1,", 400) + strings.Repeat(")", 400), "SyntaxError", ""},
		{strings.Repeat("-", 400) + "1", "RecursionError", ""},
		{"f(", "SyntaxError", ""},
	} {
		var called []string
		scope := func(name string) (Function, error) {
			switch name {
			case "f", "d", "len_", "fail", "a.b.c":
			default:
				return nil, errors.New("no " + name)
			}
			return func(args []Arg) (pyval.Value, error) {
				called = append(called, name)
				list := pyval.NewList()
				for _, arg := range args {
					v := arg.Value
					if arg.Name != "" {
						v = pyval.NewTuple(pyval.Str(arg.Name), v)
					}
					list.Items = append(list.Items, v)
				}
				dict := pyval.NewDict(1)
				dict.SetStr("k", pyval.Str("v"))
				switch name {
				case "f":
					return list, nil
				case "len_":
					return pyval.MakeInt(int64(len(args[0].Value.(*pyval.List).Items))), nil
				case "fail":
					return nil, errors.New("it failed")
				}
				return dict, nil
			}, nil
		}
		v, err := Run(c.src, scope)
		got := ""
		var e *Error
		switch {
		case errors.As(err, &e):
			got = e.Class
		case err != nil:
			got = err.Error()
		default:
			got = pyval.Repr(v)
		}
		assert.Equal(t, c.want, got, "%.60s", c.src)
		assert.Equal(t, c.called, strings.Join(called, " "), "%.60s", c.src)
	}
}

// TestNames: CPython takes a name as Unicode's form NFKC, and refuses what is
// no XID.
func TestNames(t *testing.T) {
	for src, want := range map[string]string{
		"ñ": "'ñ'", "ℌ": "'H'", "µ": "'μ'", "a·b": "'a·b'", "日本": "'日本'", "x²": "SyntaxError", "€": "SyntaxError", "a\u037a": "SyntaxError", "\u0e33": "SyntaxError", "a\u0e33": "'aํา'", "_é": "'_é'",
	} {
		assert.Equal(t, want, argument(t, src), "%q", src)
	}
}

// TestBlanks: what CPython's tokenizer takes for the indentation of the first
// line.
func TestBlanks(t *testing.T) {
	for src, want := range map[string]string{
		"\n\n# c\n  \n1": "1", "\n\f1": "1", "\n\t\f1": "1", "\n\t1": "IndentationError", "\n \\\n1": "IndentationError", "\n\\\n1": "1", "\n# c": "SyntaxError",
		"1 \\\n+ 2j": "(1+2j)", "1 \\ 2": "SyntaxError", "1 \\": "SyntaxError",
	} {
		v, err := Literal(src)
		if err != nil {
			assert.Equal(t, want, class(t, err), "%q", src)
			continue
		}
		assert.Equal(t, want, pyval.Repr(v), "%q", src)
	}
}
