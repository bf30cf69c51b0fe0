package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

func TestGoldenAgenticDocs(t *testing.T) {
	sameDocs(t, memory.KV, "memory_kv.json")
	sameDocs(t, memory.RecSum, "memory_rec_sum.json")
	sameDocs(t, memory.Vector(testkit.Embedder{}), "memory_vector.json")
	sameDocs(t, websearch.On(nil, nil), "web_search.json")
}

func TestMemoryHostile(t *testing.T) {
	for _, class := range []*sim.Class{memory.KV, memory.RecSum, memory.Vector(testkit.Embedder{})} {
		hostile(t, class, `{}`)
	}
}
