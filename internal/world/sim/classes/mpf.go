package classes

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
		readText(v, out)
		return out
	}
	panic(sim.Raise("TypeError", sim.Text("cannot create mpf from {}", v)))
}

// maxExponent bounds the exponent of a number given as text.
const maxExponent = 5000

func readText(v pyval.Str, out *real) {
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
}

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
