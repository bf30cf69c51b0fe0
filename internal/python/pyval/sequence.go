package pyval

import "strings"

// Iterate returns the items of Python's list(v). Those of a list or tuple are
// its own and must not be changed.
func Iterate(v Value) ([]Value, error) {
	switch v := v.(type) {
	case *List:
		return v.Items, nil
	case *Tuple:
		return v.Items, nil
	case *Dict:
		return v.Keys(), nil
	case *Set:
		out := make([]Value, 0, v.Len())
		for item := range v.All() {
			out = append(out, item)
		}
		return out, nil
	case Str:
		return Characters(string(v)), nil
	case Bytes:
		out := make([]Value, len(v))
		for i := range len(v) {
			out[i] = MakeInt(int64(v[i]))
		}
		return out, nil
	}
	return nil, typeError("'%s' object is not iterable", TypeName(v))
}

// SplitLines is Python's s.splitlines(keep).
func SplitLines(s string, keep bool) []string {
	var out []string
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(out, s)
		}
		_, n := DecodeRune(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		end := i
		if keep {
			end += n
		}
		out = append(out, s[:end])
		s = s[i+n:]
	}
	return out
}

// Characters returns the characters of a str, each a str.
func Characters(s string) []Value {
	out := make([]Value, 0, len(s))
	for i := 0; i < len(s); {
		_, size := DecodeRune(s[i:])
		out = append(out, Str(s[i:i+size]))
		i += size
	}
	return out
}

// Length returns Python's len(v), in characters for a str.
func Length(v Value) (int, error) {
	switch v := v.(type) {
	case Str:
		return countCharacters(string(v)), nil
	case Bytes:
		return len(v), nil
	}
	n, ok := Len(v)
	if !ok {
		return 0, typeError("object of type '%s' has no len()", TypeName(v))
	}
	return n, nil
}

func countCharacters(s string) (n int) {
	for i := 0; i < len(s); n++ {
		_, size := DecodeRune(s[i:])
		i += size
	}
	return n
}

// Subscript returns Python's v[key] without slices. Errors are *Exception with
// CPython's texts.
func Subscript(v, key Value) (Value, error) {
	switch v := v.(type) {
	case *Dict:
		if err := Hashable(key); err != nil {
			return nil, typeError("%v", err)
		}
		if val, ok := v.Get(key); ok {
			return val, nil
		}
		return nil, Raise("KeyError", "%s", Repr(key))
	case *List:
		return element(v.Items, key, "list")
	case *Tuple:
		return element(v.Items, key, "tuple")
	case Str:
		if _, ok := IntOf(key); !ok {
			return nil, typeError("string indices must be integers, not '%s'", TypeName(key))
		}
		i, err := position(countCharacters(string(v)), key, "string ")
		if err != nil {
			return nil, err
		}
		return character(string(v), i), nil
	case Bytes:
		i, err := position(len(v), key, "")
		if err != nil {
			return nil, err
		}
		return MakeInt(int64(v[i])), nil
	}
	return nil, typeError("'%s' object is not subscriptable", TypeName(v))
}

func element(items []Value, key Value, what string) (Value, error) {
	i, err := position(len(items), key, what+" ")
	if err != nil {
		return nil, err
	}
	return items[i], nil
}

// character is the character at index i of a text that is longer than i.
func character(s string, i int) Str {
	for ; i > 0; i-- {
		_, size := DecodeRune(s)
		s = s[size:]
	}
	_, size := DecodeRune(s)
	return Str(s[:size])
}

// position is the place that an index names in a sequence of n elements. what
// names the sequence in error texts; it is "" for bytes.
func position(n int, key Value, what string) (int, error) {
	index, ok := IntOf(key)
	if !ok {
		if what == "" {
			what = "byte "
		}
		return 0, typeError("%sindices must be integers or slices, not %s", what, TypeName(key))
	}
	i, small := index.Int64()
	if !small {
		return 0, Raise("IndexError", "cannot fit 'int' into an index-sized integer")
	}
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		return 0, Raise("IndexError", "%sindex out of range", what)
	}
	return int(i), nil
}

// Contains reports whether item is in v, as Python's "item in v" does.
func Contains(v, item Value) (bool, error) {
	switch c := v.(type) {
	case *Dict:
		if err := Hashable(item); err != nil {
			return false, typeError("%v", err)
		}
		_, ok := c.Get(item)
		return ok, nil
	case *Set:
		if err := Hashable(item); err != nil {
			return false, typeError("%v", err)
		}
		return c.Has(item), nil
	case Str:
		s, ok := item.(Str)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", TypeName(item))
		}
		return strings.Contains(string(c), string(s)), nil
	case Bytes:
		if s, ok := item.(Bytes); ok {
			return strings.Contains(string(c), string(s)), nil
		}
	}
	items, err := Iterate(v)
	if err != nil {
		return false, typeError("argument of type '%s' is not iterable", TypeName(v))
	}
	for _, other := range items {
		if Equal(item, other) {
			return true, nil
		}
	}
	return false, nil
}

// Compare is Order with the operators "in", "not in", "is" and "is not" added.
// Two values are identical if their types and values are equal.
func Compare(op string, a, b Value) (bool, error) {
	switch op {
	case "in", "not in":
		in, err := Contains(b, a)
		return in == (op == "in") && err == nil, err
	case "is", "is not":
		same := SameType(a, b) && Equal(a, b)
		return same == (op == "is"), nil
	}
	return Order(op, a, b)
}
