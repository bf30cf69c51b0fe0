package exec

import (
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// whole is the value of an int or bool.
func whole(v pyval.Value) (pyval.Int, bool) {
	switch v := v.(type) {
	case pyval.Int:
		return v, true
	case pyval.Bool:
		if v {
			return one, true
		}
		return zero, true
	}
	return pyval.Int{}, false
}

// length is Python's len(v), in characters for a str.
func length(v pyval.Value) (int, error) {
	switch v := v.(type) {
	case pyval.Str:
		return countCharacters(string(v)), nil
	case pyval.Bytes:
		return len(v), nil
	}
	n, ok := pyval.Len(v)
	if !ok {
		return 0, typeError("object of type '%s' has no len()", pyval.TypeName(v))
	}
	return n, nil
}

// size is about the memory that a value takes beyond a few words.
func size(v pyval.Value) int {
	switch v := v.(type) {
	case pyval.Str:
		return len(v)
	case pyval.Bytes:
		return len(v)
	case pyval.Int:
		if _, small := v.Int64(); !small {
			return v.Big().BitLen() / 8
		}
	}
	n, _ := pyval.Len(v)
	return 16 * n
}

func countCharacters(s string) (n int) {
	for i := 0; i < len(s); n++ {
		_, size := pyval.DecodeRune(s[i:])
		i += size
	}
	return n
}

// character is the i-th character; "" where there is none.
func character(s string, i int64) string {
	for s != "" {
		_, size := pyval.DecodeRune(s)
		if i == 0 {
			return s[:size]
		}
		s, i = s[size:], i-1
	}
	return ""
}

func characters(s string) []pyval.Value {
	out := make([]pyval.Value, 0, len(s))
	for i := 0; i < len(s); {
		_, size := pyval.DecodeRune(s[i:])
		out = append(out, pyval.Str(s[i:i+size]))
		i += size
	}
	return out
}

// iterate is Python's list(v).
func iterate(v pyval.Value) ([]pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Tuple:
		return v.Items, nil
	case *pyval.Dict:
		return v.Keys(), nil
	case *pyval.Set:
		var out []pyval.Value
		for item := range v.All() {
			out = append(out, item)
		}
		return out, nil
	case pyval.Str:
		return characters(string(v)), nil
	case pyval.Bytes:
		out := make([]pyval.Value, len(v))
		for i := range len(v) {
			out[i] = number(int64(v[i]))
		}
		return out, nil
	}
	return nil, typeError("'%s' object is not iterable", pyval.TypeName(v))
}

// subscript is Python's v[key] without slices.
func subscript(v, key pyval.Value) (pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.Dict:
		if err := pyval.Hashable(key); err != nil {
			return nil, typeError("%v", err)
		}
		if val, ok := v.Get(key); ok {
			return val, nil
		}
		return nil, pyval.Raise("KeyError", "%s", pyval.Repr(key))
	case *pyval.List:
		return element(v.Items, key, "list ", "list indices must be integers or slices, not %s")
	case *pyval.Tuple:
		return element(v.Items, key, "tuple ", "tuple indices must be integers or slices, not %s")
	case pyval.Str:
		i, err := position(countCharacters(string(v)), key, "string ", "string indices must be integers, not '%s'")
		return pyval.Str(character(string(v), int64(i))), err
	case pyval.Bytes:
		items, _ := iterate(v)
		return element(items, key, "", "byte indices must be integers or slices, not %s")
	}
	return nil, typeError("'%s' object is not subscriptable", pyval.TypeName(v))
}

func element(items []pyval.Value, key pyval.Value, what, wrongType string) (pyval.Value, error) {
	i, err := position(len(items), key, what, wrongType)
	if err != nil {
		return nil, err
	}
	return items[i], nil
}

// position is where an index leads in a sequence of n elements.
func position(n int, key pyval.Value, what, wrongType string) (int, error) {
	index, ok := whole(key)
	if !ok {
		return 0, typeError(wrongType, pyval.TypeName(key))
	}
	i, small := index.Int64()
	if !small {
		return 0, pyval.Raise("IndexError", "cannot fit 'int' into an index-sized integer")
	}
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		return 0, pyval.Raise("IndexError", "%sindex out of range", what)
	}
	return int(i), nil
}

// negate is -v, +v or ~v.
func negate(op string, v pyval.Value) (pyval.Value, error) {
	if n, ok := whole(v); ok {
		switch op {
		case "-":
			return pyval.Operate("-", zero, n)
		case "+":
			return n, nil
		}
		return pyval.Operate("-", number(-1), n)
	}
	switch v := v.(type) {
	case pyval.Float:
		if op == "-" {
			return -v, nil
		}
		if op == "+" {
			return v, nil
		}
	case pyval.Complex:
		if op == "-" {
			return -v, nil
		}
		if op == "+" {
			return v, nil
		}
	}
	return nil, typeError("bad operand type for unary %s: '%s'", op, pyval.TypeName(v))
}

// absolute is Python's abs(v).
func absolute(v pyval.Value) (pyval.Value, error) {
	if n, ok := whole(v); ok {
		if n.Sign() < 0 {
			return pyval.Operate("-", zero, n)
		}
		return n, nil
	}
	switch v := v.(type) {
	case pyval.Float:
		return pyval.Float(math.Abs(float64(v))), nil
	case pyval.Complex:
		return pyval.Float(pyval.Hypot(real(v), imag(v))), nil
	}
	return nil, typeError("bad operand type for abs(): '%s'", pyval.TypeName(v))
}

// contains is Python's item in v.
func contains(v, item pyval.Value) (bool, error) {
	switch c := v.(type) {
	case *pyval.Dict:
		if err := pyval.Hashable(item); err != nil {
			return false, typeError("%v", err)
		}
		_, ok := c.Get(item)
		return ok, nil
	case pyval.Str:
		s, ok := item.(pyval.Str)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", pyval.TypeName(item))
		}
		return strings.Contains(string(c), string(s)), nil
	}
	items, err := iterate(v)
	if err != nil {
		return false, typeError("argument of type '%s' is not iterable", pyval.TypeName(v))
	}
	for _, other := range items {
		if pyval.Equal(item, other) {
			return true, nil
		}
	}
	return false, nil
}
