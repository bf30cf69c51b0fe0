package classes

import (
	"cmp"
	_ "embed"
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed vehicle_control.json
var docVehicle string

// Vehicle is upstream's VehicleControlAPI.
var Vehicle = &sim.Class{Name: "VehicleControlAPI", DocFile: "vehicle_control.json", Doc: docVehicle, New: sim.New(openVehicle), Fields: sim.FieldsOf(defaultsVehicle, "random_seed"), Methods: []sim.Method{
	// Tilts the car in either mode, and never back.
	{Name: "activateParkingBrake", Params: sim.Params("mode"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		status, force := "engaged", 500.0
		switch {
		case sim.Is(args[0], "==", "release"):
			status, force = "released", 0
		case sim.Is(args[0], "!=", "engage"):
			return sim.Fail("Invalid mode")
		}
		c.Set("parkingBrakeStatus", status)
		c.Set("parkingBrakeForce", force)
		c.Set("slopeAngle", 10.0)
		out := pyval.NewDict(4)
		if c.Long != nil {
			out.SetStr("parkingBrakeInstruction", pyval.Str(c.Long.Text("PARKING_BRAKE_INSTRUCTION")))
		}
		out.SetStr("parkingBrakeStatus", pyval.Str(status))
		out.SetStr("_parkingBrakeForce", pyval.Float(force))
		out.SetStr("_slopeAngle", pyval.Float(10))
		return out
	})},
	// Sets the temperature before it converts it, so a value that
	// cannot be converted stays; an unknown unit is celsius.
	{Name: "adjustClimateControl", Params: sim.Params("temperature", `unit="celsius"`, "fanSpeed=50", `mode="auto"`), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		temperature, unit, fan, mode := args[0], args[1], args[2], args[3]
		if !between(0, fan, 100) {
			return sim.Fail("Fan speed must be between 0 and 100.")
		}
		c.Set("acTemperature", temperature)
		if sim.Is(unit, "==", "fahrenheit") {
			c.Set("acTemperature", sim.Calc(sim.Calc(sim.Calc(temperature, "-", 32), "*", 5), "/", 9))
		}
		c.Set("fanSpeed", fan)
		c.Set("acMode", mode)
		return sim.Answer("currentACTemperature", temperature, "climateMode", mode, "humidityLevel", c.Get("humidityLevel"))
	})},
	{Name: "check_tire_pressure", Call: sim.On(func(c car, _ []pyval.Value) pyval.Value {
		sum := c.Get(tires[0])
		for _, tire := range tires[1:] {
			sum = sim.Calc(sum, "+", c.Get(tire))
		}
		out := c.pick(tires)
		out.SetStr("healthy_tire_pressure", pyval.Bool(between(30, sim.Calc(sum, "/", 4), 35)))
		var info pyval.Value = &pyval.Dict{}
		if c.Long != nil {
			info = pyval.Str(c.Long.Text("CAR_STATUS_METADATA_EXTENSION"))
		}
		out.SetStr("car_info", info)
		return out
	})},
	{Name: "displayCarStatus", Params: sim.Params("option"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		out := pyval.NewDict(5)
		if c.Long != nil {
			out.SetStr("metadata", pyval.Str(c.Long.Text("CAR_STATUS_METADATA_EXTENSION")))
		}
		option, _ := args[0].(pyval.Str)
		for _, name := range shown[option] {
			out.SetStr(cmp.Or(shownAs[name], name), c.Get(name))
		}
		if shown[option] == nil {
			out.SetStr("error", pyval.Str("Invalid option"))
		}
		return out
	})},
	{Name: "display_log", Params: sim.Params("messages"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value { return sim.Answer("log", args[0]) })},
	{Name: "estimate_distance", Params: sim.Params("cityA", "cityB"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		a, _ := args[0].(pyval.Str)
		b, _ := args[1].(pyval.Str)
		out := sim.Answer("error", "distance not found in database.")
		if km := cmp.Or(kilometers[way{a, b}], kilometers[way{b, a}]); km != 0 {
			out = sim.Answer("distance", km)
		}
		if c.Long != nil {
			out.SetStr("intermediaryCities", c.Long.List("INTERMEDIARY_CITIES"))
		}
		return out
	})},
	{Name: "estimate_drive_feasibility_by_mileage", Params: sim.Params("distance"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		const milesPerGallon = 20.0
		return sim.Answer("canDrive", !sim.Is(sim.Calc(c.Get("fuelLevel"), "*", milesPerGallon), "<", args[0]))
	})},
	{Name: "fillFuelTank", Params: sim.Params("fuelAmount"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		if sim.Is(args[0], "<", 0) {
			return sim.Fail("Fuel amount cannot be negative.")
		}
		level := sim.Calc(c.Get("fuelLevel"), "+", args[0])
		switch {
		case sim.Is(level, ">", 50):
			return sim.Fail("Cannot fill gas above the tank capacity.")
		case sim.Is(level, "<", 0):
			return sim.Fail("Fuel tank is empty. Min fuel level is 0 gallons.")
		}
		c.Set("fuelLevel", level)
		return sim.Answer("fuelLevel", level)
	})},
	{Name: "find_nearest_tire_shop", Call: sim.On(func(c car, _ []pyval.Value) pyval.Value {
		return sim.Answer("shopLocation", "456 Oakwood Avenue, Rivermist, 83214")
	})},
	{Name: "gallon_to_liter", Params: sim.Params("gallon"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		return sim.Answer("liter", sim.Scaled(args[0], pyval.Float(3.78541)))
	})},
	// Draws a speed: the car has none of its own.
	{Name: "get_current_speed", Call: sim.On(func(c car, _ []pyval.Value) pyval.Value {
		return sim.Answer("currentSpeed", c.Random.Uniform(0, 120))
	})},
	{Name: "get_outside_temperature_from_google", Call: sim.On(func(c car, _ []pyval.Value) pyval.Value {
		out := pyval.NewDict(1)
		if c.Long != nil {
			out = c.Long.Dict("LONG_WEATHER_EXTENSION").Clone()
		}
		out.SetStr("outsideTemperature", pyval.Float(c.Random.Uniform(-10, 40)))
		return out
	})},
	{Name: "get_outside_temperature_from_weather_com", Call: sim.On(func(c car, _ []pyval.Value) pyval.Value { return sim.Answer("error", 404) })},
	{Name: "get_zipcode_based_on_city", Params: sim.Params("city"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		zip, ok := zips.Get(args[0])
		if !ok {
			zip = pyval.Str("00000")
		}
		return sim.Answer("zipcode", zip)
	})},
	{Name: "liter_to_gallon", Params: sim.Params("liter"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		return sim.Answer("gallon", sim.Scaled(args[0], pyval.Float(0.264172)))
	})},
	// Changes door by door, so that those before an unknown door stay
	// changed.
	{Name: "lockDoors", Params: sim.Params("unlock", "door"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		want, step := "locked", -1
		if pyval.Truth(args[0]) {
			want, step = "unlocked", 1
		}
		for _, door := range sim.Items(args[1]) {
			if sim.Is(sim.At(c.Get("doorStatus"), door), "!=", want) {
				sim.Put(c.Get("doorStatus"), door, want)
				c.Add("remainingUnlockedDoors", step)
			}
		}
		return sim.Answer("lockStatus", want, "remainingUnlockedDoors", c.Get("remainingUnlockedDoors"))
	})},
	// Keeps the force as an int for an int, and answers with a float.
	{Name: "pressBrakePedal", Params: sim.Params("pedalPosition"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		if !between(0, args[0], 1) {
			return sim.Fail("Pedal position must be between 0 and 1.")
		}
		if sim.Is(args[0], "==", 0) {
			return c.release(nil)
		}
		force := sim.Calc(args[0], "*", 1000)
		c.Set("brakePedalStatus", "pressed")
		c.Set("brakePedalForce", force)
		return sim.Answer("brakePedalStatus", "pressed", "brakePedalForce", sim.Float(force))
	})},
	{Name: "releaseBrakePedal", Call: sim.On(car.release)},
	// Keeps the gap to the next vehicle even if the speed is refused.
	{Name: "setCruiseControl", Params: sim.Params("speed", "activate", "distanceToNextVehicle"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		gap, speed := sim.Float(args[2]), sim.Float(args[0])
		if sim.Is(c.Get("engine_state"), "==", "stopped") {
			return sim.Fail("Start the engine before activating the cruise control.")
		}
		c.Set("distanceToNextVehicle", gap)
		status := "inactive"
		if pyval.Truth(args[1]) {
			if !(speed >= 0 && speed <= 120 && math.Mod(speed, 5) == 0) {
				return sim.Fail("Invalid speed")
			}
			status = "active"
		}
		c.Set("cruiseStatus", status)
		return sim.Answer("cruiseStatus", status, "currentSpeed", speed, "distanceToNextVehicle", gap)
	})},
	// Knows no light of its own for "auto".
	{Name: "setHeadlights", Params: sim.Params("mode"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		status := "off"
		switch {
		case sim.Is(args[0], "==", "on"):
			status = "on"
		case sim.Is(args[0], "!=", "off") && sim.Is(args[0], "!=", "auto"):
			return sim.Fail("Invalid headlight mode.")
		}
		c.Set("headLightStatus", status)
		return sim.Answer("headlightStatus", status)
	})},
	// Keeps the destination before it fails on one that is not text.
	{Name: "set_navigation", Params: sim.Params("destination"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		c.Set("destination", args[0])
		return sim.Answer("status", sim.Calc("Navigating to ", "+", args[0]))
	})},
	// Stops the engine for "STOP" and then answers with an error all the
	// same.
	{Name: "startEngine", Params: sim.Params("ignitionMode"), Call: sim.On(func(c car, args []pyval.Value) pyval.Value {
		if sim.Is(args[0], "==", "STOP") {
			c.Set("engine_state", "stopped")
		}
		switch {
		case sim.Is(c.Get("remainingUnlockedDoors"), ">", 0):
			return sim.Fail("All doors must be locked before starting the engine. Here are the unlocked doors: " + c.unlocked())
		case sim.Is(c.Get("brakePedalStatus"), "!=", "pressed"):
			return sim.Fail("Brake pedal needs to be pressed when starting the engine.")
		case sim.Is(c.Get("brakePedalForce"), "!=", 1000):
			return sim.Fail("Must press the brake fully before starting the engine.")
		case sim.Is(c.Get("fuelLevel"), "<", 0):
			return sim.Fail("Fuel tank is empty.")
		case sim.Is(args[0], "!=", "START"):
			return sim.Fail("Invalid ignition mode.")
		}
		c.Set("engine_state", "running")
		return sim.Answer("engineState", "running", "fuelLevel", c.Get("fuelLevel"), "batteryVoltage", c.Get("batteryVoltage"))
	})},
}}

