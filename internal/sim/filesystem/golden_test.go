package filesystem

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/sim"
	"github.com/gobfcl/bfcl/internal/sim/simtest"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(Class), Class.Name)
}
