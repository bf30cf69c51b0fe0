// Package mathapi is upstream's MathAPI, which has no state.
//
//	mathapi    the method table
//	arith      arithmetic and rounding
//	series     sums, means, extremes
//	unit       conversions
//	decimal    square_root, in Python's decimal arithmetic
//	logarithm  logarithm, in mpmath's binary floats
package mathapi

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed math_api.json
var doc string

// Class is the method table of upstream's MathAPI.
var Class = &sim.Class{
	Name: "MathAPI", DocFile: "math_api.json", Doc: doc, Stateless: true,
	New: func(*pyval.Dict, *sim.World) (sim.Instance, error) { return instance{}, nil },
	Methods: []sim.Method{
		method("absolute_value", absoluteValue, "number"),
		method("add", add, "a", "b"),
		method("divide", divide, "a", "b"),
		method("imperial_si_conversion", imperialConversion, "value", "unit_in", "unit_out"),
		method("logarithm", logarithm, "value", "base", "precision"),
		method("max_value", series("Cannot find maximum", sim.Max), "numbers"),
		method("mean", series("Cannot calculate mean", mean), "numbers"),
		method("min_value", series("Cannot find minimum", sim.Min), "numbers"),
		method("multiply", multiply, "a", "b"),
		method("percentage", percentage, "part", "whole"),
		method("power", power, "base", "exponent"),
		{
			Name:   "round_number",
			Params: []sim.Param{{Name: "number"}, {Name: "decimal_places", Default: pyval.MakeInt(0)}},
			Call:   call(roundNumber),
		},
		method("si_unit_conversion", siConversion, "value", "unit_in", "unit_out"),
		method("square_root", squareRoot, "number", "precision"),
		method("standard_deviation", series("Cannot calculate standard deviation", deviation), "numbers"),
		method("subtract", subtract, "a", "b"),
		method("sum_values", series("Cannot calculate sum", sim.Sum), "numbers"),
	},
}

type instance struct{}

// State is empty: there is nothing to check.
func (instance) State() *pyval.Dict { return &pyval.Dict{} }

type function func(args []pyval.Value) (pyval.Value, error)

func method(name string, f function, params ...string) sim.Method {
	return sim.Method{Name: name, Params: sim.Required(params...), Call: call(f)}
}

func call(f function) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return func(_ sim.Instance, args []pyval.Value) (pyval.Value, error) { return f(args) }
}

// result is the answer {"result": v}, or, if an exception of the class was
// raised, the answer {"error": instead}.
func result(v pyval.Value, err error, class, instead string) (pyval.Value, error) {
	switch {
	case err == nil:
		return sim.Answer("result", v), nil
	case sim.IsClass(err, class):
		return sim.Fail(instead), nil
	}
	return nil, err
}
