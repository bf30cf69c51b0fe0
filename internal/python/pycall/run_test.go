package pycall

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// TestEvaluated holds what arguments compute against CPython 3.11's eval of
// the same text: a value, or the class of an exception.
func TestEvaluated(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`(1 if 1 else 2) + 1`, `2`},
		{`{'a': 1}['a'] + 1`, `2`},
		{`{**{'a': 1}, 'b': 2} | {}`, `{'a': 1, 'b': 2}`},
		{`[*[1, 2], *'ab'] + []`, `[1, 2, 'a', 'b']`},
		{`[*5] + []`, `TypeError`},
		{`{**5} | {}`, `TypeError`},
		{`{[]: 1} | {}`, `TypeError`},
		{`(1 < 2 < 2) + 0`, `0`},
		{`(1 == 1.0 != 2) + 0`, `1`},
		{`('a' < 'b' <= 'b') + 0`, `1`},
		{`(2 > 1 >= 1) + 0`, `1`},
		{`('a' < 1) + 0`, `TypeError`},
		{`([1] < [1, 2]) + 0`, `1`},
		{`(1 in [1]) + 0`, `1`},
		{`('a' not in 'b') + 0`, `1`},
		{`(None is None) + 0`, `1`},
		{`(1 is not 2) + 0`, `1`},
		{`'ab'['x'] + ''`, `TypeError`},
		{`'abé'[2] + ''`, `'é'`},
		{`b'ab'[0] + 0`, `97`},
		{`5[0] + 0`, `TypeError`},
		{`[1][1] + 0`, `IndexError`},
		{`{1: 2}[[1]] + 0`, `TypeError`},
		{`{1: 2}[3] + 0`, `KeyError`},
		{`-'a' + 1`, `TypeError`},
		{`~1.5 + 1`, `TypeError`},
		{`(not 1) + 0`, `0`},
		{`f'{1}{"a"!r}{1.5!s}' + ''`, `"1'a'1.5"`},
		{`f'{[1, 2][0]}' + ''`, `'1'`},
		{`(0 or 0) + 1`, `1`},
		{`(1 and 2) + 1`, `3`},
		{`2 ** -1.5 + 0`, `0.3535533905932738`},
		{`(-8) ** 0.5 + 0`, `(1.7319121124709868e-16+2.8284271247461903j)`},
		{`10**400 * 1.0`, `OverflowError`},
		{`10**400 / 1`, `OverflowError`},
		{`0.0 ** -1 + 0`, `ZeroDivisionError`},
		{`1j ** 0.5 + 0`, `(0.7071067811865476+0.7071067811865475j)`},
		{`5 % -3 + 0`, `-1`},
		{`-5.5 % 2 + 0`, `0.5`},
		{`5.5 // -2 + 0`, `-3.0`},
		{`0.0 % -2 + 0`, `0.0`},
		{`1e308 * 10 + 0`, `inf`},
		{`1j / 0 + 0`, `ZeroDivisionError`},
		{`1j // 1 + 0`, `TypeError`},
		{`'%s' % 5 + 'a'`, `'5a'`},
		{`'a' * -1 + 'b'`, `'b'`},
		{`[1] * True + [2]`, `[1, 2]`},
		{`'a' * 10**30`, `OverflowError`},
		{`1 << 70 + 0`, `1180591620717411303424`},
		{`1 >> 100 + 0`, `0`},
		{`-1 >> 100 + 0`, `-1`},
		{`0 << 10**30 + 0`, `0`},
		{`True & False | True ^ True`, `False`},
		{`{1} + {2}`, `TypeError`},
		{`{1} - {1} | {3}`, `{3}`},
		{`{1, 2} ^ {2, 3} - {3}`, `{1}`},
	} {
		assert.Equal(t, c.want, argument(t, c.src), "%s", c.src)
	}
	for _, src := range []string{"(y := 5) + 1", "f'{1:>5}' + ''", "[i for i in (1,)] + [2]", "{'a': 1}.get('a') + 1"} {
		assert.Equal(t, "NameError", argument(t, src), "%s", src)
	}
}

