package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Value returns a Go value as Python's: a string, bool, int or float64, or a
// pyval.Value as it is.
func Value(v any) pyval.Value {
	switch v := v.(type) {
	case pyval.Value:
		return v
	case string:
		return pyval.Str(v)
	case bool:
		return pyval.Bool(v)
	case int:
		return pyval.MakeInt(int64(v))
	case float64:
		return pyval.Float(v)
	}
	panic(fmt.Sprintf("sim: %T is not a value", v))
}

// Answer returns a dict of alternating keys, which are strings, and values: see
// Value.
func Answer(pairs ...any) *pyval.Dict {
	d := pyval.NewDict(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), Value(pairs[i+1]))
	}
	return d
}

// Fail returns the answer {"error": text}: see Text.
func Fail(text string, values ...any) pyval.Value { return Answer("error", Text(text, values...)) }

// Text returns a text with values in the places of {}, as Python's f-string
// shows them. Without values the text stays as it is.
func Text(text string, values ...any) string {
	if len(values) == 0 {
		return text
	}
	var out strings.Builder
	for _, v := range values {
		before, after, _ := strings.Cut(text, "{}")
		out.WriteString(before)
		out.WriteString(str(Value(v)))
		text = after
	}
	return out.String() + text
}

// str is Python's str(v).
func str(v pyval.Value) string {
	if s, ok := v.(pyval.Str); ok {
		return string(s)
	}
	printable(v, 0)
	return pyval.Text(v)
}

// Calc is Python's arithmetic: a + b and so on.
func Calc(a any, op string, b any) pyval.Value {
	return pyval.Must(pyval.Operate(op, Value(a), Value(b)))
}

// Is is Python's comparison: a < b, a == b, a in b and so on.
func Is(a any, op string, b any) bool { return pyval.Must(pyval.Compare(op, Value(a), Value(b))) }

// IsNumber is Python's isinstance(v, (int, float)): bools count.
func IsNumber(v pyval.Value) bool {
	_, ok := pyval.IntOf(v)
	return ok || v.Kind() == pyval.KindFloat
}

// Float is Python's float(v).
func Float(v pyval.Value) float64 { return float64(pyval.Must(pyval.ToFloat(v)).(pyval.Float)) }

// Fixed is Python's f"{x:.<places>f}".
func Fixed(x float64, places int) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return pyval.Text(pyval.Float(x))
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}

// Scaled is v * factor with Python's own error if a sequence is multiplied by
// something other than an int.
func Scaled(v, factor pyval.Value) pyval.Value {
	out, err := pyval.Operate("*", v, factor)
	switch v.Kind() {
	case pyval.KindStr, pyval.KindBytes, pyval.KindList, pyval.KindTuple:
		if IsClass(err, "TypeError") {
			panic(Raise("TypeError", "can't multiply sequence by non-int of type '"+pyval.TypeName(factor)+"'"))
		}
	}
	return pyval.Must(out, err)
}

// Items is what Python's "for item in v" goes through.
func Items(v pyval.Value) []pyval.Value { return pyval.Must(pyval.Iterate(v)) }

// At is Python's container[key].
func At(container pyval.Value, key any) pyval.Value {
	if name, ok := key.(string); ok {
		if d, ok := container.(*pyval.Dict); ok {
			if v, ok := d.GetStr(name); ok {
				return v
			}
		}
	}
	return pyval.Must(pyval.Subscript(container, Value(key)))
}

// Put is Python's container[key] = v.
func Put(container pyval.Value, key, v any) {
	switch c := container.(type) {
	case *pyval.Dict:
		k := Value(key)
		Hashable(k)
		_ = c.Set(k, Value(v))
	case *pyval.List:
		panic(Raise("TypeError", "list indices must be integers or slices, not str"))
	default:
		panic(Raise("TypeError", "'"+pyval.TypeName(container)+"' object does not support item assignment"))
	}
}

// Hashable raises if a value cannot be a key.
func Hashable(v pyval.Value) {
	if err := pyval.Hashable(v); err != nil {
		panic(Raise("TypeError", err.Error()))
	}
}

// Find returns the value of a key, and whether it is there. It raises for a key
// that cannot be hashed.
func Find(d *pyval.Dict, key pyval.Value) (pyval.Value, bool) {
	v, ok := d.Get(key)
	if !ok {
		Hashable(key)
	}
	return v, ok
}

// GetOr is Python's container.get(key, def).
func GetOr(container pyval.Value, key, def any) pyval.Value {
	if v, ok := Find(MustDict(container, "get"), Value(key)); ok {
		return v
	}
	return Value(def)
}

// Append is Python's list.append(item).
func Append(list, item pyval.Value) {
	l := MustList(list, "append")
	l.Items = append(l.Items, item)
}

// Remove is Python's list.remove(item): the first equal element goes.
func Remove(list, item pyval.Value) {
	l := MustList(list, "remove")
	i := slices.IndexFunc(l.Items, func(v pyval.Value) bool { return pyval.Equal(v, item) })
	if i < 0 {
		panic(Raise("ValueError", "list.remove(x): x not in list"))
	}
	l.Items = slices.Delete(l.Items, i, i+1)
}

// Filter returns the list of the items that f accepts.
func Filter(items []pyval.Value, f func(pyval.Value) bool) *pyval.List {
	out := &pyval.List{}
	for _, item := range items {
		if f(item) {
			out.Items = append(out.Items, item)
		}
	}
	return out
}

// First returns the elements of Python's items[:k].
func First[T any](items []T, k pyval.Value) []T {
	if k == pyval.None {
		return items
	}
	n, ok := pyval.IntOf(k)
	if !ok {
		panic(Raise("TypeError", "slice indices must be integers or None or have an __index__ method"))
	}
	at, small := n.Int64()
	switch size := int64(len(items)); {
	case n.Sign() < 0 && (!small || -at >= size):
		return nil
	case n.Sign() < 0:
		return items[:size+at]
	case small && at < size:
		return items[:at]
	}
	return items
}

// MustDict returns a value as a dict, or raises Python's AttributeError for a
// method of dict on anything else.
func MustDict(v pyval.Value, method string) *pyval.Dict { return must[*pyval.Dict](v, method) }

// MustList is MustDict for a list.
func MustList(v pyval.Value, method string) *pyval.List { return must[*pyval.List](v, method) }

// MustText is MustDict for a str.
func MustText(v pyval.Value, method string) string { return string(must[pyval.Str](v, method)) }

// Lower is Python's v.lower().
func Lower(v pyval.Value) string { return pyval.Lower(MustText(v, "lower")) }

func must[T pyval.Value](v pyval.Value, method string) T {
	t, ok := v.(T)
	if !ok {
		panic(Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'"))
	}
	return t
}
