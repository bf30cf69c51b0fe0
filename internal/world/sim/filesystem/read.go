package filesystem

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (s *system) cat(args []pyval.Value) (pyval.Value, error) {
	name := args[0]
	ok, err := valid(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return sim.FailOn("cat: '", name, "': Invalid character")
	}
	it, found, err := s.item(name)
	if err != nil {
		return nil, err
	}
	if f, ok := it.(*file); ok {
		return sim.Answer("file_content", f.content), nil
	}
	if found {
		return sim.FailOn("cat: '", name, "': Is a directory")
	}
	return sim.FailOn("cat: '", name, "': No such file or directory")
}

// linesOf reads a file of the current directory; missing is the answer if there
// is none.
func (s *system) linesOf(command string, name pyval.Value) (found []string, missing pyval.Value, err error) {
	f, ok, err := s.file(name)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		missing, err = sim.FailOn(command+": ", name, ": No such file or directory")
		return nil, missing, err
	}
	text, err := sim.MustText(f.content, "splitlines")
	if err != nil {
		return nil, nil, err
	}
	return lines(text), nil, s.step(len(text))
}

func (s *system) wc(args []pyval.Value) (pyval.Value, error) {
	name, mode := args[0], args[1]
	what, ok := map[pyval.Value]string{pyval.Str("l"): "lines", pyval.Str("w"): "words", pyval.Str("c"): "characters"}[textOnly(mode)]
	if !ok {
		return sim.FailOn("wc: invalid mode '", mode, "'")
	}
	f, ok, err := s.file(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return sim.FailOn("wc: ", name, ": No such file or directory")
	}
	n, err := count(f.content, what)
	if err != nil {
		return nil, err
	}
	d := sim.Answer("count", pyval.MakeInt(int64(n)))
	d.SetStr("type", pyval.Str(what))
	return d, nil
}

// textOnly keeps unhashable values out of a map's key.
func textOnly(v pyval.Value) pyval.Value {
	if _, ok := v.(pyval.Str); ok {
		return v
	}
	return pyval.None
}

func count(content pyval.Value, what string) (int, error) {
	switch what {
	case "lines":
		text, err := sim.MustText(content, "splitlines")
		return len(lines(text)), err
	case "words":
		text, err := sim.MustText(content, "split")
		return len(strings.FieldsFunc(text, pyval.IsSpace)), err
	}
	return pyval.Length(content)
}

func joined(key string, all []string) pyval.Value {
	return sim.Answer(key, pyval.Str(strings.Join(all, "\n")))
}

func (s *system) sort(args []pyval.Value) (pyval.Value, error) {
	all, missing, err := s.linesOf("sort", args[0])
	if missing != nil || err != nil {
		return missing, err
	}
	slices.Sort(all)
	return joined("sorted_content", all), nil
}

func (s *system) grep(args []pyval.Value) (pyval.Value, error) {
	all, missing, err := s.linesOf("grep", args[0])
	if missing != nil || err != nil {
		return missing, err
	}
	matching := &pyval.List{}
	for _, line := range all {
		ok, err := pyval.Contains(pyval.Str(line), args[1])
		if err != nil {
			return nil, err
		}
		if ok {
			matching.Items = append(matching.Items, pyval.Str(line))
		}
	}
	return sim.Answer("matching_lines", matching), nil
}

func (s *system) tail(args []pyval.Value) (pyval.Value, error) {
	all, missing, err := s.linesOf("tail", args[0])
	if missing != nil || err != nil {
		return missing, err
	}
	total := pyval.MakeInt(int64(len(all)))
	last := args[1]
	over, err := sim.Greater(last, total)
	if err != nil {
		return nil, err
	}
	if over {
		last = total
	}
	n, ok := pyval.IntOf(last)
	if !ok {
		return nil, sim.Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
	}
	return joined("last_lines", all[start(n, len(all)):]), nil
}

// start is where Python's slice [-n:] of so many elements begins: a negative
// n drops elements, and 0 keeps them all.
func start(n pyval.Int, size int) int {
	at, small := n.Int64()
	switch {
	case n.Sign() < 0 && (!small || -at > int64(size)):
		return size
	case n.Sign() < 0:
		return int(-at)
	case n.Sign() == 0:
		return 0
	}
	return size - int(at)
}

func (s *system) diff(args []pyval.Value) (pyval.Value, error) {
	a, aok, err := s.file(args[0])
	if err != nil {
		return nil, err
	}
	b, bok, err := s.file(args[1])
	if err != nil {
		return nil, err
	}
	if !aok || !bok {
		first, err := sim.Text(args[0])
		if err != nil {
			return nil, err
		}
		return sim.FailOn("diff: "+first+" or ", args[1], ": No such file or directory")
	}
	before, err := sim.MustText(a.content, "splitlines")
	if err != nil {
		return nil, err
	}
	after, err := sim.MustText(b.content, "splitlines")
	if err != nil {
		return nil, err
	}
	return joined("diff_lines", changes(lines(before), lines(after))), nil
}

// changes pairs lines up to the end of the shorter text.
func changes(before, after []string) []string {
	var out []string
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			out = append(out, "- "+before[i]+"\n+ "+after[i])
		}
	}
	return out
}
