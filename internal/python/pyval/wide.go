package pyval

import (
	"math"
	"math/big"
)

// The functions of this file are computed with far more digits than a float has
// and rounded once. The C library that Python uses rounds the same way except
// for about one result in a thousand, which is very close to the middle between
// two floats; Go's math package is off far more often.

// precision of intermediate results, in bits.
const precision = 256

var (
	ln2 = constant("0.6931471805599453094172321214581765680755001343602552541206800094933936219696947156058633269964186875420015810657483")
	pi  = constant("3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067982148086513282307")
)

func constant(digits string) *big.Float {
	f, _, _ := big.ParseFloat(digits, 10, precision, big.ToNearestEven)
	return f
}

func wide(f float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(f) }

// narrow rounds once. A value that is very close to a short one becomes the
// short one: an exact power may be halfway between two floats.
func narrow(v *big.Float) float64 {
	short := new(big.Float).SetPrec(60).Set(v)
	rest := wide(0).Sub(v, short)
	if rest.Sign() == 0 || v.Sign() != 0 && rest.MantExp(nil) < v.MantExp(nil)-precision*2/3 {
		v = short
	}
	f, _ := v.Float64()
	return f
}

// Pow is C's pow(x, y).
func Pow(x, y float64) float64 {
	z := math.Pow(x, y)
	if z == 0 || z == 1 || !finite(z) || x == 0 || !finite(x) || !finite(y) {
		return z
	}
	switch y { // one operation that rounds once
	case 2:
		return x * x
	case 0.5:
		if x > 0 {
			return math.Sqrt(x)
		}
	case -1:
		return 1 / x
	}
	v := logarithm(wide(math.Abs(x)))
	return math.Copysign(narrow(exponential(v.Mul(v, wide(y)))), z)
}

// Exp is C's exp(x).
func Exp(x float64) float64 {
	if z := math.Exp(x); z == 0 || !finite(z) || x == 0 {
		return z
	}
	return narrow(exponential(wide(x)))
}

// Log is C's log(x).
func Log(x float64) float64 {
	if x <= 0 || x == 1 || !finite(x) {
		return math.Log(x)
	}
	return narrow(logarithm(wide(x)))
}

// farthest is up to where an angle's quarter turns are counted exactly, or by
// one too many or too few.
const farthest = 1 << 54

// SinCos are C's sin(x) and cos(x).
func SinCos(x float64) (sin, cos float64) {
	if x == 0 || !(math.Abs(x) < farthest) {
		return math.Sincos(x)
	}
	s, c := circle(wide(x))
	return narrow(s), narrow(c)
}

// Tan is C's tan(x).
func Tan(x float64) float64 {
	if x == 0 || !(math.Abs(x) < farthest) {
		return math.Tan(x)
	}
	s, c := circle(wide(x))
	return narrow(s.Quo(s, c))
}

// Atan2 is C's atan2(y, x).
func Atan2(y, x float64) float64 {
	near := math.Atan2(y, x)
	if x == 0 || y == 0 || near == 0 || !finite(x) || !finite(y) {
		return near
	}
	sin, cos := circle(wide(near)) // one Newton step leaves an error of the third power
	across := wide(0).Sub(wide(0).Mul(wide(y), cos), wide(0).Mul(wide(x), sin))
	along := wide(0).Add(wide(0).Mul(wide(x), cos), wide(0).Mul(wide(y), sin))
	return narrow(wide(0).Add(wide(near), across.Quo(across, along)))
}

// Hypot is C's hypot(x, y).
func Hypot(x, y float64) float64 {
	if x == 0 || y == 0 || !finite(x) || !finite(y) {
		return math.Hypot(x, y)
	}
	sum := wide(0).Add(wide(0).Mul(wide(x), wide(x)), wide(0).Mul(wide(y), wide(y)))
	return narrow(sum.Sqrt(sum))
}

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
	for k := 3; k < 107; k += 2 {
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
	sum := wide(1)
	addSeries(sum, wide(1), r, 1, 1, 24)
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}

// circle is sine and cosine, by their series after the nearest multiple of a
// quarter turn is taken out.
func circle(x *big.Float) (sin, cos *big.Float) {
	quarter := wide(0).Quo(pi, wide(2))
	turns, _ := wide(0).Quo(x, quarter).Float64()
	n := math.Round(turns)
	r := wide(0).Sub(x, wide(0).Mul(quarter, wide(n)))
	minusSquare := wide(0).Neg(wide(0).Mul(r, r))
	sin, cos = wide(0).Set(r), wide(1)
	addSeries(sin, wide(0).Set(r), minusSquare, 2, 2, 60)
	addSeries(cos, wide(1), minusSquare, 1, 2, 60)
	switch int64(n) & 3 {
	case 1:
		return cos, sin.Neg(sin)
	case 2:
		return sin.Neg(sin), cos.Neg(cos)
	case 3:
		return cos.Neg(cos), sin
	}
	return sin, cos
}

// addSeries adds terms to sum: each is the last one times x, divided by the
// next number, or by the next two of them, from first on.
func addSeries(sum, term, x *big.Float, first, step, last int) {
	for i := first; i < last; i += step {
		term.Mul(term, x)
		divisor := float64(i)
		if step == 2 {
			divisor *= float64(i + 1)
		}
		term.Quo(term, wide(divisor))
		sum.Add(sum, term)
	}
}
