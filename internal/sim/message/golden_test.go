package message_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/sim"
	"github.com/gobfcl/bfcl/internal/sim/message"
	"github.com/gobfcl/bfcl/internal/sim/simtest"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(message.Class), "MessageAPI")
}

func TestGoldenDocs(t *testing.T) { simtest.Docs(t, message.Class, "message_api.json") }
