package ownsuite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A reader reads the files of a suite and collects their faults.
type reader struct {
	files  fs.FS
	where  string // prefix of file names in messages
	read   []string
	faults Faults
}

func (r *reader) path(file string) string {
	if r.where == "" {
		return file
	}
	return r.where + "/" + file
}

func (r *reader) fault(file string, line int, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{r.path(file), line, fmt.Sprintf(format, args...)})
	}
}

// hint suggests names for an unknown one, as long as further faults are listed.
func (r *reader) hint(name string, known []string) string {
	const most = 2000 // comparing with more names takes longer than a hint is worth
	if len(r.faults) >= maxFaults {
		return ""
	}
	return say.Hint(name, known[:min(most, len(known))])
}

// text returns a file's content; false if it cannot be read.
func (r *reader) text(file, from string, line int, most int64) (string, bool) {
	if !fs.ValidPath(file) {
		r.fault(from, line, "%s is not a path in the suite's folder: write it with / and without .. in it, or copy the file into the folder", quote(file))
		return "", false
	}
	opened, err := r.files.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.fault(from, line, "the file %s is not there", quote(file))
		return "", false
	case err != nil:
		r.fault(from, line, "the file %s cannot be read: %v", quote(file), err)
		return "", false
	}
	defer func() { _ = opened.Close() }()
	data, err := io.ReadAll(io.LimitReader(opened, most+1))
	switch {
	case err != nil:
		r.fault(from, line, "the file %s cannot be read: %v", quote(file), err)
		return "", false
	case int64(len(data)) > most:
		r.fault(file, 0, "the file is larger than %d MB: split it", most>>20)
		return "", false
	}
	if !slices.Contains(r.read, file) {
		r.read = append(r.read, file)
	}
	return string(data), true
}

func quote(s string) string {
	const longest = 80
	return say.Quote(s, longest)
}

// document returns the content of a YAML or JSON file; nil if there is none.
func (r *reader) document(file, from string, line int, most int64) *yaml.Node {
	text, ok := r.text(file, from, line, most)
	if !ok {
		return nil
	}
	return r.parse(file, text)
}

// parse reads a file of one YAML document, which may be JSON. Some JSON is not
// valid YAML, such as half of a surrogate pair: it is read by JSON's own
// reader, without line numbers.
func (r *reader) parse(file, text string) *yaml.Node {
	if values(text) > maxValues {
		r.fault(file, 0, "the file may hold more than %d values: split it", maxValues)
		return nil
	}
	doc, line, err := plainfile.Document([]byte(text))
	switch {
	case doc == nil && err == nil:
		r.fault(file, 0, "the file is empty")
	case err != nil && strings.HasSuffix(file, ".json"):
		if v, err := pyval.ParseJSON(text); err == nil {
			return nodeOf(v)
		}
		fallthrough
	case err != nil:
		r.fault(file, line, "%v", err)
	}
	return doc
}

// maxValues is how many values a file may hold, because a YAML value of a few
// bytes takes a hundred times their memory.
const maxValues = 4_000_000

// values returns about how many values a text may hold, and never too few.
func values(text string) (n int) {
	for i := range len(text) {
		switch text[i] {
		case '\n', ',', '[', '{', ':', '-', '?':
			n++
		}
	}
	return n + 1
}

// nodeOf returns a JSON value as a YAML node.
func nodeOf(v pyval.Value) *yaml.Node {
	scalar := func(tag, text string) *yaml.Node {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text, Line: 1}
	}
	switch v := v.(type) {
	case pyval.Str:
		return scalar("!!str", string(v))
	case pyval.Int:
		return scalar("!!int", pyval.Repr(v))
	case pyval.Float:
		return scalar("!!float", pyval.Repr(v))
	case pyval.Bool:
		return scalar("!!bool", strconv.FormatBool(bool(v)))
	case *pyval.List:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: 1}
		for _, item := range v.Items {
			n.Content = append(n.Content, nodeOf(item))
		}
		return n
	case *pyval.Dict:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1}
		for key, item := range v.All() {
			n.Content = append(n.Content, scalar("!!str", pyval.Text(key)), nodeOf(item))
		}
		return n
	}
	return scalar("!!null", "null")
}

// maxDepth is how deep values may be nested.
const maxDepth = 64

var errDepth = fmt.Errorf("nested deeper than %d levels", maxDepth)

