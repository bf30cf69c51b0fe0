package classes

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
