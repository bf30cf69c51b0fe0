// Package vehicle is upstream's VehicleControlAPI: one car with its engine,
// doors, climate, lights, brakes, cruise control and navigation.
package vehicle

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed vehicle_control.json
var doc string

// Class is upstream's VehicleControlAPI.
var Class = &sim.Class{Name: "VehicleControlAPI", DocFile: "vehicle_control.json", Doc: doc, New: open, Fields: sim.FieldsOf(defaults, "random_seed"), Methods: []sim.Method{
	{Name: "activateParkingBrake", Params: sim.Required("mode"), Call: sim.On((*car).park)},
	{
		Name: "adjustClimateControl",
		Params: []sim.Param{
			{Name: "temperature"}, {Name: "unit", Default: pyval.Str("celsius")},
			{Name: "fanSpeed", Default: pyval.MakeInt(50)}, {Name: "mode", Default: pyval.Str("auto")},
		},
		Call: sim.On((*car).adjustClimate),
	},
	{Name: "check_tire_pressure", Call: sim.On((*car).checkTires)},
	{Name: "displayCarStatus", Params: sim.Required("option"), Call: sim.On((*car).show)},
	{Name: "display_log", Params: sim.Required("messages"), Call: sim.On((*car).showLog)},
	{Name: "estimate_distance", Params: sim.Required("cityA", "cityB"), Call: sim.On((*car).estimateDistance)},
	{Name: "estimate_drive_feasibility_by_mileage", Params: sim.Required("distance"), Call: sim.On((*car).estimateRange)},
	{Name: "fillFuelTank", Params: sim.Required("fuelAmount"), Call: sim.On((*car).fill)},
	{Name: "find_nearest_tire_shop", Call: sim.On((*car).findShop)},
	{Name: "gallon_to_liter", Params: sim.Required("gallon"), Call: sim.On((*car).toLiters)},
	{Name: "get_current_speed", Call: sim.On((*car).showSpeed)},
	{Name: "get_outside_temperature_from_google", Call: sim.On((*car).showWeather)},
	{Name: "get_outside_temperature_from_weather_com", Call: sim.On((*car).failWeather)},
	{Name: "get_zipcode_based_on_city", Params: sim.Required("city"), Call: sim.On((*car).showZip)},
	{Name: "liter_to_gallon", Params: sim.Required("liter"), Call: sim.On((*car).toGallons)},
	{Name: "lockDoors", Params: sim.Required("unlock", "door"), Call: sim.On((*car).lock)},
	{Name: "pressBrakePedal", Params: sim.Required("pedalPosition"), Call: sim.On((*car).press)},
	{Name: "releaseBrakePedal", Call: sim.On((*car).release)},
	{Name: "setCruiseControl", Params: sim.Required("speed", "activate", "distanceToNextVehicle"), Call: sim.On((*car).cruise)},
	{Name: "setHeadlights", Params: sim.Required("mode"), Call: sim.On((*car).setLights)},
	{Name: "set_navigation", Params: sim.Required("destination"), Call: sim.On((*car).navigate)},
	{Name: "startEngine", Params: sim.Required("ignitionMode"), Call: sim.On((*car).start)},
}}

// A car is one VehicleControlAPI. What a scenario sets can be of any type.
type car struct {
	fuel, voltage          pyval.Value
	engine                 pyval.Value
	unlocked               pyval.Value // how many doors are not locked
	doors                  pyval.Value
	temperature, fan, mode pyval.Value
	humidity               pyval.Value
	lights                 pyval.Value
	parking, parkingForce  pyval.Value
	slope                  pyval.Value
	pedal, pedalForce      pyval.Value
	gap                    pyval.Value // to the next vehicle
	cruising               pyval.Value
	destination            pyval.Value
	tires                  [4]pyval.Value
	long                   *eval.LongContext // nil unless in long-context mode
	random                 *sim.Random
}

func open(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
	set := func(key string) pyval.Value { return sim.Default(scenario, defaults, key) }
	c := &car{
		fuel: set("fuelLevel"), voltage: set("batteryVoltage"), engine: set("engineState"), doors: set("doorStatus"),
		temperature: set("acTemperature"), fan: set("fanSpeed"), mode: set("acMode"), humidity: set("humidityLevel"),
		lights: set("headLightStatus"), parking: set("parkingBrakeStatus"), parkingForce: set("parkingBrakeForce"),
		slope: set("slopeAngle"), pedal: set("brakePedalStatus"), pedalForce: set("brakePedalForce"),
		gap: set("distanceToNextVehicle"), cruising: set("cruiseStatus"), destination: set("destination"),
	}
	for i, name := range tireNames {
		c.tires[i] = set(name)
	}
	c.long = world.Long
	var err error
	if c.random, err = sim.SeedOf(scenario, 141053); err != nil {
		return nil, err
	}
	c.unlocked, err = countUnlocked(c.doors)
	return c, err
}

// countUnlocked is four less the doors that are locked; the number in the
// scenario is ignored.
func countUnlocked(doors pyval.Value) (pyval.Value, error) {
	status, err := sim.MustDict(doors, "values")
	if err != nil {
		return nil, err
	}
	n := int64(4)
	for _, is := range status.All() {
		if pyval.Equal(is, pyval.Str("locked")) {
			n--
		}
	}
	return pyval.MakeInt(n), nil
}

var tireNames = []string{"frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure"}

// attributes are the public ones; forces and slope are not among them.
var attributes = sim.NewKeys(append([]string{
	"fuelLevel", "batteryVoltage", "engine_state", "remainingUnlockedDoors", "doorStatus", "acTemperature", "fanSpeed",
	"acMode", "humidityLevel", "headLightStatus", "parkingBrakeStatus", "brakePedalStatus", "distanceToNextVehicle",
	"cruiseStatus", "destination",
}, append(append([]string(nil), tireNames...), "long_context")...)...)

// State implements sim.Instance.
func (c *car) State() *pyval.Dict {
	return attributes.Record(c.fuel, c.voltage, c.engine, c.unlocked, c.doors, c.temperature, c.fan,
		c.mode, c.humidity, c.lights, c.parking, c.pedal, c.gap, c.cruising, c.destination,
		c.tires[0], c.tires[1], c.tires[2], c.tires[3], pyval.Bool(c.long != nil))
}
