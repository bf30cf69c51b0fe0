package sim

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Sum is Python's sum(items) since 3.12: floats are added with Neumaier's
// compensation, which changes the last digits.
func Sum(items []pyval.Value) (pyval.Value, error) {
	var total pyval.Value = pyval.MakeInt(0)
	for i, item := range items {
		if f, ok := total.(pyval.Float); ok {
			return sumFrom(float64(f), items[i:])
		}
		next, err := Plus(total, item)
		if err != nil {
			return nil, Raise("TypeError", "unsupported operand type(s) for +: '"+
				pyval.TypeName(total)+"' and '"+pyval.TypeName(item)+"'")
		}
		total = next
	}
	return total, nil
}

// sumFrom goes on from a float: floats are compensated, ints only added, and
// anything else ends the compensation.
func sumFrom(s float64, items []pyval.Value) (pyval.Value, error) {
	c := 0.0
	for i, item := range items {
		n, isInt := pyval.IntOf(item)
		switch f, isFloat := item.(pyval.Float); {
		case isFloat:
			x := float64(f)
			t := s + x
			if math.Abs(s) >= math.Abs(x) {
				c += (s - t) + x
			} else {
				c += (x - t) + s
			}
			s = t
		case isInt:
			x, ok := n.Float64()
			if !ok {
				return nil, Raise("OverflowError", "int too large to convert to float")
			}
			s += x
		default:
			return sumRest(pyval.Float(compensated(s, c)), items[i:])
		}
	}
	return pyval.Float(compensated(s, c)), nil
}

func compensated(s, c float64) float64 {
	if c != 0 && !math.IsInf(c, 0) && !math.IsNaN(c) {
		return s + c
	}
	return s
}

func sumRest(total pyval.Value, items []pyval.Value) (pyval.Value, error) {
	for _, item := range items {
		next, err := Plus(total, item)
		if err != nil {
			return nil, err
		}
		total = next
	}
	return total, nil
}