// value returns a YAML value as the judge sees it: 5 is not 5.0, keys keep
// their order, and a date without quotes is a text. Aliases are refused,
// because a few lines of them can expand to gigabytes.
func value(n *yaml.Node, depth int) (pyval.Value, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return scalarValue(n)
	case yaml.SequenceNode:
		list := &pyval.List{Items: make([]pyval.Value, 0, len(n.Content))}
		for _, item := range n.Content {
			v, err := value(item, depth+1)
			if err != nil {
				return nil, err
			}
			list.Items = append(list.Items, v)
		}
		return list, nil
	case yaml.MappingNode:
		return dictValue(n, depth)
	}
	return nil, errors.New("aliases and anchors are not allowed: write the value out")
}

func dictValue(n *yaml.Node, depth int) (pyval.Value, error) {
	dict := pyval.NewDict(len(n.Content) / 2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return nil, fmt.Errorf("line %d: keys must be plain texts", key.Line)
		}
		if dict.Has(key.Value) {
			return nil, fmt.Errorf("line %d: key %s is given twice", key.Line, quote(key.Value))
		}
		v, err := value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		dict.SetStr(key.Value, v)
	}
	return dict, nil
}

// number reads a whole number with at most as many digits as CPython reads.
func number(s string, base int) (pyval.Int, bool) {
	const most = 4300
	if len(s) > most {
		return pyval.Int{}, false
	}
	return pyval.ParseInt(s, base)
}

func scalarValue(n *yaml.Node) (pyval.Value, error) {
	switch tag := n.ShortTag(); tag {
	case "!!str", "!!timestamp":
		return pyval.Str(n.Value), nil
	case "!!null":
		return pyval.None, nil
	case "!!bool":
		return pyval.Bool(strings.EqualFold(n.Value, "true")), nil
	case "!!int":
		if i, ok := number(strings.ReplaceAll(n.Value, "_", ""), 0); ok {
			return i, nil
		}
		return nil, fmt.Errorf("line %d: %s is not a whole number", n.Line, quote(n.Value))
	case "!!float":
		if i, ok := number(n.Value, 10); ok {
			return i, nil // YAML's reader has no integers of this size
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, fmt.Errorf("line %d: %s is not a JSON number", n.Line, quote(n.Value))
		}
		return pyval.Float(f), nil
	default:
		return nil, fmt.Errorf("line %d: values of type %s are not supported: put the value in quotes", n.Line, quote(tag))
	}
}

// pairs calls f for each known key of a mapping.
func (r *reader) pairs(file string, n *yaml.Node, what string, known []string, f func(key string, k, v *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		r.fault(file, n.Line, "%s: want a mapping with some of %s", what, strings.Join(known, ", "))
		return false
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode || v.Kind == yaml.AliasNode:
			r.fault(file, k.Line, "%s: want plain names and values, without aliases", what)
		case lines[k.Value] > 0:
			r.fault(file, k.Line, "%s: %s is given twice, first in line %d", what, quote(k.Value), lines[k.Value])
		case !slices.Contains(known, k.Value) && gone[k.Value] != "":
			instead := ""
			if slices.Contains(goneHeads, k.Value) { // which may be a field of an object
				instead = "; for an object with a field of that name, write value: {" + k.Value + ": …}"
			}
			r.fault(file, k.Line, "%s: %s is gone: %s%s", what, quote(k.Value), gone[k.Value], instead)
		case !slices.Contains(known, k.Value):
			r.fault(file, k.Line, "%s: unknown key %s%s", what, quote(k.Value), r.hint(k.Value, known))
		default:
			lines[k.Value] = k.Line
			f(k.Value, k, v)
		}
	}
	return true
}

// mapping returns the values of a mapping by its keys, which must be known; nil if
// it is none.
func (r *reader) mapping(file string, n *yaml.Node, what string, known []string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if !r.pairs(file, n, what, known, func(key string, _, v *yaml.Node) { out[key] = v }) {
		return nil
	}
	return out
}

// str returns the text of a scalar; "" if there is none.
func (r *reader) str(file string, n *yaml.Node, what string) string {
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		r.fault(file, n.Line, "%s: want a text", what)
		return ""
	}
	return n.Value
}

// strs returns a list of texts; a single text is a list of one.
func (r *reader) strs(file string, n *yaml.Node, what string) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.ScalarNode:
		return []string{r.str(file, n, what)}
	case n.Kind != yaml.SequenceNode:
		r.fault(file, n.Line, "%s: want a list of names", what)
		return nil
	}
	out := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		out = append(out, r.str(file, item, what))
	}
	return out
}
