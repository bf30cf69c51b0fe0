package filesystem

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(Class), Class.Name)
}
