package classes

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// An item is a *file or a *directory.
type item any

// A file can be in several directories at once: upstream's cp of a directory
// shares the files.
type file struct {
	name    string
	content pyval.Value // of any type: echo stores what it is given
}

// A directory points to its parent at the time it was made. A moved directory
// is a new one that shares the old one's contents, so a parent need not hold
// its child.
type directory struct {
	name     string
	parent   *directory
	contents *contents
}

// contents are items by name, in insertion order.
type contents struct{ entries []entry }

type entry struct {
	name string
	item item
}

func (c *contents) find(name string) int {
	return slices.IndexFunc(c.entries, func(e entry) bool { return e.name == name })
}

// get returns the item of a name; nil if there is none.
func (c *contents) get(name string) item {
	if i := c.find(name); i >= 0 {
		return c.entries[i].item
	}
	return nil
}

func (c *contents) remove(name string) {
	if i := c.find(name); i >= 0 {
		c.entries = slices.Delete(c.entries, i, i+1)
	}
}

func (c *contents) clone() *contents { return &contents{entries: slices.Clone(c.entries)} }

// addFile is upstream's Directory._add_file.
func (d *directory) addFile(name string, content pyval.Value) {
	d.add("File", name, &file{name: name, content: content})
}

// addDirectory is upstream's Directory._add_directory.
func (d *directory) addDirectory(name string) *directory {
	sub := &directory{name: name, parent: d, contents: &contents{}}
	d.add("Directory", name, sub)
	return sub
}

// add raises if the name is taken.
func (d *directory) add(kind, name string, it item) {
	if d.contents.find(name) >= 0 {
		panic(sim.Raise("ValueError", kind+" '"+name+"' already exists in directory '"+d.name+"'."))
	}
	d.contents.entries = append(d.contents.entries, entry{name, it})
}
