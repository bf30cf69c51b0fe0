package classes

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) mkdir(args []pyval.Value) pyval.Value {
	return s.create(args[0], "mkdir: cannot create directory '", func(name string) { s.current.addDirectory(name) })
}

func (s *system) touch(args []pyval.Value) pyval.Value {
	return s.create(args[0], "touch: cannot touch '", func(name string) { s.current.addFile(name, pyval.Str("")) })
}

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

func (s *system) echo(args []pyval.Value) pyval.Value {
	content, name := args[0], args[1]
	shown := sim.Answer("terminal_output", content)
	if name == pyval.Value(pyval.None) {
		return shown
	}
	if !valid(name) {
		return sim.Fail("echo: cannot write to '{}': Invalid character", name)
	}
	if !pyval.Truth(name) {
		return shown
	}
	switch it := s.item(name).(type) {
	case nil:
		return sim.Fail("echo: cannot write to '{}': No such file", name)
	case *directory:
		panic(sim.Raise("AttributeError", "'Directory' object has no attribute '_write'"))
	case *file:
		it.content = content
	}
	return pyval.None
}

func (s *system) rm(args []pyval.Value) pyval.Value {
	if s.item(args[0]) == nil {
		return sim.Fail("rm: cannot remove '{}': No such file or directory", args[0])
	}
	return s.removed(args[0])
}

func (s *system) rmdir(args []pyval.Value) pyval.Value {
	const failed = "rmdir: cannot remove '{}': "
	switch it := s.item(args[0]).(type) {
	case nil:
		return sim.Fail(failed+"No such file or directory", args[0])
	case *file:
		return sim.Fail(failed+"Not a directory", args[0])
	case *directory:
		if len(it.contents.entries) > 0 {
			return sim.Fail(failed+"Directory not empty", args[0])
		}
	}
	return s.removed(args[0])
}

// removed takes an existing item out of the current directory.
func (s *system) removed(name pyval.Value) pyval.Value {
	s.current.contents.remove(pyval.Text(name))
	return sim.Answer("result", sim.Text("'{}' removed", name))
}

func (s *system) mv(args []pyval.Value) pyval.Value {
	return s.transfer(args[0], args[1], transfer{command: "mv", verb: "move", done: "moved", moves: true})
}

func (s *system) cp(args []pyval.Value) pyval.Value {
	return s.transfer(args[0], args[1], transfer{command: "cp", verb: "copy", done: "copied"})
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
	made.contents = old.clone()
	s.step(1 + len(old.entries))
}
