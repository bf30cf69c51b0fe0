package plainfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/say"
)

// Limits on a file.
const (
	MaxBytes  = 1 << 20
	MaxDepth  = 50
	maxNodes  = 100_000 // values visited, aliases counted each time
	maxFaults = 20
)

// A Reader reads one file. Faults name types, never values: a value may be an
// API key that was pasted into the wrong place.
type Reader struct {
	file   string
	nodes  int
	faults []error
}

// New returns a reader; file is the name for messages.
func New(file string) *Reader { return &Reader{file: file} }

// ReadFile returns a file's content; a file that is too large is an error.
func ReadFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, MaxBytes+1))
}

// Place returns a value's file and line.
func (r *Reader) Place(n *yaml.Node) string { return fmt.Sprintf("%s:%d", r.file, n.Line) }

// Faults returns the number of faults.
func (r *Reader) Faults() int { return len(r.faults) }

// Err returns an error with all faults, one per line; nil without faults.
func (r *Reader) Err() error { return errors.Join(r.faults...) }

// Fault records a fault in a value.
func (r *Reader) Fault(n *yaml.Node, format string, args ...any) {
	r.FaultLine(n.Line, format, args...)
}

// FaultLine records a fault in a line. If there are very many faults, only the
// first are kept.
func (r *Reader) FaultLine(line int, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, fmt.Errorf("%s:%d: %s", Printable(r.file), line, fmt.Sprintf(format, args...)))
	}
}

var yamlLine = pattern.Of(`^yaml: (?:line (\d+): )?`)

// Parse returns the file's top-level value; nil if the file is empty or broken.
func (r *Reader) Parse(data []byte) *yaml.Node {
	if len(data) > MaxBytes {
		r.FaultLine(1, "the file is larger than %d bytes", MaxBytes)
		return nil
	}
	doc, line, err := Document(data)
	if err != nil {
		r.FaultLine(line, "%v", err)
	}
	return doc
}

// Document returns the value of a file's only document; nil if the file is
// empty or broken. line is where the error is.
func Document(data []byte) (value *yaml.Node, line int, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, 1, nil
		}
		return syntax(err)
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		return nil, more.Line, errors.New("a second document: the file must hold one")
	case !errors.Is(err, io.EOF):
		return syntax(err)
	}
	return doc.Content[0], doc.Line, nil
}

func syntax(err error) (*yaml.Node, int, error) {
	text, line := err.Error(), 1
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		text = text[len(m[0]):]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	return nil, line, fmt.Errorf("not YAML: %s", Printable(text))
}

// Follow resolves aliases and counts the visit; nil means give up.
func (r *Reader) Follow(n *yaml.Node) *yaml.Node {
	if r.nodes++; r.nodes > maxNodes {
		if r.nodes == maxNodes+1 {
			r.Fault(n, "more than %d values", maxNodes)
		}
		return nil
	}
	for range MaxDepth {
		if n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

// Pairs calls f for each key of a mapping; an empty value has no keys.
func (r *Reader) Pairs(n *yaml.Node, where string, f func(key string, k, v *yaml.Node)) {
	if n = r.Follow(n); n == nil || IsNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.Fault(n, "%s: want a mapping, found %s", where, Kind(n))
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k = r.Follow(k); k == nil {
			return
		}
		switch {
		case k.ShortTag() == "!!merge":
			r.Fault(k, "%s: merge keys (<<) are not read", where)
		case k.Kind != yaml.ScalarNode || k.ShortTag() != "!!str":
			r.Fault(k, "%s: a key must be a text, found %s: put it into quotes", where, Kind(k))
		case lines[k.Value] > 0:
			r.Fault(k, "%s: %s is given twice, first in line %d", where, Printable(k.Value), lines[k.Value])
		default:
			lines[k.Value] = k.Line
			f(k.Value, k, v)
		}
	}
}

// Known calls f for each known key of a mapping; an unknown key is a fault that
// proposes a known one. Aliases of values are resolved.
func (r *Reader) Known(n *yaml.Node, where string, known []string, f func(key string, k, v *yaml.Node)) {
	r.Pairs(n, where, func(key string, k, v *yaml.Node) {
		if !slices.Contains(known, key) {
			r.Fault(k, "%s: unknown key %s%s", where, quoted(key), say.Hint(key, known))
			return
		}
		if v = r.Follow(v); v != nil {
			f(key, k, v)
		}
	})
}

// IsNull reports whether a value is null or empty.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// kinds are what people call YAML's tags.
var kinds = map[string]string{
	"!!str": "a text", "!!int": "a whole number", "!!float": "a number", "!!bool": "true or false",
	"!!null": "nothing", "!!timestamp": "a date", "!!map": "a mapping", "!!seq": "a list", "!!merge": "a text",
}

// Kind returns what people call a value's type.
func Kind(n *yaml.Node) string {
	if k, ok := kinds[n.ShortTag()]; ok {
		return k
	}
	return "a value of another type"
}

func quoted(s string) string {
	if p := Printable(s); p != s && p[0] == '"' {
		return p
	}
	return strconv.Quote(Printable(s))
}

// Printable returns a text on one line, escaped and capped: file names, keys
// and YAML's own errors may hold anything.
func Printable(s string) string {
	const longest = 200
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	if q := strconv.QuoteToGraphic(s); q[1:len(q)-1] != s {
		return q
	}
	return s
}
