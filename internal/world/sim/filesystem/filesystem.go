// Package filesystem is upstream's GorillaFileSystem: files and directories
// that exist only in memory.
//
//	filesystem  the method table, names and the state
//	tree, load  directories and files, and how a scenario fills them
//	walk        pwd, ls, cd, find, du
//	edit        mkdir, touch, echo, rm, rmdir, mv, cp
//	read        cat, wc, sort, grep, tail, diff
package filesystem

import (
	_ "embed"

	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed gorilla_file_system.json
var doc string

const (
	maxDepth = 900     // where upstream's recursion ends
	maxSteps = 1 << 26 // for all walks through one instance's tree; a name's bytes count too
	maxState = 1 << 18 // items that the state shows
)

// Class is the method table of upstream's GorillaFileSystem.
var Class = &sim.Class{
	Name: "GorillaFileSystem", DocFile: "gorilla_file_system.json", Doc: doc,
	Fields: []string{"root"},
	New:    open,
	Reads:  true,
	Methods: []sim.Method{
		{Name: "cat", Params: sim.Required("file_name"), Call: sim.On((*system).cat)},
		{Name: "cd", Params: sim.Required("folder"), Call: sim.On((*system).cd)},
		{Name: "cp", Params: sim.Required("source", "destination"), Call: sim.On((*system).cp)},
		{Name: "diff", Params: sim.Required("file_name1", "file_name2"), Call: sim.On((*system).diff)},
		{Name: "du", Params: []sim.Param{{Name: "human_readable", Default: pyval.Bool(false)}}, Call: sim.On((*system).du)},
		{Name: "echo", Params: []sim.Param{{Name: "content"}, {Name: "file_name", Default: pyval.None}}, Call: sim.On((*system).echo)},
		{Name: "find", Params: []sim.Param{{Name: "path", Default: pyval.Str(".")}, {Name: "name", Default: pyval.None}}, Call: sim.On((*system).find)},
		{Name: "grep", Params: sim.Required("file_name", "pattern"), Call: sim.On((*system).grep)},
		{Name: "ls", Params: []sim.Param{{Name: "a", Default: pyval.Bool(false)}}, Call: sim.On((*system).ls)},
		{Name: "mkdir", Params: sim.Required("dir_name"), Call: sim.On((*system).mkdir)},
		{Name: "mv", Params: sim.Required("source", "destination"), Call: sim.On((*system).mv)},
		{Name: "pwd", Call: sim.On((*system).pwd)},
		{Name: "rm", Params: sim.Required("file_name"), Call: sim.On((*system).rm)},
		{Name: "rmdir", Params: sim.Required("dir_name"), Call: sim.On((*system).rmdir)},
		{Name: "sort", Params: sim.Required("file_name"), Call: sim.On((*system).sort)},
		{Name: "tail", Params: []sim.Param{{Name: "file_name"}, {Name: "lines", Default: pyval.MakeInt(10)}}, Call: sim.On((*system).tail)},
		{Name: "touch", Params: sim.Required("file_name"), Call: sim.On((*system).touch)},
		{Name: "wc", Params: []sim.Param{{Name: "file_name"}, {Name: "mode", Default: pyval.Str("l")}}, Call: sim.On((*system).wc)},
	},
}

// A system is one file system with its current directory.
type system struct {
	root, current *directory
	longContext   bool
	left          int // of maxSteps
}

// step pays for a walk's next item.
func (s *system) step(cost int) error {
	if s.left -= cost; s.left < 0 {
		return sim.Raise("MemoryError", "too many items to walk through")
	}
	return nil
}

// item looks a name up in the current directory. If an item is called ".",
// upstream's _get_item answers with the current directory itself.
func (s *system) item(name pyval.Value) (item, bool, error) {
	if text, ok := name.(pyval.Str); ok {
		it, ok := s.current.contents.get(string(text))
		if ok && text == "." {
			it = s.current
		}
		return it, ok, nil
	}
	if err := pyval.Hashable(name); err != nil {
		return nil, false, sim.Raise("TypeError", err.Error())
	}
	return nil, false, nil
}

// file is like item, for files only.
func (s *system) file(name pyval.Value) (*file, bool, error) {
	it, _, err := s.item(name)
	f, ok := it.(*file)
	return f, ok, err
}

const badCharacters = "|/\\?%*:\"><"

// valid reports whether a name holds none of the characters upstream refuses,
// by Python's "in": a list passes that does not hold one as an element.
func valid(name pyval.Value) (bool, error) {
	if text, ok := name.(pyval.Str); ok {
		return !strings.ContainsAny(string(text), badCharacters), nil
	}
	for _, c := range badCharacters {
		found, err := pyval.Contains(name, pyval.Str(c))
		if found || err != nil {
			return false, err
		}
	}
	return true, nil
}

// newName is the name of an item to be made. Upstream would also take a tuple.
func newName(name pyval.Value) (string, error) {
	if text, ok := name.(pyval.Str); ok {
		return string(text), nil
	}
	if err := pyval.Hashable(name); err != nil {
		return "", sim.Raise("TypeError", err.Error())
	}
	return "", sim.Raise("TypeError", "a name must be str, not "+pyval.TypeName(name))
}

// State returns the tree, without the current directory. A directory that
// contains itself, or a tree too large to show, equals nothing, not even
// itself: there upstream's comparison would not end.
func (s *system) State() *pyval.Dict {
	v := viewer{left: maxState}
	return stateKeys.Record(pyval.Bool(s.longContext), v.directory(s.root))
}
