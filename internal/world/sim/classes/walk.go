package classes

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) create(name pyval.Value, failed string, add func(name string)) pyval.Value {
	if !valid(name) {
		return sim.Fail(failed+"{}': Invalid character", name)
	}
	text := newName(name)
	if s.current.contents.get(text) != nil {
		return sim.Fail(failed + text + "': File exists")
	}
	add(text)
	return pyval.None
}

// removed takes an existing item out of the current directory.
func (s *system) removed(name pyval.Value) pyval.Value {
	s.current.contents.remove(pyval.Text(name))
	return sim.Answer("result", sim.Text("'{}' removed", name))
}

// A transfer is what mv and cp do differently.
type transfer struct {
	command, verb, done string
	moves               bool
}

// transfer stops at an item of the same name in the target. For cp upstream
// looks for the whole path, which is practically never a name.
func (s *system) transfer(source, destination pyval.Value, t transfer) pyval.Value {
	it := s.item(source)
	failed := t.command + ": cannot " + t.verb + " '"
	if it == nil {
		return sim.Fail(failed+"{}': No such file or directory", source)
	}
	if sim.Is("/", "in", destination) {
		return sim.Fail(t.command + ": path not allowed in destination. Provide only a file or directory name.")
	}
	from, to := pyval.Text(source), newName(destination)
	failed += from + "' to '" + to
	switch target := s.item(destination).(type) {
	case nil:
		s.place(t, it, from, s.current, to)
	case *file:
		return sim.Fail(failed + "': Not a directory")
	case *directory:
		clash := from
		if to += "/" + from; !t.moves {
			clash = to
		}
		if target.contents.get(clash) != nil {
			return sim.Fail(failed + "/" + from + "': File exists")
		}
		s.place(t, it, from, target, from)
	}
	return sim.Answer("result", "'"+from+"' "+t.done+" to '"+to+"'")
}

// place makes a new item from an old one. A moved directory shares the old
// one's contents; a copied one has its own, one level deep.
func (s *system) place(t transfer, it item, from string, into *directory, name string) {
	if t.moves {
		s.current.contents.remove(from)
	}
	if f, ok := it.(*file); ok {
		into.addFile(name, f.content)
		return
	}
	made, old := into.addDirectory(name), it.(*directory).contents
	if t.moves {
		made.contents = old
		return
	}
	made.contents = &contents{entries: slices.Clone(old.entries)}
	s.step(1 + len(old.entries))
}

// onLines returns the answer of f to the lines of a file in the current
// directory, or that there is no such file.
func (s *system) onLines(command string, name pyval.Value, f func(all []string) pyval.Value) pyval.Value {
	it, ok := s.item(name).(*file)
	if !ok {
		return sim.Fail(command+": {}: No such file or directory", name)
	}
	s.step(len(sim.MustText(it.content, "splitlines")))
	return f(lines(it.content))
}

// textOnly keeps unhashable values out of a map's key.
func textOnly(v pyval.Value) pyval.Value {
	if _, ok := v.(pyval.Str); ok {
		return v
	}
	return pyval.None
}

// lines are Python's content.splitlines().
func lines(content pyval.Value) []string {
	return pyval.SplitLines(sim.MustText(content, "splitlines"), false)
}

func (s *system) up() pyval.Value {
	if s.current.parent == nil {
		return sim.Fail("Current directory is already the root. Cannot go back.")
	}
	s.current = s.current.parent
	return &pyval.Dict{}
}

// navigate is upstream's _navigate_to_directory; ".." has no meaning in it, and
// nil is no directory.
func (s *system) navigate(path string) *directory {
	switch path {
	case ".":
		return s.current
	case "/":
		return s.root
	}
	at := s.current
	if strings.HasPrefix(path, "/") {
		at = s.root
	}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "." {
			continue
		}
		next, ok := at.contents.get(name).(*directory)
		if !ok {
			return nil
		}
		at = next
	}
	return at
}

// search calls f for all items below a directory.
func (s *system) search(d *directory, base string, depth int, f func(path, name string)) {
	if depth > maxDepth {
		panic(sim.Recursion)
	}
	for _, e := range d.contents.entries {
		path := base + "/" + e.name
		s.step(1 + len(path))
		f(path, e.name)
		if sub, ok := e.item.(*directory); ok {
			s.search(sub, path, depth+1, f)
		}
	}
}

func (s *system) size(d *directory, depth int) (total int) {
	if depth > maxDepth {
		panic(sim.Recursion)
	}
	for _, e := range d.contents.entries {
		s.step(1)
		switch it := e.item.(type) {
		case *directory:
			total += s.size(it, depth+1)
		case *file:
			text := sim.MustText(it.content, "encode")
			if strings.Contains(text, "\xed") && hasSurrogate(text) {
				panic(sim.Raise("UnicodeEncodeError", "'utf-8' codec can't encode characters: surrogates not allowed"))
			}
			total += len(text)
		}
	}
	return total
}

func hasSurrogate(s string) bool {
	for len(s) > 0 {
		r, size := pyval.DecodeRune(s)
		if r >= 0xd800 && r <= 0xdfff {
			return true
		}
		s = s[size:]
	}
	return false
}

func humanSize(n int) string {
	size := float64(n)
	for _, unit := range []string{"B", "KB", "MB", "GB", "TB"} {
		if size < 1024 {
			return sim.Fixed(size, 2) + " " + unit
		}
		size /= 1024
	}
	return sim.Fixed(size, 2) + " PB"
}
