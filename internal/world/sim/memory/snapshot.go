package memory

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
