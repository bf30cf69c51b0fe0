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
