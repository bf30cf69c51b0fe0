package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/javacall"
)

func TestJavaParse(t *testing.T) {
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
		{`var open = 1; int record = 2; with = 3; sealed(a); yield(b);`, "[{'sealed': {None: 'a'}}]"},
		{`ñandú.ñ = 1; dig(depth=1);`, "[{'(de': {'th=1)': ''}}]"},
		{`dig(a=1)`, "raises SyntaxError"}, // an error node is cheaper than a missing semicolon
		{`rake(a=1) burn(b=2)`, "raises SyntaxError"},
		{`[dig(a=1)]`, "raises SyntaxError"},
		{`[rake(leaves=1), burn(leaves=2)]`, "raises SyntaxError"},
		{`[`, "raises SyntaxError"},
		{`plantTrees(rows=4) done`, "raises SyntaxError"}, // one word before the end is left out
		{`plantTrees(rows=4) done;`, "raises SyntaxError"},
		{`plantTrees(rows=4, kind=)`, "raises SyntaxError"}, // so is the equals sign
		{`while (plantTrees(rows=4) x`, "raises SyntaxError"},
		{`plantTrees(rows=4); (done)`, "raises SyntaxError"}, // may be a lambda's parameter
		{`dig[];`, "raises SyntaxError"},
		{`plantTrees(rows=[1, 2])`, "raises SyntaxError"},
		{`plantTrees(rows={"oats": 1})`, "raises SyntaxError"},
		{`plantTrees(rows=4`, "raises SyntaxError"},
		{`plantTrees(rows=4))`, "raises SyntaxError"},
		{`plantTrees(rows=4), rakeLeaves(heap=1)`, "raises SyntaxError"},
		{`plantTrees(name="oa"k")`, "raises SyntaxError"},
		{`Garden.shedsAndTools`, "raises SyntaxError"},
		{`#plantTrees(rows=4)`, "raises SyntaxError"},
		{`plantTrees(rows=4, rows=5)`, "raises Exception"},
		{`plantTrees(rows=boolean)`, "raises SyntaxError"}, // a type is no name
		{`plantTrees(int=4)`, "raises SyntaxError"},
		{`plantTrees(oak, elm)`, "raises Exception"},
		{`plantTrees(rows=new int[4])`, "raises AttributeError"},
		{"plantTrees(name=\"\xff\")", "raises UnicodeEncodeError"},
		{"plantTrees(name=\"\xed\xa0\x80\")", "raises UnicodeEncodeError"},
	} {
		assert.Equal(t, c.want, outcome(javacall.Parse(c.src)), "%q", c.src)
	}
}

func TestJavaConvert(t *testing.T) {
	for _, c := range []struct{ value, typ, nested, want string }{
		{"-12", "integer", "", "-12"}, {"+12", "integer", "", "'+12'"}, {"12.0", "short", "", "'12.0'"},
		{"१२", "byte", "", "12"}, {"40L", "long", "", "40"}, {"40", "long", "", "'40'"},
		{"2.5f", "float", "", "2.5"}, {"2.5", "float", "", "'2.5'"}, {"2.5e3", "double", "", "2500.0"},
		{"true", "boolean", "", "True"}, {"True", "boolean", "", "'True'"}, {"x", "char", "", "'x'"},
		{"new int[]{4, 5,}", "Array", "", "[4, 5]"}, {"new int[]{4, 5}", "Array", "double", "[4.0, 5.0]"},
		{`new String[]{"oak"}`, "Array", "String", `['"oak"']`}, {"[4]", "Array", "", "'[4]'"},
		{`new ArrayList<>(Arrays.asList("oak", 7, -0.5))`, "ArrayList", "", "['oak', 7, -0.5]"},
		{`new ArrayList<Tree>() {{ add("oak"); add("elm"); }}`, "ArrayList", "String", "['oak', 'elm']"},
		{"new ArrayList<>()", "ArrayList", "", "[]"}, {"List.of(1)", "ArrayList", "", "'List.of(1)'"},
		{`new HashMap<String, Integer>() {{ put("oak", 3); put("elm", +1_0); }}`, "HashMap", "", "{'oak': 3, 'elm': 10}"},
		{"new HashMap<>()", "HashMap", "", "{}"}, {"garden", "HashMap", "", "'garden'"},
		{`new Object[]{"`, "Array", "", `'new Object[]{"'`}, {`new Object[]{"}`, "Array", "", "['']"},
		{`new Object[]{nan, -Infinity, 1__0, 0x1, ५.५f}`, "Array", "", "[nan, -inf, '1__0', '0x1', 5.5]"},
		{"5", "int", "", "raises ValueError"}, {"5", "", "", "raises ValueError"}, {"5", "Set", "", "raises NotImplementedError"},
		{"5", "Hashtable", "", "raises NotImplementedError"}, {"5", "Queue", "", "raises NotImplementedError"}, {"5", "Stack", "", "raises NotImplementedError"},
		{"new int[]{1}", "Array", "tree", "raises ValueError"}, {strings.Repeat("9", 5000), "integer", "", "raises ValueError"},
	} {
		assert.Equal(t, c.want, outcome(javacall.Convert(c.value, c.typ, c.nested)), "%q %s %s", c.value, c.typ, c.nested)
	}
}