// A car is one VehicleControlAPI.
type car struct{ *sim.Object }

// openVehicle ignores the scenario's number of unlocked doors: it is four less those
// that are locked.
func openVehicle(scenario *pyval.Dict, world *sim.World) sim.Instance {
	c := car{sim.NewObject(scenario, defaultsVehicle, 141053, world)}
	unlocked := 4
	for _, is := range sim.MustDict(c.Get("doorStatus"), "values").All() {
		if pyval.Equal(is, pyval.Str("locked")) {
			unlocked--
		}
	}
	c.Set("engine_state", c.Get("engineState"))
	c.Set("remainingUnlockedDoors", unlocked)
	c.Set("long_context", world.Long != nil)
	return c
}

// defaults are the values that a scenario does not set, by the scenario's keys.
var defaultsVehicle = sim.Table(`{
	"fuelLevel": 0.0, "batteryVoltage": 12.6, "engineState": "stopped",
	"doorStatus": {"driver": "unlocked", "passenger": "unlocked", "rear_left": "unlocked", "rear_right": "unlocked"},
	"acTemperature": 25.0, "fanSpeed": 50, "acMode": "auto", "humidityLevel": 50.0, "headLightStatus": "off",
	"parkingBrakeStatus": "released", "parkingBrakeForce": 0.0, "slopeAngle": 0.0,
	"brakePedalStatus": "released", "brakePedalForce": 0.0,
	"distanceToNextVehicle": 50.0, "cruiseStatus": "inactive", "destination": "None",
	"frontLeftTirePressure": 32.0, "frontRightTirePressure": 32.0,
	"rearLeftTirePressure": 30.0, "rearRightTirePressure": 30.0
}`)

