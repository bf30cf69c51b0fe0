package source_test

import (
	"strings"
	"testing"

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

// TestJavaScriptValues: an argument's value is the text that it was written as, whatever
// expression of the language it is.
func TestJavaScriptValues(t *testing.T) {
	for _, value := range []string{
		// Numbers, strings, regular expressions.
		"0x1F", "0o17", "0b11", "0XFn", "1_000.5_0e+1_0", ".5e-3", "0", "00", "10n", "017", "089",
		`'\x41\u0042\u{1F600}\n\0'`, "'a\\\nb'", "'a\\\r\nb'", `"it's"`, "'\u2028'",
		"/a\\/b[/]c/gi", "/=/", "/[\\]]/", "`a\\`b${c}d${`e${f}`}`", "`\\x41\\u0042`", "``",
		// Operators and assignments.
		"a ? b : c ? d : e", "a?.b?.[c]?.(d)", "a?.5:1", "!a && ~b || -c", "d ?? +e", "typeof a === 'b'", "a in b", "a instanceof B",
		"a ** b ** c", "a >>> b >> c << d", "i++ + ++j - k--", "(a, b, c)", "void 0", "delete a.b", "await a", "a <= b >= c != d !== e == f",
		"b = 2", "[a, b] = [b, a]", "a.b = c", "a ??= b", "a >>>= 1", "a **= 2",
		// Functions, classes, objects.
		"x => x", "(x, {y, z: [w]}, ...rest) => ({x})", "async x => await x", "async (x) => { await x; }", "async () => {}", "async(x)", "async",
		"function () { return 1; }", "function* gen() { yield 1; }", "async function f() {}", "function f(a, b = 1, {c}, ...d) {}",
		"class {}", "class A extends B.c { x = 1; ; static y; #z; get a() {} static async *b() {} 'c'() {} 5() {} [d]() {} }", "class extends f(x) {}",
		"new A", "new A.B(c)", "new (f())()", "new new A()()", "new.target", "import('x')", "import.meta",
		"{}", "{a, 'b': 1, 2: 3, [c]: d, ...e, f() {}, get g() {}, set g(h) {}, async *i() {}, async j() {}, get: 1, set, static: 2, async}", "{'a': function () {}}",
		"[]", "[,]", "[1, , 2]", "[...a, ...b]",
		"a.#b", "a.if", "super.a", "this", "null", "false", "undefined", "`x`.length", "tag`x${y}`", "(1).a", "a\n.b",
		// JSX.
		"<a/>", "<a b=\"c\nd\" e='f' {...g} h={i} j-k=\"l\" m/>", "<a.b.c></a.b.c>", "<a:b c:d=\"e\"/>", "<>text {/* c */} {a} <b/></>", "<a>{...b}</a>", "<a b=<c/>/>",
	} {
		assert.Equal(t, "[{'turn': {'a': "+quotedText(value)+", 'b': '1'}}]", outcome(jscall.Parse("turn(a="+value+", b=1)")), "%s", value)
	}
}

// quotedText returns the repr of a value as upstream keeps it: a literal in
// quotes without them.
func quotedText(value string) string {
	if last := len(value) - 1; last > 0 && value[0] == value[last] && strings.Contains(`"'`, value[:1]) {
		value = value[1:last]
	}
	return pyval.Repr(pyval.Str(value))
}

// TestJavaScriptRefused: texts that are not JavaScript, where one token more or less would
// not help either.
func TestJavaScriptRefused(t *testing.T) {
	for _, src := range []string{
		// Literals that are malformed or do not end.
		`turn(a="x)`, `turn(a='\u{}')`, `turn(a='\u12')`, `turn(a='\xZZ')`, "turn(a='x\ny')", "turn(a=/x", "turn(a=/x\ny/)", "turn(a=/x\\\ny/)", "turn(a=`x)", "turn(a=`\\u1`)", "turn(a=`${b`)",
		"turn(a='\\", "turn(a=#)", "turn(a=\\)", "turn(a=/* x)",
		// Statements.
		"do { } until (x);", "switch (x) { 1: y; }", "try { } catch { } finally x;", "try x;", "import a, b from 'c';", "import {a} 'b';", "import {a} from b;", "import * from 'a';", "import {5} from 'a';",
		"import a from 'b' with 5;", "export * 'a';", "export 5;", "if x { }", "var 5;", "@ class A { }",
		"a b", "1 2", "x = ;", "turn(a=1) turn(a=2)",
		// JSX.
		"x = <a", "x = <a b=5/>;", "x = <a b=\"c/>;", "x = <a></>}", "x = <a>{b</a>;", "x = <a / b>;", "x = <5/>;", "x = <a>}</a>;",
		// Expressions.
		"x = new.y;", "x = import 5;", "x = {a: };;)", "x = {5};", "x = {a() };", "x = (a, b => ;", "x = a ? b;", "x = a..b;", "x = a.5;", "x = {get a, b};",
	} {
		assert.Equal(t, "raises SyntaxError", outcome(jscall.Parse(src)), "%s", src)
	}
}

// TestJavaScriptAround: other statements may surround a call; only the call is decoded.
func TestJavaScriptAround(t *testing.T) {
	for src, want := range map[string]string{
		"#!/usr/bin/env node\nturn(a=1)":    "[{'turn': {'a': '1'}}]",
		"#!only":                            "None",
		"<!-- old page\nturn(a=1)\n--> end": "[{'turn': {'a': '1'}}]",
		"\ufeff\u00a0turn(a=1)":             "[{'turn': {'a': '1'}}]",
		"a\u2028turn(a=1)":                  "[{'turn': {'a': '1'}}]",
		"async(a=1)":                        "[{'async': {'a': '1'}}]",
		"export default turn(a=1);":         "None",
		"export {a} from 'b'; export * as c from 'd'; turn(a=1)": "[{'turn': {'a': '1'}}]",
		"export default class A { }\nturn(a=1)":                  "[{'turn': {'a': '1'}}]",
		"import a from 'b' with {type: 'json'}; turn(a=1)":       "[{'turn': {'a': '1'}}]",
		"@dec class A { }\nturn(a=1)":                            "[{'turn': {'a': '1'}}]",
		"@a.b(c) export class A { }\nturn(a=1)":                  "[{'turn': {'a': '1'}}]",
		"let\nturn(a=1)":                                         "[{'turn': {'a': '1'}}]",
		"let in x; turn(a=1)":                                    "[{'turn': {'a': '1'}}]",
		"async function () { }":                                  "None",
		"x\n++y\nturn(a=1)":                                      "[{'turn': {'a': '1'}}]",
		"turn?.(a=1)":                                            "[{'turn': {}}]",
		"turn\\u0061(a=1)":                                       "[{'turn\\\\u0061': {'a': '1'}}]",
		"turn(a=٤)":                                              "[{'turn': {'a': '٤'}}]",
	} {
		assert.Equal(t, want, outcome(jscall.Parse(src)), "%s", src)
	}
}

// TestJavaScriptStatements: a model may write a program. Whatever statement of the
// language stands before the call, the call at the top is found, and none that
// stands inside of another statement.
func TestJavaScriptStatements(t *testing.T) {
	for _, src := range []string{
		"if (dark) { lamp(); } else if (dim) lamp(); else { }",
		"for (let i = 0, n = 3; i < n; i++) { step(k=i); }",
		"for (;;) { break; }",
		"for (const key in road) { step(); }",
		"for (const {x, y = 2} of roads) step();",
		"for (key of [1, 2]) continue;",
		"async function drive() { for await (const car of queue) { park(car); } }",
		"while (dark) { step(a=1); }",
		"do { step(a=1); } while (dark);",
		"outer: while (true) { inner: while (true) { break outer; } }",
		"switch (gear) { case 1: step(); break; case 2: { } default: stop(); }",
		"try { step(); } catch (e) { stop(); } finally { rest(); }",
		"try { step(); } catch { }",
		"try { step(); } finally { }",
		"function* gears(a, b = 2, ...rest) { yield a; yield* rest; return b; }",
		"async function drive() { await step(); }",
		"class Car extends Vehicle { #fuel = 3; static wheels = 4; constructor(a) { super(a); } get left() { return 1; } set left(v) { } static async *laps() { } [name]() { } static { step(); } }",
		"class A { }",
		"const [a, , b = 2, ...c] = list, {d, e: f, ...g} = thing;",
		"let n;",
		"var a = 1, b;",
		"throw new Error('lost');",
		"debugger;",
		";;",
		"import car, {wheel as round, seat} from 'garage';",
		"import * as cars from 'garage';",
		"import 'garage';",
		"export const wheels = 4;",
		"export default class { }",
		"export {a as b, c};",
		"export * from 'garage';",
		"with (road) { step(); }",
		"{ step(a=1); }",
		"const near = (a, {b}) => { return a + b; };",
		"const shown = <Car wheels={4} {...rest}>{name} and <b>more</b></Car>;",
		"const x = a ? b : c ?? d, y = typeof z === 'car', w = void 0, v = delete q.r, u = (-1) ** 0 || 2;",
	} {
		assert.Equal(t, "[{'turn': {'angle': '90'}}]", outcome(jscall.Parse(src+"\nturn(angle=90)")), "%s", src)
		assert.Equal(t, "None", outcome(jscall.Parse(src)), "%s", src)
	}
}