// TestJavaValues: an argument's value is the text of its tokens without the blanks
// between them; a call or a class keeps its blanks, and what is created is
// written anew.
func TestJavaValues(t *testing.T) {
	for value, want := range map[string]string{
		// Literals.
		`'\u0041'`: `\u0041`, `'\''`: `\'`, `"\x41\u{1F600}\101\7 \t"`: `\x41\u{1F600}\101\7 \t`, "\"\"\"\n a \\\" b \"\" c\"\"\"": "\"\"\n a \\\" b \"\" c\"\"",
		"0x1.8p3": "0x1.8p3", "0x.8P-1f": "0x.8P-1f", "0x1F_FFL": "0x1F_FFL", "0o17": "0o17", "0b1_01L": "0b1_01L", "1e5": "1e5", "1_000L": "1_000L", ".5e-3f": ".5e-3f", "5.d": "5.d", "077L": "077L", "5e+3D": "5e+3D",
		// Operators, casts and assignments.
		"(int) - x": "(int)-x", "(A & B) x": "(A&B)x", "(a) + b": "(a)+b", "(a.b[]) c": "(a.b[])c", "(a)++": "(a)++", "(A<B>) (c)": "(A<B>)(c)",
		"x instanceof final String s && y": "xinstanceoffinalStrings&&y", "x instanceof A( B b , C(int d) )": "xinstanceofA(Bb,C(intd))", "x instanceof A()": "xinstanceofA()", "(x) instanceof A": "(x)instanceofA",
		"a ? b : c ? d : e": "a?b:c?d:e", "a >> b >>> c << d": "a>>b>>>c<<d", "a >= b": "a>=b", "b >>>= 2": "b>>>=2", "b += c = d": "b+=c=d", "b++ - --c": "b++---c", "! ~ a": "!~a",
		// Names and what is reached from them.
		"a . b [ 1 ] . c": "a.b[1].c", "A.this.b": "A.this.b", "a.<T> b( c )": "a.<T> b( c )", "a.new B( c )": "new B(c)", "super.a": "super.a", "A.super.b( )": "A.super.b( )", `STR."x\{ y }z"`: `STR."x\{ y }z"`,
		"A :: new": "A::new", "int [ ] :: new": "int[]::new", "A<B> :: <C> m": "A<B>::<C>m", "super :: m": "super::m", "@A B :: c": "@AB::c", "A<B>.C<D>[] :: new": "A<B>.C<D>[]::new",
		"int . class": "int . class", "A . B . class": "A . B . class", "A[] . class": "A[] . class", "a[].b": "",
		// Lambdas and switches.
		"( ) -> 1": "()->1", "(a , b) -> { return a ; }": "(a,b)->{returna;}", "(final int a, int ... b) -> a": "(finalinta,int...b)->a", "a -> b -> c": "a->b->c",
		"switch (x) { case 1 , 2 -> 3 ; default -> throw e ; }": "switch(x){case1,2->3;default->throwe;}", "switch (x) { case A(B b) when c -> d ; case E e -> f ; default -> g ; }": "switch(x){caseA(Bb)whenc->d;caseEe->f;default->g;}",
		"switch (x) { case 1 + c , (d) -> e ; case F f when g && h -> (i) -> j ; case K k when (l -> m) . n( ) -> o ; }": "switch(x){case1+c,(d)->e;caseFfwheng&&h->(i)->j;caseKkwhen(l -> m) . n( )->o;}",
		// What is created.
		"new @A B<C>.D( 1 , 2 ) { int e ; }": "new B<C>.D(1, 2)", "new <T> A( b )": "new A(b)", "new A( new B( ) , new int[ ] { 1 , } )": "new A(new B(), new int[]{1,})", "new A( /* c */ 1 /* d */ )": "new A(/* c */, 1, /* d */)",
		"new int [ ] [ ] { { 1 } , { } }": "new int[]{{1},{}}", "new A [ ] { }": "new A[]{}",
	} {
		shown := "[{'plantTheTrees': {'rows': " + pyval.Repr(pyval.Str(want)) + "}}]"
		if want == "" {
			shown = "raises SyntaxError"
		}
		assert.Equal(t, shown, outcome(javacall.Parse("plantTheTrees(rows="+value+");")), "%s", value)
	}
}

