package classes

import (
	_ "embed"
	"slices"
	"strconv"
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
		{Name: "cat", Params: sim.Params("file_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			if !valid(args[0]) {
				return sim.Fail("cat: '{}': Invalid character", args[0])
			}
			switch it := s.item(args[0]).(type) {
			case *file:
				return sim.Answer("file_content", it.content)
			case *directory:
				return sim.Fail("cat: '{}': Is a directory", args[0])
			}
			return sim.Fail("cat: '{}': No such file or directory", args[0])
		})},
		{Name: "cd", Params: sim.Params("folder"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			folder := strings.TrimRight(sim.MustText(args[0], "rstrip"), "/")
			switch {
			case folder == "":
				folder = "/"
			case folder == "..":
				return s.up()
			case strings.Contains(folder, "/"):
				return sim.Fail("cd: " + folder + ": Unsupported path. Only one folder level at a time is supported.")
			}
			target := s.navigate(folder)
			if target == nil {
				return sim.Fail("cd: '" + folder + "': No such file or directory")
			}
			s.current = target
			return sim.Answer("current_working_directory", target.name)
		})},
		{Name: "cp", Params: sim.Params("source", "destination"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.transfer(args[0], args[1], transfer{command: "cp", verb: "copy", done: "copied"})
		})},
		// Pairs lines up to the end of the shorter text.
		{Name: "diff", Params: sim.Params("file_name1", "file_name2"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			a, aok := s.item(args[0]).(*file)
			b, bok := s.item(args[1]).(*file)
			if !aok || !bok {
				return sim.Fail("diff: {} or {}: No such file or directory", args[0], args[1])
			}
			before, after := lines(a.content), lines(b.content)
			var out []string
			for i := range min(len(before), len(after)) {
				if before[i] != after[i] {
					out = append(out, "- "+before[i]+"\n+ "+after[i])
				}
			}
			return sim.Answer("diff_lines", strings.Join(out, "\n"))
		})},
		{Name: "du", Params: sim.Params("human_readable=false"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			size := s.size(s.current, 0)
			if pyval.Truth(args[0]) {
				return sim.Answer("disk_usage", humanSize(size))
			}
			return sim.Answer("disk_usage", strconv.Itoa(size)+" bytes")
		})},
		{Name: "echo", Params: sim.Params("content", "file_name=null"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
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
		})},
		{Name: "find", Params: sim.Params(`path="."`, "name=null"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			path := sim.MustText(args[0], "rstrip")
			target := s.navigate(path)
			if target == nil {
				return sim.Fail("find: '" + path + "': No such file or directory")
			}
			matches := &pyval.List{}
			s.search(target, strings.TrimRight(path, "/"), 0, func(path, name string) {
				if args[1] == pyval.Value(pyval.None) || sim.Is(args[1], "in", name) {
					matches.Items = append(matches.Items, pyval.Str(path))
				}
			})
			return sim.Answer("matches", matches)
		})},
		{Name: "grep", Params: sim.Params("file_name", "pattern"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.onLines("grep", args[0], func(all []string) pyval.Value {
				matching := &pyval.List{}
				for _, line := range all {
					if sim.Is(args[1], "in", line) {
						matching.Items = append(matching.Items, pyval.Str(line))
					}
				}
				return sim.Answer("matching_lines", matching)
			})
		})},
		{Name: "ls", Params: sim.Params("a=false"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			names := &pyval.List{}
			for _, e := range s.current.contents.entries {
				if pyval.Truth(args[0]) || !strings.HasPrefix(e.name, ".") {
					names.Items = append(names.Items, pyval.Str(e.name))
				}
			}
			s.step(len(names.Items))
			return sim.Answer("current_directory_content", names)
		})},
		{Name: "mkdir", Params: sim.Params("dir_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.create(args[0], "mkdir: cannot create directory '", func(name string) { s.current.addDirectory(name) })
		})},
		{Name: "mv", Params: sim.Params("source", "destination"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.transfer(args[0], args[1], transfer{command: "mv", verb: "move", done: "moved", moves: true})
		})},
		{Name: "pwd", Call: sim.On(func(s *system, _ []pyval.Value) pyval.Value {
			var names []string
			for d := s.current; d != nil; d = d.parent {
				s.step(1 + len(d.name))
				names = append(names, d.name)
			}
			slices.Reverse(names)
			return sim.Answer("current_working_directory", "/"+strings.Join(names, "/"))
		})},
		{Name: "rm", Params: sim.Params("file_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			if s.item(args[0]) == nil {
				return sim.Fail("rm: cannot remove '{}': No such file or directory", args[0])
			}
			return s.removed(args[0])
		})},
		{Name: "rmdir", Params: sim.Params("dir_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
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
		})},
		{Name: "sort", Params: sim.Params("file_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.onLines("sort", args[0], func(all []string) pyval.Value {
				slices.Sort(all)
				return sim.Answer("sorted_content", strings.Join(all, "\n"))
			})
		})},
		// Is Python's all[-n:]: a negative n drops lines, and 0 keeps them all.
		{Name: "tail", Params: sim.Params("file_name", "lines=10"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.onLines("tail", args[0], func(all []string) pyval.Value {
				last := args[1]
				if sim.Is(last, ">", len(all)) {
					last = sim.Value(len(all))
				}
				if n, ok := pyval.IntOf(last); !ok || n.Sign() != 0 {
					before := sim.First(all, sim.Calc(0, "-", last))
					all = all[len(before):]
				}
				return sim.Answer("last_lines", strings.Join(all, "\n"))
			})
		})},
		{Name: "touch", Params: sim.Params("file_name"), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			return s.create(args[0], "touch: cannot touch '", func(name string) { s.current.addFile(name, pyval.Str("")) })
		})},
		{Name: "wc", Params: sim.Params("file_name", `mode="l"`), Call: sim.On(func(s *system, args []pyval.Value) pyval.Value {
			name, mode := args[0], args[1]
			what := map[pyval.Value]string{pyval.Str("l"): "lines", pyval.Str("w"): "words", pyval.Str("c"): "characters"}[textOnly(mode)]
			if what == "" {
				return sim.Fail("wc: invalid mode '{}'", mode)
			}
			f, ok := s.item(name).(*file)
			if !ok {
				return sim.Fail("wc: {}: No such file or directory", name)
			}
			n := 0
			switch what {
			case "lines":
				n = len(lines(f.content))
			case "words":
				n = len(strings.FieldsFunc(sim.MustText(f.content, "split"), pyval.IsSpace))
			default:
				n = pyval.Must(pyval.Length(f.content))
			}
			return sim.Answer("count", n, "type", what)
		})},
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
