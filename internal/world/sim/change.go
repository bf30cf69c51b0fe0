package sim

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
