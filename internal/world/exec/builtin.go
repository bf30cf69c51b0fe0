package exec

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
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
		{name: "abs", min: 1, max: 1, wording: exactlyOne, run: func(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value { return f.abs(a[0]) }},
		{name: "len", min: 1, max: 1, wording: exactlyOne, run: func(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value { return number(int64(f.length(a[0]))) }},
		{name: "sum", min: 1, max: 2, wording: onePositional, excess: atMostTwo, keyword: "start", run: func(f *frame, a []pyval.Value, total pyval.Value) pyval.Value {
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
		}},
		{name: "sorted", min: 1, max: 1, wording: expectedOne, keyword: "reverse", run: func(f *frame, a []pyval.Value, reverse pyval.Value) pyval.Value {
			down := reverse != nil && index(reverse) != 0
			return f.sorted(slices.Clone(items(a[0])), down)
		}},
		{name: "max", min: 1, max: -1, wording: atLeastOne, run: extreme(">")},
		{name: "min", min: 1, max: -1, wording: atLeastOne, run: extreme("<")},
		{name: "float", max: 1, wording: expectedAtMostOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			return pyval.Must(pyval.ToFloat(first(a, pyval.Float(0))))
		}},
		{name: "str", max: 1, wording: expectedAtMostOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			return pyval.Str(pyval.Text(first(a, pyval.Str(""))))
		}},
		{name: "bool", max: 1, wording: expectedAtMostOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			return pyval.Bool(pyval.Truth(first(a, pyval.None)))
		}},
		{name: "list", max: 1, wording: expectedAtMostOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			return pyval.NewList(append([]pyval.Value(nil), items(first(a, pyval.NewList()))...)...)
		}},
		{name: "tuple", max: 1, wording: expectedAtMostOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			return pyval.NewTuple(append([]pyval.Value(nil), items(first(a, pyval.NewTuple()))...)...)
		}},
	} {
		builtins[b.name] = &b
	}
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

// A module is one of the modules that texts may name.
type module struct {
	name    string
	members map[string]object
}

// modules are those that upstream's functions import and whose members are
// pure; the others exist without members.
var modules = map[string]module{
	"math": {name: "math", members: map[string]object{
		"pi": pyval.Float(math.Pi), "e": pyval.Float(math.E), "tau": pyval.Float(2 * math.Pi),
		"inf": pyval.Float(math.Inf(1)), "nan": pyval.Float(math.NaN()),
		"sqrt": onFloats("sqrt", squareRoot), "exp": onFloats("exp", exponential),
		"log": onFloats("log", logarithm), "sin": onFloats("sin", periodic(sine)),
		"cos": onFloats("cos", periodic(cosine)), "tan": onFloats("tan", periodic(pyval.Tan)),
		"fabs": onFloats("fabs", math.Abs), "atan": onFloats("atan", func(x float64) float64 { return pyval.Atan2(x, 1) }),
		"radians": onFloats("radians", func(x float64) float64 { return x * (math.Pi / 180) }),
		"degrees": onFloats("degrees", func(x float64) float64 { return x * (180 / math.Pi) }),
		"pow": &builtin{name: "pow", min: 2, max: 2, wording: expectedTwo, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
			x, y := real(a[0]), real(a[1])
			inDomain(!(x < 0 && y != math.Floor(y) || x == 0 && y < 0))
			return pyval.Float(inRange(pyval.Pow(x, y), x, y))
		}},
	}},
	"json": {name: "json"}, "os": {name: "os"}, "random": {name: "random"},
	"requests": {name: "requests"}, "time": {name: "time"},
}

// onFloats is a function of math's: its argument becomes a float.
func onFloats(name string, run func(x float64) float64) *builtin {
	return &builtin{name: "math." + name, min: 1, max: 1, wording: exactlyOne, run: func(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
		return pyval.Float(run(real(a[0])))
	}}
}

func real(v pyval.Value) float64 {
	x, err := pyval.ToFloat(v)
	if e := exception(err); v.Kind() == pyval.KindStr || e != nil && e.Class == "TypeError" {
		raise("TypeError", "must be real number, not %s", pyval.TypeName(v))
	}
	return float64(pyval.Must(x, err).(pyval.Float))
}

func inDomain(holds bool) {
	if !holds {
		raise("ValueError", "math domain error")
	}
}

func squareRoot(x float64) float64 {
	inDomain(!(x < 0))
	return math.Sqrt(x)
}

func logarithm(x float64) float64 {
	inDomain(!(x <= 0))
	return pyval.Log(x)
}

// inRange raises for a result that is infinite although what it is made of is
// not.
func inRange(y float64, of ...float64) float64 {
	if math.IsInf(y, 0) && !slices.ContainsFunc(of, func(x float64) bool { return math.IsInf(x, 0) }) {
		raise("OverflowError", "math range error")
	}
	return y
}

func exponential(x float64) float64 { return inRange(pyval.Exp(x), x) }

func periodic(run func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		inDomain(!math.IsInf(x, 0))
		return run(x)
	}
}

func sine(x float64) float64 {
	s, _ := pyval.SinCos(x)
	return s
}

func cosine(x float64) float64 {
	_, c := pyval.SinCos(x)
	return c
}

// sorted is Python's sorted(items, reverse=reverse): stable both ways. Of a list
// whose items cannot be compared, the error may name another two than CPython's.
func (f *frame) sorted(items []pyval.Value, reverse bool) pyval.Value {
	if reverse {
		slices.Reverse(items)
	}
	slices.SortStableFunc(items, func(a, b pyval.Value) int {
		f.steps += pyval.Weight(a, maxWork) >> 7 // long items take long to compare
		if f.step(); f.is(a, "<", b) {
			return -1
		}
		return 0
	})
	if reverse {
		slices.Reverse(items)
	}
	return pyval.NewList(items...)
}

var binaryForm = pattern.Of(`^([-+]?)(?:0[bB]_?)?([01](?:_?[01])*)$`)

// binary is Python's int(v, 2).
func binary(v pyval.Value) *big.Int {
	if v.Kind() != pyval.KindStr && v.Kind() != pyval.KindBytes {
		raise("TypeError", "int() can't convert non-string with explicit base")
	}
	m := binaryForm().FindStringSubmatch(pyval.Strip(rawText(v)))
	if m == nil || len(m[2]) > maxBits {
		raise("ValueError", "invalid literal for int() with base 2: %s", pyval.Repr(v))
	}
	n, _ := new(big.Int).SetString(m[1]+strings.ReplaceAll(m[2], "_", ""), 2)
	return n
}
