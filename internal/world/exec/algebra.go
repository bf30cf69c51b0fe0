package exec

import (
	"math"
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func mathFactorial(f *frame, a []pyval.Value) pyval.Value { return f.factorial(a[0]) }

// factorial is the product of range(1, n+1).
func (f *frame) factorial(n pyval.Value) pyval.Value {
	last := index(f.add(n, one)) - 1
	if last < 1 {
		return one
	}
	if bits, _ := math.Lgamma(float64(last) + 1); bits/math.Ln2 > maxBits {
		return f.endless("the factorial is too large")
	}
	return pyval.MakeBigInt(new(big.Int).MulRange(1, int64(last)))
}

func quadraticRoots(f *frame, v []pyval.Value) pyval.Value {
	a, b, c := v[0], v[1], v[2]
	d := f.sub(f.pow(b, two), f.mul(f.mul(four, a), c))
	if f.is(d, ">=", zero) {
		plus := f.div(f.add(f.neg(b), f.pow(d, half)), f.mul(two, a))
		minus := f.div(f.sub(f.neg(b), f.pow(d, half)), f.mul(two, a))
		return pyval.NewList(plus, minus)
	}
	real := f.div(f.neg(b), f.mul(two, a))
	imaginary := f.div(f.pow(f.abs(d), half), f.mul(two, a))
	return pyval.NewList(
		record("real", real, "imaginary", imaginary),
		record("real", real, "imaginary", f.neg(imaginary)))
}

// record is a dict with str keys.
func record(pairs ...any) *pyval.Dict {
	d := pyval.NewDict(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), pairs[i+1].(pyval.Value))
	}
	return d
}

func mathGCD(f *frame, a []pyval.Value) pyval.Value { return f.gcd(a[0], a[1]) }

// maxRecursion is about where Python's recursion ends.
const maxRecursion = 990

func (f *frame) gcd(a, b pyval.Value) pyval.Value {
	for range maxRecursion {
		if f.is(b, "==", zero) {
			return a
		}
		a, b = b, f.mod(a, b)
	}
	return raise("RecursionError", "maximum recursion depth exceeded in comparison")
}

func mathLCM(f *frame, a []pyval.Value) pyval.Value {
	product := f.mul(a[0], a[1])
	return f.div(product, f.gcd(a[0], a[1]))
}

func binomialProbability(f *frame, a []pyval.Value) pyval.Value {
	n, k, p := a[0], a[1], a[2]
	ways := f.div(f.factorial(n), f.mul(f.factorial(k), f.factorial(f.sub(n, k))))
	chance := f.mul(f.pow(p, k), f.pow(f.sub(one, p), f.sub(n, k)))
	return f.mul(ways, chance)
}

func permutations(f *frame, a []pyval.Value) pyval.Value {
	return f.div(f.factorial(a[0]), f.factorial(f.sub(a[0], a[1])))
}

func fibonacciSequence(f *frame, a []pyval.Value) pyval.Value {
	n := index(a[0])
	if n > maxItems {
		return f.endless("the sequence is too long")
	}
	items := []pyval.Value{zero, one}
	for i := 2; i < n; i++ {
		items = append(items, f.add(items[i-1], items[i-2]))
	}
	return pyval.NewList(items...)
}

func fibonacciNumber(f *frame, a []pyval.Value) pyval.Value {
	switch n := a[0]; {
	case f.is(n, "<=", zero):
		return pyval.Str("Input should be a positive integer.")
	case f.is(n, "==", one):
		return zero
	case f.is(n, "==", two):
		return one
	}
	n := index(a[0])
	if float64(n)*math.Log2(math.Phi) > maxBits {
		return f.endless("the number is too large")
	}
	last, next := big.NewInt(0), big.NewInt(1)
	for i := 2; i < n; i++ {
		last.Add(last, next)
		last, next = next, last
	}
	return pyval.MakeBigInt(next)
}

func addBinaryNumbers(f *frame, a []pyval.Value) pyval.Value {
	x := binary(a[0])
	sum := new(big.Int).Add(x, binary(a[1]))
	if sum.Sign() < 0 { // "-0b11" without its first two characters
		return pyval.Str("b" + sum.Neg(sum).Text(2))
	}
	return pyval.Str(sum.Text(2))
}

// estimateDerivative evaluates a text and calls what it gives.
func estimateDerivative(f *frame, a []pyval.Value) pyval.Value {
	text, ok := a[0].(pyval.Str)
	if !ok {
		return raise("TypeError", "eval() arg 1 must be a string, bytes or code object")
	}
	fn := f.evalText(string(text), 1, map[string]object{"function": a[0], "x": a[1]})
	const h = pyval.Float(1e-10)
	after := f.apply(fn, f.add(a[1], h))
	before := f.apply(fn, a[1])
	return f.div(f.sub(after, before), h)
}

// apply calls an object with one argument.
func (f *frame) apply(fn object, x pyval.Value) pyval.Value {
	return plain(f.invoke(fn, []pycall.Arg{{Value: x}}))
}
