package pyval

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
)

// An Int is Python's int, of any size. The zero Int is 0.
type Int struct {
	small int64
	big   *big.Int // set only when the value does not fit small
}

// MakeInt returns n as an Int.
func MakeInt(n int64) Int { return Int{small: n} }

// MakeBigInt returns n as an Int; it keeps a copy of n.
func MakeBigInt(n *big.Int) Int {
	if n.IsInt64() {
		return Int{small: n.Int64()}
	}
	return Int{big: new(big.Int).Set(n)}
}

// ParseInt reads digits of the given base with an optional sign. It accepts no
// underscores, blanks or prefixes.
func ParseInt(s string, base int) (Int, bool) {
	if n, err := strconv.ParseInt(s, base, 64); err == nil {
		return Int{small: n}, true
	}
	n, ok := new(big.Int).SetString(s, base)
	if !ok {
		return Int{}, false
	}
	return MakeBigInt(n), true
}

// ReadInt returns the value of one or more decimal digits with an optional
// minus.
func ReadInt(text string) Value {
	n, ok := smallInt(text)
	if !ok {
		large, _ := ParseInt(text, 10)
		return large
	}
	if n >= 0 && n < int64(len(fewInts)) {
		return fewInts[n]
	}
	return MakeInt(n)
}

// fewInts are the most frequent ints, as values.
var fewInts = func() (vals [128]Value) {
	for i := range vals {
		vals[i] = MakeInt(int64(i))
	}
	return vals
}()

