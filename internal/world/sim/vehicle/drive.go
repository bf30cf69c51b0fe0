package vehicle

import (
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var zero = pyval.MakeInt(0)

// start stops the engine for "STOP" and then answers with an error all the
// same.
func (c *car) start(args []pyval.Value) (pyval.Value, error) {
	if pyval.Equal(args[0], pyval.Str("STOP")) {
		c.engine = pyval.Str("stopped")
	}
	if text, err := c.refuseStart(); err != nil || text != "" {
		return sim.Fail(text), err
	}
	if !pyval.Equal(args[0], pyval.Str("START")) {
		return sim.Fail("Invalid ignition mode."), nil
	}
	c.engine = pyval.Str("running")
	return sim.Record([]string{"engineState", "fuelLevel", "batteryVoltage"}, c.engine, c.fuel, c.voltage), nil
}

// refuseStart is why the engine does not start, or nothing.
func (c *car) refuseStart() (string, error) {
	if open, err := sim.Greater(c.unlocked, zero); err != nil || open {
		names, more := c.unlockedDoors()
		if err == nil {
			err = more
		}
		return "All doors must be locked before starting the engine. Here are the unlocked doors: " + names, err
	}
	if !pyval.Equal(c.pedal, pyval.Str("pressed")) {
		return "Brake pedal needs to be pressed when starting the engine.", nil
	}
	if !pyval.Equal(c.pedalForce, pyval.Float(1000)) {
		return "Must press the brake fully before starting the engine.", nil
	}
	if empty, err := sim.Less(c.fuel, pyval.Float(0)); err != nil || empty {
		return "Fuel tank is empty.", err
	}
	return "", nil
}

func (c *car) unlockedDoors() (string, error) {
	doors, err := sim.MustDict(c.doors, "items")
	if err != nil {
		return "", err
	}
	var names []string
	for name, status := range doors.All() {
		if pyval.Equal(status, pyval.Str("unlocked")) {
			names = append(names, pyval.Text(name))
		}
	}
	return strings.Join(names, ", "), nil
}

func (c *car) fill(args []pyval.Value) (pyval.Value, error) {
	if negative, err := sim.Less(args[0], zero); err != nil || negative {
		return sim.Fail("Fuel amount cannot be negative."), err
	}
	level, err := sim.Plus(c.fuel, args[0])
	if err != nil {
		return nil, err
	}
	if full, err := sim.Greater(level, pyval.MakeInt(tankSize)); err != nil || full {
		return sim.Fail("Cannot fill gas above the tank capacity."), err
	}
	if empty, err := sim.Less(level, pyval.Float(0)); err != nil || empty {
		return sim.Fail("Fuel tank is empty. Min fuel level is 0 gallons."), err
	}
	c.fuel = level
	return sim.Answer("fuelLevel", level), nil
}

// lock changes door by door, so that those before an unknown door stay
// changed.
func (c *car) lock(args []pyval.Value) (pyval.Value, error) {
	want, step := "locked", sim.Minus
	if pyval.Truth(args[0]) {
		want, step = "unlocked", sim.Plus
	}
	doors, err := pyval.Iterate(args[1])
	if err != nil {
		return nil, err
	}
	for _, door := range doors {
		status, err := pyval.Subscript(c.doors, door)
		if err != nil {
			return nil, err
		}
		if pyval.Equal(status, pyval.Str(want)) {
			continue
		}
		if err := sim.Set(c.doors, door, pyval.Str(want)); err != nil {
			return nil, err
		}
		if c.unlocked, err = step(c.unlocked, pyval.MakeInt(1)); err != nil {
			return nil, err
		}
	}
	return sim.Record([]string{"lockStatus", "remainingUnlockedDoors"}, pyval.Str(want), c.unlocked), nil
}

// park tilts the car in either mode, and never back.
func (c *car) park(args []pyval.Value) (pyval.Value, error) {
	switch {
	case pyval.Equal(args[0], pyval.Str("engage")):
		c.parking, c.parkingForce = pyval.Str("engaged"), pyval.Float(500)
	case pyval.Equal(args[0], pyval.Str("release")):
		c.parking, c.parkingForce = pyval.Str("released"), pyval.Float(0)
	default:
		return sim.Fail("Invalid mode"), nil
	}
	c.slope = pyval.Float(10)
	out := pyval.NewDict(4)
	if c.long != nil {
		out.SetStr("parkingBrakeInstruction", pyval.Str(c.long.Text("PARKING_BRAKE_INSTRUCTION")))
	}
	out.SetStr("parkingBrakeStatus", c.parking)
	out.SetStr("_parkingBrakeForce", c.parkingForce)
	out.SetStr("_slopeAngle", c.slope)
	return out, nil
}

var pedalFields = []string{"brakePedalStatus", "brakePedalForce"}

// press keeps the force as an int for an int, and answers with a float.
func (c *car) press(args []pyval.Value) (pyval.Value, error) {
	inside, err := between(zero, args[0], pyval.MakeInt(1))
	if err != nil || !inside {
		return sim.Fail("Pedal position must be between 0 and 1."), err
	}
	if pyval.Equal(args[0], zero) {
		return c.release(nil)
	}
	force, err := sim.Times(args[0], pyval.MakeInt(1000))
	if err != nil {
		return nil, err
	}
	c.pedal, c.pedalForce = pyval.Str("pressed"), force
	shown, err := sim.Float(force)
	return sim.Record(pedalFields, c.pedal, pyval.Float(shown)), err
}

func (c *car) release([]pyval.Value) (pyval.Value, error) {
	c.pedal, c.pedalForce = pyval.Str("released"), pyval.Float(0)
	return sim.Record(pedalFields, c.pedal, c.pedalForce), nil
}

// between is Python's low <= v <= high.
func between(low, v, high pyval.Value) (bool, error) {
	if above, err := sim.LessEqual(low, v); err != nil || !above {
		return false, err
	}
	return sim.LessEqual(v, high)
}

// cruise keeps the gap to the next vehicle even if the speed is refused.
func (c *car) cruise(args []pyval.Value) (pyval.Value, error) {
	gap, err := sim.Float(args[2])
	if err != nil {
		return nil, err
	}
	speed, err := sim.Float(args[0])
	if err != nil {
		return nil, err
	}
	if pyval.Equal(c.engine, pyval.Str("stopped")) {
		return sim.Fail("Start the engine before activating the cruise control."), nil
	}
	c.gap = pyval.Float(gap)
	status := pyval.Str("inactive")
	if pyval.Truth(args[1]) {
		if !cruisingSpeed(speed) {
			return sim.Fail("Invalid speed"), nil
		}
		status = "active"
	}
	c.cruising = status
	return sim.Record([]string{"cruiseStatus", "currentSpeed", "distanceToNextVehicle"}, status, pyval.Float(speed), c.gap), nil
}

func cruisingSpeed(v float64) bool { return v >= 0 && v <= 120 && math.Mod(v, 5) == 0 }
