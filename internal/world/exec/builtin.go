package exec

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A builtin is one of Python's own functions, as far as a call that should be
// one of ours can reach it.
type builtin struct {
	name     string
	min, max int    // positional arguments; max -1: any number
	wording  string // of a wrong number of them
	excess   string // of too many, if that is worded differently
	keyword  string // the only one that is known; "" for none
	// run gets the positional arguments and the keyword's, nil if it is not given.
	run func(f *frame, a []pyval.Value, named pyval.Value) pyval.Value
}

func (b *builtin) call(m *machine, args []pycall.Arg) pyval.Value {
	var values []pyval.Value
	var named pyval.Value
	for _, a := range args {
		switch {
		case a.Name == "":
			values = append(values, a.Value)
		case b.keyword == "":
			raise("TypeError", "%s() takes no keyword arguments", b.name)
		case len(values) >= b.min && a.Name != b.keyword:
			raise("TypeError", "'%s' is an invalid keyword argument for %s()", a.Name, b.name)
		default:
			named = a.Value
		}
	}
	switch n := len(values); {
	case b.max >= 0 && n > b.max && b.excess != "":
		raise("TypeError", b.excess, b.name, n)
	case n < b.min || b.max >= 0 && n > b.max:
		raise("TypeError", b.wording, b.name, n)
	}
	return b.run(&frame{machine: m, name: b.name}, values, named)
}

// The ways in which CPython words a wrong number of arguments.
const (
	exactlyOne        = "%s() takes exactly one argument (%d given)"
	expectedOne       = "%s expected 1 argument, got %d"
	expectedTwo       = "%s expected 2 arguments, got %d"
	atLeastOne        = "%s expected at least 1 argument, got %d"
	onePositional     = "%s() takes at least 1 positional argument (%d given)"
	atMostTwo         = "%s() takes at most 2 arguments (%d given)"
	expectedAtMostOne = "%s expected at most 1 argument, got %d"
)

var builtins = map[string]*builtin{}

func init() {
	for _, b := range []builtin{
		{name: "abs", min: 1, max: 1, wording: exactlyOne, run: one1((*frame).abs)},
		{name: "len", min: 1, max: 1, wording: exactlyOne, run: one1((*frame).count)},
		{name: "sum", min: 1, max: 2, wording: onePositional, excess: atMostTwo, keyword: "start", run: builtinSum},
		{name: "sorted", min: 1, max: 1, wording: expectedOne, keyword: "reverse", run: builtinSorted},
		{name: "max", min: 1, max: -1, wording: atLeastOne, run: extreme(">")},
		{name: "min", min: 1, max: -1, wording: atLeastOne, run: extreme("<")},
		{name: "float", max: 1, wording: expectedAtMostOne, run: builtinFloat},
		{name: "str", max: 1, wording: expectedAtMostOne, run: builtinStr},
		{name: "bool", max: 1, wording: expectedAtMostOne, run: builtinBool},
		{name: "list", max: 1, wording: expectedAtMostOne, run: builtinList},
		{name: "tuple", max: 1, wording: expectedAtMostOne, run: builtinTuple},
	} {
		builtins[b.name] = &b
	}
}

func one1(run func(*frame, pyval.Value) pyval.Value) func(*frame, []pyval.Value, pyval.Value) pyval.Value {
	return func(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value { return run(f, a[0]) }
}

func (f *frame) count(v pyval.Value) pyval.Value { return number(int64(f.length(v))) }

func builtinSum(f *frame, a []pyval.Value, total pyval.Value) pyval.Value {
	if total == nil {
		total = first(a[1:], zero)
	}
	if total.Kind() == pyval.KindStr {
		return raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
	}
	for _, item := range items(a[0]) {
		f.step()
		total = f.add(total, item)
	}
	return total
}

func builtinSorted(f *frame, a []pyval.Value, reverse pyval.Value) pyval.Value {
	down := reverse != nil && index(reverse) != 0
	return f.sorted(slices.Clone(items(a[0])), down)
}

// extreme is max or min.
func extreme(op string) func(*frame, []pyval.Value, pyval.Value) pyval.Value {
	return func(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
		if len(a) == 1 {
			a = items(a[0])
		}
		if len(a) == 0 {
			return raise("ValueError", "%s() arg is an empty sequence", f.name)
		}
		best := a[0]
		for _, item := range a[1:] {
			if f.step(); f.is(item, op, best) {
				best = item
			}
		}
		return best
	}
}

func first(a []pyval.Value, otherwise pyval.Value) pyval.Value {
	if len(a) > 0 {
		return a[0]
	}
	return otherwise
}

func builtinFloat(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	return pyval.Must(pyval.ToFloat(first(a, pyval.Float(0))))
}

func builtinStr(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	return pyval.Str(pyval.Text(first(a, pyval.Str(""))))
}

func builtinBool(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	return pyval.Bool(pyval.Truth(first(a, pyval.None)))
}

func builtinList(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	return pyval.NewList(append([]pyval.Value(nil), items(first(a, pyval.NewList()))...)...)
}

func builtinTuple(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	return pyval.NewTuple(append([]pyval.Value(nil), items(first(a, pyval.NewTuple()))...)...)
}
