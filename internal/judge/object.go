package judge

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Documents and possible answers come from files and may have any shape.
// These are the operations upstream performs on them, with an error where
// Python raises.

func keyError(key pyval.Value) error { return fmt.Errorf("key %s is missing", pyval.Repr(key)) }

// member is Python's v[name] for a value that must be a dict. Most dicts have
// the name at position at.
func member(v pyval.Value, name string, at int) (pyval.Value, error) {
	if d, ok := v.(*pyval.Dict); ok {
		if found, ok := d.GetStrNear(name, at); ok {
			return found, nil
		}
	}
	return nil, keyError(pyval.Str(name))
}

// item is Python's v[key].
func item(v, key pyval.Value) (pyval.Value, error) {
	if d, ok := v.(*pyval.Dict); ok {
		if found, ok := d.Get(key); ok {
			return found, nil
		}
		return nil, keyError(key)
	}
	items, err := sequence(v)
	if err != nil {
		return nil, err
	}
	i, ok := position(key, len(items))
	if !ok {
		return nil, keyError(key)
	}
	return items[i], nil
}

// position returns the place in a sequence that an int or a bool means.
func position(key pyval.Value, n int) (int, bool) {
	var i int64
	switch key := key.(type) {
	case pyval.Int:
		small, ok := key.Int64()
		if !ok {
			return 0, false
		}
		i = small
	case pyval.Bool:
		if key {
			i = 1
		}
	default:
		return 0, false
	}
	if i < 0 {
		i += int64(n)
	}
	return int(i), i >= 0 && i < int64(n)
}

// length is Python's len(v).
func length(v pyval.Value) (int, error) {
	if n, ok := pyval.Len(v); ok {
		return n, nil
	}
	items, err := sequence(v)
	return len(items), err
}

// sequence returns v[0], v[1] and so on to len(v).
func sequence(v pyval.Value) ([]pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Tuple:
		return v.Items, nil
	case pyval.Str:
		return characters(string(v)), nil
	}
	if n, sized := pyval.Len(v); sized && n == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("a list was expected, not %s", pyval.TypeName(v))
}

func characters(s string) []pyval.Value {
	var all []pyval.Value
	for len(s) > 0 {
		_, size := pyval.DecodeRune(s)
		all = append(all, pyval.Str(s[:size]))
		s = s[size:]
	}
	return all
}

// iterate returns the items that a Python for loop iterates over.
func iterate(v pyval.Value) ([]pyval.Value, error) {
	if d, ok := v.(*pyval.Dict); ok {
		return d.Keys(), nil
	}
	return sequence(v)
}

var errNoContainer = errors.New("a container was expected")

// contains is Python's x in v.
func contains(v, x pyval.Value) (bool, error) {
	switch v := v.(type) {
	case *pyval.Dict:
		_, ok := v.Get(x)
		if !ok {
			return false, pyval.Hashable(x)
		}
		return true, nil
	case pyval.Str:
		part, ok := x.(pyval.Str)
		if !ok {
			return false, fmt.Errorf("a str was expected, not %s", pyval.TypeName(x))
		}
		return strings.Contains(string(v), string(part)), nil
	case *pyval.List:
		return oneOf(x, v.Items), nil
	case *pyval.Tuple:
		return oneOf(x, v.Items), nil
	}
	return false, errNoContainer
}

func oneOf(x pyval.Value, items []pyval.Value) bool {
	for _, item := range items {
		if pyval.Equal(x, item) {
			return true
		}
	}
	return false
}

func isBlank(v pyval.Value) bool {
	s, ok := v.(pyval.Str)
	return ok && s == ""
}

// optional reports whether "" is among the accepted values, which means that
// the parameter may also be left out.
func optional(accepted pyval.Value) (bool, error) { return contains(accepted, pyval.Str("")) }
