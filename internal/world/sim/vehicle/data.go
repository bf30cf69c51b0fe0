package vehicle

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

const (
	tankSize       = 50
	milesPerGallon = 20.0
	gallonsAtLiter = 0.264172
	litersAtGallon = 3.78541

	tireShop = "456 Oakwood Avenue, Rivermist, 83214"
)

// defaults are the values that a scenario does not set, by the scenario's keys.
var defaults = sim.Table(`{
	"fuelLevel": 0.0, "batteryVoltage": 12.6, "engineState": "stopped",
	"doorStatus": {"driver": "unlocked", "passenger": "unlocked", "rear_left": "unlocked", "rear_right": "unlocked"},
	"acTemperature": 25.0, "fanSpeed": 50, "acMode": "auto", "humidityLevel": 50.0, "headLightStatus": "off",
	"parkingBrakeStatus": "released", "parkingBrakeForce": 0.0, "slopeAngle": 0.0,
	"brakePedalStatus": "released", "brakePedalForce": 0.0,
	"distanceToNextVehicle": 50.0, "cruiseStatus": "inactive", "destination": "None",
	"frontLeftTirePressure": 32.0, "frontRightTirePressure": 32.0,
	"rearLeftTirePressure": 30.0, "rearRightTirePressure": 30.0
}`)

var zips = sim.Table(`{
	"Rivermist": "83214", "Stonebrook": "74532", "Maplecrest": "56108", "Silverpine": "62947",
	"Shadowridge": "71354", "Sunset Valley": "83462", "Oakendale": "47329", "Willowbend": "52013",
	"Crescent Hollow": "69238", "Autumnville": "51479", "San Francisco": "94016"
}`)

type way struct{ from, to pyval.Str }

// kilometers are between zip codes, in both directions.
var kilometers = map[way]pyval.Float{
	{"83214", "74532"}: 750, {"56108", "62947"}: 320, {"71354", "83462"}: 450, {"47329", "52013"}: 290,
	{"69238", "51479"}: 630, {"94016", "83214"}: 980, {"94016", "94704"}: 600, {"94704", "08540"}: 2550,
	{"94016", "08540"}: 1950, {"62947", "47329"}: 1053, {"94016", "62947"}: 780, {"74532", "94016"}: 880,
}
