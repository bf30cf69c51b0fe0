package jinja

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// globals are the functions that every template can call.
var globals = map[string]routine{
	"raise_exception": takes(1, "message", globalRaise), "strftime_now": takes(1, "format", globalNow),
	"range": takes(1, "start stop step", globalRange), "joiner": takes(0, "sep", globalJoiner),
	"namespace": takesAny(globalNamespace), "dict": takesAny(globalDict),
}

func globalRaise(c *call) object {
	msg := c.str(c.line, c.got[0])
	panic(&Error{Line: c.line, Msg: msg, Raised: true})
}

func globalNow(c *call) object {
	return pyval.Str(strftime(c.r.options.Now(), c.word(0)))
}

// maxRange is how long a range may be, as in Jinja2's sandbox.
const maxRange = 100000

func globalRange(c *call) object {
	var n [3]int
	for i, v := range c.got {
		if v != nil {
			n[i] = clamp(c.integer(c.line, v))
		}
	}
	from, to, step := n[0], n[1], n[2]
	if c.got[1] == nil {
		from, to = 0, n[0]
	}
	if c.got[2] == nil {
		step = 1
	}
	if step == 0 {
		fail(c.line, "ValueError: range() arg 3 must not be zero")
	}
	if size := (to - from + step) / step; size > maxRange {
		fail(c.line, "OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	out := &pyval.List{}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		out.Items = append(out.Items, pyval.MakeInt(int64(i)))
	}
	c.r.spend(c.line, stepCost*len(out.Items))
	return out
}

func globalNamespace(c *call) object {
	ns := &namespace{attrs: map[string]object{}}
	for _, v := range c.pos {
		d, ok := v.(*pyval.Dict)
		if !ok {
			fail(c.line, "TypeError: '%s' object is not a mapping", typeName(v))
		}
		c.r.spend(c.line, stepCost*d.Len())
		for key, val := range d.All() {
			ns.attrs[pyval.Text(key)] = val
		}
	}
	for _, key := range c.keys {
		ns.attrs[key] = c.kw[key]
	}
	return ns
}

func globalDict(c *call) object {
	out := pyval.NewDict(len(c.keys))
	for _, v := range c.pos {
		if d, ok := v.(*pyval.Dict); ok {
			c.r.spend(c.line, stepCost*d.Len())
			out = d.Clone()
			continue
		}
		for _, pair := range c.iterate(c.line, v) {
			kv := c.iterate(c.line, pair)
			if len(kv) != 2 {
				fail(c.line, "ValueError: a dict needs pairs")
			}
			must(c.line, 0, out.Set(plain(c.line, kv[0]), plain(c.line, kv[1])))
		}
	}
	for _, key := range c.keys {
		out.SetStr(key, plain(c.line, c.kw[key]))
	}
	return c.made(c.line, out)
}

// globalJoiner returns a function that returns "" at first and its separator
// from then on.
func globalJoiner(c *call) object {
	var next object = pyval.Str("")
	return &function{name: "joiner", routine: takes(0, "", func(*call) object {
		now := next
		next = c.or(0, pyval.Str(", "))
		return now
	})}
}

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
