package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/jscall"
)

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
