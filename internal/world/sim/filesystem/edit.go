package filesystem

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) mkdir(args []pyval.Value) (pyval.Value, error) {
	const failed = "mkdir: cannot create directory '"
	return s.create(args[0], failed, func(name string) error {
		_, err := s.current.addDirectory(name)
		return err
	})
}

func (s *system) touch(args []pyval.Value) (pyval.Value, error) {
	const failed = "touch: cannot touch '"
	return s.create(args[0], failed, func(name string) error {
		return s.current.addFile(name, pyval.Str(""))
	})
}

func (s *system) create(name pyval.Value, failed string, add func(name string) error) (pyval.Value, error) {
	ok, err := valid(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return sim.FailOn(failed, name, "': Invalid character")
	}
	text, err := newName(name)
	if err != nil {
		return nil, err
	}
	if _, exists := s.current.contents.get(text); exists {
		return sim.Fail(failed + text + "': File exists"), nil
	}
	return pyval.None, add(text)
}

func (s *system) echo(args []pyval.Value) (pyval.Value, error) {
	content, name := args[0], args[1]
	shown := sim.Answer("terminal_output", content)
	if name == pyval.Value(pyval.None) {
		return shown, nil
	}
	ok, err := valid(name)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return sim.FailOn("echo: cannot write to '", name, "': Invalid character")
	case !pyval.Truth(name):
		return shown, nil
	}
	it, found, err := s.item(name)
	if err != nil {
		return nil, err
	}
	if !found {
		return sim.FailOn("echo: cannot write to '", name, "': No such file")
	}
	f, ok := it.(*file)
	if !ok {
		return nil, sim.Raise("AttributeError", "'Directory' object has no attribute '_write'")
	}
	f.content = content
	return pyval.None, nil
}

func (s *system) rm(args []pyval.Value) (pyval.Value, error) {
	_, found, err := s.item(args[0])
	if err != nil {
		return nil, err
	}
	if !found {
		return sim.FailOn("rm: cannot remove '", args[0], "': No such file or directory")
	}
	return s.removed(args[0]), nil
}

func (s *system) rmdir(args []pyval.Value) (pyval.Value, error) {
	it, found, err := s.item(args[0])
	if err != nil {
		return nil, err
	}
	const failed = "rmdir: cannot remove '"
	d, ok := it.(*directory)
	switch {
	case !found:
		return sim.FailOn(failed, args[0], "': No such file or directory")
	case !ok:
		return sim.FailOn(failed, args[0], "': Not a directory")
	case len(d.contents.entries) > 0:
		return sim.FailOn(failed, args[0], "': Directory not empty")
	}
	return s.removed(args[0]), nil
}

// removed takes an existing item out of the current directory.
func (s *system) removed(name pyval.Value) pyval.Value {
	text := pyval.Text(name)
	s.current.contents.remove(text)
	return sim.Answer("result", pyval.Str("'"+text+"' removed"))
}

func (s *system) mv(args []pyval.Value) (pyval.Value, error) {
	return s.transfer(args[0], args[1], mover)
}

func (s *system) cp(args []pyval.Value) (pyval.Value, error) {
	return s.transfer(args[0], args[1], copier)
}

// A transfer is what mv and cp do differently.
type transfer struct {
	command, verb, done string
	moves               bool
}

var (
	mover  = transfer{command: "mv", verb: "move", done: "moved", moves: true}
	copier = transfer{command: "cp", verb: "copy", done: "copied"}
)

func (s *system) transfer(source, destination pyval.Value, t transfer) (pyval.Value, error) {
	it, found, err := s.item(source)
	if err != nil {
		return nil, err
	}
	failed := t.command + ": cannot " + t.verb + " '"
	if !found {
		return sim.FailOn(failed, source, "': No such file or directory")
	}
	slash, err := pyval.Contains(destination, pyval.Str("/"))
	if err != nil {
		return nil, err
	}
	if slash {
		return sim.Fail(t.command + ": path not allowed in destination. Provide only a file or directory name."), nil
	}
	to, err := newName(destination)
	if err != nil {
		return nil, err
	}
	from := pyval.Text(source)
	failed += from + "' to '" + to
	target, exists, err := s.item(destination)
	if err != nil {
		return nil, err
	}
	if !exists {
		return t.result(from, to), s.place(t, it, from, s.current, to)
	}
	into, ok := target.(*directory)
	if !ok {
		return sim.Fail(failed + "': Not a directory"), nil
	}
	path := to + "/" + from
	if _, taken := into.contents.get(t.clash(from, path)); taken {
		return sim.Fail(failed + "/" + from + "': File exists"), nil
	}
	return t.result(from, path), s.place(t, it, from, into, from)
}

// clash is the name whose presence in the target stops a transfer. For cp
// upstream looks for the whole path, which is practically never a name.
func (t transfer) clash(name, path string) string {
	if t.moves {
		return name
	}
	return path
}

func (t transfer) result(from, to string) pyval.Value {
	return sim.Answer("result", pyval.Str("'"+from+"' "+t.done+" to '"+to+"'"))
}

// place makes a new item from an old one. A moved directory shares the old
// one's contents; a copied one has its own, one level deep.
func (s *system) place(t transfer, it item, from string, into *directory, name string) error {
	if t.moves {
		s.current.contents.remove(from)
	}
	if f, ok := it.(*file); ok {
		return into.addFile(name, f.content)
	}
	made, err := into.addDirectory(name)
	if err != nil {
		return err
	}
	old := it.(*directory).contents
	if t.moves {
		made.contents = old
		return nil
	}
	made.contents = old.clone()
	return s.step(1 + len(old.entries))
}

// lines are Python's text.splitlines().
func lines(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); {
		r, size := pyval.DecodeRune(text[i:])
		end := i
		i += size
		if !isLineBreak(r) {
			continue
		}
		if r == '\r' && strings.HasPrefix(text[i:], "\n") {
			i++
		}
		out = append(out, text[start:end])
		start = i
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

func isLineBreak(r rune) bool {
	switch {
	case r >= '\n' && r <= '\r', r >= 0x1c && r <= 0x1e:
		return true
	}
	return r == 0x85 || r == 0x2028 || r == 0x2029
}
