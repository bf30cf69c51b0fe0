package judge

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Documents and possible answers come from files and may have any shape. What
// upstream does with them is done as Python does it, with an error where Python
// raises.

var errNoContainer = errors.New("a container was expected")

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

// sequence returns v[0], v[1] and so on to len(v).
func sequence(v pyval.Value) ([]pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Tuple:
		return v.Items, nil
	case pyval.Str:
		return pyval.Characters(string(v)), nil
	}
	if n, sized := pyval.Len(v); sized && n == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("a list was expected, not %s", pyval.TypeName(v))
}

func isBlank(v pyval.Value) bool {
	s, ok := v.(pyval.Str)
	return ok && s == ""
}

// optional reports whether "" is among the accepted values, which means that
// the parameter may also be left out.
func optional(accepted pyval.Value) (bool, error) {
	return pyval.Contains(accepted, pyval.Str(""))
}
