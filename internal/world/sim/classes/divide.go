package classes

import (
	"math/big"

	"github.com/gobfcl/bfcl/internal/world/sim"
)

// quotient is mpmath's a / b for real and complex numbers, each part rounded
// to so many bits.
func quotient(a, b number, bits uint) number {
	switch {
	case !b.complex && isNull(b.re):
		panic(sim.Raise("ZeroDivisionError", ""))
	case !a.complex && !b.complex:
		return number{re: over(a.re, b.re, bits)}
	case !b.complex:
		return number{complex: true, re: over(a.re, b.re, bits), im: over(a.im, b.re, bits)}
	case !a.complex:
		m := sum(times(b.re, b.re), times(b.im, b.im), bits+10)
		return number{
			complex: true,
			re:      over(times(b.re, a.re), m, bits),
			im:      over(negated(times(b.im, a.re)), m, bits),
		}
	}
	m := sum(times(b.re, b.re), times(b.im, b.im), bits+10)
	t := sum(times(a.re, b.re), times(a.im, b.im), bits+10)
	u := sum(times(a.im, b.re), negated(times(a.re, b.im)), bits+10)
	return number{complex: true, re: over(t, m, bits), im: over(u, m, bits)}
}

func isNull(r *real) bool { return !r.nan && r.Sign() == 0 }

// over divides; the divisor is not 0.
func over(a, b *real, bits uint) *real {
	switch {
	case a.nan || b.nan || a.IsInf() && b.IsInf():
		return &real{nan: true}
	case b.IsInf() || a.Sign() == 0:
		return &real{}
	}
	out := &real{}
	out.SetPrec(bits).Quo(&a.Float, &b.Float)
	return out
}

// times multiplies exactly.
func times(a, b *real) *real {
	switch {
	case a.nan || b.nan, a.IsInf() && b.Sign() == 0, b.IsInf() && a.Sign() == 0:
		return &real{nan: true}
	case a.Sign() == 0 || b.Sign() == 0:
		return &real{}
	}
	out := &real{}
	out.SetPrec(max(1, a.Prec()+b.Prec())).Mul(&a.Float, &b.Float)
	return out
}

// sum adds, cutting what does not fit: mpmath rounds such inner steps towards
// zero.
func sum(a, b *real, bits uint) *real {
	if a.nan || b.nan || a.IsInf() && b.IsInf() && a.Signbit() != b.Signbit() {
		return &real{nan: true}
	}
	out := &real{}
	out.SetPrec(bits).SetMode(big.ToZero).Add(&a.Float, &b.Float)
	if out.Sign() == 0 {
		return &real{}
	}
	return out
}

func negated(a *real) *real {
	if a.nan || a.Sign() == 0 {
		return a
	}
	out := &real{}
	out.Neg(&a.Float)
	return out
}
