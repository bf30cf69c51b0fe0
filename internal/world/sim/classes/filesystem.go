package classes

import (
	_ "embed"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed gorilla_file_system.json
var docFilesystem string

const (
	maxDepth = 900     // where upstream's recursion ends
	maxSteps = 1 << 26 // for all walks through one instance's tree; a name's bytes count too
	maxState = 1 << 18 // items that the state shows
)

// FileSystem is the method table of upstream's GorillaFileSystem.
var FileSystem = &sim.Class{
	Name: "GorillaFileSystem", DocFile: "gorilla_file_system.json", Doc: docFilesystem,
	Fields: []string{"root"},
	New:    sim.New(openFilesystem),
	Reads:  true,
	Methods: []sim.Method{
		{Name: "cat", Params: sim.Params("file_name"), Call: sim.On((*system).cat)},
		{Name: "cd", Params: sim.Params("folder"), Call: sim.On((*system).cd)},
		{Name: "cp", Params: sim.Params("source", "destination"), Call: sim.On((*system).cp)},
		{Name: "diff", Params: sim.Params("file_name1", "file_name2"), Call: sim.On((*system).diff)},
		{Name: "du", Params: sim.Params("human_readable=false"), Call: sim.On((*system).du)},
		{Name: "echo", Params: sim.Params("content", "file_name=null"), Call: sim.On((*system).echo)},
		{Name: "find", Params: sim.Params(`path="."`, "name=null"), Call: sim.On((*system).find)},
		{Name: "grep", Params: sim.Params("file_name", "pattern"), Call: sim.On((*system).grep)},
		{Name: "ls", Params: sim.Params("a=false"), Call: sim.On((*system).ls)},
		{Name: "mkdir", Params: sim.Params("dir_name"), Call: sim.On((*system).mkdir)},
		{Name: "mv", Params: sim.Params("source", "destination"), Call: sim.On((*system).mv)},
		{Name: "pwd", Call: sim.On((*system).pwd)},
		{Name: "rm", Params: sim.Params("file_name"), Call: sim.On((*system).rm)},
		{Name: "rmdir", Params: sim.Params("dir_name"), Call: sim.On((*system).rmdir)},
		{Name: "sort", Params: sim.Params("file_name"), Call: sim.On((*system).sort)},
		{Name: "tail", Params: sim.Params("file_name", "lines=10"), Call: sim.On((*system).tail)},
		{Name: "touch", Params: sim.Params("file_name"), Call: sim.On((*system).touch)},
		{Name: "wc", Params: sim.Params("file_name", `mode="l"`), Call: sim.On((*system).wc)},
	},
}

// A system is one file system with its current directory.
type system struct {
	root, current *directory
	longContext   bool
	left          int // of maxSteps
}

// step pays for a walk's next item.
func (s *system) step(cost int) {
	if s.left -= cost; s.left < 0 {
		panic(sim.Raise("MemoryError", "too many items to walk through"))
	}
}

// item looks a name up in the current directory; nil if there is none. If an
// item is called ".", upstream's _get_item answers with the current directory
// itself.
func (s *system) item(name pyval.Value) item {
	text, ok := name.(pyval.Str)
	if !ok {
		sim.Hashable(name)
		return nil
	}
	it := s.current.contents.get(string(text))
	if it != nil && text == "." {
		it = s.current
	}
	return it
}

// valid reports whether a name holds none of the characters upstream refuses,
// by Python's "in": a list passes that does not hold one as an element.
func valid(name pyval.Value) bool {
	const refused = "|/\\?%*:\"><"
	if text, ok := name.(pyval.Str); ok {
		return !strings.ContainsAny(string(text), refused)
	}
	for _, c := range refused {
		if sim.Is(string(c), "in", name) {
			return false
		}
	}
	return true
}

// newName is the name of an item to be made. Upstream would also take a tuple.
func newName(name pyval.Value) string {
	sim.Hashable(name)
	text, ok := name.(pyval.Str)
	if !ok {
		panic(sim.Raise("TypeError", "a name must be str, not "+pyval.TypeName(name)))
	}
	return string(text)
}

// State returns the tree, without the current directory. A directory that
// contains itself, or a tree too large to show, equals nothing, not even
// itself: there upstream's comparison would not end.
func (s *system) State() *pyval.Dict {
	v := viewer{left: maxState}
	return sim.Answer("long_context", s.longContext, "root", v.directory(s.root))
}

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
