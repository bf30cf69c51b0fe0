package sim

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// MustList returns a value as a list; the error is Python's AttributeError for
// a method of list on anything else.
func MustList(v pyval.Value, method string) (*pyval.List, error) {
	if l, ok := v.(*pyval.List); ok {
		return l, nil
	}
	return nil, Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'")
}

// Append is Python's list.append(item).
func Append(list, item pyval.Value) error {
	l, err := MustList(list, "append")
	if err != nil {
		return err
	}
	l.Items = append(l.Items, item)
	return nil
}

// Remove is Python's list.remove(item): the first equal element goes.
func Remove(list, item pyval.Value) error {
	l, err := MustList(list, "remove")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(l.Items, func(v pyval.Value) bool { return pyval.Equal(v, item) })
	if i < 0 {
		return Raise("ValueError", "list.remove(x): x not in list")
	}
	l.Items = slices.Delete(l.Items, i, i+1)
	return nil
}

// Set is Python's container[key] = v.
func Set(container, key, v pyval.Value) error {
	d, ok := container.(*pyval.Dict)
	if !ok {
		return SetEntry(container, pyval.Text(key), v)
	}
	if err := d.Set(key, v); err != nil {
		return Raise("TypeError", err.Error())
	}
	return nil
}
