package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Item is Python's container[key].
func Item(container, key pyval.Value) (pyval.Value, error) {
	switch c := container.(type) {
	case *pyval.Dict:
		if err := pyval.Hashable(key); err != nil {
			return nil, Raise("TypeError", err.Error())
		}
		v, ok := c.Get(key)
		if !ok {
			return nil, KeyError(key)
		}
		return v, nil
	case *pyval.List:
		return itemAt(c.Items, key, "list indices must be integers or slices, not "+pyval.TypeName(key), "list")
	case *pyval.Tuple:
		return itemAt(c.Items, key, "tuple indices must be integers or slices, not "+pyval.TypeName(key), "tuple")
	case pyval.Str:
		return itemAt(pyval.Characters(string(c)), key, "string indices must be integers, not '"+pyval.TypeName(key)+"'", "string")
	}
	return nil, Raise("TypeError", "'"+pyval.TypeName(container)+"' object is not subscriptable")
}

// Entry is Python's container["key"].
func Entry(container pyval.Value, key string) (pyval.Value, error) {
	if d, ok := container.(*pyval.Dict); ok {
		if v, ok := d.GetStr(key); ok {
			return v, nil
		}
	}
	return Item(container, pyval.Str(key))
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

func itemAt(items []pyval.Value, key pyval.Value, wrong, what string) (pyval.Value, error) {
	n, ok := IntOf(key)
	if !ok {
		return nil, Raise("TypeError", wrong)
	}
	i, small := n.Int64()
	if i < 0 {
		i += int64(len(items))
	}
	if !small || i < 0 || i >= int64(len(items)) {
		return nil, Raise("IndexError", what+" index out of range")
	}
	return items[i], nil
}

// MustDict returns a value as a dict; the error is Python's AttributeError for
// a method of dict on anything else.
func MustDict(v pyval.Value, method string) (*pyval.Dict, error) {
	if d, ok := v.(*pyval.Dict); ok {
		return d, nil
	}
	return nil, Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'")
}