// TestJavaComments: comments are parts of a tree like others, and upstream takes
// the third part of an assignment for its value.
func TestJavaComments(t *testing.T) {
	for src, want := range map[string]string{
		"dig(a /* x */ /* y */ = 1);":  "[{'dig': {'a': '/* y */'}}]",
		"dig(a /* x */ = 1);":          "[{'dig': {'a': '='}}]",
		"dig(a = /* x */ /* y */ 1);":  "[{'dig': {'a': '/* x */'}}]",
		"dig(a = 1 /* x */ + 2);":      "[{'dig': {'a': '1/* x */+2'}}]",
		"dig(a = b + // x\n c);":       "[{'dig': {'a': 'b+// xc'}}]",
		"dig(/* x */ a = 1, /* y */);": "raises SyntaxError",
		"dig(a >>= /* x */ 1);":        "[{'dig': {'a': '/* x */'}}]",
		"dig(a >>>= 1);":               "[{'dig': {'a': '1'}}]",
		"dig(a /* x */ >>>= 1);":       "[{'dig': {'a': '>>>='}}]",
	} {
		assert.Equal(t, want, outcome(javacall.Parse(src)), "%s", src)
	}
}

// TestJavaRefused: texts that are no Java, and that no closing token mends.
func TestJavaRefused(t *testing.T) {
	for _, src := range []string{
		`"\xZZ"`, `"\u12"`, `"\u{}"`, `"\u{41"`, "\"\\", "\"a\x00\"", "'", "''", "'a", "'\\", "'a\nb'", "\"\"\"a", "/* a", "/* a\x00 */ b", "#", "a \\ b", "\u20ac",
		"module a { requires ; }", "module a", "package ;", "import ;", "import a.;", "import a.*.b;", "class { }", "class A extends { }", "class A", "class A { int }", "class A<> { }", "class A<T extends> { }", "record R { }", "enum E { A( }",
		"class A { @5 int b; }", "class A { <> A() { } }", "int m(5) { }", "int m(int) { }", "void m() throws { }", "@A(b = ) int c;", "@ int a;",
		"switch (x) { case 1: a; case 2 -> b; }", "switch (x) { case 1 b; }", "switch x { }", "switch (x) 5;", "switch (x) { case -> 1; }", "switch (x) { default - 1; }",
		"try { }", "try { } catch { }", "try { } catch (A) { }", "do { } until (x);", "for a;", "for (int a : ) b;", "for (a; b) c;", "if a b;", "assert ;", "assert a : ;", "throw ;", "while () a;",
		"a instanceof 5", "a instanceof", "(a, 5) -> b", "(a b c) -> d", "a -> ", "a.5", "a.super", "super", "int", "A<B>", "@A", "int.a", "A<B>.c", "new", "new 5", "new A", "new int", "new A<(", "new int[] 5", "new int[](", "a::5", "A<B", "a..b", "a[", "a ? b", "a ?: b", "a = ", "(int", "a += += b",
	} {
		assert.Equal(t, "raises SyntaxError", outcome(javacall.Parse("plantAllTheTrees(rows=1); "+src+" ) }} );")), "%s", src)
	}
}

