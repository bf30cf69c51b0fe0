package jinja

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// literal returns an expression with a value of its own.
func literal(v pyval.Value) expr { return computed(func(*frame) object { return v }) }

// load returns the value of a name.
func load(line int, name string) expr {
	return stepped(line, func(f *frame) object {
		if v, ok := f.lookup(name); ok {
			return v
		}
		return &undefined{hint: "'" + name + "' is undefined"}
	})
}

// display returns a list or a tuple.
func display(line int, items []expr, tuple bool) expr {
	return stepped(line, func(f *frame) object {
		vals := make([]pyval.Value, len(items))
		for i, item := range items {
			vals[i] = plain(line, item.eval(f))
		}
		if tuple {
			return f.made(line, pyval.NewTuple(vals...))
		}
		return f.made(line, pyval.NewList(vals...))
	})
}

// attribute returns of.name: an attribute or method, or else the item of that
// name.
func attribute(line int, of object, name string) object {
	of = bare(of)
	if v := ownAttribute(of, name); v != nil {
		return v
	}
	if m := method(of, name); m != nil {
		return m
	}
	if d, ok := of.(*pyval.Dict); ok {
		if v, ok := d.GetStr(name); ok {
			return v
		}
	}
	return missing(of, "'"+name+"'")
}

// ownAttribute returns an attribute of one of the language's own objects.
func ownAttribute(of object, name string) object {
	switch v := of.(type) {
	case *namespace:
		if got, ok := v.attrs[name]; ok {
			return got
		}
	case *loop:
		return v.attribute(name)
	case *macro:
		if name == "name" {
			return pyval.Str(v.def.name)
		}
	}
	return nil
}

// itemOf returns an item, or else the attribute of that name.
func itemOf(line int, of, key expr) expr {
	return stepped(line, func(f *frame) object {
		of := check(line, of.eval(f))
		return f.item(line, of, key.eval(f))
	})
}

// item returns of[key]: an item, or else the attribute of that name. Nothing is
// found under a key that is undefined.
func (f *frame) item(line int, of, key object) object {
	of, key = bare(of), bare(key)
	v, ok := of.(pyval.Value)
	k, plainKey := key.(pyval.Value)
	if ok && plainKey {
		if got, err := pyval.Subscript(v, k); err == nil {
			return got
		}
	}
	if name, ok := k.(pyval.Str); ok {
		return attribute(line, of, string(name))
	}
	if !plainKey {
		return missing(of, "of that key")
	}
	if n, ok := k.(pyval.Int); ok && of.Kind() != pyval.KindDict && of.Kind() != pyval.KindNone {
		return &undefined{hint: typeName(of) + " object has no element " + n.String()}
	}
	f.weigh(line, k)
	return missing(of, pyval.Repr(k))
}

// sliced returns the part of a value between two bounds; parts that are not
// given are nil.
func sliced(line int, of expr, parts [3]expr) expr {
	return stepped(line, func(f *frame) object {
		of := plain(line, of.eval(f))
		bound := func(x expr) (int, bool) {
			if x == nil {
				return 0, false
			}
			v := plain(line, x.eval(f))
			if v.Kind() == pyval.KindNone {
				return 0, false
			}
			n, ok := pyval.IntOf(v)
			if !ok {
				fail(line, "TypeError: slice indices must be integers or None")
			}
			return clamp(n), true
		}
		step, ok := bound(parts[2])
		if !ok {
			step = 1
		}
		if step == 0 {
			fail(line, "ValueError: slice step cannot be zero")
		}
		low, hasLow := bound(parts[0])
		high, hasHigh := bound(parts[1])
		return f.slice(line, of, span{low, high, step, hasLow, hasHigh})
	})
}

// clamp returns n as an int, limited to a value that is larger than any index.
func clamp(n pyval.Int) int {
	const far = 1 << 40
	if v, ok := n.Int64(); ok {
		return int(min(max(v, -far), far))
	}
	return n.Sign() * far
}

// A span is what a slice selects.
type span struct {
	low, high, step int
	hasLow, hasHigh bool
}

// bounds returns where a slice of n items begins and ends.
func (s span) bounds(n int) (from, to int) {
	edge := func(v int, set bool, otherwise int) int {
		if !set {
			return otherwise
		}
		if v < 0 {
			v += n
		}
		if s.step < 0 {
			return min(max(v, -1), n-1)
		}
		return min(max(v, 0), n)
	}
	if s.step < 0 {
		return edge(s.low, s.hasLow, n-1), edge(s.high, s.hasHigh, -1)
	}
	return edge(s.low, s.hasLow, 0), edge(s.high, s.hasHigh, n)
}

func (f *frame) slice(line int, of pyval.Value, s span) object {
	switch of.(type) {
	case pyval.Str, *pyval.List, *pyval.Tuple:
	default:
		return missing(of, "of a slice")
	}
	items := f.iterate(line, of)
	from, to := s.bounds(len(items))
	var out []pyval.Value
	for i := from; s.step > 0 && i < to || s.step < 0 && i > to; i += s.step {
		out = append(out, items[i].(pyval.Value))
	}
	f.r.spend(line, len(out))
	switch of.(type) {
	case pyval.Str:
		var b strings.Builder
		for _, c := range out {
			b.WriteString(string(c.(pyval.Str)))
		}
		return pyval.Str(b.String())
	case *pyval.Tuple:
		return pyval.NewTuple(out...)
	}
	return pyval.NewList(out...)
}

// binary returns the result of an operator.
func binary(line int, op string, a, b expr) expr {
	return stepped(line, func(f *frame) object {
		left, right := a.eval(f), b.eval(f)
		if op == "+" {
			if sum, ok := f.added(line, left, right); ok {
				return sum
			}
		}
		a, b := plain(line, left), plain(line, right)
		if s, ok := a.(pyval.Str); ok && op == "%" {
			return pyval.Str(f.percent(line, string(s), b))
		}
		v, err := pyval.Operate(op, a, b)
		v = must(line, v, err)
		switch v := v.(type) {
		case pyval.Str:
			f.r.spend(line, len(v))
		case *pyval.List:
			f.r.spend(line, stepCost*len(v.Items))
		case *pyval.Tuple:
			f.r.spend(line, stepCost*len(v.Items))
		}
		return v
	})
}

func (f *frame) compare(line int, op string, a, b object) bool {
	switch op {
	case "==":
		return f.equal(line, a, b)
	case "!=":
		return !f.equal(line, a, b)
	case "in":
		return f.contains(line, b, a)
	case "not in":
		return !f.contains(line, b, a)
	}
	x, y := plain(line, a), plain(line, b)
	f.weigh(line, x)
	ok, err := pyval.Order(op, x, y)
	return must(line, ok, err)
}

// contains reports whether item is in v.
func (f *frame) contains(line int, v, item object) bool {
	v, item = bare(v), bare(item)
	if p, ok := v.(pyval.Value); ok {
		f.weigh(line, p)
		if i, ok := item.(pyval.Value); ok {
			in, err := pyval.Contains(p, i)
			return must(line, in, err)
		}
		if p.Kind() == pyval.KindStr {
			check(line, item)
		}
	}
	for _, other := range f.iterate(line, v) {
		if f.equal(line, item, other) {
			return true
		}
	}
	return false
}

// routineOf returns the filter or the test of a name.
func routineOf(line int, kind, name string) routine {
	r, ok := routines[kind][name]
	if !ok {
		fail(line, "No %s named '%s'.", kind, name)
	}
	return r
}
