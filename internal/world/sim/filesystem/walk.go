package filesystem

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) pwd([]pyval.Value) (pyval.Value, error) {
	var names []string
	for d := s.current; d != nil; d = d.parent {
		if err := s.step(1 + len(d.name)); err != nil {
			return nil, err
		}
		names = append(names, d.name)
	}
	slices.Reverse(names)
	return sim.Answer("current_working_directory", pyval.Str("/"+strings.Join(names, "/"))), nil
}

func (s *system) ls(args []pyval.Value) (pyval.Value, error) {
	all := pyval.Truth(args[0])
	names := &pyval.List{}
	for _, e := range s.current.contents.entries {
		if all || !strings.HasPrefix(e.name, ".") {
			names.Items = append(names.Items, pyval.Str(e.name))
		}
	}
	return sim.Answer("current_directory_content", names), s.step(len(names.Items))
}

func (s *system) cd(args []pyval.Value) (pyval.Value, error) {
	folder, err := sim.MustText(args[0], "rstrip")
	if err != nil {
		return nil, err
	}
	folder = strings.TrimRight(folder, "/")
	switch {
	case folder == "":
		folder = "/"
	case folder == "..":
		return s.up(), nil
	case strings.Contains(folder, "/"):
		return sim.Fail("cd: " + folder + ": Unsupported path. Only one folder level at a time is supported."), nil
	}
	target, ok := s.navigate(folder)
	if !ok {
		return sim.Fail("cd: '" + folder + "': No such file or directory"), nil
	}
	s.current = target
	return sim.Answer("current_working_directory", pyval.Str(target.name)), nil
}

func (s *system) up() pyval.Value {
	if s.current.parent == nil {
		return sim.Fail("Current directory is already the root. Cannot go back.")
	}
	s.current = s.current.parent
	return &pyval.Dict{}
}

// navigate is upstream's _navigate_to_directory; ".." has no meaning in it.
func (s *system) navigate(path string) (*directory, bool) {
	switch path {
	case ".":
		return s.current, true
	case "/":
		return s.root, true
	}
	at := s.current
	if strings.HasPrefix(path, "/") {
		at = s.root
	}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "." {
			continue
		}
		it, _ := at.contents.get(name)
		next, ok := it.(*directory)
		if !ok {
			return nil, false
		}
		at = next
	}
	return at, true
}

func (s *system) find(args []pyval.Value) (pyval.Value, error) {
	if args[0] == pyval.Value(pyval.None) {
		_, err := sim.MustText(args[0], "rstrip")
		return nil, err
	}
	path, err := sim.MustText(args[0], "strip")
	if err != nil {
		return nil, err
	}
	target, ok := s.navigate(path)
	if !ok {
		return sim.Fail("find: '" + path + "': No such file or directory"), nil
	}
	f := finder{system: s, name: args[1], matches: &pyval.List{}}
	if err := f.search(target, strings.TrimRight(path, "/"), 0); err != nil {
		return nil, err
	}
	return sim.Answer("matches", f.matches), nil
}

// A finder collects the paths of the items whose names match.
type finder struct {
	*system
	name    pyval.Value // None or a part of the name
	matches *pyval.List
}

func (f *finder) search(d *directory, base string, depth int) error {
	if depth > maxDepth {
		return sim.ErrRecursion
	}
	for _, e := range d.contents.entries {
		path := base + "/" + e.name
		if err := f.step(1 + len(path)); err != nil {
			return err
		}
		matched := true
		if f.name != pyval.Value(pyval.None) {
			var err error
			if matched, err = pyval.Contains(pyval.Str(e.name), f.name); err != nil {
				return err
			}
		}
		if matched {
			f.matches.Items = append(f.matches.Items, pyval.Str(path))
		}
		if sub, ok := e.item.(*directory); ok {
			if err := f.search(sub, path, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *system) du(args []pyval.Value) (pyval.Value, error) {
	size, err := s.size(s.current, 0)
	if err != nil {
		return nil, err
	}
	text := pyval.MakeInt(size).String() + " bytes"
	if pyval.Truth(args[0]) {
		text = humanSize(size)
	}
	return sim.Answer("disk_usage", pyval.Str(text)), nil
}

func (s *system) size(d *directory, depth int) (int64, error) {
	if depth > maxDepth {
		return 0, sim.ErrRecursion
	}
	var total int64
	for _, e := range d.contents.entries {
		if err := s.step(1); err != nil {
			return 0, err
		}
		size, err := s.itemSize(e.item, depth)
		if err != nil {
			return 0, err
		}
		total += size
	}
	return total, nil
}

func (s *system) itemSize(it item, depth int) (int64, error) {
	f, ok := it.(*file)
	if !ok {
		return s.size(it.(*directory), depth+1)
	}
	text, err := sim.MustText(f.content, "encode")
	if err == nil && strings.Contains(text, "\xed") && hasSurrogate(text) {
		err = sim.Raise("UnicodeEncodeError", "'utf-8' codec can't encode characters: surrogates not allowed")
	}
	return int64(len(text)), err
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

func humanSize(n int64) string {
	size := float64(n)
	for _, unit := range []string{"B", "KB", "MB", "GB", "TB"} {
		if size < 1024 {
			return sim.Fixed(size, 2) + " " + unit
		}
		size /= 1024
	}
	return sim.Fixed(size, 2) + " PB"
}