// TestJavaStatements: a model may write a program. The call is found in whatever
// statement or declaration of the language it stands.
func TestJavaStatements(t *testing.T) {
	for _, src := range []string{
		"module garden.tools { requires java.base; exports a.b to c.d, e; } dig(depth=1);",
		"open module garden { } dig(depth=1);",
		"@Old package garden; dig(depth=1);",
		"import garden.*; import static a.b.c; dig(depth=1);",
		"class Shed { ; static { dig(depth=1); } }",
		"class Shed<@A T extends B & C, U> extends D.E<T[]> { <T> Shed() { <T>this(1); dig(depth=1); } }",
		"class Shed { Shed(int a, B... c) throws D, E { super(); dig(depth=1); } }",
		"class Shed { void work(Shed this, int a) { dig(depth=1); } int[] b()[] throws C; @D abstract <E> F g(); }",
		"class Shed { private int a, b[] = {1, dig(depth=1)}, c; }",
		"sealed interface Tool permits Spade, Rake { } dig(depth=1);",
		"enum Soil { @A CLAY { int b; }, SAND(2), ; ; void work() { dig(depth=1); } }",
		"record Spade(@A int a, B... c) implements D { static int e; Spade { dig(depth=1); } }",
		"@interface Safe { int[] levels() default {1, 2}; @B C d() default @E(f = 1, g = {2}); } dig(depth=1);",
		"@Safe({1, 2}) @Old @A(b = @C) class Shed { int n = dig(depth=1); }",
		"<T extends A> void work() { dig(depth=1); }",
		"int a @B [] = {dig(depth=1)};",
		"Map<? super A, ? extends @B C[]> m = dig(depth=1);",
		"Map<?, List<Map<A, B>>> m = dig(depth=1);",
		"for (@A final B c[] : d) dig(depth=1);",
		"for (a = 1, b = 2; ; c++, d++) dig(depth=1);",
		"try (a; final B b = c;) { dig(depth=1); }",
		"switch (x) { case 1: case 2: dig(depth=1); default: }",
		"switch (x) { case Spade(var a, Rake r) when a > 1: dig(depth=1); break; default: }",
		"if (o instanceof @A B<C> b) dig(depth=1);",
		"int a = 1; yield dig(depth=1);",
		"long a = 0xFFL, b = 1_0__0 + 07_1; dig(depth=1);",
		"do dig(depth=1); while (x);",
		"return dig(depth=1);",
		"continue a; return; break; dig(depth=1);",
		"switch (x) { default -> { } } dig(depth=1);",
		"if (wet) { dig(depth=1); } else if (dry) water(); else { }",
		"for (int i = 0, n = 3; i < n; i++, n--) { dig(depth=1); }",
		"for (;;) { dig(depth=1); }",
		"while (wet) dig(depth=1);",
		"do { dig(depth=1); } while (wet);",
		"outer: while (wet) { dig(depth=1); break outer; }",
		"switch (soil) { case 1: dig(depth=1); break; default: rest(); }",
		"switch (soil) { case CLAY, SAND -> dig(depth=1); default -> { rest(); } }",
		"int deep = switch (soil) { case CLAY -> dig(depth=1); default -> 2; };",
		"try { dig(depth=1); } catch (Stone | Root e) { rest(); } finally { rest(); }",
		"try (Spade s = shed; Rake r = new Rake()) { dig(depth=1); }",
		"synchronized (shed) { dig(depth=1); }",
		"assert wet : dig(depth=1);",
		"throw dig(depth=1);",
		"{ dig(depth=1); }",
		"final int[] rows = {dig(depth=1), 2};",
		"var deep = wet ? dig(depth=1) : 3;",
		"Runnable r = () -> { dig(depth=1); };",
		"Runnable r = () -> dig(depth=1);",
		"@Safe(level = 3) public static final class Shed<T extends Tool & Sharp> extends Hut implements Store<T> { { dig(depth=1); } }",
		"class Shed { Shed(int a) throws Rain { this.a = dig(depth=1); } }",
		"interface Tool { int LEFT = 1; default void use() { dig(depth=1); } }",
		"enum Soil implements Ground { CLAY(1) { }, SAND; Soil() { dig(depth=1); } }",
		"record Spade(int size, String name) { Spade { dig(depth=1); } }",
		"package garden.tools; import java.util.*; import static java.lang.Math.max; class A { int n = dig(depth=1); }",
		"@interface Safe { int level() default 1; } dig(depth=1);",
		"void work(final int a, String... more) { return; } dig(depth=1);",
		"if (o instanceof Spade s) { dig(depth=1); }",
		"String s = \"\"\"\n  deep\n  \"\"\"; dig(depth=1);",
		"char c = '\\u0041'; long l = 0x1FL; double d = 1.5e-3f; int b = 0b1_01; dig(depth=1);",
		"int n = (a << 2) >>> 1 & ~b ^ c | d % e; n += 3; n >>>= 1; dig(depth=1);",
	} {
		assert.Equal(t, "[{'dig': {'depth': '1'}}]", outcome(javacall.Parse(src)), "%s", src)
	}
}

// TestJavaHostile runs texts that are deep or long; it is enough that they end.
func TestJavaHostile(t *testing.T) {
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
			assert.NotContains(t, outcome(javacall.Parse(strings.Repeat(open, n/len(open))+tail)), "untyped", "%q %q", open, tail)
		}
	}
	for _, open := range []string{"(", "f("} { // deeper than a stack
		assert.Contains(t, outcome(javacall.Parse("f(a="+strings.Repeat(open, 1<<18/len(open)))), "raises", open)
	}
	for _, typ := range []string{"integer", "long", "double", "float", "any", "Array", "ArrayList", "HashMap"} {
		for _, unit := range []string{"new ArrayList<>(Arrays.asList(", "new ArrayList<>(){{ ", "new HashMap<>() {", "new int[]{1,", "add(", "put(\"", "9", "-", " "} {
			assert.NotContains(t, outcome(javacall.Convert(strings.Repeat(unit, n/len(unit)), typ, "")), "untyped", "%s %s", typ, unit)
		}
	}
}
