package sim

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// builtins are those of Python's functions that a call text may use beside
// the methods: pure ones. Upstream's eval sees all of them.
var builtins = map[string]pycall.Function{
	"abs":       single("abs", func(v pyval.Value) pyval.Value { return pyval.Must(pyval.Abs(v)) }),
	"bool":      single("bool", func(v pyval.Value) pyval.Value { return pyval.Bool(pyval.Truth(v)) }, pyval.Bool(false)),
	"bytearray": named("bytearray", bytesOf, "source", "encoding", "errors"),
	"bytes":     named("bytes", bytesOf, "source", "encoding", "errors"),
	"chr":       single("chr", character),
	"complex":   named("complex", complexOf, "real", "imag"),
	"dict":      raising(dictOf),
	"divmod":    single("divmod", nil),
	"float":     single("float", func(v pyval.Value) pyval.Value { return pyval.Float(Float(v)) }, pyval.Float(0)),
	"hex":       single("hex", nil),
	"int":       named("int", integerOf, "", "base"),
	"len":       single("len", func(v pyval.Value) pyval.Value { return Value(pyval.Must(pyval.Length(v))) }),
	"list":      single("list", func(v pyval.Value) pyval.Value { return pyval.NewList(slices.Clone(Items(v))...) }, pyval.NewTuple()),
	"max":       several("max", Max),
	"min":       several("min", Min),
	"ord":       single("ord", nil),
	"pow":       named("pow", powerOf, "base", "exp", "mod"),
	"print":     func([]pycall.Arg) (pyval.Value, error) { return pyval.None, nil },
	"range":     single("range", rangeText),
	"repr":      single("repr", func(v pyval.Value) pyval.Value { printable(v, 0); return pyval.Str(pyval.Repr(v)) }),
	"round":     named("round", rounded, "number", "ndigits"),
	"sorted":    single("sorted", sorted),
	"str":       named("str", textOf, "object", "encoding", "errors"),
	"sum":       single("sum", func(v pyval.Value) pyval.Value { return Sum(Items(v)) }),
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

// single takes one positional argument, which may be left out if it has a value
// then. Without f there is none that a text can give: each argument of a call
// that a model writes has a name.
func single(name string, f func(pyval.Value) pyval.Value, otherwise ...pyval.Value) pycall.Function {
	return raising(func(args []pycall.Arg) pyval.Value {
		switch n := positional(args); {
		case n == 0 && missingFirst[name] != "":
			panic(Raise("TypeError", name+missingFirst[name]))
		case n < len(args) || f == nil:
			panic(Raise("TypeError", name+"() takes no keyword arguments"))
		case n > 1:
			panic(Raise("TypeError", name+"() takes exactly one argument here"))
		case n == 1:
			return f(args[0].Value)
		case len(otherwise) == 0:
			panic(Raise("TypeError", name+"() takes exactly one argument (0 given)"))
		}
		return f(otherwise[0])
	})
}

// missingFirst is the error of functions that count their positional arguments
// before they look at names.
var missingFirst = map[string]string{
	"sum": "() takes at least 1 positional argument (0 given)", "sorted": " expected 1 argument, got 0",
	"max": " expected at least 1 argument, got 0", "min": " expected at least 1 argument, got 0",
}

// named takes arguments by position or name. Those left out are nil; the
// parameter "" has no name.
func named(name string, f func([]pyval.Value) pyval.Value, params ...string) pycall.Function {
	return raising(func(args []pycall.Arg) pyval.Value {
		bound := make([]pyval.Value, len(params))
		for i, arg := range args {
			at := i
			if arg.Name != "" {
				at = slices.Index(params, arg.Name)
			}
			switch {
			case at < 0:
				panic(Raise("TypeError", "'"+arg.Name+"' is an invalid keyword argument for "+name+"()"))
			case at >= len(params):
				panic(Raise("TypeError", name+"() takes at most "+strconv.Itoa(len(params))+" arguments ("+strconv.Itoa(len(args))+" given)"))
			case bound[at] != nil:
				panic(Raise("TypeError", "argument for "+name+"() given by name ('"+arg.Name+"') and position ("+strconv.Itoa(at+1)+")"))
			}
			bound[at] = arg.Value
		}
		return f(bound)
	})
}

// needed raises the error of an argument that was left out.
func needed(v pyval.Value, function, param, pos string) pyval.Value {
	if v == nil {
		panic(Raise("TypeError", function+"() missing required argument '"+param+"' (pos "+pos+")"))
	}
	return v
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

func rounded(a []pyval.Value) pyval.Value {
	if a[1] == nil {
		a[1] = pyval.None
	}
	return RoundValue(needed(a[0], "round", "number", "1"), a[1])
}

func powerOf(a []pyval.Value) pyval.Value {
	base, exp := needed(a[0], "pow", "base", "1"), needed(a[1], "pow", "exp", "2")
	if a[2] == nil || a[2] == pyval.None {
		return Calc(base, "**", exp)
	}
	b, ok := pyval.IntOf(base)
	e, ok2 := pyval.IntOf(exp)
	m, ok3 := pyval.IntOf(a[2])
	if !ok || !ok2 || !ok3 {
		panic(Raise("TypeError", "pow() 3rd argument not allowed unless all arguments are integers"))
	}
	mod := m.Big()
	if mod.Sign() == 0 {
		panic(Raise("ValueError", "pow() 3rd argument cannot be 0"))
	}
	v := new(big.Int).Exp(b.Big(), e.Big(), new(big.Int).Abs(mod))
	if v == nil {
		panic(Raise("ValueError", "base is not invertible for the given modulus"))
	}
	if mod.Sign() < 0 && v.Sign() > 0 {
		v.Add(v, mod)
	}
	return pyval.MakeBigInt(v)
}

func integerOf(a []pyval.Value) pyval.Value {
	switch {
	case a[1] != nil && a[0] == nil:
		panic(Raise("TypeError", "int() missing string argument"))
	case a[1] != nil:
		panic(Raise("TypeError", "int() takes no base here"))
	case a[0] == nil:
		return Value(0)
	}
	return pyval.Must(pyval.ToInt(a[0]))
}

func complexOf(a []pyval.Value) pyval.Value {
	sum := pyval.Value(pyval.Complex(0))
	for i, v := range a {
		if v == nil {
			continue
		}
		if _, isText := v.(pyval.Str); isText && a[1] == nil {
			v = pyval.Float(Float(v))
		}
		if kind := v.Kind(); kind != pyval.KindInt && kind != pyval.KindFloat && kind != pyval.KindBool && kind != pyval.KindComplex {
			panic(Raise("TypeError", "complex() takes numbers here, not '"+pyval.TypeName(v)+"'"))
		}
		sum = Calc(sum, "+", Calc(v, "*", pyval.Complex([]complex128{1, 1i}[i])))
	}
	return sum
}

func character(v pyval.Value) pyval.Value {
	return pyval.Str(string(rune(within(v, utf8.MaxRune, "chr() arg not in range(0x110000)"))))
}

// within returns an int from 0 to most; another one raises a ValueError.
func within(v pyval.Value, most int64, otherwise string) int64 {
	n, ok := pyval.IntOf(v)
	if !ok {
		panic(Raise("TypeError", "'"+pyval.TypeName(v)+"' object cannot be interpreted as an integer"))
	}
	i, small := n.Int64()
	if !small || i < 0 || i > most {
		panic(Raise("ValueError", otherwise))
	}
	return i
}

// textOf is str: of bytes, if an encoding is given, their text.
func textOf(a []pyval.Value) pyval.Value {
	switch {
	case a[0] == nil:
		return pyval.Str("")
	case a[1] == nil && a[2] == nil:
		return pyval.Str(str(a[0]))
	}
	switch v := a[0].(type) {
	case pyval.Bytes:
		return pyval.Str(recoded(string(v), a[1], utf8.ValidString(string(v)), "decode"))
	case pyval.Str:
		panic(Raise("TypeError", "decoding str is not supported"))
	}
	panic(Raise("TypeError", "decoding to str: need a bytes-like object, "+pyval.TypeName(a[0])+" found"))
}

// recoded returns a text whose bytes are the same in an encoding and in UTF-8.
func recoded(text string, encoding pyval.Value, utf bool, doing string) string {
	name := "utf-8"
	if encoding != nil {
		name = strings.ToLower(strings.ReplaceAll(str(encoding), "_", "-"))
	}
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	switch {
	case !slices.Contains([]string{"utf-8", "utf8", "ascii", "us-ascii", "latin-1", "iso-8859-1"}, name):
		panic(Raise("LookupError", "unknown encoding: "+str(encoding)))
	case !ascii && (!utf || !strings.HasPrefix(name, "utf")):
		panic(Raise("UnicodeError", "'"+name+"' codec can't "+doing+" this"))
	}
	return text
}

// bytesOf is bytes, and bytearray, which is no value of its own here.
func bytesOf(a []pyval.Value) pyval.Value {
	const most = 1 << 20
	text, isText := a[0].(pyval.Str)
	switch {
	case isText && a[1] == nil:
		panic(Raise("TypeError", "string argument without an encoding"))
	case isText:
		return pyval.Bytes(recoded(string(text), a[1], utf8.ValidString(string(text)), "encode"))
	case a[1] != nil:
		panic(Raise("TypeError", "encoding without a string argument"))
	case a[2] != nil:
		panic(Raise("TypeError", "errors without a string argument"))
	case a[0] == nil:
		return pyval.Bytes("")
	}
	if b, ok := a[0].(pyval.Bytes); ok {
		return b
	}
	if _, ok := pyval.IntOf(a[0]); ok {
		return pyval.Bytes(make([]byte, within(a[0], most, "negative or too large a count")))
	}
	var out []byte
	for _, item := range Items(a[0]) {
		out = append(out, byte(within(item, 255, "bytes must be in range(0, 256)")))
	}
	return pyval.Bytes(out)
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
