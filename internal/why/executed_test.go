package why

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// expecting is an executor that expects two calls.
type expecting []string

func (e expecting) Execute(*eval.Case, pyval.Value, error) eval.Verdict {
	return eval.Verdict{Status: eval.Fail, ErrorType: "executable_checker:cannot_find_match"}
}

func (e expecting) Calls(*eval.Case) ([]string, error) { return e, nil }

// TestExecuted: calls that are carried out climb by their documents up to the
// types, in the order that gets them furthest.
func TestExecuted(t *testing.T) {
	gcd := `{"name": "math_gcd", "parameters": {"type": "dict", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}`
	fact := `{"name": "math_factorial", "parameters": {"type": "dict", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}`
	c := newCase(t, "["+gcd+","+fact+"]", "[]")
	cat := categories.Find("exec_parallel_multiple")
	for answer, want := range map[string]cause.Level{
		"[math_factorial(n=5), math_gcd(a=1, b=2)]":                     cause.Types,
		"[math_gcd(1, 2), math_factorial(5)]":                           cause.Function, // upstream's decoder drops what has no name
		"[math_gcd(a=1, b='2'), math_factorial(n=5)]":                   cause.Known,
		"[math_gcd(a=1, b=2, c=3), math_factorial(n=5)]":                cause.Required,
		"[math_gcd(a=1), math_factorial(n=5)]":                          cause.Function,
		"[math_gcd(a=1, b=2), math_gcd(a=1, b=2)]":                      cause.Call,
		"[math_gcd(a=1, b=2)]":                                          cause.Call,
		"[math_gcd(a=1, b=2), math_lcm(a=1, b=2)]":                      cause.Call,
		"I think it is 5.":                                              cause.Ground,
		"[math_gcd(a=1, b=2), math_factorial(n=5), math_gcd(a=1, b=2)]": cause.Call,
	} {
		s := eval.SettingsFor(eval.Prompt)
		s.Executor = expecting{"math_gcd(12, 18)", "math_factorial(n=5)"}
		s.Dialect = "prompt-plain"
		decoded, v := cat.Verdict(c, pyval.Str(answer), s)
		g := examined(cat, c, pyval.Str(answer), decoded, s, v)
		assert.Equal(t, want.String(), g.Level.String(), answer)
		assert.True(t, g.Seen)
	}
}
