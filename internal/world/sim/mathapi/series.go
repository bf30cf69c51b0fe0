package mathapi

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// series is a method over a list of numbers; purpose begins the text for an
// empty one.
func series(purpose string, f func(items []pyval.Value) (pyval.Value, error)) function {
	return func(args []pyval.Value) (pyval.Value, error) {
		if !pyval.Truth(args[0]) {
			return sim.Fail(purpose + " of an empty list"), nil
		}
		items, err := pyval.Iterate(args[0])
		var v pyval.Value
		if err == nil {
			v, err = f(items)
		}
		return result(v, err, "TypeError", "All elements in the list must be numbers")
	}
}

func mean(items []pyval.Value) (pyval.Value, error) {
	total, err := sim.Sum(items)
	if err != nil {
		return nil, err
	}
	return sim.Divided(total, pyval.MakeInt(int64(len(items))))
}

// deviation is the population's standard deviation, by way of Python's sum.
func deviation(items []pyval.Value) (pyval.Value, error) {
	middle, err := mean(items)
	if err != nil {
		return nil, err
	}
	squares := make([]pyval.Value, len(items))
	for i, item := range items {
		d, err := sim.Minus(item, middle)
		if err != nil {
			return nil, err
		}
		if squares[i], err = raised(d, pyval.MakeInt(2)); err != nil {
			return nil, err
		}
	}
	variance, err := mean(squares)
	if err != nil {
		return nil, err
	}
	if variance.Kind() == pyval.KindComplex {
		return nil, sim.Raise("TypeError", "must be real number, not complex")
	}
	f, err := sim.Float(variance)
	return pyval.Float(math.Sqrt(f)), err
}
