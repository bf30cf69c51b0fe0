package exec

import (
	"math"
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// primeFactors divides by 2, 3, 4, ... with true division, so that the number
// is a float after its first factor.
func primeFactors(f *frame, a []pyval.Value) pyval.Value {
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
