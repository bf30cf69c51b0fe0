package exec

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A builtin is one of Python's own functions, as far as a call that should be
// one of ours can reach it.
type builtin struct {
	name     string
	min, max int               // positional arguments; max -1: any number
	wording  func(n int) error // of a wrong number of them
	keywords []string          // known keywords
	run      func(f *frame, args Args) pyval.Value
}

func (b *builtin) call(m *machine, args Args) (object, error) {
	n := len(args.Positional)
	for _, kw := range args.Keywords {
		if len(b.keywords) == 0 {
			return nil, typeError("%s() takes no keyword arguments", b.name)
		}
		if n >= b.min && !slices.Contains(b.keywords, kw.Name) {
			return nil, typeError("'%s' is an invalid keyword argument for %s()", kw.Name, b.name)
		}
	}
	if n < b.min || b.max >= 0 && n > b.max {
		return nil, b.wording(n)
	}
	f := &frame{machine: m, name: b.name}
	v := b.run(f, args)
	if f.err != nil {
		return nil, f.err
	}
	return v, nil
}

// The ways in which CPython words a wrong number of arguments.
func exactlyOne(name string) func(int) error {
	return func(n int) error { return typeError("%s() takes exactly one argument (%d given)", name, n) }
}

func expectedOne(name string) func(int) error {
	return func(n int) error { return typeError("%s expected 1 argument, got %d", name, n) }
}

func atLeastOne(name string) func(int) error {
	return func(n int) error { return typeError("%s expected at least 1 argument, got %d", name, n) }
}

func positionalAtLeastOne(name string) func(int) error {
	return func(n int) error {
		if n > 0 {
			return typeError("%s() takes at most 2 arguments (%d given)", name, n)
		}
		return typeError("%s() takes at least 1 positional argument (%d given)", name, n)
	}
}

func expectedAtMostOne(name string) func(int) error {
	return func(n int) error { return typeError("%s expected at most 1 argument, got %d", name, n) }
}

var builtins = map[string]*builtin{}

func init() {
	for _, b := range []builtin{
		{name: "abs", min: 1, max: 1, wording: exactlyOne("abs"), run: one1((*frame).abs)},
		{name: "len", min: 1, max: 1, wording: exactlyOne("len"), run: one1((*frame).count)},
		{name: "sum", min: 1, max: 2, wording: positionalAtLeastOne("sum"), keywords: []string{"start"}, run: builtinSum},
		{name: "sorted", min: 1, max: 1, wording: expectedOne("sorted"), keywords: []string{"reverse"}, run: builtinSorted},
		{name: "max", min: 1, max: -1, wording: atLeastOne("max"), run: extreme(">")},
		{name: "min", min: 1, max: -1, wording: atLeastOne("min"), run: extreme("<")},
		{name: "float", max: 1, wording: expectedAtMostOne("float"), run: builtinFloat},
		{name: "str", max: 1, wording: expectedAtMostOne("str"), run: builtinStr},
		{name: "bool", max: 1, wording: expectedAtMostOne("bool"), run: builtinBool},
		{name: "list", max: 1, wording: expectedAtMostOne("list"), run: builtinList},
		{name: "tuple", max: 1, wording: expectedAtMostOne("tuple"), run: builtinTuple},
	} {
		builtins[b.name] = &b
	}
}

func one1(run func(*frame, pyval.Value) pyval.Value) func(*frame, Args) pyval.Value {
	return func(f *frame, args Args) pyval.Value { return run(f, args.Positional[0]) }
}

func (f *frame) count(v pyval.Value) pyval.Value { return number(int64(f.length(v))) }

func builtinSum(f *frame, args Args) pyval.Value {
	var total pyval.Value = zero
	if len(args.Positional) > 1 {
		total = args.Positional[1]
	}
	for _, kw := range args.Keywords {
		total = kw.Value
	}
	if total.Kind() == pyval.KindStr {
		return f.raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
	}
	for _, item := range f.items(args.Positional[0]) {
		if !f.step() {
			break
		}
		total = f.add(total, item)
	}
	return total
}

func builtinSorted(f *frame, args Args) pyval.Value {
	reverse := false
	for _, kw := range args.Keywords {
		reverse = f.index(kw.Value) != 0
	}
	items := append([]pyval.Value(nil), f.items(args.Positional[0])...)
	return f.sorted(items, reverse)
}

// extreme is max or min.
func extreme(op string) func(*frame, Args) pyval.Value {
	return func(f *frame, args Args) pyval.Value {
		items := args.Positional
		if len(items) == 1 {
			items = f.items(items[0])
		}
		if len(items) == 0 {
			return f.raise("ValueError", "%s() arg is an empty sequence", f.name)
		}
		best := items[0]
		for _, item := range items[1:] {
			if f.step() && f.is(item, op, best) {
				best = item
			}
		}
		return best
	}
}

func first(args Args, otherwise pyval.Value) pyval.Value {
	if len(args.Positional) > 0 {
		return args.Positional[0]
	}
	return otherwise
}

func builtinFloat(f *frame, args Args) pyval.Value {
	return f.keep(pyval.ToFloat(first(args, pyval.Float(0))))
}

func builtinStr(_ *frame, args Args) pyval.Value {
	return pyval.Str(pyval.Text(first(args, pyval.Str(""))))
}

func builtinBool(_ *frame, args Args) pyval.Value {
	return pyval.Bool(pyval.Truth(first(args, pyval.None)))
}

func builtinList(f *frame, args Args) pyval.Value {
	return pyval.NewList(append([]pyval.Value(nil), f.items(first(args, pyval.NewList()))...)...)
}

func builtinTuple(f *frame, args Args) pyval.Value {
	return pyval.NewTuple(append([]pyval.Value(nil), f.items(first(args, pyval.NewTuple()))...)...)
}
