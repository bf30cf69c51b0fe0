package ticket_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/ticket"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(ticket.Class), "TicketAPI")
}

func TestGoldenDocs(t *testing.T) { simtest.Docs(t, ticket.Class, "ticket_api.json") }
