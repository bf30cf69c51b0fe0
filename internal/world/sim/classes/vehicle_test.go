package classes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/vehicle"
)

func TestVehicleEngine(t *testing.T) {
	simtest.Script(t, vehicle.Class, `{"doorStatus": {"driver": "locked", "passenger": "locked", "rear_left": "locked", "trunk": "ajar"}, "fuelLevel": 0}`,
		simtest.Step{Call: "startEngine('START')", Want: `{"error": "All doors must be locked before starting the engine. Here are the unlocked doors: "}`},
		simtest.Step{Call: "lockDoors(0, ('trunk',))", Want: `{"lockStatus": "locked", "remainingUnlockedDoors": 0}`},
		simtest.Step{Call: "pressBrakePedal(True)", Want: `{"brakePedalStatus": "pressed", "brakePedalForce": 1000.0}`},
		simtest.Step{Call: "startEngine('start')", Want: `{"error": "Invalid ignition mode."}`},
		simtest.Step{Call: "startEngine('START')", Want: `{"engineState": "running", "fuelLevel": 0, "batteryVoltage": 12.6}`},
		simtest.Step{Call: "setCruiseControl('1_20', 'yes', ' 7 ')", Want: `{"cruiseStatus": "active", "currentSpeed": 120.0, "distanceToNextVehicle": 7.0}`},
		simtest.Step{Call: "setCruiseControl(1e999-1e999, True, 8)", Want: `{"error": "Invalid speed"}`},
		simtest.Step{Call: "lockDoors(True, {'driver': 1, 'bonnet': 2})", Want: raised + "'bonnet'"},
		simtest.Step{Call: "startEngine('STOP')", Want: `{"error": "All doors must be locked before starting the engine. Here are the unlocked doors: driver"}`},
		simtest.Step{Call: "displayCarStatus('engine')", Want: `{"engineState": "stopped"}`},
	)
}

func TestVehicleCabin(t *testing.T) {
	simtest.Script(t, vehicle.Class, `{}`,
		simtest.Step{Call: "adjustClimateControl(70, 'fahrenheit', True)", Want: `{"currentACTemperature": 70, "climateMode": "auto", "humidityLevel": 50.0}`},
		simtest.Step{Call: "displayCarStatus('climate')", Want: `{"currentACTemperature": 21.11111111111111, "fanSpeed": true, "climateMode": "auto", "humidityLevel": 50.0}`},
		simtest.Step{Call: "displayCarStatus(['fuel'])", Want: `{"error": "Invalid option"}`},
		simtest.Step{Call: "check_tire_pressure()", Want: `{"frontLeftTirePressure": 32.0, "frontRightTirePressure": 32.0, "rearLeftTirePressure": 30.0, "rearRightTirePressure": 30.0, "healthy_tire_pressure": true, "car_info": {}}`},
		simtest.Step{Call: "display_log(None)", Want: `{"log": null}`},
		simtest.Step{Call: "activateParkingBrake('release')", Want: `{"parkingBrakeStatus": "released", "_parkingBrakeForce": 0.0, "_slopeAngle": 10.0}`},
	)
}

func TestVehicleTrip(t *testing.T) {
	simtest.Script(t, vehicle.Class, `{"fuelLevel": 50}`,
		simtest.Step{Call: "fillFuelTank(0)", Want: `{"fuelLevel": 50}`},
		simtest.Step{Call: "fillFuelTank(1e-9)", Want: `{"error": "Cannot fill gas above the tank capacity."}`},
		simtest.Step{Call: "fillFuelTank(1e999-1e999)", Want: `{"fuelLevel": NaN}`},
		simtest.Step{Call: "estimate_drive_feasibility_by_mileage(1)", Want: `{"canDrive": true}`},
		simtest.Step{Call: "estimate_distance('08540', '94704')", Want: `{"distance": 2550.0}`},
		simtest.Step{Call: "get_zipcode_based_on_city(['Rivermist'])", Want: `{"zipcode": "00000"}`},
		simtest.Step{Call: "liter_to_gallon('x')", Want: raised + "can't multiply sequence by non-int of type 'float'"},
		simtest.Step{Call: "liter_to_gallon(10**400)", Want: raised + "int too large to convert to float"},
	)
	env := simtest.Open(t, vehicle.Class, `{}`, nil)
	assert.Equal(t, raised+`can only concatenate str (not "NoneType") to str`, env.Call("set_navigation(None)").Text)
	instance, _ := env.Instance("VehicleControlAPI")
	destination, _ := instance.State().GetStr("destination")
	assert.Equal(t, "NoneType", destination.Kind().String(), "kept before the error")
}

func TestVehicleBadScenario(t *testing.T) {
	_, err := vehicle.Class.New(sim.Table(`{"doorStatus": []}`), sim.NewWorld(nil))
	assert.EqualError(t, err, "'list' object has no attribute 'values'")
}
