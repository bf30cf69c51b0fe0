package classes

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
