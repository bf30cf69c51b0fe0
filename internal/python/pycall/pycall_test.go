package pycall

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// class is the class of the exception that a text ends in.
func class(t *testing.T, err error) string {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e)
	return e.Class
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "SyntaxError"},
		{"[]", "[]"},
		{"'go(n=1)'", "[{'go': {'n': 1}}]"},
		{"[go(n=1), a.b.stop()]", "[{'go': {'n': 1}}, {'a.b.stop': {}}]"},
		{"{go(n=1)}", "[{'go': {'n': 1}}]"},
		{"go(n=1), go(n=2),", "[{'go': {'n': 1}}, {'go': {'n': 2}}]"},
		{"go(9, *rest, n=1, **more)", "[{'go': {'n': 1, None: 'more'}}]"},
		{"go(n=1, n=2)", "[{'go': {'n': 2}}]"},
		{"go(1)(n=2)", "[{'': {'n': 2}}]"},
		{"go(1).on(n=2)", "[{'on': {'n': 2}}]"},
		{"# first\ngo(n=1) # last\n", "[{'go': {'n': 1}}]"},
		{"go(\n n=1, # one\n)", "[{'go': {'n': 1}}]"},
		{"go(n=1)\n  more", "IndentationError"},
		{"' go(n=1)", "IndentationError"},
		{"[go]", "AssertionError"},
		{"go", "AttributeError"},
		{"[go(i) for i in x]", "AttributeError"},
		{"go(n=1, 2)", "SyntaxError"},
		{"go(**a, *b)", "SyntaxError"},
		{"go(i for i in x, 1)", "SyntaxError"},
		{"go(None=1)", "SyntaxError"},
		{"go(n=1", "SyntaxError"},
		{"go(n=\x00)", "SyntaxError"},
		{"go(n='\xff')", "UnicodeEncodeError"},
	} {
		v, err := Parse(c.src)
		if err != nil {
			assert.Equal(t, c.want, class(t, err), "%q", c.src)
			continue
		}
		assert.Equal(t, c.want, pyval.Repr(v), "%q", c.src)
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"0x_ff", "255"}, {"0o17", "15"}, {"0b11", "3"}, {"1_0", "10"}, {"00", "0"}, {"1.", "1.0"},
		{"1e999", "inf"}, {"2.5J", "2.5j"}, {"99999999999999999999", "99999999999999999999"},
		{"012", "SyntaxError"}, {"1__0", "SyntaxError"}, {"0b12", "SyntaxError"}, {"5cm", "SyntaxError"},
		{"1if", "SyntaxError"}, {strings.Repeat("7", 4301), "SyntaxError"},
		{`"a" 'b' """c"""`, "'abc'"}, {`r"\n" "\n"`, `'\\n\n'`}, {`"\x41\101\u0042\U00000043"`, "'AABC'"},
		{`"\N{bullet}\N{HANGUL SYLLABLE GAG}\N{CJK UNIFIED IDEOGRAPH-4E00}"`, "'•각一'"},
		{`"\N{NO SUCH THING}"`, "SyntaxError"}, {`"\x4"`, "SyntaxError"}, {`"\U00110000"`, "SyntaxError"},
		{`b"\xff" rb"\q"`, `b'\xff\\q'`}, {`b"é"`, "SyntaxError"}, {`b"a" "b"`, "SyntaxError"},
		{`"open`, "SyntaxError"}, {"\"a\nb\"", "SyntaxError"}, {"\"\"\"a\r\nb\"\"\"", `'a\nb'`},
		{"true", "'true'"}, {"ｎ", "'n'"}, {"...", "'...'"}, {"a.b", "Exception"}, {"1 < 2", "Exception"},
		{"(1,)", "(1,)"}, {"[1, [2]]", "[1, [2]]"}, {"{1: 2, 1.0: 3}", "{1: 3}"}, {"{[]: 1}", "TypeError"},
		{"{**a}", "Exception"}, {"{1}", "Exception"}, {"f''", "Exception"}, {"lambda: 1", "TypeError"},
		{"-5", "-5"}, {"+5", "-5"}, {"~5", "-5"}, {"not 5", "-5"}, {"-True", "-1"}, {"- -5", "AttributeError"},
		{"-'a'", "TypeError"}, {"-a.b", "TypeError"}, {"-9223372036854775808", "-9223372036854775808"},
		{"g(1, x)", "'g(1, x)'"}, {"g(1, y=[2])", "{'g': {'y': [2]}}"}, {"x[1:2, 3]", "'x[(1:2, 3)]'"},
	} {
		assert.Equal(t, c.want, argument(t, c.src), "%q", c.src)
	}
}

// argument is the repr of what a value's text is decoded to, or the class of
// the exception.
func argument(t *testing.T, src string) string {
	t.Helper()
	v, err := Parse("f(x=" + src + ")")
	if err != nil {
		return class(t, err)
	}
	_, args := v.(*pyval.List).Items[0].(*pyval.Dict).At(0)
	_, x := args.(*pyval.Dict).At(0)
	return pyval.Repr(x)
}

// TestNothingRuns holds what upstream hands to eval and this package refuses.
func TestNothingRuns(t *testing.T) {
	for _, src := range []string{
		"len('ab') + 1", "x + 1", "a.b + 1", "__import__('os').sep + ''", "[i for i in (1,)] + [2]",
		"(lambda: 1)() + 1", "(y := 5) + 1", "f'{x}' + ''", "[*x] + [1]",
	} {
		assert.Equal(t, "NameError", argument(t, src), "%q", src)
	}
}