var (
	tires = []string{"frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure"}

	// public are the attributes that the state holds; forces and slope are not
	// among them.
	public = append(append([]string{
		"fuelLevel", "batteryVoltage", "engine_state", "remainingUnlockedDoors", "doorStatus", "acTemperature", "fanSpeed",
		"acMode", "humidityLevel", "headLightStatus", "parkingBrakeStatus", "brakePedalStatus", "distanceToNextVehicle",
		"cruiseStatus", "destination",
	}, tires...), "long_context")
)

// State implements sim.Instance.
func (c car) State() *pyval.Dict { return c.pick(public) }

func (c car) pick(names []string) *pyval.Dict {
	d := pyval.NewDict(len(names) + 2)
	for _, name := range names {
		d.SetStr(name, c.Get(name))
	}
	return d
}

func (c car) unlocked() string {
	var names []string
	for name, status := range sim.MustDict(c.Get("doorStatus"), "items").All() {
		if pyval.Equal(status, pyval.Str("unlocked")) {
			names = append(names, pyval.Text(name))
		}
	}
	return strings.Join(names, ", ")
}

func (c car) release([]pyval.Value) pyval.Value {
	c.Set("brakePedalStatus", "released")
	c.Set("brakePedalForce", 0.0)
	return sim.Answer("brakePedalStatus", "released", "brakePedalForce", 0.0)
}

