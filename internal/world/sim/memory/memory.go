// Package memory simulates upstream's memory APIs, with which a model keeps
// what one conversation says for later ones.
//
//	kv        texts under keys, in a core and an archive; keys are searched by words
//	bm25      that search
//	recsum    one text that the model rewrites
//	vector    texts in a core and an archive, searched by likeness
//	snapshot  a memory's content as a file
//
// What a conversation leaves in memory is its snapshot, which the next one
// begins with. Nothing here reads or writes files: the caller that opens an
// instance gives it the snapshot as its scenario (see Scenario), and takes the
// new one from it.
package memory

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A Memory is an instance of any of the classes.
type Memory interface {
	sim.Instance
	// Backend is the name that a dataset's prompts have for the class.
	Backend() string
	// Context is what a system prompt shows of the memory: upstream's
	// _dump_core_memory_to_context, "" if upstream says that it is empty.
	Context() (string, error)
	// Snapshot is the memory's whole content.
	Snapshot() *pyval.Dict
}

// The classes' names are upstream's.
const (
	KVClass     = "MemoryAPI_kv"
	RecSumClass = "MemoryAPI_rec_sum"
	VectorClass = "MemoryAPI_vector"
)

// In finds the memory among a case's instances; nil if it has none.
func In(env *sim.Env) Memory {
	for _, class := range env.Classes() {
		instance, _ := env.Instance(class)
		if m, ok := instance.(Memory); ok {
			return m
		}
	}
	return nil
}

// A size bounds one of a memory's stores, as upstream does.
type size struct {
	prefix  string // of the methods' names
	entries int
	length  int // of an entry, in code points
}

// The stores of the classes that have two.
var (
	coreSize     = size{"core_memory", 7, 300}
	archivalSize = size{"archival_memory", 50, 2000}
)

// named is a store's method: its name after the store's prefix.
func (s size) named(name string) string { return s.prefix + "_" + name }
