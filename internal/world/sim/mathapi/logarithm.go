package mathapi

import (
	"math"
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

const (
	bitsPerDigit = 3.3219280948873626
	maxLogDigits = 1000 // mpmath goes on until its memory is full
)

// logarithm answers as mpmath computes ln(value) / ln(base) with floats of
// the precision asked for.
func logarithm(args []pyval.Value) (pyval.Value, error) {
	text, value, err := quotientOfLogs(args[0], args[1], args[2])
	if err != nil {
		return sim.Fail(sim.AsException(err).Msg), nil
	}
	return sim.Shown{Value: sim.Answer("result", pyval.Float(value)), Text: "{'result': " + text + "}"}, nil
}

func quotientOfLogs(value, base, precision pyval.Value) (text string, f float64, err error) {
	digits, err := pyval.ToInt(precision)
	if err != nil {
		return "", 0, err
	}
	n, small := digits.Int64()
	if digits.Sign() > 0 && (!small || n > maxLogDigits) {
		return "", 0, sim.Raise("MemoryError", "too many digits")
	}
	bits := uint(1)
	if small && n > -2 {
		bits = uint(max(1, math.RoundToEven(float64(n+1)*bitsPerDigit)))
	}
	x, err := readNumber(value, bits)
	if err != nil {
		return "", 0, err
	}
	b, err := readNumber(base, bits)
	if err != nil {
		return "", 0, err
	}
	q, err := quotient(log(x, bits), log(b, bits), bits)
	if err != nil {
		return "", 0, err
	}
	f, _ = q.re.float()
	return q.String(bits), f, nil
}

// A real is a binary float of any precision or NaN, mpmath's mpf. It has no
// negative zero.
type real struct {
	big.Float
	nan bool
}

func (r *real) float() (float64, big.Accuracy) {
	if r.nan {
		return math.NaN(), big.Exact
	}
	return r.Float64()
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
