package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/vehicle"
)

func TestVehicleHostile(t *testing.T) {
	hostile(t, vehicle.Class,
		`{}`,
		`{"doorStatus": {"a": "locked", "b": "locked", "c": "locked", "d": "locked"}, "brakePedalStatus": "pressed", "brakePedalForce": 1000}`,
		`{"doorStatus": {"a": [], "b": 5}, "fuelLevel": "x", "frontLeftTirePressure": "x", "engineState": "running"}`,
		`{"doorStatus": {}, "fuelLevel": [], "frontLeftTirePressure": null, "rearRightTirePressure": [], "engineState": 5}`,
		`{"fuelLevel": {}, "frontLeftTirePressure": [1], "frontRightTirePressure": [], "rearLeftTirePressure": [], "rearRightTirePressure": []}`,
	)
}

func FuzzVehicleCalls(f *testing.F) {
	fuzz(f, vehicle.Class,
		[2]string{`{}`, "lockDoors(False, ['driver', 'passenger', 'rear_left', 'rear_right'])\npressBrakePedal(1)\nstartEngine('START')\nsetCruiseControl(65, True, 9)\nstartEngine('STOP')"},
		[2]string{`{"fuelLevel": 1e308}`, "fillFuelTank(1e308)\nestimate_drive_feasibility_by_mileage(1e999-1e999)\nliter_to_gallon(10**400)\ngallon_to_liter('x' * 9)"},
		[2]string{`{"doorStatus": {"d": 1}}`, "lockDoors('x', 'd')\nlockDoors(0, 'dx')\ndisplayCarStatus('doors')\nset_navigation(display_log(get_current_speed()))"},
		[2]string{`{"rearLeftTirePressure": 1e308}`, "check_tire_pressure()\nadjustClimateControl('x', 'fahrenheit')\ndisplayCarStatus('climate')\nget_outside_temperature_from_google()"},
	)
}
