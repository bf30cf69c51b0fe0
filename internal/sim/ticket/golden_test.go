package ticket_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/sim"
	"github.com/gobfcl/bfcl/internal/sim/simtest"
	"github.com/gobfcl/bfcl/internal/sim/ticket"
)

func TestGoldenTraces(t *testing.T) {
	simtest.Traces(t, sim.NewLibrary(ticket.Class), "TicketAPI")
}
