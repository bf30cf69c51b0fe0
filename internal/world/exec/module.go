package exec

import (
	"math"
	"slices"

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
		"sqrt": onFloats("sqrt", squareRoot), "exp": onFloats("exp", exponential),
		"log": onFloats("log", logarithm), "sin": onFloats("sin", periodic(sine)),
		"cos": onFloats("cos", periodic(cosine)), "tan": onFloats("tan", periodic(pyval.Tan)),
		"fabs": onFloats("fabs", math.Abs), "atan": onFloats("atan", func(x float64) float64 { return pyval.Atan2(x, 1) }),
		"radians": onFloats("radians", func(x float64) float64 { return x * (math.Pi / 180) }),
		"degrees": onFloats("degrees", func(x float64) float64 { return x * (180 / math.Pi) }),
		"pow":     &builtin{name: "pow", min: 2, max: 2, wording: expectedTwo, run: floatPower},
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

func floatPower(_ *frame, a []pyval.Value, _ pyval.Value) pyval.Value {
	x, y := real(a[0]), real(a[1])
	inDomain(!(x < 0 && y != math.Floor(y) || x == 0 && y < 0))
	return pyval.Float(inRange(pyval.Pow(x, y), x, y))
}
