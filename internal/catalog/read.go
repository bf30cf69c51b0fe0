package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Limits on a file, so that a hostile one ends in an error, quickly.
const (
	maxBytes  = 1 << 20
	maxNodes  = 100_000 // values visited, aliases counted each time
	maxDepth  = 50
	maxFaults = 20
)

// A reader walks one file's YAML. It gathers faults, so that a user sees all
// of them at once. Faults name types, never values: a value may be a key that
// was pasted into the wrong place.
type reader struct {
	file   string
	nodes  int
	faults []error
}

func (r *reader) fault(n *yaml.Node, format string, args ...any) {
	r.faultLine(n.Line, format, args...)
}

func (r *reader) faultLine(line int, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, fmt.Errorf("%s:%d: %s", printable(r.file), line, fmt.Sprintf(format, args...)))
	}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// parse is the file's top-level value; nil where the file is empty or broken.
func (r *reader) parse(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		r.faultLine(1, "the file is larger than %d bytes", maxBytes)
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if err = dec.Decode(&more); err == nil {
			r.fault(&more, "a second document: the file must hold one")
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		r.syntax(err)
		return nil
	}
	return doc.Content[0]
}

func (r *reader) syntax(err error) {
	text, line := err.Error(), 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		text = text[len(m[0]):]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	r.faultLine(line, "not YAML: %s", printable(text))
}

// follow resolves aliases and counts the visit; nil means give up.
func (r *reader) follow(n *yaml.Node) *yaml.Node {
	if r.nodes++; r.nodes > maxNodes {
		if r.nodes == maxNodes+1 {
			r.fault(n, "more than %d values", maxNodes)
		}
		return nil
	}
	for range maxDepth {
		if n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// kinds are what people call YAML's tags.
var kinds = map[string]string{
	"!!str": "a text", "!!int": "a whole number", "!!float": "a number", "!!bool": "true or false",
	"!!null": "nothing", "!!timestamp": "a date", "!!map": "a mapping", "!!seq": "a list", "!!merge": "a text",
}

func kind(n *yaml.Node) string {
	if k, ok := kinds[n.ShortTag()]; ok {
		return k
	}
	return "a value of another type"
}

// pairs calls f for each key of a mapping.
func (r *reader) pairs(n *yaml.Node, where string, f func(key string, k, v *yaml.Node)) {
	if n = r.follow(n); n == nil || isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.fault(n, "%s: want a mapping, found %s", where, kind(n))
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k = r.follow(k); k == nil {
			return
		}
		switch {
		case k.ShortTag() == "!!merge":
			r.fault(k, "%s: merge keys (<<) are not read", where)
		case k.Kind != yaml.ScalarNode || k.ShortTag() != "!!str":
			r.fault(k, "%s: a key must be a text, found %s: put it into quotes", where, kind(k))
		case lines[k.Value] > 0:
			r.fault(k, "%s: %s is given twice, first in line %d", where, printable(k.Value), lines[k.Value])
		default:
			lines[k.Value] = k.Line
			f(k.Value, k, v)
		}
	}
}

// A member is a key that a mapping may have, and how its value is read.
type member[T any] struct {
	name string
	read func(r *reader, into *T, n *yaml.Node)
}

// object reads a mapping whose keys are known.
func object[T any](r *reader, n *yaml.Node, where string, members []member[T], into *T) {
	r.pairs(n, where, func(key string, k, v *yaml.Node) {
		for _, m := range members {
			if m.name == key {
				if v = r.follow(v); v != nil {
					m.read(r, into, v)
				}
				return
			}
		}
		names := make([]string, len(members))
		for i, m := range members {
			names[i] = m.name
		}
		r.fault(k, "%s: unknown key %s%s", where, printable(key), suggestion(nearest(key, names)))
	})
}
