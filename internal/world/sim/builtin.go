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
	"abs":    single("abs", func(v pyval.Value) pyval.Value { return pyval.Must(pyval.Abs(v)) }),
	"bool":   single("bool", func(v pyval.Value) pyval.Value { return pyval.Bool(pyval.Truth(v)) }),
	"dict":   raising(dictOf),
	"float":  single("float", func(v pyval.Value) pyval.Value { return pyval.Float(Float(v)) }),
	"int":    single("int", func(v pyval.Value) pyval.Value { return pyval.Must(pyval.ToInt(v)) }),
	"len":    single("len", func(v pyval.Value) pyval.Value { return Value(pyval.Must(pyval.Length(v))) }),
	"list":   single("list", func(v pyval.Value) pyval.Value { return pyval.NewList(slices.Clone(Items(v))...) }),
	"max":    several("max", Max),
	"min":    several("min", Min),
	"pow":    raising(powerOf),
	"print":  func([]pycall.Arg) (pyval.Value, error) { return pyval.None, nil },
	"range":  single("range", rangeText),
	"repr":   single("repr", func(v pyval.Value) pyval.Value { printable(v, 0); return pyval.Str(pyval.Repr(v)) }),
	"round":  raising(rounded),
	"sorted": single("sorted", sorted),
	"str":    single("str", func(v pyval.Value) pyval.Value { return pyval.Str(str(v)) }),
	"sum":    single("sum", func(v pyval.Value) pyval.Value { return Sum(Items(v)) }),
}

// raising makes a Function of one that raises by panicking.
func raising(f func(args []pycall.Arg) pyval.Value) pycall.Function {
	return func(args []pycall.Arg) (v pyval.Value, err error) {
		defer pyval.Catch(&err)
		return f(args), nil
	}
}

// positional is the number of arguments without a name, which come first.
func positional(args []pycall.Arg) (n int) {
	for n < len(args) && args[n].Name == "" {
		n++
	}
	return n
}

// single takes one positional argument.
func single(name string, f func(pyval.Value) pyval.Value) pycall.Function {
	return raising(func(args []pycall.Arg) pyval.Value {
		switch n := positional(args); {
		case n == 0:
			panic(Raise("TypeError", name+"() takes at least 1 positional argument (0 given)"))
		case len(args) > 1:
			panic(Raise("TypeError", name+"() takes exactly one argument here"))
		}
		return f(args[0].Value)
	})
}

// several takes a sequence, or its elements as arguments.
func several(name string, f func([]pyval.Value) pyval.Value) pycall.Function {
	one := single(name, func(v pyval.Value) pyval.Value { return f(Items(v)) })
	return func(args []pycall.Arg) (pyval.Value, error) {
		if len(args) < 2 || positional(args) < len(args) {
			return one(args)
		}
		items := make([]pyval.Value, len(args))
		for i, arg := range args {
			items[i] = arg.Value
		}
		return pyval.Try(func() pyval.Value { return f(items) })
	}
}

var roundParams = Params("number", "ndigits=null")

func rounded(args []pycall.Arg) pyval.Value {
	bound := pyval.Must(signature.Bind(nil, signature.Callee{Class: "builtins", Name: "round"}, roundParams, args))
	return RoundValue(bound[0], bound[1])
}

func powerOf(args []pycall.Arg) pyval.Value {
	if len(args) != 2 || positional(args) != 2 {
		panic(Raise("TypeError", "pow() takes two positional arguments here"))
	}
	return Calc(args[0].Value, "**", args[1].Value)
}

func dictOf(args []pycall.Arg) pyval.Value {
	d := pyval.NewDict(len(args))
	for _, arg := range args {
		if arg.Name == "" {
			panic(Raise("TypeError", "dict() takes keywords only here"))
		}
		d.SetStr(arg.Name, arg.Value)
	}
	return d
}

// rangeText only shows a range: nothing can be done with one.
func rangeText(v pyval.Value) pyval.Value {
	n, ok := pyval.IntOf(v)
	if !ok {
		panic(Raise("TypeError", "'"+pyval.TypeName(v)+"' object cannot be interpreted as an integer"))
	}
	return Shown{Value: pyval.None, Text: "range(0, " + str(n) + ")"}
}

func sorted(v pyval.Value) pyval.Value {
	out := slices.Clone(Items(v))
	pyval.Check(pyval.Sort(out))
	return pyval.NewList(out...)
}

// Min is Python's min of a sequence: the first of the smallest elements.
func Min(items []pyval.Value) pyval.Value { return extreme("min", "<", items) }

// Max is Python's max of a sequence: the first of the largest elements.
func Max(items []pyval.Value) pyval.Value { return extreme("max", ">", items) }

func extreme(name, beats string, items []pyval.Value) pyval.Value {
	if len(items) == 0 {
		panic(Raise("ValueError", name+"() arg is an empty sequence"))
	}
	best := items[0]
	for _, item := range items[1:] {
		if Is(item, beats, best) {
			best = item
		}
	}
	return best
}
