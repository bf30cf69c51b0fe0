package pycall_test

import (
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown writes an expression as its kinds and names.
func shown(e *pycall.Expr) string {
	out := string(e.Kind)
	if e.Text != "" || e.Op != "" {
		out += ":" + e.Text + e.Op
	}
	if e.Value != nil {
		out += ":" + pyval.Repr(e.Value)
	}
	if len(e.Parts) == 0 {
		return out
	}
	parts := make([]string, len(e.Parts))
	for i, part := range e.Parts {
		parts[i] = shown(part)
	}
	return out + "(" + strings.Join(parts, " ") + ")"
}

func TestExpression(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"f(1, a=-x)", "Call(Name:f Constant:1 keyword:a(UnaryOp:-(Name:x)))"},
		{"{1: [2]}", "Dict(Constant:1 List(Constant:2))"},
		{"a.b[0] < 1 != 2", "Compare(Subscript(Attribute:b(Name:a) Constant:0) comparator:<(Constant:1) comparator:!=(Constant:2))"},
		{"lambda a, b=1: a", "Lambda(arg:a arg:b(Constant:1) Name:a)"},
		{"f(*a, **b)", "Call(Name:f Starred(Name:a) Starred)"},
		{"lambda *a: 1", "Lambda(Starred Constant:1)"},
		{"[x for x in y if z]", "ListComp(Name:x comprehension(Name:x Name:y Name:z))"},
		{`f"a{b}c{d!r}"`, "JoinedStr(Constant:'a' FormattedValue(Name:b) Constant:'c' FormattedValue:!(Name:d))"},
		{"1 if a else b or c", "IfExp(Constant:1 Name:a BoolOp:or(Name:b Name:c))"},
	} {
		e, err := pycall.Expression(test.src)
		require.NoError(t, err, test.src)
		assert.Equal(t, test.want, shown(e), test.src)
	}
}

func TestExpressionFaults(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"f(1, ", "'(' was never closed"},
		{"f([1)", "closing parenthesis ')' does not match opening parenthesis '['"},
		{"f(1))", "unmatched ')'"},
		{"f(a-b=1)", `expression cannot contain assignment, perhaps you meant "=="?`},
		{"(a='b')", "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"},
		{"f(t) = 3t", "invalid decimal literal"},
		{"f(x) = x", "invalid syntax"},
		{"'abc", "unterminated string literal (detected at line 1)"},
		{"", "invalid syntax"},
	} {
		_, err := pycall.Expression(test.src)
		var fault *pycall.Error
		require.ErrorAs(t, err, &fault, test.src)
		assert.Equal(t, test.want, fault.Msg, test.src)
	}
}

func FuzzExpression(f *testing.F) {
	for _, seed := range []string{"f(a=1)", "(a='b", "lambda x: x**2", "f(]", "3x = 5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		e, err := pycall.Expression(src)
		if (e == nil) == (err == nil) {
			t.Fatalf("%q: an expression or an error", src)
		}
	})
}
