package exec

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
		"sqrt": onFloats("sqrt", squareRoot), "exp": onFloats("exp", overflowing(pyval.Exp)),
		"log": onFloats("log", logarithm), "sin": onFloats("sin", periodic(sine)),
		"cos": onFloats("cos", periodic(cosine)), "tan": onFloats("tan", periodic(pyval.Tan)),
		"fabs": onFloats("fabs", total(math.Abs)), "atan": onFloats("atan", total(func(x float64) float64 { return pyval.Atan2(x, 1) })),
		"radians": onFloats("radians", total(func(x float64) float64 { return x * (math.Pi / 180) })),
		"degrees": onFloats("degrees", total(func(x float64) float64 { return x * (180 / math.Pi) })),
		"pow":     &builtin{name: "pow", min: 2, max: 2, wording: expectedTwo("pow"), run: floatPower},
	}},
	"json": {name: "json"}, "os": {name: "os"}, "random": {name: "random"},
	"requests": {name: "requests"}, "time": {name: "time"},
}

// onFloats is a function of math's: its argument becomes a float.
func onFloats(name string, run func(x float64) (float64, *pyval.Exception)) *builtin {
	wording := func(n int) error { return typeError("math.%s() takes exactly one argument (%d given)", name, n) }
	return &builtin{name: "math." + name, min: 1, max: 1, wording: wording, run: func(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
		x, ok := f.real(a[0])
		if !ok {
			return pyval.None
		}
		y, err := run(x)
		if err != nil {
			return f.fail(err)
		}
		return pyval.Float(y)
	}}
}

func (f *frame) real(v pyval.Value) (float64, bool) {
	if v.Kind() == pyval.KindStr {
		f.fail(typeError("must be real number, not str"))
		return 0, false
	}
	x, err := pyval.ToFloat(v)
	if e := exception(err); e != nil {
		if e.Class == "TypeError" {
			err = typeError("must be real number, not %s", pyval.TypeName(v))
		}
		f.fail(err)
		return 0, false
	}
	return float64(x.(pyval.Float)), true
}

func total(run func(float64) float64) func(float64) (float64, *pyval.Exception) {
	return func(x float64) (float64, *pyval.Exception) { return run(x), nil }
}

func domainError() *pyval.Exception { return pyval.Raise("ValueError", "math domain error") }

func squareRoot(x float64) (float64, *pyval.Exception) {
	if x < 0 {
		return 0, domainError()
	}
	return math.Sqrt(x), nil
}

func logarithm(x float64) (float64, *pyval.Exception) {
	if x <= 0 {
		return 0, domainError()
	}
	return pyval.Log(x), nil
}

func overflowing(run func(float64) float64) func(float64) (float64, *pyval.Exception) {
	return func(x float64) (float64, *pyval.Exception) {
		y := run(x)
		if math.IsInf(y, 0) && !math.IsInf(x, 0) {
			return 0, pyval.Raise("OverflowError", "math range error")
		}
		return y, nil
	}
}

func periodic(run func(float64) float64) func(float64) (float64, *pyval.Exception) {
	return func(x float64) (float64, *pyval.Exception) {
		if math.IsInf(x, 0) {
			return 0, domainError()
		}
		return run(x), nil
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

func expectedTwo(name string) func(int) error {
	return func(n int) error { return typeError("%s expected 2 arguments, got %d", name, n) }
}

func floatPower(f *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	x, ok := f.real(a[0])
	y, both := f.real(a[1])
	if !ok || !both {
		return pyval.None
	}
	if x < 0 && y != math.Floor(y) || x == 0 && y < 0 {
		return f.fail(domainError())
	}
	z := pyval.Pow(x, y)
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return f.raise("OverflowError", "math range error")
	}
	return pyval.Float(z)
}
