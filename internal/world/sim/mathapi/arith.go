package mathapi

import (
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

const notNumbers = "Both inputs must be numbers"

func add(args []pyval.Value) (pyval.Value, error) {
	v, err := sim.Plus(args[0], args[1])
	return result(v, err, "TypeError", notNumbers)
}

func subtract(args []pyval.Value) (pyval.Value, error) {
	v, err := sim.Minus(args[0], args[1])
	return result(v, err, "TypeError", notNumbers)
}

func multiply(args []pyval.Value) (pyval.Value, error) {
	if !sim.IsNumber(args[0]) || !sim.IsNumber(args[1]) {
		return sim.Fail(notNumbers), nil
	}
	v, err := sim.Times(args[0], args[1])
	return result(v, err, "TypeError", notNumbers)
}

func divide(args []pyval.Value) (pyval.Value, error) {
	if isZero(args[1]) {
		return sim.Fail("Cannot divide by zero"), nil
	}
	v, err := sim.Divided(args[0], args[1])
	return result(v, err, "TypeError", notNumbers)
}

func isZero(v pyval.Value) bool { return pyval.Equal(v, pyval.MakeInt(0)) }

func percentage(args []pyval.Value) (pyval.Value, error) {
	if isZero(args[1]) {
		return sim.Fail("Whole value cannot be zero"), nil
	}
	v, err := sim.Divided(args[0], args[1])
	if err == nil {
		v, err = sim.Times(v, pyval.MakeInt(100))
	}
	return result(v, err, "TypeError", notNumbers)
}

func power(args []pyval.Value) (pyval.Value, error) {
	v, err := raised(args[0], args[1])
	return result(v, err, "TypeError", notNumbers)
}

// raised is Python's a ** b, whose text of a float overflow is the C
// library's.
func raised(a, b pyval.Value) (pyval.Value, error) {
	v, err := sim.Power(a, b)
	if sim.IsClass(err, "OverflowError") && (a.Kind() == pyval.KindFloat || b.Kind() == pyval.KindFloat) && sim.AsException(err).Msg == "result too large" {
		err = sim.Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return v, err
}

func absoluteValue(args []pyval.Value) (pyval.Value, error) {
	v, err := pyval.Abs(args[0])
	return result(v, err, "TypeError", "Input must be a number")
}

func roundNumber(args []pyval.Value) (pyval.Value, error) {
	v, err := sim.RoundValue(args[0], args[1])
	return result(v, err, "TypeError", "First input must be a number, second input must be an integer")
}

// tens is 10 to the power of n.
func tens(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
