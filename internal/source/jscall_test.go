package source_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/jscall"
)

func TestJavaScriptParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "None"},
		{"turn", "None"},
		{"turn()", "[{'turn': {}}]"},
		{"turn(angle=90, side='left')", "[{'turn': {'angle': '90', 'side': 'left'}}]"},
		{"wheel.turn(angle = -9.5e1)", "[{'wheel.turn': {'angle': '-9.5e1'}}]"},
		{"turn(if=1, var=2)", "[{'turn': {'if': '1', 'var': '2'}}]"},
		{"turn(new=1)", "raises SyntaxError"},
		{"turn(angle: 90)", "raises SyntaxError"},
		{"turn(side=top left)", "raises SyntaxError"},
		{"turn(a=1, a=2)", "raises Exception"},
		{"turn(left, true)", "raises Exception"},
		{"turn(left, 5, k)", "raises Exception"},
		{"turn(left, false, undefined)", "[{'turn': {None: 'left'}}]"},
		{"turn(a/* x */=2)", "[{'turn': {'a': '='}}]"},
		{"turn(a=/* x */2)", "[{'turn': {'a': '/* x */'}}]"},
		{"turn/* x */(a=2)", "[{'turn': {}}]"},
		{"turn?.(a=2)", "[{'turn': {}}]"},
		{"turn`a`", "[{'turn': {}}]"},
		{"turn(a=\"x\" + \"y\")", `[{'turn': {'a': 'x" + "y'}}]`},
		{"turn(a=1)(b=2)", "[{'turn(a=1)': {'b': '2'}}]"},
		{"park; turn(a=1); stop(b=2)", "[{'turn': {'a': '1'}}]"},
		{"park\nturn(a=1)", "[{'turn': {'a': '1'}}]"},
		{"park turn(a=1)", "raises SyntaxError"},
		{"await turn(a=1)", "None"},
		{"{ turn(a=1) }", "None"},
		{"turn(a=1 + b = 2)", "[{'turn': {'a': '1 + b = 2'}}]"},
		{"turn(a=[1, {k: 2}, `x${y}`])", "[{'turn': {'a': '[1, {k: 2}, `x${y}`]'}}]"},
		{"turn(a=({b = 1}) => b)", "[{'turn': {'a': '({b = 1}) => b'}}]"},
		{"turn(a={b = 1})", "raises SyntaxError"},
		{"turn(a=[1, 2)", "[{'turn': {'a': '[1, 2'}}]"},
		{"turn(a=[[1, 2)", "raises SyntaxError"},
		{"turn(a={k: 1)", "[{'turn': {'a': '{k: 1'}}]"},
		{"turn(a=1", "raises SyntaxError"},
		{"turnWheel(angle=90) done", "[{'turnWheel': {'angle': '90'}}]"},
		{"turnWheel(angle=90) {k: 1}", "[{'turnWheel': {'angle': '90'}}]"},
		{"turnTheWheel(angle=90)turnTheWheel(angle=90)", "[{'turnTheWheel': {'angle': '90'}}]"},
		{"turnWheel(angle=90)turnWheel(angle=90)", "raises SyntaxError"},
		{"turnWheel(angle=90) x;", "raises SyntaxError"}, // leaving x out is cheaper
		{"turnWheel(angle=90) x y", "raises SyntaxError"},
		{"turn(a=900) x", "[{'turn': {'a': '900'}}]"},
		{"turn(a=90) x", "raises SyntaxError"}, // an error over so short a call is cheaper
		{"turn(side='left\n')", "[{'turn': {'side': 'left\\n'}}]"},
		{"turn(a?:1, b=2)", "[{'turn': {'b': '2'}}]"},
		{"turn(a==)", "[{'turn': {}}]"},
		{"turn(b=1, a==)", "raises SyntaxError"},
		{"turn(a=/[/]x/g, b=c / d / e)", "[{'turn': {'a': '/[/]x/g', 'b': 'c / d / e'}}]"},
		{"turn(a=<p>x<b/></p>)", "[{'turn': {'a': '<p>x<b/></p>'}}]"},
		{"turn(a=1_0, b=0x1Fn, c=.5, d=5.)", "[{'turn': {'a': '1_0', 'b': '0x1Fn', 'c': '.5', 'd': '5.'}}]"},
		{"turn(a=1__0)", "raises SyntaxError"},
		{"turn(a=\"\\x4\")", "raises SyntaxError"},
		{"turn(ключ=😀)", "[{'turn': {'ключ': '😀'}}]"},
		{"turn(a=\"\xff\")", "raises UnicodeEncodeError"},
	} {
		assert.Equal(t, c.want, outcome(jscall.Parse(c.src)), "%q", c.src)
	}
}

