package jinja

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func (e *literal) eval(*frame) object { return e.value }

func (e *load) eval(f *frame) object {
	f.step(e.line)
	if v, ok := f.lookup(e.name); ok {
		return v
	}
	return &undefined{hint: "'" + e.name + "' is undefined"}
}

func (e *listExpr) eval(f *frame) object {
	f.step(e.line)
	items := make([]pyval.Value, len(e.items))
	for i, item := range e.items {
		items[i] = plain(e.line, item.eval(f))
	}
	if e.tuple {
		return f.made(e.line, pyval.NewTuple(items...))
	}
	return f.made(e.line, pyval.NewList(items...))
}

func (e *dictExpr) eval(f *frame) object {
	f.step(e.line)
	out := pyval.NewDict(len(e.keys))
	for i, key := range e.keys {
		k := plain(e.line, key.eval(f))
		must(e.line, 0, out.Set(k, plain(e.line, e.vals[i].eval(f))))
	}
	return f.made(e.line, out)
}

func (e *attrExpr) eval(f *frame) object {
	f.step(e.line)
	return attribute(e.line, check(e.line, e.of.eval(f)), e.name)
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

func (e *itemExpr) eval(f *frame) object {
	f.step(e.line)
	of := check(e.line, e.of.eval(f))
	return f.item(e.line, of, e.key.eval(f))
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

func (e *sliceExpr) eval(f *frame) object {
	f.step(e.line)
	of := plain(e.line, e.of.eval(f))
	bound := func(x expr) (int, bool) {
		if x == nil {
			return 0, false
		}
		v := plain(e.line, x.eval(f))
		if v.Kind() == pyval.KindNone {
			return 0, false
		}
		n, ok := pyval.IntOf(v)
		if !ok {
			fail(e.line, "TypeError: slice indices must be integers or None")
		}
		return clamp(n), true
	}
	step, ok := bound(e.step)
	if !ok {
		step = 1
	}
	if step == 0 {
		fail(e.line, "ValueError: slice step cannot be zero")
	}
	low, hasLow := bound(e.low)
	high, hasHigh := bound(e.high)
	return f.slice(e.line, of, span{low, high, step, hasLow, hasHigh})
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

func (e *unaryExpr) eval(f *frame) object {
	f.step(e.line)
	v, err := pyval.Unary(e.op, plain(e.line, e.of.eval(f)))
	return must(e.line, v, err)
}

func (e *binaryExpr) eval(f *frame) object {
	f.step(e.line)
	left, right := e.a.eval(f), e.b.eval(f)
	if e.op == "+" {
		if sum, ok := f.added(e.line, left, right); ok {
			return sum
		}
	}
	a, b := plain(e.line, left), plain(e.line, right)
	if s, ok := a.(pyval.Str); ok && e.op == "%" {
		return pyval.Str(f.percent(e.line, string(s), b))
	}
	v, err := pyval.Operate(e.op, a, b)
	v = must(e.line, v, err)
	switch v := v.(type) {
	case pyval.Str:
		f.r.spend(e.line, len(v))
	case *pyval.List:
		f.r.spend(e.line, stepCost*len(v.Items))
	case *pyval.Tuple:
		f.r.spend(e.line, stepCost*len(v.Items))
	}
	return v
}

func (e *concatExpr) eval(f *frame) object {
	f.step(e.line)
	var b strings.Builder
	for _, part := range e.parts {
		s := f.str(e.line, part.eval(f))
		f.r.spend(e.line, len(s))
		b.WriteString(s)
	}
	return pyval.Str(b.String())
}

func (e *compareExpr) eval(f *frame) object {
	f.step(e.line)
	a := e.first.eval(f)
	for i, op := range e.ops {
		b := e.rest[i].eval(f)
		if !f.compare(e.line, op, a, b) {
			return pyval.Bool(false)
		}
		a = b
	}
	return pyval.Bool(true)
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

func (e *logicExpr) eval(f *frame) object {
	a := e.a.eval(f)
	if truth(a) != e.and {
		return a
	}
	return e.b.eval(f)
}

func (e *notExpr) eval(f *frame) object { return pyval.Bool(!truth(e.of.eval(f))) }

func (e *condExpr) eval(f *frame) object {
	f.step(e.line)
	switch {
	case truth(e.cond.eval(f)):
		return e.yes.eval(f)
	case e.alt != nil:
		return e.alt.eval(f)
	}
	return &undefined{hint: "the inline if-expression evaluated to false and no else section was defined."}
}

func (e *useExpr) eval(f *frame) object {
	f.step(e.line)
	r, of := routineOf(e.line, e.kind, e.name), e.of.eval(f)
	if e.kind == "filter" {
		return f.apply(e.line, e.name, r, of, f.args(e.line, e.args))
	}
	return pyval.Bool(truth(f.apply(e.line, e.name, r, bare(of), f.args(e.line, e.args))) != e.negated)
}

// routineOf returns the filter or the test of a name.
func routineOf(line int, kind, name string) routine {
	r, ok := routines[kind][name]
	if !ok {
		fail(line, "No %s named '%s'.", kind, name)
	}
	return r
}