// smallInt reads digits with an optional minus; ok is false if they may not
// fit.
func smallInt(text string) (n int64, ok bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	const most = 18
	if len(digits) > most {
		return 0, false
	}
	for _, c := range []byte(digits) {
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// Int64 returns the value; ok is false if it does not fit.
func (n Int) Int64() (v int64, ok bool) { return n.small, n.big == nil }

// Big returns the value as a new big.Int.
func (n Int) Big() *big.Int {
	if n.big != nil {
		return new(big.Int).Set(n.big)
	}
	return big.NewInt(n.small)
}

// Sign returns -1, 0 or 1.
func (n Int) Sign() int { return n.Cmp(Int{}) }

// Cmp compares two ints and returns -1, 0 or 1.
func (n Int) Cmp(m Int) int {
	if n.big == nil && m.big == nil {
		return cmp.Compare(n.small, m.small)
	}
	return n.Big().Cmp(m.Big())
}

// Float64 returns the nearest float, ties to even; ok is false if Python
// raises OverflowError.
func (n Int) Float64() (f float64, ok bool) {
	if n.big == nil {
		return float64(n.small), true
	}
	f, _ = new(big.Float).SetInt(n.big).Float64()
	return f, !math.IsInf(f, 0)
}

func (n Int) append(dst []byte) []byte {
	if n.big != nil {
		return n.big.Append(dst, 10)
	}
	return strconv.AppendInt(dst, n.small, 10)
}

// String returns the value in decimal.
func (n Int) String() string { return string(n.append(nil)) }

// ParseFloat reads a float in decimal digits with a point, an exponent or both,
// as JSON and Python write it. A value out of range gives ±Inf, as in Python.
func ParseFloat(text string) Float {
	if f, ok := shortFloat(text); ok {
		return Float(f)
	}
	f, _ := strconv.ParseFloat(text, 64)
	return Float(f)
}

// tenths are the powers of ten that the digits of a shortFloat are divided by.
// Floats hold them exactly.
var tenths = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortFloat reads a float of at most 15 digits around a point. A float holds
// the digits exactly, so that the single division rounds correctly.
func shortFloat(text string) (f float64, ok bool) {
	digits := text
	if digits != "" && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > len(tenths) {
		return 0, false
	}
	n, point := int64(0), 0
	for i, c := range []byte(digits) {
		switch {
		case c == '.' && point == 0:
			point = i + 1
		case c >= '0' && c <= '9':
			n = 10*n + int64(c-'0')
		default:
			return 0, false
		}
	}
	if point == 0 || len(digits) == 1 {
		return 0, false
	}
	f = float64(n) / tenths[len(digits)-point]
	if len(digits) < len(text) {
		f = -f
	}
	return f, true
}

// toFloat returns an int, bool or float as the float it is in mixed arithmetic.
func toFloat(v Value) (float64, *Exception) {
	if f, ok := v.(Float); ok {
		return float64(f), nil
	}
	n, _ := IntOf(v)
	f, ok := n.Float64()
	if !ok {
		return 0, Raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// operateNumbers computes a op b if at least one side is a float or complex.
func operateNumbers(op string, a, b Value) (Value, *Exception) {
	switch op {
	case "+", "-", "*", "/", "//", "%", "**":
	default:
		return nil, nil
	}
	if a.Kind() == KindComplex || b.Kind() == KindComplex {
		if op == "//" || op == "%" {
			return nil, nil
		}
	}
	x, err := toComplex(a)
	if err != nil {
		return nil, err
	}
	y, err := toComplex(b)
	if err != nil {
		return nil, err
	}
	if a.Kind() == KindComplex || b.Kind() == KindComplex {
		return operateComplexes(op, x, y)
	}
	return operateFloats(op, real(x), real(y))
}

func toComplex(v Value) (complex128, *Exception) {
	if c, ok := v.(Complex); ok {
		return complex128(c), nil
	}
	f, err := toFloat(v)
	return complex(f, 0), err
}

func operateFloats(op string, x, y float64) (Value, *Exception) {
	switch op {
	case "+":
		return Float(x + y), nil
	case "-":
		return Float(x - y), nil
	case "*":
		return Float(x * y), nil
	case "/":
		if y == 0 {
			return nil, Raise("ZeroDivisionError", "float division by zero")
		}
		return Float(x / y), nil
	case "//":
		if y == 0 {
			return nil, Raise("ZeroDivisionError", "float floor division by zero")
		}
		q, _ := divideFloats(x, y)
		return Float(q), nil
	case "%":
		if y == 0 {
			return nil, Raise("ZeroDivisionError", "float modulo")
		}
		_, r := divideFloats(x, y)
		return Float(r), nil
	case "**":
		return powerFloats(x, y)
	}
	return nil, nil
}

// divideFloats is CPython's float_divmod: the remainder has the divisor's sign.
func divideFloats(x, y float64) (quotient, rest float64) {
	rest = math.Mod(x, y)
	div := (x - rest) / y
	if rest == 0 {
		rest = math.Copysign(0, y)
	} else if (y < 0) != (rest < 0) {
		rest += y
		div--
	}
	if div == 0 {
		return math.Copysign(0, x/y), rest
	}
	quotient = math.Floor(div)
	if div-quotient > 0.5 {
		quotient++
	}
	return quotient, rest
}

// powerFloats is CPython's float_pow.
func powerFloats(x, y float64) (Value, *Exception) {
	switch {
	case x == 0 && y < 0:
		return nil, Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case x < 0 && y != math.Floor(y) && finite(x) && finite(y):
		return powerComplexes(complex(x, 0), complex(y, 0))
	}
	z := Pow(x, y)
	if math.IsInf(z, 0) && finite(x) && finite(y) {
		return nil, Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return Float(z), nil
}

func finite(f float64) bool { return f-f == 0 }

func operateComplexes(op string, x, y complex128) (Value, *Exception) {
	switch op {
	case "+":
		return Complex(x + y), nil
	case "-":
		return Complex(x - y), nil
	case "*":
		return Complex(multiply(x, y)), nil
	case "/":
		return quotient(x, y)
	case "**":
		return powerComplexes(x, y)
	}
	return nil, nil
}

// multiply rounds every product, as C does without contraction; the
// conversions keep Go from fusing them.
func multiply(x, y complex128) complex128 {
	re := float64(real(x)*real(y)) - float64(imag(x)*imag(y))
	im := float64(real(x)*imag(y)) + float64(imag(x)*real(y))
	return complex(re, im)
}

// quotient is CPython's _Py_c_quot.
func quotient(x, y complex128) (Value, *Exception) {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case c == 0 && d == 0:
		return nil, Raise("ZeroDivisionError", "complex division by zero")
	case math.Abs(c) >= math.Abs(d):
		ratio := d / c
		denominator := c + float64(d*ratio)
		return Complex(complex((a+float64(b*ratio))/denominator, (b-float64(a*ratio))/denominator)), nil
	case math.Abs(d) >= math.Abs(c):
		ratio := c / d
		denominator := float64(c*ratio) + d
		return Complex(complex((float64(a*ratio)+b)/denominator, (float64(b*ratio)-a)/denominator)), nil
	}
	return Complex(complex(math.NaN(), math.NaN())), nil
}

// powerComplexes is CPython's complex_pow.
func powerComplexes(x, y complex128) (Value, *Exception) {
	var z complex128
	switch n := real(y); {
	case imag(y) == 0 && n == math.Floor(n) && math.Abs(n) <= 100:
		if n < 0 {
			inverse, err := quotient(1, powerWhole(x, int(-n)))
			if err != nil {
				return nil, Raise("ZeroDivisionError", "0.0 to a negative or complex power")
			}
			return inverse, nil
		}
		z = powerWhole(x, int(n))
	case x == 0:
		if imag(y) != 0 || n < 0 {
			return nil, Raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
	default:
		radius, angle := Hypot(real(x), imag(x)), Atan2(imag(x), real(x))
		length, phase := Pow(radius, real(y)), float64(angle*real(y))
		if imag(y) != 0 {
			length /= Exp(float64(angle * imag(y)))
			phase += float64(imag(y) * Log(radius))
		}
		sin, cos := SinCos(phase)
		z = complex(float64(length*cos), float64(length*sin))
	}
	if math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) {
		return nil, Raise("OverflowError", "complex exponentiation")
	}
	return Complex(z), nil
}

func powerWhole(x complex128, n int) complex128 {
	z := complex128(1)
	for mask := 1; mask <= n; mask <<= 1 {
		if n&mask != 0 {
			z = multiply(z, x)
		}
		x = multiply(x, x)
	}
	return z
}
