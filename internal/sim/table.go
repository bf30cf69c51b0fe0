package sim

import "github.com/gobfcl/bfcl/internal/pyval"

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

// Setting is a scenario's value of a key, or the default where it has none.
func Setting(scenario *pyval.Dict, key string, def pyval.Value) pyval.Value {
	if v, ok := scenario.GetStr(key); ok {
		return v
	}
	return def
}

// Record is a dict of the given keys and values, in that order.
func Record(keys []string, vals ...pyval.Value) *pyval.Dict {
	d := pyval.NewDict(len(keys))
	for i, key := range keys {
		d.SetStr(key, vals[i])
	}
	return d
}
