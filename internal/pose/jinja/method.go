package jinja

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// unsafeMethods are the methods of dict and list that would change a value;
// they are refused, as in transformers.
var unsafeMethods = map[pyval.Kind][]string{
	pyval.KindDict: {"clear", "pop", "popitem", "setdefault", "update", "fromkeys"},
	pyval.KindList: {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"},
}

// method returns a method of a Python value, nil if the value has none of that
// name.
func method(of object, name string) object {
	if slices.Contains(unsafeMethods[of.Kind()], name) {
		return &undefined{hint: "access to attribute '" + name + "' of '" + of.Kind().String() + "' object is unsafe."}
	}
	var table map[string]routine
	switch v := of.(type) {
	case pyval.Str:
		table = textMethods
	case *pyval.Dict:
		table = dictMethods
	case *pyval.List:
		table = listMethods
	case *pyval.Tuple:
		if name != "copy" {
			of, table = pyval.NewList(v.Items...), listMethods
		}
	}
	if r, ok := table[name]; ok {
		return &function{name: name, routine: r, of: of}
	}
	return nil
}

var dictMethods = map[string]routine{
	"items": takes(0, "", func(c *call) object {
		return &generator{items: c.pairs(c.line, c.of.(*pyval.Dict)), view: true}
	}),
	"keys": takes(0, "", func(c *call) object { return &generator{items: c.items(), view: true} }),
	"values": takes(0, "", func(c *call) object {
		out := &generator{view: true}
		for _, val := range c.of.(*pyval.Dict).All() {
			out.items = append(out.items, val)
		}
		c.r.spend(c.line, stepCost*len(out.items))
		return out
	}),
	"get": takes(1, "key default", func(c *call) object {
		key := plain(c.line, c.got[0])
		must(c.line, 0, pyval.Hashable(key))
		if v, ok := c.of.(*pyval.Dict).Get(key); ok {
			return v
		}
		return c.or(1, pyval.None)
	}),
	"copy": takes(0, "", func(c *call) object {
		d := c.of.(*pyval.Dict)
		c.r.spend(c.line, stepCost*d.Len())
		return d.Clone()
	}),
}

var listMethods = map[string]routine{
	"copy": takes(0, "", func(c *call) object { return c.list(c.line, c.items()) }),
	"count": takes(1, "value", func(c *call) object {
		n := 0
		for _, item := range c.items() {
			if c.equal(c.line, item, c.got[0]) {
				n++
			}
		}
		return pyval.MakeInt(int64(n))
	}),
	"index": takes(1, "value", func(c *call) object {
		for i, item := range c.items() {
			if c.equal(c.line, item, c.got[0]) {
				return pyval.MakeInt(int64(i))
			}
		}
		fail(c.line, "ValueError: %s is not in list", typeName(c.got[0]))
		return nil
	}),
}