// TestPercent holds format % values against CPython 3.11, texts of exceptions
// too.
func TestPercent(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`'%d' % 'x'`, `TypeError: %d format: a real number is required, not str`},
		{`'%i' % None`, `TypeError: %i format: a real number is required, not NoneType`},
		{`'%u' % [1]`, `TypeError: %u format: a real number is required, not list`},
		{`'%x' % 1.5`, `TypeError: %x format: an integer is required, not float`},
		{`'%o' % 'a'`, `TypeError: %o format: an integer is required, not str`},
		{`'%X' % 1j`, `TypeError: %X format: an integer is required, not complex`},
		{`'%c' % 'ab'`, `TypeError: %c requires int or char`},
		{`'%c' % ''`, `TypeError: %c requires int or char`},
		{`'%c' % 1.5`, `TypeError: %c requires int or char`},
		{`'%c' % 0x110000`, `OverflowError: %c arg not in range(0x110000)`},
		{`'%c' % -1`, `OverflowError: %c arg not in range(0x110000)`},
		{`'%c' % 10**30`, `OverflowError: %c arg not in range(0x110000)`},
		{`'%d' % 1e999`, `OverflowError: cannot convert float infinity to integer`},
		{`'%d' % (1e999 - 1e999)`, `ValueError: cannot convert float NaN to integer`},
		{`'%d' % 1j`, `TypeError: %d format: a real number is required, not complex`},
		{`'%f' % 'x'`, `TypeError: must be real number, not str`},
		{`'%f' % 10**400`, `OverflowError: int too large to convert to float`},
		{`'%f' % (10**400,)`, `OverflowError: int too large to convert to float`},
		{`'%' % 1`, `ValueError: incomplete format`},
		{`'%y' % 1`, `ValueError: unsupported format character 'y' (0x79) at index 1`},
		{`'ab%é' % 1`, `ValueError: unsupported format character '?' (0xe9) at index 3`},
		{`'%(a)s' % 5`, `TypeError: format requires a mapping`},
		{`'%(a' % {'a':1}`, `ValueError: incomplete format key`},
		{`'%*d' % ('a',1)`, `TypeError: * wants int`},
		{`'%*d' % (1,)`, `TypeError: not enough arguments for format string`},
		{`'%*d' % ()`, `TypeError: not enough arguments for format string`},
		{`'%.*f' % ('a',1)`, `TypeError: * wants int`},
		{`'%99999999999999999999d' % 1`, `ValueError: width too big`},
		{`'%.99999999999999999999d' % 1`, `ValueError: precision too big`},
		{`'%5%|' % ()`, `TypeError: not enough arguments for format string`},
		{`'%-5%|' % ()`, `TypeError: not enough arguments for format string`},
		{`'%(a)%' % {'a':1}`, `ValueError: unsupported format character '%' (0x25) at index 4`},
		{`'%(b)%' % {'a':1}`, `KeyError: 'b'`},
		{`'%.' % 1`, `ValueError: incomplete format`},
		{`'%l' % 1`, `ValueError: incomplete format`},
		{`'%#.0f|%#g|%g|%G|%#.3g|%#e|%.0e|%#.0e' % (1,1,1e6,1e-10,1,1,1,1)`, `'1.|1.00000|1e+06|1E-10|1.00|1.000000e+00|1e+00|1.e+00'`},
		{`'%g %g %g %g %g' % (100000,1000000,0.0001,0.00001,123456789)`, `'100000 1e+06 0.0001 1e-05 1.23457e+08'`},
		{`'%.0g|%.3g|%10.3g|%-10g|' % (1.5,1234.5,1.0,2.5)`, `'2|1.23e+03|         1|2.5       |'`},
		{`'%f %F %e %E %g %G' % ((1e999,)*6)`, `'inf INF inf INF inf INF'`},
		{`'%f %F %05f' % (((1e999 - 1e999),)*3)`, `'nan NAN 00nan'`},
		{`'%+f % f %010.2f' % (1e999,1.0,-1e999)`, `'+inf  1.000000 -000000inf'`},
		{`'%s %s' % 1`, `TypeError: not enough arguments for format string`},
		{`'%s' % (1,2)`, `TypeError: not all arguments converted during string formatting`},
		{`'%d' % (1,2)`, `TypeError: not all arguments converted during string formatting`},
		{`'%s' % [1,2]`, `'[1, 2]'`},
		{`'%s' % {'a':1}`, `"{'a': 1}"`},
		{`'x' % {'a':1}`, `'x'`},
		{`'x' % [1]`, `'x'`},
		{`'x' % b'a'`, `'x'`},
		{`'x' % 'a'`, `TypeError: not all arguments converted during string formatting`},
		{`'x' % 1`, `TypeError: not all arguments converted during string formatting`},
		{`'%(a)s %(a)r' % {'a':'é'}`, `"é 'é'"`},
		{`'%s' % b'a'`, `"b'a'"`},
		{`'%(a)s %s' % {'a':1}`, `TypeError: not enough arguments for format string`},
		{`'%s %(a)s' % {'a':1}`, `"{'a': 1} 1"`},
		{`'%d %(a)d' % {'a':1}`, `TypeError: %d format: a real number is required, not dict`},
		{`'%a|%a|%a' % ('é','€','😀')`, `"'\\xe9'|'\\u20ac'|'\\U0001f600'"`},
		{`'%((x))s' % {'(x)':1}`, `'1'`},
		{`'%(a)s' % (1,)`, `TypeError: format requires a mapping`},
		{`'%(a)s' % [1]`, `TypeError: list indices must be integers or slices, not str`},
		{`'%(a)s' % b'x'`, `TypeError: byte indices must be integers or slices, not str`},
		{`'%5c|%-5c|' % ('x', 65)`, `'    x|A    |'`},
		{`'%05s|%05d|%-05d|' % ('x', 5, 5)`, `'    x|00005|5    |'`},
		{`'%.2147483648d' % 1`, `ValueError: precision too big`},
		{`'%.3c' % 'x'`, `'x'`},
		{`'%x %#x' % (True,True)`, `'1 0x1'`},
		{`'%d' % True`, `'1'`},
		{`'% x|%+x|%+o' % (255,255,8)`, `' ff|+ff|+10'`},
		{`'%.5x|%#.5x|%#010x|%#-10x|' % (255,255,255,255)`, `'000ff|0x000ff|0x000000ff|0xff      |'`},
		{`'%hd %ld %Ld' % (1,2,3)`, `'1 2 3'`},
		{`'%hhd' % 1`, `ValueError: unsupported format character 'h' (0x68) at index 2`},
		{`'%-+5d|%+-5d|%0+5d|% 05d|%+ d' % (1,1,1,1,1)`, `'+1   |+1   |+0001| 0001|+1'`},
		{`'%*s|%-*s|%*s|' % (5,'a',5,'b',-5,'c')`, `'    a|b    |c    |'`},
		{`'%*d' % (True,1)`, `'1'`},
		{`'%.*f' % (-1, 2.5)`, `'2'`},
	} {
		v, err := Run(c.src, nothing)
		var e *Error
		if errors.As(err, &e) {
			assert.Equal(t, c.want, e.Class+": "+e.Msg, "%s", c.src)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, pyval.Repr(v), "%s", c.src)
	}
}

var errNoName = errors.New("no such name")

func nothing(string) (Function, error) { return nil, errNoName }
