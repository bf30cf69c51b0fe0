package javacall_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		// Arguments become texts.
		{`Clock.setAlarm(hour=7, label="wake up")`, "[{'Clock.setAlarm': {'hour': '7', 'label': 'wake up'}}]"},
		{`turnOff(lamp='k', at=Time.NOON)`, "[{'turnOff': {'lamp': 'k', 'at': 'Time.NOON'}}]"},
		{`brew(cups = 2 * n, hot = ! cold)`, "[{'brew': {'cups': '2*n', 'hot': '!cold'}}]"},
		{`plant(row=new int[ ] { 4, 5 }, grid=new int[][]{{1}, {2}})`, "[{'plant': {'row': 'new int[]{4,5}', 'grid': 'new int[]{{1},{2}}'}}]"},
		{`plant(seeds=new Bag<Seed>(4,  "rye", new Jar()) {{ add(oats); }})`, "[{'plant': {'seeds': 'new Bag<Seed>(4, \"rye\", new Jar())'}}]"},
		{`plant(when=Season.of( 2 , "may" ))`, "[{'plant': {'when': 'Season.of( 2 , \"may\" )'}}]"},
		{`sort(by=(Pear p) -> p.size( ))`, "[{'sort': {'by': '(Pearp)->p.size( )'}}]"},
		{`plant(Oak.class, depth=(long) 3)`, "[{'plant': {None: 'Oak.class', 'depth': '(long)3'}}]"},
		{`plant(tree, depth /* cm */ = 3)`, "[{'plant': {None: 'tree', 'depth': '='}}]"},
		{`plant(depth = /* cm */ 3, 40, "x")`, "[{'plant': {'depth': '/* cm */'}}]"},
		{`say(text="\{name} is here", loud=true)`, `[{'say': {'text': '\\{name} is here', 'loud': 'true'}}]`},
		// Positions count bytes, texts count characters.
		{`say(text="ñ", loud=true);`, "[{'say': {'text': 'ñ\"', 'oud=': 'rue)'}}]"},
		// The call is searched in whatever Java there is.
		{`class Shed { int n = rake.count(size=3); }`, "[{'rake.count': {'size': '3'}}]"},
		{`for (Leaf l : heap) { burn(leaf=l); }`, "[{'burn': {'leaf': 'l'}}]"},
		{`do { dig(depth=1); } while (soft);`, "[{'dig': {'depth': '1'}}]"},
		{`record Spade(int size) {} enum Soil { CLAY, SAND; } dig(depth=1);`, "[{'dig': {'depth': '1'}}]"},
		{`shed.super.open(door=1);`, "[{'shed.open': {'door': '1'}}]"},
		{`int depth = 4;`, "{}"},
		{``, "{}"},
		// Missing tokens are supplied where that is cheaper than an error.
		{`dig(hole=123)`, "[{'dig': {'hole': '123'}}]"},
		{`plant(rows=new int[]{1, 2)`, "[{'plant': {'rows': 'new int[]{1,2'}}]"},
		{`plant(rows=Arrays.asList("oats", "rye",))`, "[{'plant': {'rows': 'Arrays.asList(\"oats\", \"rye\",)'}}]"},
		{`rakeLeaves(heap=1) burnLeaves(heap=2)`, "[{'rakeLeaves': {'heap': '1'}}]"},
		{`[dig(a=123)]`, "[{'dig': {'a': '123'}}]"},
		{`plantTrees(rows=4) rake()`, "[{'plantTrees': {'rows': '4'}}]"},
		{`plantTrees(rows=4) {}`, "[{'plantTrees': {'rows': '4'}}]"},
		{`plantTrees(rows=4) "done"`, "[{'plantTrees': {'rows': '4'}}]"},
		{`([plantTrees(rows=4)])`, "[{'plantTrees': {'rows': '4'}}]"},
		{`plantTrees(rows?: 4, kind?: "oak")`, "[{'plantTrees': {}}]"},
		{`Garden.class(rows=4).[x]`, "[{'Garden.class': {'rows': '4'}}]"},
		{`for (;;) plantTrees(rows=4, kind="oak") x`, "[{'plantTrees': {'rows': '4', 'kind': 'oak'}}]"},
	} {
		got, err := javacall.Parse(c.src)
		require.NoError(t, err, "%q", c.src)
		assert.Equal(t, c.want, pyval.Repr(got), "%q", c.src)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ src, class string }{
		{`dig(a=1)`, "SyntaxError"}, // an error node is cheaper than a missing semicolon
		{`rake(a=1) burn(b=2)`, "SyntaxError"},
		{`[dig(a=1)]`, "SyntaxError"},
		{`[rake(leaves=1), burn(leaves=2)]`, "SyntaxError"},
		{`[`, "SyntaxError"},
		{`plantTrees(rows=4) done`, "SyntaxError"}, // one word before the end is left out
		{`plantTrees(rows=4) done;`, "SyntaxError"},
		{`plantTrees(rows=4, kind=)`, "SyntaxError"}, // so is the equals sign
		{`while (plantTrees(rows=4) x`, "SyntaxError"},
		{`plantTrees(rows=4); (done)`, "SyntaxError"}, // may be a lambda's parameter
		{`dig[];`, "SyntaxError"},
		{`plantTrees(rows=[1, 2])`, "SyntaxError"},
		{`plantTrees(rows={"oats": 1})`, "SyntaxError"},
		{`plantTrees(rows=4`, "SyntaxError"},
		{`plantTrees(rows=4))`, "SyntaxError"},
		{`plantTrees(rows=4), rakeLeaves(heap=1)`, "SyntaxError"},
		{`plantTrees(name="oa"k")`, "SyntaxError"},
		{`Garden.shedsAndTools`, "SyntaxError"},
		{`#plantTrees(rows=4)`, "SyntaxError"},
		{`plantTrees(rows=4, rows=5)`, "Exception"},
		{`plantTrees(rows=boolean)`, "SyntaxError"}, // a type is no name
		{`plantTrees(int=4)`, "SyntaxError"},
		{`plantTrees(oak, elm)`, "Exception"},
		{`plantTrees(rows=new int[4])`, "AttributeError"},
		{"plantTrees(name=\"\xff\")", "UnicodeEncodeError"},
		{"plantTrees(name=\"\xed\xa0\x80\")", "UnicodeEncodeError"},
	} {
		got, err := javacall.Parse(c.src)
		var raised *grammar.Error
		require.ErrorAs(t, err, &raised, "%q: %v", c.src, got)
		assert.Equal(t, c.class, raised.Class, "%q", c.src)
	}
}

