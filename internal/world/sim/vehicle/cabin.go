package vehicle

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// adjustClimate sets the temperature before it converts it, so a value that
// cannot be converted stays; an unknown unit is celsius.
func (c *car) adjustClimate(args []pyval.Value) (pyval.Value, error) {
	temperature, unit, fan, mode := args[0], args[1], args[2], args[3]
	inside, err := between(zero, fan, pyval.MakeInt(100))
	if err != nil || !inside {
		return sim.Fail("Fan speed must be between 0 and 100."), err
	}
	c.temperature = temperature
	if pyval.Equal(unit, pyval.Str("fahrenheit")) {
		if c.temperature, err = toCelsius(temperature); err != nil {
			c.temperature = temperature
			return nil, err
		}
	}
	c.fan, c.mode = fan, mode
	return sim.Record([]string{"currentACTemperature", "climateMode", "humidityLevel"}, temperature, mode, c.humidity), nil
}

func toCelsius(fahrenheit pyval.Value) (pyval.Value, error) {
	v, err := sim.Minus(fahrenheit, pyval.MakeInt(32))
	if err != nil {
		return nil, err
	}
	if v, err = sim.Times(v, pyval.MakeInt(5)); err != nil {
		return nil, err
	}
	return sim.Divided(v, pyval.MakeInt(9))
}

// setLights knows no light of its own for "auto".
func (c *car) setLights(args []pyval.Value) (pyval.Value, error) {
	switch mode := args[0]; {
	case pyval.Equal(mode, pyval.Str("on")):
		c.lights = pyval.Str("on")
	case pyval.Equal(mode, pyval.Str("off")), pyval.Equal(mode, pyval.Str("auto")):
		c.lights = pyval.Str("off")
	default:
		return sim.Fail("Invalid headlight mode."), nil
	}
	return sim.Answer("headlightStatus", c.lights), nil
}

func (c *car) show(args []pyval.Value) (pyval.Value, error) {
	out := pyval.NewDict(5)
	if c.long != nil {
		out.SetStr("metadata", pyval.Str(c.long.Text("CAR_STATUS_METADATA_EXTENSION")))
	}
	option, _ := args[0].(pyval.Str)
	fields := c.status(string(option))
	for _, f := range fields {
		out.SetStr(f.key, f.val)
	}
	if fields == nil {
		out.SetStr("error", pyval.Str("Invalid option"))
	}
	return out, nil
}

type field struct {
	key string
	val pyval.Value
}

// status is what displayCarStatus shows of an option; nil for an unknown one.
func (c *car) status(option string) []field {
	switch option {
	case "fuel":
		return []field{{"fuelLevel", c.fuel}}
	case "battery":
		return []field{{"batteryVoltage", c.voltage}}
	case "doors":
		return []field{{"doorStatus", c.doors}}
	case "climate":
		return []field{
			{"currentACTemperature", c.temperature}, {"fanSpeed", c.fan},
			{"climateMode", c.mode}, {"humidityLevel", c.humidity},
		}
	case "headlights":
		return []field{{"headlightStatus", c.lights}}
	case "parkingBrake":
		return []field{{"parkingBrakeStatus", c.parking}, {"parkingBrakeForce", c.parkingForce}, {"slopeAngle", c.slope}}
	case "brakePedal":
		return []field{{"brakePedalStatus", c.pedal}, {"brakePedalForce", c.pedalForce}}
	case "engine":
		return []field{{"engineState", c.engine}}
	}
	return nil
}

func (c *car) showLog(args []pyval.Value) (pyval.Value, error) {
	return sim.Answer("log", args[0]), nil
}

// showSpeed draws a speed: the car has none of its own.
func (c *car) showSpeed([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("currentSpeed", pyval.Float(c.random.Uniform(0, 120))), nil
}

func (c *car) showWeather([]pyval.Value) (pyval.Value, error) {
	out := pyval.NewDict(1)
	if c.long != nil {
		out = c.long.Dict("LONG_WEATHER_EXTENSION").Clone()
	}
	out.SetStr("outsideTemperature", pyval.Float(c.random.Uniform(-10, 40)))
	return out, nil
}

func (c *car) failWeather([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("error", pyval.MakeInt(404)), nil
}

func (c *car) checkTires([]pyval.Value) (pyval.Value, error) {
	sum := c.tires[0]
	var err error
	for _, pressure := range c.tires[1:] {
		if sum, err = sim.Plus(sum, pressure); err != nil {
			return nil, err
		}
	}
	average, err := sim.Divided(sum, pyval.MakeInt(4))
	if err != nil {
		return nil, err
	}
	healthy, err := between(pyval.MakeInt(30), average, pyval.MakeInt(35))
	if err != nil {
		return nil, err
	}
	out := sim.Record(tireNames, c.tires[:]...)
	out.SetStr("healthy_tire_pressure", pyval.Bool(healthy))
	out.SetStr("car_info", c.info())
	return out, nil
}

func (c *car) info() pyval.Value {
	if c.long != nil {
		return pyval.Str(c.long.Text("CAR_STATUS_METADATA_EXTENSION"))
	}
	return &pyval.Dict{}
}

func (c *car) findShop([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("shopLocation", pyval.Str(tireShop)), nil
}
