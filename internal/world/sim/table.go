package sim

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// On makes a Method's Call of a function on the class's own instance type.
func On[T Instance](f func(self T, args []pyval.Value) (pyval.Value, error)) func(Instance, []pyval.Value) (pyval.Value, error) {
	return func(self Instance, args []pyval.Value) (pyval.Value, error) { return f(self.(T), args) }
}

// Required are parameters without defaults.
func Required(names ...string) []Param {
	params := make([]Param, len(names))
	for i, name := range names {
		params[i].Name = name
	}
	return params
}

// Keys are the keys of a record that is made often.
type Keys []pyval.Value

// NewKeys makes Keys of names, which must differ.
func NewKeys(names ...string) Keys {
	keys := make(Keys, len(names))
	for i, name := range names {
		keys[i] = pyval.Str(name)
	}
	return keys
}

// Record returns a dict of the keys and the given values, in that order.
func (k Keys) Record(vals ...pyval.Value) *pyval.Dict {
	d := pyval.NewDict(len(k))
	for i, key := range k {
		d.Add(key, vals[i])
	}
	return d
}

// Record returns a dict of the given keys and values, in that order.
func Record(keys []string, vals ...pyval.Value) *pyval.Dict {
	d := pyval.NewDict(len(keys))
	for i, key := range keys {
		d.SetStr(key, vals[i])
	}
	return d
}

// Table returns a dict written as JSON in a class's source; it panics if the
// text is not a dict. It must not be changed: take a pyval.DeepCopy.
func Table(json string) *pyval.Dict {
	v, err := pyval.ParseJSON(json)
	if d, ok := v.(*pyval.Dict); ok && err == nil {
		return d
	}
	panic(fmt.Sprintf("sim: not a table: %v in %s", err, json))
}

// FieldsOf returns the keys of a table of defaults, and others.
func FieldsOf(defaults *pyval.Dict, others ...string) []string {
	var out []string
	for key := range defaults.All() {
		out = append(out, pyval.Text(key))
	}
	return append(out, others...)
}

// Default returns a scenario's value of a key, or a copy of the one in a table
// of defaults.
func Default(scenario, defaults *pyval.Dict, key string) pyval.Value {
	if v, ok := scenario.GetStr(key); ok {
		return v
	}
	v, _ := defaults.GetStr(key)
	return pyval.DeepCopy(v)
}

// Find returns the value of a key, and whether it is there; the error is
// Python's for a key that cannot be hashed.
func Find(d *pyval.Dict, key pyval.Value) (v pyval.Value, ok bool, err error) {
	if v, ok = d.Get(key); ok {
		return v, true, nil
	}
	if err := pyval.Hashable(key); err != nil {
		return nil, false, Raise("TypeError", err.Error())
	}
	return nil, false, nil
}
