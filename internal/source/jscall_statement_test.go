package source_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/source/jscall"
	"github.com/stretchr/testify/assert"
)

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
