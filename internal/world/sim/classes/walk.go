package classes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
