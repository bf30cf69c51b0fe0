package classes

import (
	"math"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
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

// openFilesystem makes upstream's GorillaFileSystem with its _load_scenario.
func openFilesystem(scenario *pyval.Dict, world *sim.World) sim.Instance {
	root := &directory{name: "/", contents: &contents{}}
	s := &system{root: root, current: root, longContext: world.Long != nil, left: maxSteps}
	config, ok := scenario.GetStr("root")
	if !ok {
		return s
	}
	roots, ok := config.(*pyval.Dict)
	if !ok || roots.Len() == 0 {
		refuseFilesystem("root: a dict with one directory expected, got %s", pyval.TypeName(config))
	}
	key, val := roots.At(0)
	name, ok := key.(pyval.Str)
	if !ok {
		refuseFilesystem("root: name must be str, not %s", pyval.TypeName(key))
	}
	root.name = string(name)
	l := loader{long: world.Long}
	if l.long != nil {
		l.spared = l.long.List("FILES_TAIL_USED").Items
	}
	l.fill(root, val, 0)
	if l.long != nil {
		l.populate(root)
	}
	return s
}

func refuseFilesystem(format string, args ...any) { panic(pyval.Raise("ValueError", format, args...)) }

// A loader fills directories from a scenario.
type loader struct {
	long   *eval.LongContext // nil for an ordinary case
	spared []pyval.Value     // names of the files that are not extended
}

func (l *loader) fill(d *directory, data pyval.Value, depth int) {
	node, ok := data.(*pyval.Dict)
	if !ok || depth > maxDepth {
		refuseFilesystem("directory %q: not a dict or nested too deeply", d.name)
	}
	held, _ := node.GetStr("contents")
	items, ok := held.(*pyval.Dict)
	if !ok {
		refuseFilesystem("directory %q: contents missing or not a dict", d.name)
	}
	for key, val := range items.All() {
		name, ok := key.(pyval.Str)
		sub, isDict := val.(*pyval.Dict)
		if !ok || !isDict {
			refuseFilesystem("directory %q: entries must be dicts by name", d.name)
		}
		l.entry(d, string(name), sub, depth)
	}
}

// entry loads one item; upstream passes over types it does not know.
func (l *loader) entry(d *directory, name string, data *pyval.Dict, depth int) {
	kind, _ := data.GetStr("type")
	switch kind {
	case pyval.Str("directory"):
		l.fill(d.addDirectory(name), data, depth+1)
	case pyval.Str("file"):
		content, ok := data.GetStr("content")
		if !ok {
			refuseFilesystem("file %q: content missing", name)
		}
		if l.long == nil || slices.Contains(l.spared, pyval.Value(pyval.Str(name))) {
			content = pyval.DeepCopy(content)
		} else {
			content = sim.Calc(content, "+", l.long.Text("FILE_CONTENT_EXTENSION"))
		}
		d.addFile(name, content)
	}
}

// populate is upstream's _populate_directory: every directory without a
// sub-directory gets a few dozen empty files.
func (l *loader) populate(d *directory) {
	leaf := true
	for _, e := range d.contents.entries {
		if sub, ok := e.item.(*directory); ok {
			leaf = false
			l.populate(sub)
		}
	}
	if !leaf {
		return
	}
	for _, name := range l.long.List("POPULATE_FILE_EXTENSION").Items {
		d.addFile(pyval.Text(name), pyval.Str(""))
	}
}

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

// maxText is how long the text of a tree may get. Copied directories share
// what is in them, so that a text can be longer than the tree is large.
const maxText = 1 << 24

// Describe is State with the tree as upstream's Directory.__repr__ shows it.
func (s *system) Describe() *pyval.Dict {
	p := printer{}
	p.directory(s.root)
	return sim.Answer("long_context", s.longContext, "root", string(p.out))
}

// A printer writes the text of a tree.
type printer struct {
	out  []byte
	path []*contents // from the root's to those available
}

func (p *printer) directory(d *directory) {
	parent := "None"
	if d.parent != nil {
		parent = d.parent.name
	}
	p.out = append(p.out, "<Directory: "+d.name+", Parent: "+parent+", Contents: "...)
	p.contents(d.contents)
	p.out = append(p.out, '>')
}

// contents are shown as Python's repr of a dict, which leaves out what is
// inside itself.
func (p *printer) contents(c *contents) {
	if slices.Contains(p.path, c) || len(p.path) > maxDepth || len(p.out) > maxText {
		p.out = append(p.out, "{...}"...)
		return
	}
	p.path = append(p.path, c)
	p.out = append(p.out, '{')
	for i, e := range c.entries {
		if i > 0 {
			p.out = append(p.out, ", "...)
		}
		p.out = append(pyval.AppendRepr(p.out, pyval.Str(e.name)), ": "...)
		switch it := e.item.(type) {
		case *directory:
			p.directory(it)
		case *file:
			p.out = append(p.out, "<<File: "+it.name+", Content: "...)
			p.out = append(append(p.out, pyval.Text(it.content)...), ">>"...)
		}
		if len(p.out) > maxText {
			p.out = append(p.out, "..."...)
			break
		}
	}
	p.out = append(p.out, '}')
	p.path = p.path[:len(p.path)-1]
}
