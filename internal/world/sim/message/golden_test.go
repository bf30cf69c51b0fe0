package message_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/message"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(message.Class), "MessageAPI")
}

func TestGoldenDocs(t *testing.T) { simtest.Docs(t, message.Class, "message_api.json") }
