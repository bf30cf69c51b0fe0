package jinja

import "github.com/gobfcl/bfcl/internal/python/pyval"

func (s *dataStmt) exec(f *frame) signal {
	f.write(0, s.text)
	return proceed
}

func (s *outputStmt) exec(f *frame) signal {
	f.write(s.line, f.str(s.line, s.value.eval(f)))
	return proceed
}

func (s *ifStmt) exec(f *frame) signal {
	for i, cond := range s.conds {
		if truth(cond.eval(f)) {
			return f.run(s.bodies[i])
		}
	}
	if len(s.bodies) > len(s.conds) {
		return f.run(s.bodies[len(s.conds)])
	}
	return proceed
}

func (s *setStmt) exec(f *frame) signal {
	f.assign(s.target, s.value.eval(f))
	return proceed
}

func (s *setBlock) exec(f *frame) signal {
	var v object = pyval.Str(f.inner().capture(s.body))
	f.assign(s.target, f.filtered(s.filter, v))
	return proceed
}

// filtered returns v after a block's filters.
func (f *frame) filtered(filter expr, v object) object {
	if filter == nil {
		return v
	}
	inner := f.inner()
	inner.vars[blockText] = v
	return filter.eval(inner)
}

// blockText is the name that a block's filters read its text from; no template
// can write it.
const blockText = "\x00"

func (f *frame) assign(t target, v object) {
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
}

func (s *macroStmt) exec(f *frame) signal {
	f.vars[s.macro.name] = &macro{def: s.macro, home: f}
	return proceed
}

func (s *callBlock) exec(f *frame) signal {
	callee := s.call.of.eval(f)
	a := f.args(s.line, s.call.args)
	a.set(s.line, "caller", &macro{def: s.caller, home: f})
	f.write(s.line, f.str(s.line, f.invoke(s.line, callee, a)))
	return proceed
}

func (s *filterBlock) exec(f *frame) signal {
	v := f.filtered(s.filter, pyval.Str(f.inner().capture(s.body)))
	f.write(0, f.str(0, v))
	return proceed
}

func (s *withStmt) exec(f *frame) signal {
	inner := f.inner()
	for i, t := range s.targets {
		inner.assign(t, s.values[i].eval(f))
	}
	return inner.run(s.body)
}

func (s *scopeStmt) exec(f *frame) signal { return f.inner().run(s.body) }

func (s *signalStmt) exec(*frame) signal { return s.signal }

// A loop is the variable `loop` inside a for.
type loop struct {
	own
	items []object
	at    int
}

func (s *forStmt) exec(f *frame) signal {
	f.step(s.line)
	l := &loop{items: s.selected(f, f.iterate(s.line, s.in.eval(f)))}
	for l.at = range l.items {
		f.r.spend(s.line, loopCost)
		inner := f.inner()
		inner.vars["loop"] = l
		inner.assign(s.target, l.items[l.at])
		if inner.run(s.body) == leave {
			break
		}
	}
	if len(l.items) == 0 {
		f.inner().run(s.alt)
	}
	return proceed
}

// selected returns the items that the for's own if lets through.
func (s *forStmt) selected(f *frame, items []object) []object {
	if s.only == nil {
		return items
	}
	var out []object
	for _, item := range items {
		inner := f.inner()
		inner.assign(s.target, item)
		if truth(s.only.eval(inner)) {
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
