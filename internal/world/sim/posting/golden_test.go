package posting_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/filesystem"
	"github.com/gobfcl/bfcl/internal/world/sim/posting"
)

// TestGoldenTraces takes the file system along: a trace posts what it reads.
func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(posting.Class, filesystem.Class), "TwitterAPI")
}

func TestGoldenDocs(t *testing.T) { simtest.Docs(t, posting.Class, "posting_api.json") }
