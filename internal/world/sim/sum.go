package sim

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Sum is Python's sum(items) since 3.12: floats are added with Neumaier's
// compensation, which changes the last digits. Ints among them are only added,
// and anything else ends the compensation.
func Sum(items []pyval.Value) pyval.Value {
	var total pyval.Value = pyval.MakeInt(0)
	for i, item := range items {
		if f, ok := total.(pyval.Float); ok {
			return sumFrom(float64(f), items[i:])
		}
		next, err := pyval.Operate("+", total, item)
		if err != nil {
			panic(Raise("TypeError", "unsupported operand type(s) for +: '"+
				pyval.TypeName(total)+"' and '"+pyval.TypeName(item)+"'"))
		}
		total = next
	}
	return total
}

func sumFrom(s float64, items []pyval.Value) pyval.Value {
	c := 0.0
	for len(items) > 0 {
		n, isInt := pyval.IntOf(items[0])
		f, isFloat := items[0].(pyval.Float)
		if !isInt && !isFloat {
			break
		}
		x := float64(f)
		if isInt {
			x = Float(n)
		}
		t := s + x
		switch {
		case isInt:
		case math.Abs(s) >= math.Abs(x):
			c += (s - t) + x
		default:
			c += (x - t) + s
		}
		s, items = t, items[1:]
	}
	if c != 0 && !math.IsInf(c, 0) && !math.IsNaN(c) {
		s += c
	}
	var total pyval.Value = pyval.Float(s)
	for _, item := range items {
		total = Calc(total, "+", item)
	}
	return total
}
