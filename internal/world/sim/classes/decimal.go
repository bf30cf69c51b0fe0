package classes

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// maxPrecision bounds the digits of an irrational root; Python goes on until
// its memory is full.
const maxPrecision = 2000

func squareRoot(args []pyval.Value) pyval.Value {
	number := args[0]
	negative, err := pyval.Order("<", number, pyval.MakeInt(0))
	if negative {
		return sim.Fail("Cannot calculate square root of a negative number")
	}
	prec, ok := pyval.IntOf(args[1])
	if err != nil || !ok {
		return sim.Fail("Input must be a number or computation resulted in an invalid operation")
	}
	n, small := prec.Int64()
	if prec.Sign() <= 0 || !small || n > 999999999999999999 {
		panic(sim.Raise("ValueError", "valid range for prec is [1, MAX_PREC]"))
	}
	text := root(number, int(min(n, math.MaxInt32)))
	return sim.Shown{Value: sim.Answer("result", sim.Float(pyval.Str(text))), Text: "{'result': Decimal('" + text + "')}"}
}

// root is Python's str(Decimal(number).sqrt()).
func root(number pyval.Value, digits int) string {
	coefficient, exponent, special := exact(number)
	if special != "" {
		return special
	}
	if exponent%2 != 0 { // only below zero
		coefficient.Mul(coefficient, big.NewInt(10))
		exponent--
	}
	r := new(big.Int).Sqrt(coefficient)
	exponent /= 2
	if new(big.Int).Mul(r, r).Cmp(coefficient) != 0 {
		if digits > maxPrecision {
			panic(sim.Raise("MemoryError", "too many digits"))
		}
		r, exponent = refined(coefficient, exponent, digits)
	}
	r, exponent = rounded(r, exponent, digits)
	return decimalText(r.String(), exponent)
}

// exact is a number as coefficient * 10**exponent, the exponent 0 or below;
// special is the text of a root that needs no digits.
func exact(number pyval.Value) (coefficient *big.Int, exponent int, special string) {
	if n, ok := pyval.IntOf(number); ok {
		return n.Big(), 0, ""
	}
	f := float64(number.(pyval.Float))
	switch {
	case math.IsNaN(f):
		return nil, 0, "NaN"
	case math.IsInf(f, 0):
		return nil, 0, "Infinity"
	case f == 0 && math.Signbit(f):
		return nil, 0, "-0"
	}
	r := new(big.Rat).SetFloat64(f)
	places := r.Denom().BitLen() - 1 // a power of two: so many decimals
	scaled := new(big.Int).Mul(r.Num(), tens(places))
	return scaled.Quo(scaled, r.Denom()), -places, ""
}

// refined is an irrational root with more digits than asked, and a last one
// that keeps it off every tie.
func refined(n *big.Int, exponent, digits int) (*big.Int, int) {
	have := (len(n.String()) + 1) / 2
	shift := max(0, digits+2-have)
	r := new(big.Int).Sqrt(new(big.Int).Mul(n, tens(2*shift)))
	r.Mul(r, big.NewInt(10))
	return r.Add(r, big.NewInt(1)), exponent - shift - 1
}

// rounded cuts to so many digits, half to even.
func rounded(n *big.Int, exponent, digits int) (*big.Int, int) {
	over := len(n.String()) - digits
	if over <= 0 {
		return n, exponent
	}
	scale := tens(over)
	q, rest := new(big.Int).QuoRem(n, scale, new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(scale) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		q.Add(q, new(big.Int).SetUint64(uint64(q.Bit(0))))
	}
	if len(q.String()) > digits { // 999 became 1000
		return q.Quo(q, big.NewInt(10)), exponent + over + 1
	}
	return q, exponent + over
}

// decimalText is Python's str of a Decimal.
func decimalText(digits string, exponent int) string {
	point := len(digits) + exponent // digits before the decimal point
	switch {
	case exponent == 0:
		return digits
	case exponent > 0 || point <= -6:
		mantissa := digits[:1]
		if len(digits) > 1 {
			mantissa += "." + digits[1:]
		}
		sign := ""
		if point > 0 {
			sign = "+"
		}
		return mantissa + "E" + sign + strconv.Itoa(point-1)
	case point > 0:
		return digits[:point] + "." + digits[point:]
	}
	return "0." + strings.Repeat("0", -point) + digits
}
