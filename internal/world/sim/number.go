package sim

import (
	"math"
	"math/big"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Plus is Python's a + b.
func Plus(a, b pyval.Value) (pyval.Value, error) { return operate("+", a, b) }

// Minus is Python's a - b.
func Minus(a, b pyval.Value) (pyval.Value, error) { return operate("-", a, b) }

// Times is Python's a * b.
func Times(a, b pyval.Value) (pyval.Value, error) { return operate("*", a, b) }

// Divided is Python's a / b.
func Divided(a, b pyval.Value) (pyval.Value, error) { return operate("/", a, b) }

// Power is Python's a ** b.
func Power(a, b pyval.Value) (pyval.Value, error) { return operate("**", a, b) }

func operate(op string, a, b pyval.Value) (pyval.Value, error) {
	v, err := pyval.Operate(op, a, b)
	if err != nil {
		return nil, AsException(err)
	}
	return v, nil
}

// IntOf returns the value of an int or a bool.
func IntOf(v pyval.Value) (pyval.Int, bool) { return pyval.IntOf(v) }

// IsNumber is Python's isinstance(v, (int, float)): bools count.
func IsNumber(v pyval.Value) bool {
	_, ok := IntOf(v)
	return ok || v.Kind() == pyval.KindFloat
}

// Float is Python's float(v).
func Float(v pyval.Value) (float64, error) {
	switch v := v.(type) {
	case pyval.Float:
		return float64(v), nil
	case pyval.Str:
		f, err := pyval.FloatFromText(string(v))
		if err != nil {
			return 0, AsException(err)
		}
		return float64(f), nil
	}
	n, ok := IntOf(v)
	if !ok {
		return 0, Raise("TypeError", "float() argument must be a string or a real number, not '"+pyval.TypeName(v)+"'")
	}
	f, ok := n.Float64()
	if !ok {
		return 0, Raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// Int is Python's int(v).
func Int(v pyval.Value) (pyval.Int, error) {
	if n, ok := IntOf(v); ok {
		return n, nil
	}
	switch v := v.(type) {
	case pyval.Float:
		return truncate(float64(v))
	case pyval.Str:
		n, err := pyval.IntFromText(string(v))
		if err != nil {
			return pyval.Int{}, AsException(err)
		}
		return n, nil
	}
	return pyval.Int{}, Raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '"+pyval.TypeName(v)+"'")
}

func truncate(f float64) (pyval.Int, error) {
	switch {
	case math.IsNaN(f):
		return pyval.Int{}, Raise("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return pyval.Int{}, Raise("OverflowError", "cannot convert float infinity to integer")
	}
	n, _ := new(big.Float).SetFloat64(f).Int(nil)
	return pyval.MakeBigInt(n), nil
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