func TestJavaScriptConvert(t *testing.T) {
	for _, c := range []struct{ in, typ, nested, want string }{
		{"٤٢", "integer", "", "42"}, {"4_2", "integer", "", "'4_2'"}, {"4.0", "integer", "", "'4.0'"},
		{"٤.٢", "float", "", "4.2"}, {"4.", "float", "", "'4.'"}, {strings.Repeat("9", 400), "float", "", "inf"},
		{"-4n", "Bigint", "", "-4"}, {"4n\n", "Bigint", "", "raises ValueError"}, {"4", "Bigint", "", "'4'"},
		{strings.Repeat("9", 4300), "integer", "", strings.Repeat("9", 4300)},
		{strings.Repeat("9", 4301), "integer", "", "raises ValueError"},
		{"true", "Boolean", "", "True"}, {"True", "Boolean", "", "'True'"},
		{`"`, "String", "", "''"}, {`'x"`, "String", "", `'\'x"'`},
		{"x", "number", "", "raises ValueError"},
		{"[4, 'x', 4.5, +4, NaN, 1_0]", "array", "", "[4, 'x', 4.5, 4, nan, 10]"},
		{"[4, x]", "array", "integer", "[4, 'x']"}, {"[4]", "array", "number", "'[4]'"},
		{"[[4, 5], [6]]", "array", "String", "[[4, 5], [6]]"},
		{"[[4], 5, [6]]", "array", "", "[[4], [6]]"},
		{"[\n[4],\n[5]\n]", "array", "", "[[4], [5]]"},
		{"[4,\n5]", "array", "", `'[4,\n5]'`},
		{"new Array([4], [5])", "array", "", "[[4], [5]]"}, {"newArray(4)", "array", "", "'newArray(4)'"},
		{"{k: 4, 'm': \"5\", n: [6]} x", "dict", "", "{'k': 4, 'm': 5, 'n': [6]}"},
		{"{k: {m: 4}, n: 5}", "dict", "", "{'k': '{m: 4'}"},
		{"{k: a, b, m: c}", "dict", "", "{'k': 'a, b', 'm': 'c'}"},
		{"{k", "dict", "", "'{k'"},
	} {
		assert.Equal(t, c.want, outcome(jscall.Convert(c.in, c.typ, c.nested)), "%.80q as %s of %q", c.in, c.typ, c.nested)
	}
}

// hostile texts are cheap to write and dear to a careless parser.
func hostile() map[string]string {
	const n = 1 << 14
	texts := map[string]string{}
	for _, part := range []string{
		"(", "[", "{", "{a:", "f(", "`${", "<a>", "<a b=", "!", "a=", "a=>", "a=>{", "async(", "new ", "a?", "a.", "a,",
		"class{[", "if(a)", "for(", "function(){", "a:", "/*", "\\u", "1_", "[ ", "]", ":,", "{: ,", "[[],", "[[] ", "' ", "[a](", "@a(",
	} {
		texts[part] = strings.Repeat(part, n/len(part))
		texts["f(a="+part] = "f(a=" + texts[part] + ")"
		texts["closed "+part] = strings.Repeat(part, 1<<11) + strings.Repeat("x", 9) + strings.Repeat("}", 1<<11)
	}
	return texts
}

func TestJavaScriptHostileTextsEnd(t *testing.T) {
	for name, text := range hostile() {
		v, err := jscall.Parse(text)
		require.True(t, (v == nil) == (err != nil), name)
		for _, typ := range []string{"array", "dict", "integer", "float", "Bigint"} {
			_, _ = jscall.Convert(text, typ, "")
		}
	}
}

func FuzzJavaScriptParse(f *testing.F) {
	for _, s := range []string{
		"turn(a=1, b=\"x\", c=[1, {k: 2}])", "a.b(c=x => {return}, d=`x${y}`)", "{a: 1}.f(b=2)", "f(a=/x/g, b=<p>{q}</p>)",
		"class A { static x = 1; get b() {} }", "for (let x of y) f(x); import a from 'b'", "f(a=[1, 2)", "(a, {b = 1}) => c", "f(\xff)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := jscall.Parse(s)
		if err != nil {
			return
		}
		if v == pyval.None {
			return
		}
		call := v.(*pyval.List).Items[0].(*pyval.Dict)
		name, params := call.At(0)
		require.Contains(t, s, string(name.(pyval.Str)))
		for _, val := range params.(*pyval.Dict).All() {
			require.Contains(t, s, string(val.(pyval.Str)))
			require.True(t, utf8.ValidString(string(val.(pyval.Str))))
		}
	})
}

func FuzzJavaScriptConvert(f *testing.F) {
	for _, s := range []string{"[1, 'a']", "[[1], [2, 3]]", "new Array([1], [2])", "{a: 1, b: [2]}", "5n", "٣.٥", "{: ,:}", "[\n[1]]"} {
		for _, typ := range []string{"array", "dict", "Bigint", "float", "any"} {
			f.Add(s, typ, "integer")
		}
	}
	f.Fuzz(func(t *testing.T, s, typ, nested string) {
		v, err := jscall.Convert(s, typ, nested)
		if (v == nil) != (err != nil) {
			t.Fatalf("value %v with error %v", v, err)
		}
	})
}

func BenchmarkJavaScriptParse(b *testing.B) {
	src := `map.route(origin="Lyon", stops=[45.7, 4.8], options={"mode": "rail", "limit": 3})`
	b.ReportAllocs()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := jscall.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJavaScriptConvert(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jscall.Convert(`[[1, 2.5], ["x", true]]`, "array", ""); err != nil {
			b.Fatal(err)
		}
	}
}
