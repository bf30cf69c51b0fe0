package pycall

import (
	"math"

	"github.com/gobfcl/bfcl/internal/pyval"
)

func (p *parser) floatOperation(n *node, op token, x, y float64) pyval.Value {
	if y == 0 && (op == tSlash || op == tDoubleSlash || op == tPercent) {
		return p.wrong(n, "ZeroDivisionError", "float division by zero")
	}
	switch op {
	case tPlus:
		return pyval.Float(x + y)
	case tMinus:
		return pyval.Float(x - y)
	case tStar:
		return pyval.Float(x * y)
	case tSlash:
		return pyval.Float(x / y)
	case tDoubleSlash:
		q, _ := floatDivMod(x, y)
		return pyval.Float(q)
	case tPercent:
		_, r := floatDivMod(x, y)
		return pyval.Float(r)
	case tDoubleStar:
		return p.floatPower(n, x, y)
	}
	return p.unsupported(n, op, pyval.Float(x), pyval.Float(y))
}

// floatDivMod is CPython's _float_div_mod: the remainder has the divisor's
// sign, and the quotient is rounded from what is left.
func floatDivMod(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	q = (x - r) / y
	if r == 0 {
		r = math.Copysign(0, y)
	} else if (y < 0) != (r < 0) {
		r += y
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	whole := math.Floor(q)
	if q-whole > 0.5 {
		whole++
	}
	return whole, r
}

// powerCost is what one power counts for in spend, by its time.
const powerCost = 1 << 12

func (p *parser) floatPower(n *node, x, y float64) pyval.Value {
	switch {
	case x == 0 && y < 0:
		return p.wrong(n, "ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case x < 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0) && y != math.Floor(y):
		return p.complexPower(n, complex(x, 0), complex(y, 0))
	}
	if !p.spend(n, powerCost) {
		return pyval.None
	}
	f := pyval.Pow(x, y)
	if math.IsInf(f, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return p.wrong(n, "OverflowError", "result too large")
	}
	return pyval.Float(f)
}

func (p *parser) complexOperation(n *node, op token, left, right pyval.Value) pyval.Value {
	a, aok := complexOf(left)
	b, bok := complexOf(right)
	if !aok || !bok {
		return p.sequenceOperation(n, op, left, right)
	}
	switch op {
	case tPlus:
		return pyval.Complex(a + b)
	case tMinus:
		return pyval.Complex(a - b)
	case tStar:
		return pyval.Complex(product(a, b))
	case tSlash:
		if b == 0 {
			return p.wrong(n, "ZeroDivisionError", "complex division by zero")
		}
		return pyval.Complex(quotient(a, b))
	case tDoubleStar:
		return p.complexPower(n, a, b)
	}
	return p.unsupported(n, op, left, right)
}

func complexOf(v pyval.Value) (complex128, bool) {
	if c, ok := v.(pyval.Complex); ok {
		return complex128(c), true
	}
	f, ok := floatOf(v)
	return complex(f, 0), ok
}

// product multiplies without the fused operations that a compiler may choose.
func product(a, b complex128) complex128 {
	re := float64(real(a)*real(b)) - float64(imag(a)*imag(b))
	im := float64(real(a)*imag(b)) + float64(imag(a)*real(b))
	return complex(re, im)
}

// quotient is CPython's _Py_c_quot.
func quotient(a, b complex128) complex128 {
	if math.Abs(real(b)) >= math.Abs(imag(b)) {
		ratio := imag(b) / real(b)
		denominator := real(b) + float64(imag(b)*ratio)
		return complex((real(a)+float64(imag(a)*ratio))/denominator, (imag(a)-float64(real(a)*ratio))/denominator)
	}
	ratio := real(b) / imag(b)
	denominator := float64(real(b)*ratio) + imag(b)
	return complex((float64(real(a)*ratio)+imag(a))/denominator, (float64(imag(a)*ratio)-real(a))/denominator)
}

// complexPower is CPython's complex_pow: small whole exponents by repeated
// multiplication, others through polar coordinates.
func (p *parser) complexPower(n *node, a, b complex128) pyval.Value {
	var c complex128
	switch e := real(b); {
	case imag(b) == 0 && e == math.Floor(e) && math.Abs(e) <= 100:
		if a == 0 && e < 0 {
			return p.wrong(n, "ZeroDivisionError", "0.0 to a negative or complex power")
		}
		if c = wholePower(a, int(math.Abs(e))); e <= 0 {
			c = quotient(1, c)
		}
	case a == 0:
		if imag(b) != 0 || e < 0 {
			return p.wrong(n, "ZeroDivisionError", "0.0 to a negative or complex power")
		}
	default:
		c = polarPower(a, b)
	}
	if math.IsInf(real(c), 0) || math.IsInf(imag(c), 0) {
		return p.wrong(n, "OverflowError", "complex exponentiation")
	}
	return pyval.Complex(c)
}

func wholePower(a complex128, e int) complex128 {
	result, square := complex(1, 0), a
	for mask := 1; mask > 0 && e >= mask; mask <<= 1 {
		if e&mask != 0 {
			result = product(result, square)
		}
		square = product(square, square)
	}
	return result
}

func polarPower(a, b complex128) complex128 {
	length := math.Hypot(real(a), imag(a))
	angle := math.Atan2(imag(a), real(a))
	size, phase := pyval.Pow(length, real(b)), angle*real(b)
	if imag(b) != 0 {
		size /= math.Exp(angle * imag(b))
		phase += imag(b) * math.Log(length)
	}
	return complex(size*math.Cos(phase), size*math.Sin(phase))
}
