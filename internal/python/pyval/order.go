package pyval

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Order returns Python's a op b for the comparisons <, <=, >, >=, == and !=.
// Errors are *Exception with CPython's texts.
func Order(op string, a, b Value) (bool, error) {
	switch op {
	case "==":
		return Equal(a, b), nil
	case "!=":
		return !Equal(a, b), nil
	}
	if x, y, ok := sameItems(a, b); ok {
		for i := range min(len(x), len(y)) {
			if !Equal(x[i], y[i]) {
				return Order(op, x[i], y[i])
			}
		}
		return holds(op, len(x)-len(y)), nil
	}
	sign, ordered, ok := compare(a, b)
	if !ok {
		return false, typeError("'%s' not supported between instances of '%s' and '%s'", op, TypeName(a), TypeName(b))
	}
	return ordered && holds(op, sign), nil
}

// Sort is Python's items.sort().
func Sort(items []Value) error {
	var failed error
	slices.SortStableFunc(items, func(a, b Value) int {
		less, err := Order("<", a, b)
		failed = cmp.Or(failed, err)
		if less {
			return -1
		}
		more, _ := Order(">", a, b)
		if more {
			return 1
		}
		return 0
	})
	return failed
}

func holds(op string, sign int) bool {
	switch op {
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	case ">":
		return sign > 0
	}
	return sign >= 0
}

func sameItems(a, b Value) (x, y []Value, ok bool) {
	switch a := a.(type) {
	case *List:
		if b, ok := b.(*List); ok {
			return a.Items, b.Items, true
		}
	case *Tuple:
		if b, ok := b.(*Tuple); ok {
			return a.Items, b.Items, true
		}
	}
	return nil, nil, false
}

// compare orders two texts or two real numbers; ordered is false if one of them
// is NaN, ok is false for values without an order.
func compare(a, b Value) (sign int, ordered, ok bool) {
	switch x := a.(type) {
	case Str:
		y, ok := b.(Str)
		return strings.Compare(string(x), string(y)), true, ok
	case Bytes:
		y, ok := b.(Bytes)
		return strings.Compare(string(x), string(y)), true, ok
	}
	if a.Kind() == KindComplex || b.Kind() == KindComplex || !isNumber(a) || !isNumber(b) {
		return 0, false, false
	}
	x, xInt := IntOf(a)
	y, yInt := IntOf(b)
	if xInt && yInt {
		return x.Cmp(y), true, true
	}
	if isNaN(a) || isNaN(b) {
		return 0, false, true
	}
	return exact(a).Cmp(exact(b)), true, true
}

func isNaN(v Value) bool {
	f, ok := v.(Float)
	return ok && math.IsNaN(float64(f))
}

// exact is the number without rounding.
func exact(v Value) *big.Float {
	if f, ok := v.(Float); ok {
		return big.NewFloat(float64(f))
	}
	n, _ := IntOf(v)
	return new(big.Float).SetInt(n.Big())
}
