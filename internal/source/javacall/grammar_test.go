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

// TestValues: an argument's value is the text of its tokens without the blanks
// between them; a call or a class keeps its blanks, and what is created is
// written anew.
func TestValues(t *testing.T) {
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
		got, err := javacall.Parse("plantTheTrees(rows=" + value + ");")
		if want == "" {
			assert.Error(t, err, "%s", value)
			continue
		}
		require.NoError(t, err, "%s", value)
		assert.Equal(t, pyval.Repr(pyval.Str(want)), strings.TrimSuffix(strings.TrimPrefix(pyval.Repr(got), "[{'plantTheTrees': {'rows': "), "}}]"), "%s", value)
	}
}

// TestComments: comments are parts of a tree like others, and upstream takes
// the third part of an assignment for its value.
func TestComments(t *testing.T) {
	for src, want := range map[string]string{
		"dig(a /* x */ /* y */ = 1);":  "{'a': '/* y */'}",
		"dig(a /* x */ = 1);":          "{'a': '='}",
		"dig(a = /* x */ /* y */ 1);":  "{'a': '/* x */'}",
		"dig(a = 1 /* x */ + 2);":      "{'a': '1/* x */+2'}",
		"dig(a = b + // x\n c);":       "{'a': 'b+// xc'}",
		"dig(/* x */ a = 1, /* y */);": "",
		"dig(a >>= /* x */ 1);":        "{'a': '/* x */'}",
		"dig(a >>>= 1);":               "{'a': '1'}",
		"dig(a /* x */ >>>= 1);":       "{'a': '>>>='}",
	} {
		got, err := javacall.Parse(src)
		if want == "" {
			assert.Error(t, err, "%s", src)
			continue
		}
		require.NoError(t, err, "%s", src)
		assert.Equal(t, "[{'dig': "+want+"}]", pyval.Repr(got), "%s", src)
	}
}

// TestDeclarations: the call is found in declarations of every kind.
func TestDeclarations(t *testing.T) {
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
		"var open = 1; int record = 2; with = 3; sealed(a); yield(b); dig(depth=1);",
		"int a = 1; yield dig(depth=1);",
		"long a = 0xFFL, b = 1_0__0 + 07_1; dig(depth=1);",
		"do dig(depth=1); while (x);",
		"return dig(depth=1);",
		"continue a; return; break; dig(depth=1);",
		"switch (x) { default -> { } } dig(depth=1);",
		"ñandú.ñ = 1; dig(depth=1);",
	} {
		got, err := javacall.Parse(src)
		require.NoError(t, err, "%s", src)
		text := pyval.Repr(got)
		if strings.HasPrefix(src, "ñ") || strings.Contains(src, "sealed(a)") {
			assert.Contains(t, text, "[{", "%s", src)
			continue
		}
		assert.Equal(t, "[{'dig': {'depth': '1'}}]", text, "%s", src)
	}
}

// TestRefused: texts that are no Java, and that no closing token mends.
func TestRefused(t *testing.T) {
	for _, src := range []string{
		`"\xZZ"`, `"\u12"`, `"\u{}"`, `"\u{41"`, "\"\\", "\"a\x00\"", "'", "''", "'a", "'\\", "'a\nb'", "\"\"\"a", "/* a", "/* a\x00 */ b", "#", "a \\ b", "\u20ac",
		"module a { requires ; }", "module a", "package ;", "import ;", "import a.;", "import a.*.b;", "class { }", "class A extends { }", "class A", "class A { int }", "class A<> { }", "class A<T extends> { }", "record R { }", "enum E { A( }",
		"class A { @5 int b; }", "class A { <> A() { } }", "int m(5) { }", "int m(int) { }", "void m() throws { }", "@A(b = ) int c;", "@ int a;",
		"switch (x) { case 1: a; case 2 -> b; }", "switch (x) { case 1 b; }", "switch x { }", "switch (x) 5;", "switch (x) { case -> 1; }", "switch (x) { default - 1; }",
		"try { }", "try { } catch { }", "try { } catch (A) { }", "do { } until (x);", "for a;", "for (int a : ) b;", "for (a; b) c;", "if a b;", "assert ;", "assert a : ;", "throw ;", "while () a;",
		"a instanceof 5", "a instanceof", "(a, 5) -> b", "(a b c) -> d", "a -> ", "a.5", "a.super", "super", "int", "A<B>", "@A", "int.a", "A<B>.c", "new", "new 5", "new A", "new int", "new A<(", "new int[] 5", "new int[](", "a::5", "A<B", "a..b", "a[", "a ? b", "a ?: b", "a = ", "(int", "a += += b",
	} {
		got, err := javacall.Parse("plantAllTheTrees(rows=1); " + src + " ) }} );")
		var raised *grammar.Error
		require.True(t, errors.As(err, &raised), "%s: %v", src, got)
		assert.Equal(t, "SyntaxError", raised.Class, "%s", src)
	}
}
