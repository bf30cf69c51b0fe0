package javacall_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/javacall"
)

// TestStatements: a model may write a program. The call is found in whatever
// statement or declaration of the language it stands.
func TestStatements(t *testing.T) {
	for _, src := range []string{
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
		got, err := javacall.Parse(src)
		require.NoError(t, err, "%s", src)
		assert.Equal(t, "[{'dig': {'depth': '1'}}]", pyval.Repr(got), "%s", src)
	}
}