// TestHostile runs texts that are deep or long; it is enough that they end.
func TestHostile(t *testing.T) {
	const n = 6000
	for _, open := range []string{
		"(", "[", "{", "f(", "f(a=", "new A(", "new A<", "A<", "x ->", "(x) ->", "-", "a.", "a=", "a?", "a?b:", "a+",
		"new int[]{{", "if (x) ", "else ", "for (;;) ", "for (A a : x -> {", "switch (x) { case 1 -> ", "class A {",
		"@A(", "/* c */", "// c\n", "\"", "\"\\{", "'", "\"\"\"", "yield ", "record A(", "sealed ", "A ", "a b;", "x[",
		"x instanceof A(", "(int) ", "(A) ", "({", "0_", "a<b>", "f()", "f().", "f(a=1)\n", "f(a=1) ", "int f(",
		"é", "f(a=/* c */", "new A() {{", "a::", "case ", "f(a=\"é\",", "try (", "A<?,",
		"for (@A(x -> { ", "try (@A(x -> {", "int @B(x -> {", "yield x -> {", "record A(@B(x -> {",
	} {
		for _, tail := range []string{"", "f(a=1)", ";", ")", "}"} {
			got, err := javacall.Parse(strings.Repeat(open, n/len(open)) + tail)
			assert.True(t, got != nil || err != nil, "%q %q", open, tail)
			var raised *grammar.Error
			assert.True(t, err == nil || errors.As(err, &raised))
		}
	}
	for _, open := range []string{"(", "f("} { // deeper than a stack
		_, err := javacall.Parse("f(a=" + strings.Repeat(open, 1<<18/len(open)))
		assert.Error(t, err, open)
	}
	long := strings.Repeat("9", 5000)
	for _, typ := range []string{"integer", "long", "double", "float", "any", "Array", "ArrayList", "HashMap"} {
		for _, unit := range []string{"new ArrayList<>(Arrays.asList(", "new ArrayList<>(){{ ", "new HashMap<>() {", "new int[]{1,", "add(", "put(\"", "9", "-", " "} {
			_, err := javacall.Convert(strings.Repeat(unit, n/len(unit)), typ, "")
			var raised *grammar.Error
			assert.True(t, err == nil || errors.As(err, &raised))
		}
	}
	_, err := javacall.Convert(long, "integer", "")
	assert.Error(t, err, "CPython refuses more than 4300 digits")
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`Clock.setAlarm(hour=7, label="wake up")`, `f(a=new A<B>() {{ put("x", 1) }}, b=new int[]{1, 2})`,
		`class A { void m() { f(a = /* c */ 'x'); } }`, `f(a=(x) -> x, b=A::new, c="\{d}", e=é)`, `if (x instanceof A(B b)) f(1`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := javacall.Parse(src)
		if (got == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", src, got, err)
		}
	})
}

func FuzzConvert(f *testing.F) {
	for _, typ := range []string{"integer", "double", "Array", "ArrayList", "HashMap"} {
		f.Add("5", typ, "")
		f.Add(`new ArrayList<>(Arrays.asList("a", 1))`, typ, "String")
		f.Add(`new HashMap<>() {{ put("a", 1_000); }}`, typ, "any")
		f.Add("new int[]{1, ٣, nan}", typ, "")
	}
	f.Fuzz(func(t *testing.T, value, typ, nested string) {
		got, err := javacall.Convert(value, typ, nested)
		if (got == nil) == (err == nil) {
			t.Fatalf("%q %q %q: %v, %v", value, typ, nested, got, err)
		}
	})
}
