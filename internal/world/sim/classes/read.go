package classes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) cat(args []pyval.Value) pyval.Value {
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

func (s *system) wc(args []pyval.Value) pyval.Value {
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
}

// textOnly keeps unhashable values out of a map's key.
func textOnly(v pyval.Value) pyval.Value {
	if _, ok := v.(pyval.Str); ok {
		return v
	}
	return pyval.None
}

func (s *system) sort(args []pyval.Value) pyval.Value {
	return s.onLines("sort", args[0], func(all []string) pyval.Value {
		slices.Sort(all)
		return sim.Answer("sorted_content", strings.Join(all, "\n"))
	})
}

func (s *system) grep(args []pyval.Value) pyval.Value {
	return s.onLines("grep", args[0], func(all []string) pyval.Value {
		matching := &pyval.List{}
		for _, line := range all {
			if sim.Is(args[1], "in", line) {
				matching.Items = append(matching.Items, pyval.Str(line))
			}
		}
		return sim.Answer("matching_lines", matching)
	})
}

// tail is Python's all[-n:]: a negative n drops lines, and 0 keeps them all.
func (s *system) tail(args []pyval.Value) pyval.Value {
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
}

// diff pairs lines up to the end of the shorter text.
func (s *system) diff(args []pyval.Value) pyval.Value {
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
}

// lines are Python's content.splitlines().
func lines(content pyval.Value) []string {
	return pyval.SplitLines(sim.MustText(content, "splitlines"), false)
}

func (s *system) pwd([]pyval.Value) pyval.Value {
	var names []string
	for d := s.current; d != nil; d = d.parent {
		s.step(1 + len(d.name))
		names = append(names, d.name)
	}
	slices.Reverse(names)
	return sim.Answer("current_working_directory", "/"+strings.Join(names, "/"))
}

func (s *system) ls(args []pyval.Value) pyval.Value {
	names := &pyval.List{}
	for _, e := range s.current.contents.entries {
		if pyval.Truth(args[0]) || !strings.HasPrefix(e.name, ".") {
			names.Items = append(names.Items, pyval.Str(e.name))
		}
	}
	s.step(len(names.Items))
	return sim.Answer("current_directory_content", names)
}

func (s *system) cd(args []pyval.Value) pyval.Value {
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

func (s *system) find(args []pyval.Value) pyval.Value {
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

func (s *system) du(args []pyval.Value) pyval.Value {
	size := s.size(s.current, 0)
	if pyval.Truth(args[0]) {
		return sim.Answer("disk_usage", humanSize(size))
	}
	return sim.Answer("disk_usage", strconv.Itoa(size)+" bytes")
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