// TestBounded holds texts that would take for ever, or all memory.
func TestBounded(t *testing.T) {
	for _, src := range []string{
		"9 ** 9 ** 9", "2 ** 10 ** 12", "1 << 10 ** 12", "'a' * 10 ** 12", "[0] * 10 ** 9 + [0] * 10 ** 9",
		"'%*d' % (10 ** 12, 1)", "'%1000000000d' % 1", strings.Repeat("[", 5000), strings.Repeat("-", 100000) + "1",
		strings.Repeat("not ", 100000) + "1", strings.Repeat("lambda: ", 100000) + "1",
		strings.Repeat("1 if 1 else ", 100000) + "1", strings.Repeat("1+", 100000) + "1", strings.Repeat("1**", 100000) + "1",
		"g(a" + strings.Repeat(".a", 100000) + ")", "g" + strings.Repeat("()", 100000),
		"f" + strings.Repeat("'{", 3) + "x" + strings.Repeat("}'", 3),
		"[" + strings.Repeat("'a' * 1000000 + 'b', ", 100) + "]",
		"[" + strings.Repeat("2.5 ** 1.5, ", 50000) + "]", "[" + strings.Repeat("7 ** 90000, ", 50000) + "]",
		"g(0x" + strings.Repeat("7", 1<<20) + ")", "[[[[0] * 1000] * 1000] * 1000] * 1000", "{(((0,) * 1000,) * 1000,) * 1000: 1} | {}",
	} {
		v, err := Parse("f(x=" + src + ")")
		assert.Error(t, err, "%.60q gives %v", src, v != nil)
	}
	assert.NoError(t, testkit.Err(Parse("f(x=["+strings.Repeat("1,", 1<<19)+"])")))
}

func TestUnparse(t *testing.T) {
	for _, src := range []string{
		"g(a + b * c - (d - e))", "g((a + b) ** (-c), -a ** b)", "g(not a and b and (not c))", "g(not a, (not a) + b)", "g(a or (b and c), a < (b < c))",
		"y[g(*a, b=1, **c)]", "g(lambda x, /, y=1, *a, k, **w: x)", "g(lambda *, k: (yield k))", "g([a async for a, b in c if d if e])",
		"g((x for x in y), {a: b for a in c}, {a for a in b})", "g(a[1:2, ::3], a[:], a[()], a[b,], a[*b,])",
		"g((a := 1), (await b).c, 1 .real, 1.5.real)", "g(a if b else c, (a if b else c).d)", "g({**a, 'b': c}, {1}, (), (1,))",
		"g(1e309, 1e309j, b'\\xff', u'x', ...)", `g(f'{a!r:>{b}}{{}}\n', f"{x['y']}", f'{ {1}}')`,
	} {
		assert.Equal(t, pyval.Repr(pyval.Str(src)), argument(t, src), "%q", src)
	}
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{" \t[1, -2, +3.5, 'a', None]", "[1, -2, 3.5, 'a', None]"}, {"{1: (2,), 'k': {3}}", "{1: (2,), 'k': {3}}"},
		{"set()", "set()"}, {"1-2j", "(1-2j)"}, {"...", "Ellipsis"}, {"b'x'", "b'x'"}, {"1, 2", "(1, 2)"},
		{"1+2", "ValueError"}, {"~1", "ValueError"}, {"-True", "ValueError"}, {"x", "ValueError"}, {"f(1)", "ValueError"},
		{"{**{}}", "ValueError"}, {"{[]: 1}", "TypeError"}, {"{[]}", "TypeError"}, {"", "SyntaxError"}, {"\n 1", "IndentationError"},
	} {
		v, err := Literal(c.src)
		if err != nil {
			assert.Equal(t, c.want, class(t, err), "%q", c.src)
			continue
		}
		assert.Equal(t, c.want, pyval.Repr(v), "%q", c.src)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"[f(a=1, b='x'), g.h(c=[1, {'k': (2,)}])]", "f(x=g(lambda a, *b, c=1: [i for i in a if b]))",
		"f(x=f'{a!r:>{b}}' + '%d' % 3 ** 2)", "f(x=y[1:2, *z], **k)", "# c\nf(x=\"\"\"\\N{BULLET}\"\"\")",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		v, err := Parse(src)
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Class == "" || e.Msg == "") {
			t.Fatalf("error without a class: %v", err)
		}
		if err == nil && v.Kind() != pyval.KindList {
			t.Fatalf("no list: %s", pyval.Repr(v))
		}
	})
}

// FuzzLiteral checks that what is read from a repr is the value itself.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"[1, -2.5, 'a\\n', b'x', None, (), {1: {2}}]", "1e999", "-0.0", "3-4j", "0-1j", "'\\ud800\\U0001f600'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		v, err := Literal(src)
		if err != nil {
			return
		}
		text := pyval.Repr(v)
		if strings.Contains(text, "inf") || strings.Contains(text, "nan") || strings.Contains(text, "Ellipsis") ||
			strings.Contains(text, "-") && strings.Contains(text, "j") || len(text) > 4000 {
			return // repr has no literal for these; CPython reads its own -1j as (-0-1j)
		}
		again, err := Literal(text)
		if err != nil || pyval.Repr(again) != text {
			t.Fatalf("%q read again: %v, %v", text, again, err)
		}
	})
}
