package jinja

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// globals are the functions that every template can call.
var globals = map[string]routine{
	"raise_exception": takes(1, "message", globalRaise), "strftime_now": takes(1, "format", globalNow),
	"range": takes(1, "start stop step", globalRange), "joiner": takes(0, "sep", globalJoiner),
	"namespace": takesAny(globalNamespace), "dict": takesAny(globalDict), "cycler": takesAny(globalCycler),
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

func globalCycler(c *call) object {
	if len(c.pos) == 0 {
		fail(c.line, "RuntimeError: at least one item has to be provided")
	}
	return &cycler{items: c.pos}
}

// attribute returns an attribute of the cycler, nil if it does not have it.
func (c *cycler) attribute(name string) object {
	switch name {
	case "current":
		return c.items[c.at]
	case "next":
		return &function{name: name, routine: takes(0, "", func(*call) object {
			v := c.items[c.at]
			c.at = (c.at + 1) % len(c.items)
			return v
		})}
	case "reset":
		return &function{name: name, routine: takes(0, "", func(*call) object {
			c.at = 0
			return pyval.None
		})}
	}
	return nil
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
