// Package memory simulates upstream's memory APIs, with which a model keeps
// what one conversation says for later ones.
//
//	kv        texts under keys, in a core and an archive; keys are searched by words
//	recsum    one text that the model rewrites
//	vector    texts in a core and an archive, searched by likeness
//	nearest   these searches
//	memory    a memory's content as a file
//
// What a conversation leaves in memory is its snapshot, which the next one
// begins with. Nothing here reads or writes files: the caller that opens an
// instance gives it the snapshot as its scenario (see Scenario), and takes the
// new one from it.
package memory

import (
	"fmt"

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

// snapshotField is the part of a scenario that holds what an earlier
// conversation left.
const snapshotField = "snapshot"

// indent is that of upstream's JSON.
const indent = 4

// Scenario returns the scenario of an instance that begins with a snapshot; nil
// is an empty one.
func Scenario(snapshot *pyval.Dict) *pyval.Dict {
	if snapshot == nil {
		return &pyval.Dict{}
	}
	return sim.Answer(snapshotField, snapshot)
}

// Write returns a snapshot as upstream writes it to a file.
func Write(snapshot *pyval.Dict) (string, error) { return pyval.JSONIndent(snapshot, indent) }

// Read reads a snapshot's file. Its content is checked when an instance begins
// with it.
func Read(file string) (*pyval.Dict, error) {
	v, err := pyval.ParseJSON(file)
	if err != nil {
		return nil, err
	}
	snapshot, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("expected a JSON object, got %s", pyval.ATypeName(v))
	}
	return snapshot, nil
}

// snapshotOf is a scenario's snapshot; nil if the memory begins empty.
func snapshotOf(scenario *pyval.Dict) *pyval.Dict {
	v, ok := scenario.GetStr(snapshotField)
	if !ok || v == pyval.None {
		return nil
	}
	snapshot, ok := v.(*pyval.Dict)
	if !ok {
		refuse("the snapshot is %s, not an object", pyval.ATypeName(v))
	}
	return snapshot
}

func refuse(format string, args ...any) { panic(pyval.Raise("ValueError", format, args...)) }

// child is an object in a snapshot.
func child(snapshot *pyval.Dict, field string) *pyval.Dict {
	d := snapshot.Child(field)
	if d == nil {
		refuse("the snapshot's %q is missing or not an object", field)
	}
	return d
}

// texts is an object of texts in a snapshot.
func texts(snapshot *pyval.Dict, field string) *pyval.Dict {
	d := child(snapshot, field)
	for key, v := range d.All() {
		if _, ok := v.(pyval.Str); !ok {
			refuse("in the snapshot's %q, %.80q is of type %s, not a text", field, pyval.Text(key), pyval.TypeName(v))
		}
	}
	return d
}
