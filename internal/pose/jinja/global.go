package jinja

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// globals are the functions that every template can call.
var globals = map[string]func(f *frame, line int, a args) object{
	"raise_exception": globalRaise,
	"strftime_now":    globalNow,
	"range":           globalRange,
	"namespace":       globalNamespace,
	"dict":            globalDict,
	"cycler":          globalCycler,
	"joiner":          globalJoiner,
}

func globalRaise(f *frame, line int, a args) object {
	msg := f.str(line, a.bind(line, "raise_exception", 1, "message")[0])
	panic(&Error{Line: line, Msg: msg, Raised: true})
}

func globalNow(f *frame, line int, a args) object {
	return pyval.Str(strftime(f.r.options.Now(), word(line, a.bind(line, "strftime_now", 1, "format")[0])))
}

// maxRange is how long a range may be, as in Jinja2's sandbox.
const maxRange = 100000

func globalRange(f *frame, line int, a args) object {
	got := a.bind(line, "range", 1, "start", "stop", "step")
	var n [3]int
	for i, v := range got {
		if v != nil {
			n[i] = clamp(f.integer(line, v))
		}
	}
	from, to, step := n[0], n[1], n[2]
	if got[1] == nil {
		from, to = 0, n[0]
	}
	if got[2] == nil {
		step = 1
	}
	if step == 0 {
		fail(line, "ValueError: range() arg 3 must not be zero")
	}
	if size := (to - from + step) / step; size > maxRange {
		fail(line, "OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	out := &pyval.List{}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		out.Items = append(out.Items, pyval.MakeInt(int64(i)))
	}
	f.r.spend(line, stepCost*len(out.Items))
	return out
}

func globalNamespace(f *frame, line int, a args) object {
	ns := &namespace{attrs: map[string]object{}}
	for _, v := range a.pos {
		d, ok := v.(*pyval.Dict)
		if !ok {
			fail(line, "TypeError: '%s' object is not a mapping", typeName(v))
		}
		f.r.spend(line, stepCost*d.Len())
		for key, val := range d.All() {
			ns.attrs[pyval.Text(key)] = val
		}
	}
	for _, key := range a.keys {
		ns.attrs[key] = a.kw[key]
	}
	return ns
}

func globalDict(f *frame, line int, a args) object {
	out := pyval.NewDict(len(a.keys))
	for _, v := range a.pos {
		if d, ok := v.(*pyval.Dict); ok {
			f.r.spend(line, stepCost*d.Len())
			out = d.Clone()
			continue
		}
		for _, pair := range f.iterate(line, v) {
			kv := f.iterate(line, pair)
			if len(kv) != 2 {
				fail(line, "ValueError: a dict needs pairs")
			}
			must(line, 0, out.Set(plain(line, kv[0]), plain(line, kv[1])))
		}
	}
	for _, key := range a.keys {
		out.SetStr(key, plain(line, a.kw[key]))
	}
	return f.made(line, out)
}

func globalCycler(_ *frame, line int, a args) object {
	if len(a.pos) == 0 {
		fail(line, "RuntimeError: at least one item has to be provided")
	}
	return &cycler{items: a.pos}
}

// attribute returns an attribute of the cycler, nil if it does not have it.
func (c *cycler) attribute(name string) object {
	switch name {
	case "current":
		return c.items[c.at]
	case "next":
		return &function{name: name, call: func(*frame, int, args) object {
			v := c.items[c.at]
			c.at = (c.at + 1) % len(c.items)
			return v
		}}
	case "reset":
		return &function{name: name, call: func(*frame, int, args) object {
			c.at = 0
			return pyval.None
		}}
	}
	return nil
}

// globalJoiner returns a function that returns "" at first and its separator
// from then on.
func globalJoiner(_ *frame, line int, a args) object {
	sep := a.bind(line, "joiner", 0, "sep")[0]
	if sep == nil {
		sep = pyval.Str(", ")
	}
	used := false
	return &function{name: "joiner", call: func(*frame, int, args) object {
		if used {
			return sep
		}
		used = true
		return pyval.Str("")
	}}
}
