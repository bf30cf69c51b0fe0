package pycall

import (
	"math"
	"math/big"
)

// precision of the intermediate results of power, in bits.
const precision = 192

// powerCost is what one call of power counts for in spend, by its time.
const powerCost = 1 << 12

// power is C's pow for results that depend on the last digit: Go's math.Pow
// may be off by one there, so finite powers are computed with more digits and
// rounded once.
func power(x, y float64) float64 {
	approximate := math.Pow(x, y)
	if approximate == 0 || math.IsInf(approximate, 0) || math.IsNaN(approximate) || x == 1 || x == 0 || y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return approximate
	}
	v := wide(math.Abs(x))
	v = exponential(v.Mul(logarithm(v), wide(y)))
	f, _ := v.Float64()
	return math.Copysign(f, approximate)
}

func wide(f float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(f) }

var ln2, _ = new(big.Float).SetPrec(precision).SetString("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687")

// logarithm is ln x for x > 0, by the series of artanh around 1.
func logarithm(x *big.Float) *big.Float {
	m := wide(0)
	exponent := x.MantExp(m)
	if m.Cmp(wide(math.Sqrt2/2)) < 0 {
		m.Mul(m, wide(2))
		exponent--
	}
	t := wide(0).Quo(wide(0).Sub(m, wide(1)), wide(0).Add(m, wide(1)))
	square, term, sum := wide(0).Mul(t, t), wide(0).Set(t), wide(0).Set(t)
	for k := 3; k < 81; k += 2 {
		term.Mul(term, square)
		sum.Add(sum, wide(0).Quo(term, wide(float64(k))))
	}
	sum.Mul(sum, wide(2))
	return sum.Add(sum, wide(0).Mul(ln2, wide(float64(exponent))))
}

// exponential is e to the x: the nearest power of two is taken out, the rest
// made small by halving and squared back.
func exponential(x *big.Float) *big.Float {
	ratio, _ := wide(0).Quo(x, ln2).Float64()
	k := math.Round(ratio)
	const halvings = 12
	r := wide(0).Sub(x, wide(0).Mul(ln2, wide(k)))
	r.SetMantExp(r, -halvings)
	term, sum := wide(1), wide(1)
	for i := 1; i < 18; i++ {
		term.Mul(term, r)
		term.Quo(term, wide(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}
