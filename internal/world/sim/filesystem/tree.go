package filesystem

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
type contents struct {
	entries []entry
	index   map[string]int // nil while there are few entries
}

type entry struct {
	name string
	item item
}

const few = 12

func (c *contents) find(name string) int {
	if c.index != nil {
		if i, ok := c.index[name]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(c.entries, func(e entry) bool { return e.name == name })
}

// get returns the item of a name; nil if there is none.
func (c *contents) get(name string) item {
	if i := c.find(name); i >= 0 {
		return c.entries[i].item
	}
	return nil
}

// put appends an item, or replaces the one of that name.
func (c *contents) put(name string, it item) {
	if i := c.find(name); i >= 0 {
		c.entries[i].item = it
		return
	}
	c.entries = append(c.entries, entry{name, it})
	switch {
	case c.index != nil:
		c.index[name] = len(c.entries) - 1
	case len(c.entries) > few:
		c.reindex()
	}
}

func (c *contents) remove(name string) {
	i := c.find(name)
	if i < 0 {
		return
	}
	last := i == len(c.entries)-1
	c.entries = slices.Delete(c.entries, i, i+1)
	switch {
	case c.index == nil:
	case last:
		delete(c.index, name)
	default:
		c.reindex()
	}
}

func (c *contents) reindex() {
	c.index = make(map[string]int, len(c.entries))
	for i, e := range c.entries {
		c.index[e.name] = i
	}
}

func (c *contents) clone() *contents {
	out := &contents{entries: slices.Clone(c.entries)}
	if len(out.entries) > few {
		out.reindex()
	}
	return out
}

// addFile is upstream's Directory._add_file.
func (d *directory) addFile(name string, content pyval.Value) {
	d.free("File", name)
	d.contents.put(name, &file{name: name, content: content})
}

// addDirectory is upstream's Directory._add_directory.
func (d *directory) addDirectory(name string) *directory {
	d.free("Directory", name)
	sub := &directory{name: name, parent: d, contents: &contents{}}
	d.contents.put(name, sub)
	return sub
}

// free raises if a name is taken.
func (d *directory) free(kind, name string) {
	if d.contents.find(name) >= 0 {
		panic(sim.Raise("ValueError", kind+" '"+name+"' already exists in directory '"+d.name+"'."))
	}
}
