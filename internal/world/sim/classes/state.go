package classes

import (
	"math"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A viewer turns a tree into a value for the state check, in which upstream
// compares names and contents, and parents and times are left out.
type viewer struct {
	path []*directory // from the root to the directory available
	left int
}

func (v *viewer) directory(d *directory) pyval.Value {
	if i := slices.Index(v.path, d); i >= 0 {
		return endless("levels", len(v.path)-i)
	}
	if len(v.path) > maxDepth || v.left < 0 {
		return endless("depth", len(v.path))
	}
	v.path = append(v.path, d)
	items := pyval.NewDict(len(d.contents.entries))
	for _, e := range d.contents.entries {
		var name pyval.Value = pyval.Str(e.name) // converted once for both uses
		if v.left--; v.left < 0 {
			items.Add(name, endless("depth", len(v.path)))
			break
		}
		items.Add(name, v.item(e.item))
	}
	v.path = v.path[:len(v.path)-1]
	return sim.Answer("type", "directory", "name", d.name, "contents", items)
}

func (v *viewer) item(it item) pyval.Value {
	if f, ok := it.(*file); ok {
		return sim.Answer("type", "file", "name", f.name, "content", f.content)
	}
	return v.directory(it.(*directory))
}

// endless stands for a part of the tree that has no end. NaN makes it differ
// from everything.
func endless(what string, n int) *pyval.Dict {
	return sim.Answer("type", "cycle", what, n, "equals", math.NaN())
}
