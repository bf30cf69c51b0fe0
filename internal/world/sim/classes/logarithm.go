package classes

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

const (
	bitsPerDigit = 3.3219280948873626
	maxLogDigits = 1000 // mpmath goes on until its memory is full
)

// logarithm answers as mpmath computes ln(value) / ln(base) with floats of
// the precision asked for.
func logarithm(args []pyval.Value) pyval.Value {
	bits := uint(1)
	q, err := pyval.Try(func() number {
		digits := pyval.Must(pyval.ToInt(args[2]))
		n, small := digits.Int64()
		if digits.Sign() > 0 && (!small || n > maxLogDigits) {
			panic(sim.Raise("MemoryError", "too many digits"))
		}
		if small && n > -2 {
			bits = uint(max(1, math.RoundToEven(float64(n+1)*bitsPerDigit)))
		}
		x, base := readNumber(args[0], bits), readNumber(args[1], bits)
		return quotient(log(x, bits), log(base, bits), bits)
	})
	if err != nil {
		return sim.Fail(sim.AsException(err).Msg)
	}
	return sim.Shown{Value: sim.Answer("result", q.re.float()), Text: "{'result': " + q.String(bits) + "}"}
}

// A real is a binary float of any precision or NaN, mpmath's mpf. It has no
// negative zero.
type real struct {
	big.Float
	nan bool
}

func (r *real) float() float64 {
	if r.nan {
		return math.NaN()
	}
	f, _ := r.Float64()
	return f
}

// A number is an mpf, or with an imaginary part an mpc.
type number struct {
	re, im  *real
	complex bool
}

// log is mpmath's log of a real number.
func log(x *real, bits uint) number {
	if x.nan {
		return number{re: x}
	}
	out := number{re: &real{}}
	switch {
	case x.Sign() == 0:
		out.re.SetInf(true)
		return out
	case x.Sign() < 0:
		out.complex, out.im = true, &real{}
		out.im.SetPrec(bits).Set(constantPi.bits(bits + 64))
	}
	if x.IsInf() {
		out.re.SetInf(false)
		return out
	}
	out.re.Set(ln(new(big.Float).Abs(&x.Float), bits))
	return out
}

// quotient is mpmath's a / b for real and complex numbers, each part rounded
// to so many bits.
func quotient(a, b number, bits uint) number {
	switch {
	case !b.complex && !b.re.nan && b.re.Sign() == 0:
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
		y.Add(y, new(big.Float).SetPrec(work).Mul(constantLn2.bits(work), new(big.Float).SetInt64(int64(k))))
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

// readNumber is mpmath's convert(v): exact, but a text is rounded to so many
// bits.
func readNumber(v pyval.Value, bits uint) *real {
	out := &real{}
	if n, ok := pyval.IntOf(v); ok {
		out.SetInt(n.Big())
		return out
	}
	switch v := v.(type) {
	case pyval.Float:
		if out.nan = math.IsNaN(float64(v)); !out.nan {
			out.SetFloat64(float64(v))
		}
		return out
	case pyval.Str:
		out.SetPrec(bits)
		switch text := strings.ToLower(pyval.Strip(string(v))); text {
		case "nan":
			out.nan = true
		case "inf", "+inf", "-inf":
			out.SetInf(text == "-inf")
		default:
			r, ok := rational(text)
			if !ok {
				panic(sim.Raise("ValueError", "cannot create mpf from "+pyval.Repr(v)))
			}
			out.SetRat(r)
		}
		return out
	}
	panic(sim.Raise("TypeError", sim.Text("cannot create mpf from {}", v)))
}

// maxExponent bounds the exponent of a number given as text.
const maxExponent = 5000

// rational reads decimal digits with a point and an exponent, or a fraction.
func rational(text string) (*big.Rat, bool) {
	if len(text) > maxExponent || strings.Trim(text, "0123456789+-./e") != "" {
		return nil, false
	}
	if _, exponent, ok := strings.Cut(text, "e"); ok {
		if n, err := strconv.Atoi(exponent); err != nil || n > maxExponent || n < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// String is mpmath's repr.
func (n number) String(bits uint) string {
	digits := reprDigits(bits)
	if !n.complex {
		return "mpf('" + n.re.text(digits) + "')"
	}
	return "mpc(real='" + n.re.text(digits) + "', imag='" + n.im.text(digits) + "')"
}

// reprDigits is how many digits mpmath's repr shows of so many bits.
func reprDigits(bits uint) int {
	decimals := int(max(1, math.RoundToEven(float64(bits)/bitsPerDigit)-1))
	if decimals == 15 {
		return 17
	}
	return decimals + 3
}

// text is mpmath's to_str: three digits more are computed, cut there, and
// rounded half up.
func (r *real) text(digits int) string {
	switch {
	case r.nan:
		return "nan"
	case r.IsInf() && r.Signbit():
		return "-inf"
	case r.IsInf():
		return "+inf"
	case r.Sign() == 0:
		return "0.0"
	}
	sign := ""
	if r.Signbit() {
		sign = "-"
	}
	mantissa, exponent := roundedDigits(&r.Float, digits)
	return sign + placed(mantissa, exponent, digits)
}

// roundedDigits are so many digits and the exponent of the first.
func roundedDigits(x *big.Float, digits int) (string, int) {
	const more = 3
	toZero := new(big.Float).SetMode(big.ToZero).Set(x)
	all := toZero.Abs(toZero).Text('e', 2*digits+40)
	mantissa, power, _ := strings.Cut(all, "e")
	exponent, _ := strconv.Atoi(power)
	mantissa = strings.Replace(mantissa, ".", "", 1)[:digits+more]
	if mantissa[digits] < '5' {
		return mantissa[:digits], exponent
	}
	n, _ := new(big.Int).SetString(mantissa[:digits], 10)
	up := n.Add(n, big.NewInt(1)).String()
	if len(up) > digits {
		return up[:digits], exponent + 1
	}
	return up, exponent
}

// placed sets the decimal point, with an exponent for numbers far from 1, and
// drops zeros at the end.
func placed(mantissa string, exponent, digits int) string {
	point, suffix := 1, ""
	switch {
	case exponent <= min(-(digits/3), -5) || exponent >= digits:
		sign := ""
		if exponent > 0 {
			sign = "+"
		}
		suffix = "e" + sign + strconv.Itoa(exponent)
	case exponent < 0:
		mantissa = strings.Repeat("0", -exponent) + mantissa
	default:
		point = exponent + 1
	}
	text := strings.TrimRight(mantissa[:point]+"."+mantissa[point:], "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text + suffix
}
