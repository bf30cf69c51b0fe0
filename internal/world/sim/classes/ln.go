package classes

import (
	"math/big"
	"sync"
)

// ln is the natural logarithm of a positive number, correctly rounded to so
// many bits. It takes the number with 112 bits more than that, which is exact
// for all numbers around 1 that get here: floats, and texts read to so many
// bits. The number is 2**k * m with m around 1; square roots bring m so
// near to 1 that the series of the inverse hyperbolic tangent is short. A root
// costs as much as several steps of the series, so there are few.
func ln(x *big.Float, bits uint) *big.Float {
	const near = 8 // bits a step of the series should gain, twice
	const guard = 112
	work := bits + guard
	m := new(big.Float).SetPrec(work).Set(x)
	k := m.MantExp(m) // m in [0.5, 1)
	if m.Cmp(big.NewFloat(0.70703125)) < 0 {
		m.SetMantExp(m, 1)
		k--
	}
	roots := 0
	for ; roots < near && distance(m) > -near; roots++ {
		m.Sqrt(m)
	}
	y := atanhSeries(m, work)
	y.SetMantExp(y, roots+1)
	if k != 0 {
		y.Add(y, new(big.Float).SetPrec(work).Mul(ln2(work), new(big.Float).SetInt64(int64(k))))
	}
	return y.SetPrec(bits)
}

// distance is the exponent of m - 1.
func distance(m *big.Float) int {
	d := new(big.Float).SetPrec(m.Prec()).Sub(m, big.NewFloat(1))
	if d.Sign() == 0 {
		return -1 << 30
	}
	return d.MantExp(nil)
}

// atanhSeries is atanh((m-1)/(m+1)), half the logarithm of m.
func atanhSeries(m *big.Float, work uint) *big.Float {
	one := big.NewFloat(1)
	t := new(big.Float).SetPrec(work).Sub(m, one)
	t.Quo(t, new(big.Float).SetPrec(work).Add(m, one))
	if t.Sign() == 0 {
		return t
	}
	square := new(big.Float).SetPrec(work).Mul(t, t)
	sum := new(big.Float).SetPrec(work).Set(t)
	power := new(big.Float).SetPrec(work).Set(t)
	term := new(big.Float).SetPrec(work)
	for n := int64(3); ; n += 2 {
		power.Mul(power, square)
		term.Quo(power, new(big.Float).SetInt64(n))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(work) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// A constant is an irrational number, kept to the most bits asked for so far.
type constant struct {
	mu    sync.Mutex
	value *big.Float
	make  func(work uint) *big.Float
}

func (c *constant) bits(work uint) *big.Float {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == nil || c.value.Prec() < work {
		c.value = c.make(work)
	}
	return c.value
}

var (
	constantLn2 = constant{make: func(work uint) *big.Float {
		third := new(big.Float).SetPrec(work + 64)
		third.SetInt64(2) // ln 2 = 2 atanh((2-1)/(2+1))
		y := atanhSeries(third, work+64)
		return y.SetMantExp(y, 1)
	}}
	constantPi = constant{make: func(work uint) *big.Float {
		unit := new(big.Int).Lsh(big.NewInt(1), work+64)
		pi := arctan(unit, 5) // pi = 16 arctan(1/5) - 4 arctan(1/239)
		pi.Lsh(pi, 2).Sub(pi, arctan(unit, 239)).Lsh(pi, 2)
		f := new(big.Float).SetPrec(work + 64).SetInt(pi)
		return f.SetMantExp(f, -int(work+64))
	}}
)

func ln2(work uint) *big.Float { return constantLn2.bits(work) }

// arctan is arctan(1/n) in units.
func arctan(unit *big.Int, n int64) *big.Int {
	term := new(big.Int).Quo(unit, big.NewInt(n))
	sum := new(big.Int).Set(term)
	square := big.NewInt(n * n)
	for i := int64(3); term.Sign() != 0; i += 2 {
		term.Quo(term, square).Neg(term)
		sum.Add(sum, new(big.Int).Quo(term, big.NewInt(i)))
	}
	return sum
}
