package jinja

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A loop is the variable `loop` inside a for.
type loop struct {
	own
	items   []object
	at      int
	depth   int
	stmt    *forStmt
	home    *frame // the scope around the for
	changed []object
}

func (s *forStmt) exec(f *frame) signal {
	f.step(s.line)
	s.run(f, s.in.eval(f), 0)
	return proceed
}

// run goes through the items of v.
func (s *forStmt) run(f *frame, v object, depth int) {
	l := &loop{items: s.selected(f, f.iterate(s.line, v)), depth: depth, stmt: s, home: f}
	for l.at = range l.items {
		f.r.spend(s.line, loopCost)
		inner := f.inner()
		inner.vars["loop"] = l
		inner.assign(s.target, l.items[l.at])
		if inner.run(s.body) == leave {
			return
		}
	}
	if len(l.items) == 0 {
		f.inner().run(s.alt)
	}
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

var recursion = takes(1, "iterable", nil)

// call returns loop(items) of a recursive for.
func (l *loop) call(f *frame, line int, a args) object {
	if !l.stmt.recursive {
		fail(line, "TypeError: The loop must have the 'recursive' marker to be called recursively.")
	}
	got := a.bind(line, "loop", recursion)
	return pyval.Str(f.captured(func() { l.stmt.run(l.home, got[0], l.depth+1) }))
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
	case "depth":
		return n(l.depth + 1)
	case "depth0":
		return n(l.depth)
	case "previtem":
		return l.neighbour(l.at - 1)
	case "nextitem":
		return l.neighbour(l.at + 1)
	case "cycle":
		return &function{name: name, routine: takesAny(l.cycle)}
	case "changed":
		return &function{name: name, routine: takesAny(l.change)}
	}
	return nil
}

func (l *loop) cycle(c *call) object {
	if len(c.pos) == 0 {
		fail(c.line, "TypeError: no items for cycling given")
	}
	return c.pos[l.at%len(c.pos)]
}

// change reports whether the values differ from those of the last call.
func (l *loop) change(c *call) object {
	same := l.changed != nil && len(l.changed) == len(c.pos)
	for i := 0; same && i < len(c.pos); i++ {
		same = c.equal(c.line, c.pos[i], l.changed[i])
	}
	l.changed = append([]object{}, c.pos...)
	return pyval.Bool(!same)
}
