package pyval

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
)

// SameType reports whether two values are of the same Python type: type(a) ==
// type(b).
func SameType(a, b Value) bool { return a.Kind() == b.Kind() }

// Equal reports whether a == b in Python: numbers of different types compare by
// value (True == 1 == 1.0), containers element by element and never across
// types, dicts without regard to order.
func Equal(a, b Value) bool {
	if as, ok := a.(Str); ok {
		bs, ok := b.(Str)
		return ok && as == bs
	}
	switch a := a.(type) {
	case Int:
		if bi, ok := b.(Int); ok {
			return a.Cmp(bi) == 0
		}
	case Float:
		if bf, ok := b.(Float); ok {
			return a == bf
		}
	case NoneType, EllipsisType:
		return a == b
	case Bytes:
		bb, ok := b.(Bytes)
		return ok && a == bb
	case *List:
		bl, ok := b.(*List)
		return ok && equalItems(a.Items, bl.Items)
	case *Tuple:
		bt, ok := b.(*Tuple)
		return ok && equalItems(a.Items, bt.Items)
	case *Set:
		bs, ok := b.(*Set)
		return ok && equalSets(a, bs)
	case *Dict:
		bd, ok := b.(*Dict)
		return ok && equalDicts(a, bd)
	}
	return equalNumbers(a, b)
}

func equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalSets(a, b *Set) bool {
	if a.Len() != b.Len() {
		return false
	}
	for v := range a.All() {
		if !b.Has(v) {
			return false
		}
	}
	return true
}

func equalDicts(a, b *Dict) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i, e := range a.all() {
		other, ok := b.GetNear(e.key, i)
		if !ok || !Equal(e.val, other) {
			return false
		}
	}
	return true
}

// equalNumbers compares bool, int, float and complex by mathematical value,
// exactly: an int is never rounded to a float.
func equalNumbers(a, b Value) bool {
	ai, aInt := IntOf(a)
	bi, bInt := IntOf(b)
	if aInt && bInt {
		return ai.Cmp(bi) == 0
	}
	ac, aOK := complexOf(a)
	bc, bOK := complexOf(b)
	switch {
	case aInt && bOK:
		return imag(bc) == 0 && equalIntFloat(ai, real(bc))
	case bInt && aOK:
		return imag(ac) == 0 && equalIntFloat(bi, real(ac))
	}
	return aOK && bOK && ac == bc
}

// IntOf returns the value of an int or of a bool, which is 0 or 1. The second
// result is false for other values.
func IntOf(v Value) (Int, bool) {
	switch v := v.(type) {
	case Int:
		return v, true
	case Bool:
		if v {
			return Int{small: 1}, true
		}
		return Int{}, true
	}
	return Int{}, false
}

func complexOf(v Value) (complex128, bool) {
	switch v := v.(type) {
	case Float:
		return complex(float64(v), 0), true
	case Complex:
		return complex128(v), true
	}
	return 0, false
}

func equalIntFloat(n Int, f float64) bool {
	const exact = 1 << 53
	if small, ok := n.Int64(); ok && small > -exact && small < exact {
		return float64(small) == f
	}
	if math.IsInf(f, 0) || math.IsNaN(f) || f != math.Trunc(f) {
		return false
	}
	whole, _ := big.NewFloat(f).Int(nil)
	return whole.Cmp(n.Big()) == 0
}

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
