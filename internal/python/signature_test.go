package python_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestSignatureBind: the texts are CPython 3.11's.
func TestSignatureBind(t *testing.T) {
	t.Parallel()
	one, two := pyval.MakeInt(1), pyval.MakeInt(2)
	pos := func(values ...pyval.Value) (args []pycall.Arg) {
		for _, v := range values {
			args = append(args, pycall.Arg{Value: v})
		}
		return args
	}
	ab := []pycall.Param{{Name: "a"}, {Name: "b", Default: two}}
	abc := []pycall.Param{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	f, m := pycall.Callee{Name: "f"}, pycall.Callee{Class: "C", Name: "m"}
	for _, c := range []struct {
		callee pycall.Callee
		params []pycall.Param
		args   []pycall.Arg
		want   string
	}{
		{f, ab, pos(one), "[1, 2]"},
		{f, ab, []pycall.Arg{{Name: "b", Value: one}, {Name: "a", Value: two}}, "[2, 1]"},
		{f, nil, pos(one), "TypeError: f() takes 0 positional arguments but 1 was given"},
		{f, ab, pos(one, one, one), "TypeError: f() takes from 1 to 2 positional arguments but 3 were given"},
		{f, abc[:1], pos(one, one), "TypeError: f() takes 1 positional argument but 2 were given"},
		{f, abc, nil, "TypeError: f() missing 3 required positional arguments: 'a', 'b', and 'c'"},
		{f, abc, pos(one), "TypeError: f() missing 2 required positional arguments: 'b' and 'c'"},
		{f, abc, pos(one, one), "TypeError: f() missing 1 required positional argument: 'c'"},
		{f, ab, append(pos(one), pycall.Arg{Name: "a", Value: one}), "TypeError: f() got multiple values for argument 'a'"},
		{f, ab, append(pos(one), pycall.Arg{Name: "x", Value: one}), "TypeError: f() got an unexpected keyword argument 'x'"},
		{f, ab, []pycall.Arg{{Name: "self", Value: one}}, "TypeError: f() got an unexpected keyword argument 'self'"},
		{m, nil, pos(one), "TypeError: C.m() takes 1 positional argument but 2 were given"},
		{m, ab, pos(one, one, one), "TypeError: C.m() takes from 2 to 3 positional arguments but 4 were given"},
		{m, ab, []pycall.Arg{{Name: "self", Value: one}}, "TypeError: C.m() got multiple values for argument 'self'"},
		{m, ab, nil, "TypeError: C.m() missing 1 required positional argument: 'a'"},
		{m, ab, []pycall.Arg{{Name: "a", Value: one}, {Value: two}}, "SyntaxError: positional argument follows keyword argument unpacking"},
	} {
		bound, err := pycall.Bind(nil, c.callee, c.params, c.args)
		got := pyval.Repr(pyval.NewList(bound...))
		if err != nil {
			got = err.Error()
		}
		assert.Equal(t, c.want, got)
	}
}
