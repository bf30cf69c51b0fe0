package sim

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Object is an instance whose state is one dict of attributes, as the
// scenario gives them: upstream checks no types, so a wrong one raises where it
// is used.
type Object struct {
	*World
	Attrs  *pyval.Dict
	Random *Random
}

// Load returns a Class's New for Objects: see NewObject.
func Load(defaults *pyval.Dict, seed int64) func(*pyval.Dict, *World) (Instance, error) {
	return New(func(scenario *pyval.Dict, world *World) Instance {
		return NewObject(scenario, defaults, seed, world)
	})
}

// NewObject returns an Object with the attributes of a table of defaults, in its
// order and with the scenario's values. The seed is that of a scenario without
// a random_seed; 0 if nothing is drawn.
func NewObject(scenario, defaults *pyval.Dict, seed int64, world *World) *Object {
	o := &Object{World: world, Attrs: pyval.NewDict(defaults.Len() + 2)}
	if seed != 0 {
		o.Random = SeedOf(scenario, seed)
	}
	for key := range defaults.All() {
		o.Attrs.Add(key, Default(scenario, defaults, string(key.(pyval.Str))))
	}
	return o
}

// State implements Instance.
func (o *Object) State() *pyval.Dict { return o.Attrs }

// Get returns an attribute, which must exist.
func (o *Object) Get(name string) pyval.Value {
	v, ok := o.Attrs.GetStr(name)
	if !ok {
		panic("sim: no attribute " + name)
	}
	return v
}

// True reports whether an attribute is true in Python's sense.
func (o *Object) True(name string) bool { return pyval.Truth(o.Get(name)) }

// Set sets an attribute.
func (o *Object) Set(name string, v any) { o.Attrs.SetStr(name, Value(v)) }

// Add is Python's self.name += n.
func (o *Object) Add(name string, n any) { o.Set(name, Calc(o.Get(name), "+", n)) }

// On makes a Method's Call of a function on the class's own instance type. The
// function raises by panicking with an Exception or an Outage.
func On[T Instance](f func(self T, args []pyval.Value) pyval.Value) func(Instance, []pyval.Value) (pyval.Value, error) {
	return func(self Instance, args []pyval.Value) (v pyval.Value, err error) {
		defer pyval.Catch(&err)
		return f(self.(T), args), nil
	}
}

// New makes a Class's New of a function that raises by panicking.
func New(f func(scenario *pyval.Dict, world *World) Instance) func(*pyval.Dict, *World) (Instance, error) {
	return func(scenario *pyval.Dict, world *World) (i Instance, err error) {
		defer pyval.Catch(&err)
		return f(scenario, world), nil
	}
}

// Params reads parameters: a name, or a name, "=" and the default as JSON.
func Params(texts ...string) []Param {
	params := make([]Param, len(texts))
	for i, text := range texts {
		name, def, optional := strings.Cut(text, "=")
		if params[i].Name = name; optional {
			params[i].Default = constant(def)
		}
	}
	return params
}

// constant reads JSON in a class's source.
func constant(json string) pyval.Value {
	v, err := pyval.ParseJSON(json)
	if err != nil {
		panic(fmt.Sprintf("sim: %v in %s", err, json))
	}
	return v
}

// Table returns a dict written as JSON in a class's source; it panics if the
// text is not a dict. It must not be changed: take a pyval.DeepCopy.
func Table(json string) *pyval.Dict { return constant(json).(*pyval.Dict) }

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
