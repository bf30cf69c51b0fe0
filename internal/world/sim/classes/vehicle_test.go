package classes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/vehicle"
)

func TestVehicleEngine(t *testing.T) {
	script(t, vehicle.Class, `{"doorStatus": {"driver": "locked", "passenger": "locked", "rear_left": "locked", "trunk": "ajar"}, "fuelLevel": 0}`,
		step{"startEngine('START')", `{"error": "All doors must be locked before starting the engine. Here are the unlocked doors: "}`},
		step{"lockDoors(0, ('trunk',))", `{"lockStatus": "locked", "remainingUnlockedDoors": 0}`},
		step{"pressBrakePedal(True)", `{"brakePedalStatus": "pressed", "brakePedalForce": 1000.0}`},
		step{"startEngine('start')", `{"error": "Invalid ignition mode."}`},
		step{"startEngine('START')", `{"engineState": "running", "fuelLevel": 0, "batteryVoltage": 12.6}`},
		step{"setCruiseControl('1_20', 'yes', ' 7 ')", `{"cruiseStatus": "active", "currentSpeed": 120.0, "distanceToNextVehicle": 7.0}`},
		step{"setCruiseControl(1e999-1e999, True, 8)", `{"error": "Invalid speed"}`},
		step{"lockDoors(True, {'driver': 1, 'bonnet': 2})", raised + "'bonnet'"},
		step{"startEngine('STOP')", `{"error": "All doors must be locked before starting the engine. Here are the unlocked doors: driver"}`},
		step{"displayCarStatus('engine')", `{"engineState": "stopped"}`},
	)
}

func TestVehicleCabin(t *testing.T) {
	script(t, vehicle.Class, `{}`,
		step{"adjustClimateControl(70, 'fahrenheit', True)", `{"currentACTemperature": 70, "climateMode": "auto", "humidityLevel": 50.0}`},
		step{"displayCarStatus('climate')", `{"currentACTemperature": 21.11111111111111, "fanSpeed": true, "climateMode": "auto", "humidityLevel": 50.0}`},
		step{"displayCarStatus(['fuel'])", `{"error": "Invalid option"}`},
		step{"check_tire_pressure()", `{"frontLeftTirePressure": 32.0, "frontRightTirePressure": 32.0, "rearLeftTirePressure": 30.0, "rearRightTirePressure": 30.0, "healthy_tire_pressure": true, "car_info": {}}`},
		step{"display_log(None)", `{"log": null}`},
		step{"activateParkingBrake('release')", `{"parkingBrakeStatus": "released", "_parkingBrakeForce": 0.0, "_slopeAngle": 10.0}`},
	)
}

func TestVehicleTrip(t *testing.T) {
	script(t, vehicle.Class, `{"fuelLevel": 50}`,
		step{"fillFuelTank(0)", `{"fuelLevel": 50}`},
		step{"fillFuelTank(1e-9)", `{"error": "Cannot fill gas above the tank capacity."}`},
		step{"fillFuelTank(1e999-1e999)", `{"fuelLevel": NaN}`},
		step{"estimate_drive_feasibility_by_mileage(1)", `{"canDrive": true}`},
		step{"estimate_distance('08540', '94704')", `{"distance": 2550.0}`},
		step{"get_zipcode_based_on_city(['Rivermist'])", `{"zipcode": "00000"}`},
		step{"liter_to_gallon('x')", raised + "can't multiply sequence by non-int of type 'float'"},
		step{"liter_to_gallon(10**400)", raised + "int too large to convert to float"},
	)
	env := open(t, vehicle.Class, `{}`, nil)
	assert.Equal(t, raised+`can only concatenate str (not "NoneType") to str`, env.Call("set_navigation(None)").Text)
	instance, _ := env.Instance("VehicleControlAPI")
	destination, _ := instance.State().GetStr("destination")
	assert.Equal(t, "NoneType", destination.Kind().String(), "kept before the error")
}

func TestVehicleBadScenario(t *testing.T) {
	_, err := vehicle.Class.New(sim.Table(`{"doorStatus": []}`), sim.NewWorld(nil))
	assert.EqualError(t, err, "AttributeError: 'list' object has no attribute 'values'")
}
