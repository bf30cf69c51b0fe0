package mathapi

import (
	"math"
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// complexPower is Python's a ** b of a negative real number and a fraction,
// with sine and cosine as exact as the C library's; those of package math are
// off near their zeros.
func complexPower(a, b float64) (pyval.Value, error) {
	size, err := sim.Power(pyval.Float(-a), pyval.Float(b))
	if err != nil {
		return nil, err
	}
	length, err := sim.Float(size)
	if err != nil {
		return nil, err
	}
	cos, sin := circle(math.Pi * b)
	return pyval.Complex(complex(length*cos, length*sin)), nil
}

// circle is cosine and sine of a finite angle, correctly rounded.
func circle(angle float64) (cos, sin float64) {
	const work = 320
	x := new(big.Float).SetPrec(1024 + work).SetFloat64(angle)
	turn := new(big.Float).SetPrec(1024+2*work).SetMantExp(constantPi.bits(1024+2*work), 1)
	turns, _ := new(big.Float).SetPrec(1024+work).Quo(x, turn).Int(nil)
	x.Sub(x, new(big.Float).SetPrec(2048+2*work).Mul(turn, new(big.Float).SetInt(turns)))
	x.SetPrec(work)
	c, s := new(big.Float).SetPrec(work), new(big.Float).SetPrec(work)
	term := new(big.Float).SetPrec(work).SetInt64(1)
	for n := int64(0); n == 0 || term.Sign() != 0 && term.MantExp(nil) > -work; n++ {
		sum := c
		if n%2 == 1 {
			sum = s
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(n+1))
	}
	cos, _ = c.Float64()
	sin, _ = s.Float64()
	return cos, sin
}
