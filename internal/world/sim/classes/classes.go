// Package classes holds the simulated APIs of the multi-turn categories, and the
// list of all. It is the only package that knows them all.
package classes

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// Library holds the APIs of the multi-turn categories. A new one is one line
// here.
var Library = sim.NewLibrary(
	FileSystem,
	Math,
	Message,
	Posting,
	Ticket,
	Trading,
	Travel,
	Vehicle,
)

// All are all APIs, to look up and not to run: those of the agentic categories
// lack their services.
var All = With(Services{})

// Services are what APIs of the agentic categories need from outside.
type Services struct {
	// Embedder turns texts into vectors for memory_vector.
	Embedder memory.Embedder
	// Web is what is searched; nil if there is none.
	Web websearch.Web
}

// With returns all APIs: the multi-turn categories' and, over services, those
// of the agentic categories. A new one of these is one line here.
func With(s Services) *sim.Library {
	return sim.NewLibrary(append(slices.Clip(Library.Classes()),
		memory.KV,
		memory.Vector(s.Embedder),
		memory.RecSum,
		websearch.On(s.Web, nil),
	)...)
}
