package classes

import (
	_ "embed"
	"math"
	"math/big"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed math_api.json
var docMathapi string

// Math is the method table of upstream's MathAPI.
var Math = &sim.Class{
	Name: "MathAPI", DocFile: "math_api.json", Doc: docMathapi, Stateless: true,
	New: func(*pyval.Dict, *sim.World) (sim.Instance, error) { return instance{}, nil },
	Methods: []sim.Method{
		methodMathapi("absolute_value", or("Input must be a number", func(args []pyval.Value) pyval.Value { return pyval.Must(pyval.Abs(args[0])) }), "number"),
		methodMathapi("add", arithmetic("+"), "a", "b"),
		methodMathapi("divide", divide, "a", "b"),
		methodMathapi("imperial_si_conversion", imperialConversion, "value", "unit_in", "unit_out"),
		methodMathapi("logarithm", logarithm, "value", "base", "precision"),
		methodMathapi("max_value", series("Cannot find maximum", sim.Max), "numbers"),
		methodMathapi("mean", series("Cannot calculate mean", mean), "numbers"),
		methodMathapi("min_value", series("Cannot find minimum", sim.Min), "numbers"),
		methodMathapi("multiply", multiply, "a", "b"),
		methodMathapi("percentage", percentage, "part", "whole"),
		methodMathapi("power", or(notNumbers, func(args []pyval.Value) pyval.Value { return raised(args[0], args[1]) }), "base", "exponent"),
		methodMathapi("round_number", or("First input must be a number, second input must be an integer", func(args []pyval.Value) pyval.Value {
			return sim.RoundValue(args[0], args[1])
		}), "number", "decimal_places=0"),
		methodMathapi("si_unit_conversion", siConversion, "value", "unit_in", "unit_out"),
		methodMathapi("square_root", squareRoot, "number", "precision"),
		methodMathapi("standard_deviation", series("Cannot calculate standard deviation", deviation), "numbers"),
		methodMathapi("subtract", arithmetic("-"), "a", "b"),
		methodMathapi("sum_values", series("Cannot calculate sum", sim.Sum), "numbers"),
	},
}

type instance struct{}

// State is empty: there is nothing to check.
func (instance) State() *pyval.Dict { return &pyval.Dict{} }

type function = func(args []pyval.Value) pyval.Value

func methodMathapi(name string, f function, params ...string) sim.Method {
	return sim.Method{Name: name, Params: sim.Params(params...), Call: sim.On(func(_ instance, args []pyval.Value) pyval.Value { return f(args) })}
}

// result is the answer {"result": f()}, or, if f raises an exception of the
// class, the answer {"error": instead}.
func result(class, instead string, f func() pyval.Value) pyval.Value {
	v, err := pyval.Try(f)
	if sim.IsClass(err, class) {
		return sim.Fail(instead)
	}
	return sim.Answer("result", pyval.Must(v, err))
}

// or is a method that answers with the result of f, or to what is no number
// with a text.
func or(noNumber string, f function) function {
	return func(args []pyval.Value) pyval.Value {
		return result("TypeError", noNumber, func() pyval.Value { return f(args) })
	}
}

const notNumbers = "Both inputs must be numbers"

func arithmetic(op string) function {
	return or(notNumbers, func(args []pyval.Value) pyval.Value { return sim.Calc(args[0], op, args[1]) })
}

func multiply(args []pyval.Value) pyval.Value {
	if !sim.IsNumber(args[0]) || !sim.IsNumber(args[1]) {
		return sim.Fail(notNumbers)
	}
	return arithmetic("*")(args)
}

func divide(args []pyval.Value) pyval.Value {
	if sim.Is(args[1], "==", 0) {
		return sim.Fail("Cannot divide by zero")
	}
	return arithmetic("/")(args)
}

func percentage(args []pyval.Value) pyval.Value {
	if sim.Is(args[1], "==", 0) {
		return sim.Fail("Whole value cannot be zero")
	}
	return result("TypeError", notNumbers, func() pyval.Value { return sim.Calc(sim.Calc(args[0], "/", args[1]), "*", 100) })
}

// raised is Python's a ** b, whose text of a float overflow is the C
// library's.
func raised(a, b pyval.Value) pyval.Value {
	v, err := pyval.Operate("**", a, b)
	if sim.IsClass(err, "OverflowError") && (a.Kind() == pyval.KindFloat || b.Kind() == pyval.KindFloat) && sim.AsException(err).Msg == "result too large" {
		err = sim.Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return pyval.Must(v, err)
}

// series is a method over a list of numbers; purpose begins the text for an
// empty one.
func series(purpose string, f func(items []pyval.Value) pyval.Value) function {
	return func(args []pyval.Value) pyval.Value {
		if !pyval.Truth(args[0]) {
			return sim.Fail(purpose + " of an empty list")
		}
		return result("TypeError", "All elements in the list must be numbers", func() pyval.Value { return f(sim.Items(args[0])) })
	}
}

func mean(items []pyval.Value) pyval.Value { return sim.Calc(sim.Sum(items), "/", len(items)) }

// deviation is the population's standard deviation, by way of Python's sum.
func deviation(items []pyval.Value) pyval.Value {
	middle, squares := mean(items), make([]pyval.Value, len(items))
	for i, item := range items {
		squares[i] = raised(sim.Calc(item, "-", middle), pyval.MakeInt(2))
	}
	variance := mean(squares)
	if variance.Kind() == pyval.KindComplex {
		panic(sim.Raise("TypeError", "must be real number, not complex"))
	}
	return pyval.Float(math.Sqrt(sim.Float(variance)))
}

// tens is 10 to the power of n.
func tens(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// meters are lengths in meters. Upstream has ints among them, which only
// matters for huge values.
var meters = sim.Table(`{"km": 1000, "m": 1, "cm": 0.01, "mm": 0.001, "um": 1e-6, "nm": 1e-9}`)

var imperial = sim.Answer(
	"cm_to_in", 0.393701, "in_to_cm", 2.54,
	"m_to_ft", 3.28084, "ft_to_m", 0.3048,
	"m_to_yd", 1.09361, "yd_to_m", 0.9144,
	"km_to_miles", 0.621371, "miles_to_km", 1.60934,
	"kg_to_lb", 2.20462, "lb_to_kg", 0.453592,
	"celsius_to_fahrenheit", 1.8, "fahrenheit_to_celsius", 5.0/9.0,
)

const tooLarge = "Conversion resulted in a value too large to represent"

func unsupported(in, out pyval.Value) pyval.Value {
	return sim.Fail("Conversion from '{}' to '{}' is not supported", in, out)
}

func siConversion(args []pyval.Value) pyval.Value {
	value, in, out := args[0], args[1], args[2]
	if !sim.IsNumber(value) {
		return sim.Fail("Value must be a number")
	}
	from, ok := sim.Find(meters, in)
	if !ok {
		return unsupported(in, out)
	}
	to, ok := sim.Find(meters, out)
	if !ok {
		return unsupported(in, out)
	}
	return result("OverflowError", tooLarge, func() pyval.Value {
		return sim.Calc(sim.Calc(value, "*", from), "*", sim.Calc(1, "/", to))
	})
}

func imperialConversion(args []pyval.Value) pyval.Value {
	value, in, out := args[0], args[1], args[2]
	if !sim.IsNumber(value) {
		return sim.Fail("Value must be a number")
	}
	if pyval.Equal(in, out) {
		return sim.Answer("result", value)
	}
	key := sim.Text("{}_to_{}", in, out)
	factor, ok := imperial.GetStr(key)
	if !ok {
		return unsupported(in, out)
	}
	return result("OverflowError", tooLarge, func() pyval.Value {
		switch key {
		case "celsius_to_fahrenheit":
			return sim.Calc(sim.Calc(value, "*", factor), "+", 32)
		case "fahrenheit_to_celsius":
			return sim.Calc(sim.Calc(value, "-", 32), "*", factor)
		}
		return sim.Calc(value, "*", factor)
	})
}
