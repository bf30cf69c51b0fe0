package sim

import (
	"math"
	"math/big"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// RoundValue is Python's round(x, places); places may be None.
func RoundValue(x, places pyval.Value) pyval.Value {
	whole := places == pyval.Value(pyval.None)
	n, ok := pyval.IntOf(places)
	if !IsNumber(x) || !whole && !ok {
		panic(Raise("TypeError", "cannot be rounded"))
	}
	f, isFloat := x.(pyval.Float)
	switch {
	case !isFloat:
		i, _ := pyval.IntOf(x)
		return RoundInt(i, clipped(n))
	case !whole:
		return pyval.Float(Round(float64(f), clipped(n)))
	}
	return pyval.Must(pyval.ToInt(pyval.Float(Round(float64(f), 0))))
}

// clipped is a number of decimal places; beyond these nothing changes.
func clipped(n pyval.Int) int {
	const far = 1 << 24
	switch v, small := n.Int64(); {
	case small && v > -far && v < far:
		return int(v)
	case n.Sign() < 0:
		return -far
	}
	return far
}

// Round is Python's round(x, places) for a float: half to even on the exact
// binary value. It handles extreme places too, at which nothing changes or
// nothing is left.
func Round(x float64, places int) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || places > 323:
		return x
	case places < -308:
		return math.Copysign(0, x)
	case places >= 0:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
		return f
	}
	return roundTens(x, -places)
}

// roundTens rounds to a multiple of ten to the power of tens.
func roundTens(x float64, tens int) float64 {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil)
	exact := new(big.Rat).SetFloat64(x)
	n := roundHalfEven(exact.Quo(exact, new(big.Rat).SetInt(scale)))
	f, _ := new(big.Rat).SetInt(n.Mul(n, scale)).Float64()
	if f == 0 {
		return math.Copysign(0, x)
	}
	return f
}

func roundHalfEven(r *big.Rat) *big.Int {
	q, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(r.Denom()) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// RoundInt is Python's round(n, places) for an int.
func RoundInt(n pyval.Int, places int) pyval.Int {
	if places >= 0 {
		return n
	}
	x := n.Big()
	if -places > x.BitLen()/3+2 {
		return pyval.MakeInt(0)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-places)), nil)
	q := roundHalfEven(new(big.Rat).SetFrac(x, scale))
	return pyval.MakeBigInt(q.Mul(q, scale))
}
