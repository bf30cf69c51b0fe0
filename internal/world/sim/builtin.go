package sim

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/python/signature"
)

// builtins are those of Python's functions that a call text may use beside
// the methods: pure ones. Upstream's eval sees all of them.
var builtins = map[string]pycall.Function{
	"abs":    single("abs", pyval.Abs),
	"bool":   single("bool", func(v pyval.Value) (pyval.Value, error) { return pyval.Bool(pyval.Truth(v)), nil }),
	"dict":   dictOf,
	"float":  single("float", func(v pyval.Value) (pyval.Value, error) { f, err := Float(v); return pyval.Float(f), err }),
	"int":    single("int", func(v pyval.Value) (pyval.Value, error) { return pyval.ToInt(v) }),
	"len":    single("len", length),
	"list":   single("list", func(v pyval.Value) (pyval.Value, error) { return ofItems(v, listOf) }),
	"max":    several("max", Max),
	"min":    several("min", Min),
	"pow":    powerOf,
	"print":  func([]pycall.Arg) (pyval.Value, error) { return pyval.None, nil },
	"range":  single("range", rangeText),
	"repr":   single("repr", shownRepr),
	"round":  rounded,
	"sorted": single("sorted", func(v pyval.Value) (pyval.Value, error) { return ofItems(v, sorted) }),
	"str":    single("str", shownText),
	"sum":    single("sum", func(v pyval.Value) (pyval.Value, error) { return ofItems(v, Sum) }),
}

// positional is the number of arguments without a name, which come first.
func positional(args []pycall.Arg) (n int) {
	for n < len(args) && args[n].Name == "" {
		n++
	}
	return n
}

// single takes one positional argument.
func single(name string, f func(pyval.Value) (pyval.Value, error)) pycall.Function {
	return func(args []pycall.Arg) (pyval.Value, error) {
		switch n := positional(args); {
		case n == 0:
			return nil, Raise("TypeError", name+"() takes at least 1 positional argument (0 given)")
		case len(args) > 1:
			return nil, Raise("TypeError", name+"() takes exactly one argument here")
		}
		return f(args[0].Value)
	}
}

// several takes a sequence, or its elements as arguments.
func several(name string, f func([]pyval.Value) (pyval.Value, error)) pycall.Function {
	one := single(name, func(v pyval.Value) (pyval.Value, error) { return ofItems(v, f) })
	return func(args []pycall.Arg) (pyval.Value, error) {
		if len(args) < 2 || positional(args) < len(args) {
			return one(args)
		}
		items := make([]pyval.Value, len(args))
		for i, arg := range args {
			items[i] = arg.Value
		}
		return f(items)
	}
}

var roundParams = []Param{{Name: "number"}, {Name: "ndigits", Default: pyval.None}}

func rounded(args []pycall.Arg) (pyval.Value, error) {
	bound, err := signature.Bind(nil, signature.Callee{Class: "builtins", Name: "round"}, roundParams, args)
	if err != nil {
		return nil, err
	}
	return RoundValue(bound[0], bound[1])
}

func powerOf(args []pycall.Arg) (pyval.Value, error) {
	if len(args) != 2 || positional(args) != 2 {
		return nil, Raise("TypeError", "pow() takes two positional arguments here")
	}
	return Power(args[0].Value, args[1].Value)
}

func dictOf(args []pycall.Arg) (pyval.Value, error) {
	d := pyval.NewDict(len(args))
	for _, arg := range args {
		if arg.Name == "" {
			return nil, Raise("TypeError", "dict() takes keywords only here")
		}
		d.SetStr(arg.Name, arg.Value)
	}
	return d, nil
}

func listOf(items []pyval.Value) (pyval.Value, error) {
	return pyval.NewList(slices.Clone(items)...), nil
}

// rangeText only shows a range: nothing can be done with one.
func rangeText(v pyval.Value) (pyval.Value, error) {
	n, ok := pyval.IntOf(v)
	if !ok {
		return nil, Raise("TypeError", "'"+pyval.TypeName(v)+"' object cannot be interpreted as an integer")
	}
	if err := printable(n, 0); err != nil {
		return nil, err
	}
	return Shown{Value: pyval.None, Text: "range(0, " + n.String() + ")"}, nil
}

func ofItems(v pyval.Value, f func([]pyval.Value) (pyval.Value, error)) (pyval.Value, error) {
	items, err := pyval.Iterate(v)
	if err != nil {
		return nil, err
	}
	return f(items)
}

func shownText(v pyval.Value) (pyval.Value, error) {
	text, err := Text(v)
	return pyval.Str(text), err
}

func shownRepr(v pyval.Value) (pyval.Value, error) {
	if err := printable(v, 0); err != nil {
		return nil, err
	}
	return pyval.Str(pyval.Repr(v)), nil
}

func length(v pyval.Value) (pyval.Value, error) {
	n, err := pyval.Length(v)
	return pyval.MakeInt(int64(n)), err
}

// Min is Python's min of a sequence: the first of the smallest elements.
func Min(items []pyval.Value) (pyval.Value, error) { return extreme("min", items, Less) }

// Max is Python's max of a sequence: the first of the largest elements.
func Max(items []pyval.Value) (pyval.Value, error) { return extreme("max", items, Greater) }

func extreme(name string, items []pyval.Value, beats func(a, b pyval.Value) (bool, error)) (pyval.Value, error) {
	if len(items) == 0 {
		return nil, Raise("ValueError", name+"() arg is an empty sequence")
	}
	best := items[0]
	for _, item := range items[1:] {
		better, err := beats(item, best)
		if err != nil {
			return nil, err
		}
		if better {
			best = item
		}
	}
	return best, nil
}

func sorted(items []pyval.Value) (pyval.Value, error) {
	out := slices.Clone(items)
	if err := pyval.Sort(out); err != nil {
		return nil, err
	}
	return pyval.NewList(out...), nil
}
