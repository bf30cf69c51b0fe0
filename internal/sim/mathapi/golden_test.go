package mathapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/sim"
	"github.com/gobfcl/bfcl/internal/sim/mathapi"
	"github.com/gobfcl/bfcl/internal/sim/simtest"
)

func TestGoldenTraces(t *testing.T) {
	c := simtest.Traces(t, sim.NewLibrary(mathapi.Class), "MathAPI")
	assert.Equal(t, c.Calls, c.Equal)
	assert.Equal(t, c.Traces, c.EqualStates)
}
