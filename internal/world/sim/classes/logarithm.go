package classes

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
