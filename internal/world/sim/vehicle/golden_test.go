package vehicle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/vehicle"
)

func TestGoldenTraces(t *testing.T) {
	c := simtest.Traces(t, sim.NewLibrary(vehicle.Class), "VehicleControlAPI")
	assert.Equal(t, c.Calls, c.Equal)
	assert.Equal(t, c.Traces, c.EqualStates)
}
