package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Entry is Python's container["key"].
func Entry(container pyval.Value, key string) (pyval.Value, error) {
	if d, ok := container.(*pyval.Dict); ok {
		if v, ok := d.GetStr(key); ok {
			return v, nil
		}
	}
	return pyval.Subscript(container, pyval.Str(key))
}

// SetEntry is Python's container["key"] = v.
func SetEntry(container pyval.Value, key string, v pyval.Value) error {
	switch c := container.(type) {
	case *pyval.Dict:
		c.SetStr(key, v)
		return nil
	case *pyval.List:
		return Raise("TypeError", "list indices must be integers or slices, not str")
	}
	return Raise("TypeError", "'"+pyval.TypeName(container)+"' object does not support item assignment")
}

// MustDict returns a value as a dict; the error is Python's AttributeError for
// a method of dict on anything else.
func MustDict(v pyval.Value, method string) (*pyval.Dict, error) {
	if d, ok := v.(*pyval.Dict); ok {
		return d, nil
	}
	return nil, Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'")
}
