package sim

import (
	"math"
	"math/big"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Less is Python's a < b.
func Less(a, b pyval.Value) (bool, error) { return ordered("<", a, b) }

// LessEqual is Python's a <= b.
func LessEqual(a, b pyval.Value) (bool, error) { return ordered("<=", a, b) }

// Greater is Python's a > b.
func Greater(a, b pyval.Value) (bool, error) { return ordered(">", a, b) }

// GreaterEqual is Python's a >= b.
func GreaterEqual(a, b pyval.Value) (bool, error) { return ordered(">=", a, b) }

// An order is how two values compare; NaN compares with nothing.
type order int8

const (
	before order = iota - 1
	same
	after
	apart
)

func ordered(op string, a, b pyval.Value) (bool, error) {
	o, ok := compare(a, b)
	if !ok {
		return false, Raise("TypeError", "'"+op+"' not supported between instances of '"+
			pyval.TypeName(a)+"' and '"+pyval.TypeName(b)+"'")
	}
	switch op {
	case "<":
		return o == before, nil
	case "<=":
		return o == before || o == same, nil
	case ">":
		return o == after, nil
	}
	return o == after || o == same, nil
}

// compare orders numbers, texts, lists and tuples; ok is false if Python
// raises TypeError.
func compare(a, b pyval.Value) (o order, ok bool) {
	if IsNumber(a) && IsNumber(b) {
		return compareNumbers(a, b), true
	}
	switch a := a.(type) {
	case pyval.Str:
		if b, ok := b.(pyval.Str); ok {
			return order(strings.Compare(string(a), string(b))), true
		}
	case *pyval.List:
		if b, ok := b.(*pyval.List); ok {
			return compareItems(a.Items, b.Items)
		}
	case *pyval.Tuple:
		if b, ok := b.(*pyval.Tuple); ok {
			return compareItems(a.Items, b.Items)
		}
	}
	return apart, false
}

// compareItems goes by the first elements that are not equal, then by length.
func compareItems(a, b []pyval.Value) (order, bool) {
	for i := range min(len(a), len(b)) {
		if !pyval.Equal(a[i], b[i]) {
			return compare(a[i], b[i])
		}
	}
	return sign(len(a) - len(b)), true
}

func sign(n int) order {
	switch {
	case n < 0:
		return before
	case n > 0:
		return after
	}
	return same
}

func compareNumbers(a, b pyval.Value) order {
	x, xInt := IntOf(a)
	y, yInt := IntOf(b)
	switch {
	case xInt && yInt:
		return sign(x.Cmp(y))
	case xInt:
		return -compareFloat(float64(b.(pyval.Float)), x)
	case yInt:
		return compareFloat(float64(a.(pyval.Float)), y)
	}
	return floats(float64(a.(pyval.Float)), float64(b.(pyval.Float)))
}

func floats(x, y float64) order {
	switch {
	case x < y:
		return before
	case x > y:
		return after
	case x == y:
		return same
	}
	return apart
}

// compareFloat orders a float and an int exactly.
func compareFloat(x float64, n pyval.Int) order {
	if small, ok := n.Int64(); ok && small > -1<<53 && small < 1<<53 || math.IsNaN(x) || math.IsInf(x, 0) {
		f, _ := n.Float64()
		if !ok { // an infinity is beyond every int
			f = 0
		}
		return floats(x, f)
	}
	return sign(new(big.Float).SetFloat64(x).Cmp(new(big.Float).SetInt(n.Big())))
}

// Items returns the elements that Python's iteration over a value gives.
func Items(v pyval.Value) ([]pyval.Value, error) {
	items, err := pyval.Iterate(v)
	if err != nil {
		return nil, AsException(err)
	}
	return items, nil
}

// Contains is Python's `v in container`.
func Contains(container, v pyval.Value) (bool, error) {
	ok, err := pyval.Contains(container, v)
	if err != nil {
		return false, AsException(err)
	}
	return ok, nil
}

// MustText returns the text of a str; the error is Python's AttributeError for
// a method of str on anything else.
func MustText(v pyval.Value, method string) (string, error) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), nil
	}
	return "", Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'")
}
