package sim

import (
	"math"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Plus is Python's a + b.
func Plus(a, b pyval.Value) (pyval.Value, error) { return pyval.Operate("+", a, b) }

// Minus is Python's a - b.
func Minus(a, b pyval.Value) (pyval.Value, error) { return pyval.Operate("-", a, b) }

// Times is Python's a * b.
func Times(a, b pyval.Value) (pyval.Value, error) { return pyval.Operate("*", a, b) }

// Divided is Python's a / b.
func Divided(a, b pyval.Value) (pyval.Value, error) { return pyval.Operate("/", a, b) }

// Power is Python's a ** b.
func Power(a, b pyval.Value) (pyval.Value, error) { return pyval.Operate("**", a, b) }

// IsNumber is Python's isinstance(v, (int, float)): bools count.
func IsNumber(v pyval.Value) bool {
	_, ok := pyval.IntOf(v)
	return ok || v.Kind() == pyval.KindFloat
}

// Float is Python's float(v).
func Float(v pyval.Value) (float64, error) {
	f, err := pyval.ToFloat(v)
	if err != nil {
		return 0, err
	}
	return float64(f.(pyval.Float)), nil
}

// Fixed is Python's f"{x:.<places>f}".
func Fixed(x float64, places int) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}
