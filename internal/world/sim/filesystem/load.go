package filesystem

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// open is upstream's GorillaFileSystem with its _load_scenario.
func open(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
	s := &system{longContext: world.Long != nil, left: maxSteps}
	config, ok := scenario.GetStr("root")
	if !ok {
		s.root = &directory{name: "/", contents: &contents{}}
		s.current = s.root
		return s, nil
	}
	roots, ok := config.(*pyval.Dict)
	if !ok || roots.Len() == 0 {
		return nil, fmt.Errorf("root: a dict with one directory expected, got %s", pyval.TypeName(config))
	}
	key, val := roots.At(0)
	name, ok := key.(pyval.Str)
	if !ok {
		return nil, fmt.Errorf("root: name must be str, not %s", pyval.TypeName(key))
	}
	s.root = &directory{name: string(name), contents: &contents{}}
	s.current = s.root
	l := loader{}
	if s.longContext {
		l.long = world.Long
		l.spared = l.long.List("FILES_TAIL_USED").Items
	}
	if err := l.fill(s.root, val, 0); err != nil {
		return nil, err
	}
	if s.longContext {
		return s, l.populate(s.root)
	}
	return s, nil
}

// A loader fills directories from a scenario.
type loader struct {
	long   *eval.LongContext // nil for an ordinary case
	spared []pyval.Value     // names of the files that are not extended
}

func (l *loader) fill(d *directory, data pyval.Value, depth int) error {
	node, ok := data.(*pyval.Dict)
	if !ok || depth > maxDepth {
		return fmt.Errorf("directory %q: not a dict or nested too deeply", d.name)
	}
	held, _ := node.GetStr("contents")
	items, ok := held.(*pyval.Dict)
	if !ok {
		return fmt.Errorf("directory %q: contents missing or not a dict", d.name)
	}
	for key, val := range items.All() {
		name, ok := key.(pyval.Str)
		sub, isDict := val.(*pyval.Dict)
		if !ok || !isDict {
			return fmt.Errorf("directory %q: entries must be dicts by name", d.name)
		}
		if err := l.entry(d, string(name), sub, depth); err != nil {
			return err
		}
	}
	return nil
}

// entry loads one item; upstream passes over types it does not know.
func (l *loader) entry(d *directory, name string, data *pyval.Dict, depth int) error {
	kind, _ := data.GetStr("type")
	switch kind {
	case pyval.Str("directory"):
		sub, err := d.addDirectory(name)
		if err != nil {
			return err
		}
		return l.fill(sub, data, depth+1)
	case pyval.Str("file"):
		content, ok := data.GetStr("content")
		if !ok {
			return fmt.Errorf("file %q: content missing", name)
		}
		content, err := l.extended(name, content)
		if err != nil {
			return fmt.Errorf("file %q: %w", name, err)
		}
		return d.addFile(name, content)
	}
	return nil
}

func (l *loader) extended(name string, content pyval.Value) (pyval.Value, error) {
	if l.long == nil || slices.Contains(l.spared, pyval.Value(pyval.Str(name))) {
		return pyval.DeepCopy(content), nil
	}
	return sim.Plus(content, pyval.Str(l.long.Text("FILE_CONTENT_EXTENSION")))
}

// populate is upstream's _populate_directory: every directory without a
// sub-directory gets a few dozen empty files.
func (l *loader) populate(d *directory) error {
	leaf := true
	for _, e := range slices.Clone(d.contents.entries) {
		if sub, ok := e.item.(*directory); ok {
			leaf = false
			if err := l.populate(sub); err != nil {
				return err
			}
		}
	}
	if !leaf {
		return nil
	}
	for _, name := range l.long.List("POPULATE_FILE_EXTENSION").Items {
		if err := d.addFile(pyval.Text(name), pyval.Str("")); err != nil {
			return err
		}
	}
	return nil
}
