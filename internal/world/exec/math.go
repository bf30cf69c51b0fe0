package exec

import (
	"math"
	"math/big"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var mathFunctions = []Function{
	{Name: "add_binary_numbers", Params: sim.Params("a", "b"), run: func(f *frame, a []pyval.Value) pyval.Value {
		x := binary(a[0])
		sum := new(big.Int).Add(x, binary(a[1]))
		if sum.Sign() < 0 { // "-0b11" without its first two characters
			return pyval.Str("b" + sum.Neg(sum).Text(2))
		}
		return pyval.Str(sum.Text(2))
	}},
	{Name: "calc_binomial_probability", Params: sim.Params("n", "k", "p"), run: func(f *frame, a []pyval.Value) pyval.Value {
		n, k, p := a[0], a[1], a[2]
		ways := f.div(f.factorial(n), f.mul(f.factorial(k), f.factorial(f.sub(n, k))))
		chance := f.mul(f.pow(p, k), f.pow(f.sub(one, p), f.sub(n, k)))
		return f.mul(ways, chance)
	}},
	{Name: "calculate_cosine_similarity", Params: sim.Params("vectorA", "vectorB"), run: func(f *frame, v []pyval.Value) pyval.Value {
		dot := f.dot(v[0], v[1])
		norm := f.pow(f.squares(v[0]), half)
		return f.div(dot, f.mul(norm, f.pow(f.squares(v[1]), half)))
	}},
	{Name: "calculate_mean", Params: sim.Params("numbers"), run: func(f *frame, a []pyval.Value) pyval.Value { return f.mean(a[0]) }},
	{Name: "calculate_permutations", Params: sim.Params("n", "k"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.div(f.factorial(a[0]), f.factorial(f.sub(a[0], a[1])))
	}},
	{Name: "calculate_standard_deviation", Params: sim.Params("numbers"), run: func(f *frame, a []pyval.Value) pyval.Value {
		m := f.mean(a[0])
		items := items(a[0])
		sum := f.sum(len(items), func(i int) pyval.Value { return f.pow(f.sub(items[i], m), two) })
		return f.pow(f.div(sum, number(int64(len(items)))), half)
	}},
	{Name: "calculate_triangle_area", Params: sim.Params("base", "height"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.div(f.mul(a[0], a[1]), two)
	}},
	// Evaluates a text and calls what it gives.
	{Name: "estimate_derivative", Params: sim.Params("function", "x"), run: func(f *frame, a []pyval.Value) pyval.Value {
		text, ok := a[0].(pyval.Str)
		if !ok {
			return raise("TypeError", "eval() arg 1 must be a string, bytes or code object")
		}
		fn := f.evalText(string(text), 1, map[string]object{"function": a[0], "x": a[1]})
		const h = pyval.Float(1e-10)
		after := f.apply(fn, f.add(a[1], h))
		before := f.apply(fn, a[1])
		return f.div(f.sub(after, before), h)
	}},
	{Name: "geometry_area_circle", Params: sim.Params("radius"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.mul(pyval.Float(math.Pi), f.pow(a[0], two))
	}},
	{Name: "get_distance", Params: sim.Params("pointA", "pointB"), run: func(f *frame, a []pyval.Value) pyval.Value {
		square := func(i int) pyval.Value { return f.pow(f.sub(f.at(a[0], i), f.at(a[1], i)), two) }
		dx := square(0)
		return f.pow(f.add(dx, square(1)), half)
	}},
	{Name: "get_fibonacci_number", Params: sim.Params("n"), run: func(f *frame, a []pyval.Value) pyval.Value {
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
	}},
	{Name: "get_fibonacci_sequence", Params: sim.Params("n"), run: func(f *frame, a []pyval.Value) pyval.Value {
		n := index(a[0])
		if n > maxItems {
			return f.endless("the sequence is too long")
		}
		items := []pyval.Value{zero, one}
		for i := 2; i < n; i++ {
			items = append(items, f.add(items[i-1], items[i-2]))
		}
		return pyval.NewList(items...)
	}},
	// Divides by 2, 3, 4, ... with true division, so that the number
	// is a float after its first factor.
	{Name: "get_prime_factors", Params: sim.Params("number"), run: func(f *frame, a []pyval.Value) pyval.Value {
		var factors []pyval.Value
		n := a[0]
		for divisor := int64(2); f.is(n, ">", one); {
			found := f.nextDivisor(n, divisor)
			factors = append(factors, pyval.MakeBigInt(found))
			n = f.div(n, pyval.MakeBigInt(found))
			if !found.IsInt64() {
				divisor = math.MaxInt64 // nothing but 1 can be left
			} else {
				divisor = found.Int64()
			}
		}
		return pyval.NewList(factors...)
	}},
	{Name: "linear_regression", Params: sim.Params("x", "y", "point"), run: func(f *frame, a []pyval.Value) pyval.Value {
		x, y, point := a[0], a[1], a[2]
		n := number(int64(f.length(x)))
		sumX, sumY := f.total(x), f.total(y)
		products, squares := f.dot(x, y), f.squares(x)
		slope := f.div(
			f.sub(f.mul(n, products), f.mul(sumX, sumY)),
			f.sub(f.mul(n, squares), f.pow(sumX, two)))
		intercept := f.div(f.sub(sumY, f.mul(slope, sumX)), n)
		return f.add(f.mul(slope, point), intercept)
	}},
	{Name: "mat_mul", Params: sim.Params("matA", "matB"), run: func(f *frame, m []pyval.Value) pyval.Value {
		rows := f.length(m[0])
		columns := f.length(f.at(m[1], 0))
		inner := f.length(m[1])
		var out []pyval.Value
		for i := range rows {
			row := make([]pyval.Value, 0, columns)
			for j := range columns {
				var sum pyval.Value = zero
				for k := range inner {
					f.step()
					left := f.at(f.at(m[0], i), k)
					sum = f.op("+=", sum, f.mul(left, f.at(f.at(m[1], k), j)))
				}
				row = append(row, sum)
			}
			out = append(out, pyval.NewList(row...))
		}
		return pyval.NewList(out...)
	}},
	{Name: "math_factorial", Params: sim.Params("n"), run: func(f *frame, a []pyval.Value) pyval.Value { return f.factorial(a[0]) }},
	{Name: "math_gcd", Params: sim.Params("a", "b"), run: func(f *frame, a []pyval.Value) pyval.Value { return f.gcd(a[0], a[1]) }},
	{Name: "math_lcm", Params: sim.Params("a", "b"), run: func(f *frame, a []pyval.Value) pyval.Value {
		product := f.mul(a[0], a[1])
		return f.div(product, f.gcd(a[0], a[1]))
	}},
	// Counts, for every point, the later points by slope.
	{Name: "maxPoints", Params: sim.Params("points"), run: func(f *frame, a []pyval.Value) pyval.Value {
		n := f.length(a[0])
		if n < 2 {
			return one
		}
		best := 1
		for i := range n {
			counts, vertical := pyval.NewDict(0), 0
			for j := i + 1; j < n; j++ {
				f.step()
				slope := f.slope(f.at(a[0], i), f.at(a[0], j))
				switch {
				case slope == nil:
					vertical++
					best = max(best, vertical)
				default:
					best = max(best, count(counts, slope))
				}
			}
		}
		return number(int64(best + 1))
	}},
	{Name: "polygon_area", Params: sim.Params("vertices"), run: func(f *frame, a []pyval.Value) pyval.Value {
		if f.length(a[0]) < 3 {
			return raise("ValueError", "A polygon must have at least 3 vertices.")
		}
		list := sim.MustList(a[0], "append")
		n := len(list.Items)
		closed := pyval.NewList(append(list.Items[:n:n], list.Items[0])...)
		var area pyval.Value = zero
		for i := range n {
			f.step()
			p, q := f.at(closed, i), f.at(closed, i+1)
			left := f.mul(f.at(p, 0), f.at(q, 1))
			area = f.op("+=", area, f.sub(left, f.mul(f.at(q, 0), f.at(p, 1))))
		}
		return f.div(f.abs(area), pyval.Float(2))
	}},
	{Name: "quadratic_roots", Params: sim.Params("a", "b", "c"), run: func(f *frame, v []pyval.Value) pyval.Value {
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
			pyval.Object("real", real, "imaginary", imaginary),
			pyval.Object("real", real, "imaginary", f.neg(imaginary)))
	}},
	{Name: "sort_array", Params: sim.Params("array", "reverse=false"), run: func(f *frame, a []pyval.Value) pyval.Value {
		items := slices.Clone(items(a[0]))
		reverse := index(a[1]) != 0
		return f.sorted(items, reverse)
	}},
}

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

