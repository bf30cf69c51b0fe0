package sim

import (
	"fmt"
	"strconv"
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

// A Change is one place at which two states differ.
type Change struct {
	// Path leads to the place: attribute, then keys and indices, such as
	// ticket_queue[0].priority.
	Path string
	// Before and After are the values there; nil if there is none.
	Before, After pyval.Value
}

// Changes returns the places at which two states differ by Python's ==, in
// their order, as deep inside as possible. Neither state is changed.
func Changes(before, after *pyval.Dict) []Change {
	var c comparison
	c.dicts("", before, after, 0)
	return c.changes
}

// deepest is how many levels inside a state are compared one by one.
const deepest = 40

type comparison struct{ changes []Change }

func (c *comparison) add(path string, before, after pyval.Value) {
	c.changes = append(c.changes, Change{path, before, after})
}

func (c *comparison) values(path string, before, after pyval.Value, depth int) {
	if pyval.Equal(before, after) {
		return
	}
	switch b := before.(type) {
	case *pyval.Dict:
		if a, ok := after.(*pyval.Dict); ok && depth < deepest {
			c.dicts(path, b, a, depth+1)
			return
		}
	case *pyval.List:
		if a, ok := after.(*pyval.List); ok && depth < deepest {
			c.lists(path, b.Items, a.Items, depth+1)
			return
		}
	}
	c.add(path, before, after)
}

func (c *comparison) dicts(path string, before, after *pyval.Dict, depth int) {
	found := len(c.changes)
	for key, b := range before.All() {
		if a, ok := after.Get(key); ok {
			c.values(path+step(path, key), b, a, depth)
		} else {
			c.add(path+step(path, key), b, nil)
		}
	}
	for key, a := range after.All() {
		if _, ok := before.Get(key); !ok {
			c.add(path+step(path, key), nil, a)
		}
	}
	if len(c.changes) == found && path != "" { // such as a NaN in both
		c.add(path, before, after)
	}
}

// lists leaves out what both begin and end with, and compares the rest item by
// item.
func (c *comparison) lists(path string, before, after []pyval.Value, depth int) {
	from, short := 0, min(len(before), len(after))
	for from < short && pyval.Equal(before[from], after[from]) {
		from++
	}
	end := 0
	for end < short-from && pyval.Equal(before[len(before)-1-end], after[len(after)-1-end]) {
		end++
	}
	b, a := before[from:len(before)-end], after[from:len(after)-end]
	for i := range max(len(b), len(a)) {
		at := path + "[" + strconv.Itoa(from+i) + "]"
		switch {
		case i >= len(a):
			c.add(at, b[i], nil)
		case i >= len(b):
			c.add(at, nil, a[i])
		default:
			c.values(at, b[i], a[i], depth)
		}
	}
}

// step is a key as part of a path.
func step(path string, key pyval.Value) string {
	name, ok := key.(pyval.Str)
	if !ok || name == "" || strings.ContainsFunc(string(name), func(r rune) bool { return !isWord(r) && r != '.' && r != '-' }) {
		return "[" + pyval.Repr(key) + "]"
	}
	if path == "" {
		return string(name)
	}
	return "." + string(name)
}
