package jinja

import "github.com/gobfcl/bfcl/internal/python/pyval"

// filtered returns what a block's filters make of its text.
func (f *frame) filtered(filter expr, body []stmt) object {
	inner := f.inner()
	inner.vars[blockText] = pyval.Str(f.inner().capture(body))
	return filter.eval(inner)
}

// blockText is the name that a block's filters read its text from; no template
// can write it.
const blockText = "\x00"

func (f *frame) assign(t target, v object) signal {
	switch {
	case t.parts != nil:
		items := f.iterate(t.line, check(t.line, v))
		if len(items) != len(t.parts) {
			fail(t.line, "ValueError: expected %d values, got %d", len(t.parts), len(items))
		}
		for i, part := range t.parts {
			f.assign(part, items[i])
		}
	case t.attr != "":
		of, _ := f.lookup(t.name)
		ns, ok := of.(*namespace)
		if !ok {
			fail(t.line, "cannot assign attribute on non-namespace object")
		}
		ns.attrs[t.attr] = v
	default:
		f.vars[t.name] = v
	}
	return proceed
}

// A loop is the variable `loop` inside a for.
type loop struct {
	own
	items []object
	at    int
}

// selected returns the items that a loop's own if lets through.
func (f *frame) selected(items []object, to target, only expr) (out []object) {
	for _, item := range items {
		inner := f.inner()
		inner.assign(to, item)
		if truth(only.eval(inner)) {
			out = append(out, item)
		}
	}
	return out
}

func (l *loop) neighbour(at int) object {
	if at < 0 || at >= len(l.items) {
		return &undefined{hint: "there is no such item"}
	}
	return l.items[at]
}

// attribute returns an attribute of the loop, nil if it does not have it.
func (l *loop) attribute(name string) object {
	n := func(i int) object { return pyval.MakeInt(int64(i)) }
	switch name {
	case "index":
		return n(l.at + 1)
	case "index0":
		return n(l.at)
	case "revindex":
		return n(len(l.items) - l.at)
	case "revindex0":
		return n(len(l.items) - l.at - 1)
	case "first":
		return pyval.Bool(l.at == 0)
	case "last":
		return pyval.Bool(l.at == len(l.items)-1)
	case "length":
		return n(len(l.items))
	case "previtem":
		return l.neighbour(l.at - 1)
	case "nextitem":
		return l.neighbour(l.at + 1)
	}
	return nil
}