// maxRecursion is about where Python's recursion ends.
const maxRecursion = 990

func (f *frame) gcd(a, b pyval.Value) pyval.Value {
	for range maxRecursion {
		if f.is(b, "==", zero) {
			return a
		}
		a, b = b, f.op("%", a, b)
	}
	return raise("RecursionError", "maximum recursion depth exceeded in comparison")
}

// apply calls an object with one argument.
func (f *frame) apply(fn object, x pyval.Value) pyval.Value {
	return plain(f.invoke(fn, []pycall.Arg{{Value: x}}))
}

// slope is nil for points above each other.
func (f *frame) slope(p, q pyval.Value) pyval.Value {
	x1, y1 := f.at(p, 0), f.at(p, 1)
	x2, y2 := f.at(q, 0), f.at(q, 1)
	dx, dy := f.sub(x2, x1), f.sub(y2, y1)
	if f.is(dx, "==", zero) {
		return nil
	}
	return f.div(dy, dx)
}

func count(counts *pyval.Dict, key pyval.Value) int {
	n := int64(1)
	if old, ok := counts.Get(key); ok {
		n, _ = old.(pyval.Int).Int64()
		n++
	}
	_ = counts.Set(key, number(n)) // numbers are hashable
	return int(n)
}

func (f *frame) mean(v pyval.Value) pyval.Value {
	return f.div(f.total(v), number(int64(f.length(v))))
}