// between is Python's low <= v <= high.
func between(low int, v pyval.Value, high int) bool {
	return sim.Is(low, "<=", v) && sim.Is(v, "<=", high)
}

// shown are the attributes that displayCarStatus shows of an option, and what it
// calls those that it does not call by their own name.
var (
	shown = map[pyval.Str][]string{
		"fuel": {"fuelLevel"}, "battery": {"batteryVoltage"}, "doors": {"doorStatus"},
		"climate":    {"acTemperature", "fanSpeed", "acMode", "humidityLevel"},
		"headlights": {"headLightStatus"}, "engine": {"engine_state"},
		"parkingBrake": {"parkingBrakeStatus", "parkingBrakeForce", "slopeAngle"},
		"brakePedal":   {"brakePedalStatus", "brakePedalForce"},
	}
	shownAs = map[string]string{
		"acTemperature": "currentACTemperature", "acMode": "climateMode",
		"headLightStatus": "headlightStatus", "engine_state": "engineState",
	}
)

type way struct{ from, to pyval.Str }

// kilometers are between zip codes, in both directions.
var kilometers = map[way]float64{
	{"83214", "74532"}: 750, {"56108", "62947"}: 320, {"71354", "83462"}: 450, {"47329", "52013"}: 290,
	{"69238", "51479"}: 630, {"94016", "83214"}: 980, {"94016", "94704"}: 600, {"94704", "08540"}: 2550,
	{"94016", "08540"}: 1950, {"62947", "47329"}: 1053, {"94016", "62947"}: 780, {"74532", "94016"}: 880,
}

var zips = sim.Table(`{
	"Rivermist": "83214", "Stonebrook": "74532", "Maplecrest": "56108", "Silverpine": "62947",
	"Shadowridge": "71354", "Sunset Valley": "83462", "Oakendale": "47329", "Willowbend": "52013",
	"Crescent Hollow": "69238", "Autumnville": "51479", "San Francisco": "94016"
}`)
