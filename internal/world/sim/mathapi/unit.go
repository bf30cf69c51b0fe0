package mathapi

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// meters are lengths in meters. Upstream has ints among them, which only
// matters for huge values.
var meters = map[string]pyval.Value{
	"km": pyval.MakeInt(1000), "m": pyval.MakeInt(1), "cm": pyval.Float(0.01),
	"mm": pyval.Float(0.001), "um": pyval.Float(1e-6), "nm": pyval.Float(1e-9),
}

var imperial = map[string]pyval.Float{
	"cm_to_in": 0.393701, "in_to_cm": 2.54,
	"m_to_ft": 3.28084, "ft_to_m": 0.3048,
	"m_to_yd": 1.09361, "yd_to_m": 0.9144,
	"km_to_miles": 0.621371, "miles_to_km": 1.60934,
	"kg_to_lb": 2.20462, "lb_to_kg": 0.453592,
	"celsius_to_fahrenheit": 1.8, "fahrenheit_to_celsius": 5.0 / 9.0,
}

const (
	noNumber = "Value must be a number"
	tooLarge = "Conversion resulted in a value too large to represent"
)

func unsupported(in, out pyval.Value) (pyval.Value, error) {
	from, err := sim.Text(in)
	if err != nil {
		return nil, err
	}
	return sim.FailOn("Conversion from '"+from+"' to '", out, "' is not supported")
}

func siConversion(args []pyval.Value) (pyval.Value, error) {
	value, in, out := args[0], args[1], args[2]
	if !sim.IsNumber(value) {
		return sim.Fail(noNumber), nil
	}
	from, ok, err := unit(in)
	if err != nil {
		return nil, err
	}
	if !ok {
		return unsupported(in, out)
	}
	to, ok, err := unit(out)
	if err != nil {
		return nil, err
	}
	if !ok {
		return unsupported(in, out)
	}
	v, err := sim.Times(value, from)
	if err == nil {
		inverse, _ := sim.Divided(pyval.MakeInt(1), to) // no unit is 0
		v, err = sim.Times(v, inverse)
	}
	return result(v, err, "OverflowError", tooLarge)
}

func unit(name pyval.Value) (pyval.Value, bool, error) {
	if text, ok := name.(pyval.Str); ok {
		v, ok := meters[string(text)]
		return v, ok, nil
	}
	if err := pyval.Hashable(name); err != nil {
		return nil, false, sim.Raise("TypeError", err.Error())
	}
	return nil, false, nil
}

func imperialConversion(args []pyval.Value) (pyval.Value, error) {
	value, in, out := args[0], args[1], args[2]
	if !sim.IsNumber(value) {
		return sim.Fail(noNumber), nil
	}
	if pyval.Equal(in, out) {
		return sim.Answer("result", value), nil
	}
	from, err := sim.Text(in)
	if err != nil {
		return nil, err
	}
	to, err := sim.Text(out)
	if err != nil {
		return nil, err
	}
	key := from + "_to_" + to
	factor, ok := imperial[key]
	if !ok {
		return unsupported(in, out)
	}
	v, err := converted(value, key, factor)
	return result(v, err, "OverflowError", tooLarge)
}

func converted(value pyval.Value, key string, factor pyval.Value) (pyval.Value, error) {
	switch key {
	case "celsius_to_fahrenheit":
		v, err := sim.Times(value, factor)
		if err != nil {
			return nil, err
		}
		return sim.Plus(v, pyval.MakeInt(32))
	case "fahrenheit_to_celsius":
		v, err := sim.Minus(value, pyval.MakeInt(32))
		if err != nil {
			return nil, err
		}
		return sim.Times(v, factor)
	}
	return sim.Times(value, factor)
}