// dot sums the products over the indices of a.
func (f *frame) dot(a, b pyval.Value) pyval.Value {
	return f.sum(f.length(a), func(i int) pyval.Value { return f.mul(f.at(a, i), f.at(b, i)) })
}

func (f *frame) squares(v pyval.Value) pyval.Value {
	return f.sum(f.length(v), func(i int) pyval.Value { return f.pow(f.at(v, i), two) })
}

func (f *frame) total(v pyval.Value) pyval.Value {
	items := items(v)
	return f.sum(len(items), func(i int) pyval.Value { return items[i] })
}

// nextDivisor is the first divisor from the given one on. If it exceeds the
// number's square root, it is the number itself: Python goes there step by
// step.
func (f *frame) nextDivisor(n pyval.Value, from int64) *big.Int {
	whole := f.wholeNumber(n)
	if whole.IsInt64() {
		return big.NewInt(f.smallDivisor(whole.Int64(), from))
	}
	rest, divisor := new(big.Int), new(big.Int)
	for d := from; ; d++ {
		f.steps += 19 // divisions of long numbers cost more
		f.step()
		divisor.SetInt64(d)
		if rest.Rem(whole, divisor).Sign() == 0 {
			return divisor
		}
	}
}

func (f *frame) smallDivisor(n, from int64) int64 {
	for d := from; d <= n/d; d++ {
		if f.step(); n%d == 0 {
			return d
		}
	}
	// Divisors above the square root pair with those below it. Those below
	// from were divided out, unless rounding brought them back.
	for k := min(from-1, n/from); k > 1; k-- {
		if f.step(); n%k == 0 {
			return n / k
		}
	}
	return n
}

func (f *frame) wholeNumber(n pyval.Value) *big.Int {
	if i, ok := pyval.IntOf(n); ok {
		return i.Big()
	}
	x, ok := n.(pyval.Float)
	if !ok || math.IsInf(float64(x), 0) || x != pyval.Float(math.Trunc(float64(x))) {
		f.endless(pyval.Repr(n) + " is not a whole number: the search for its factors never ends")
	}
	i, _ := big.NewFloat(float64(x)).Int(nil)
	return i
}
