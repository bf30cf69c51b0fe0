package catalog

import (
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// text reads a text; null resets it.
func text(r *plainfile.Reader, n *yaml.Node, name string, to *string) {
	switch {
	case plainfile.IsNull(n):
		*to = ""
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		r.Fault(n, "%s: want a string, found %s", name, plainfile.Kind(n))
	case strings.ContainsFunc(n.Value, isControl):
		r.Fault(n, "%s: it holds a control character", name)
	default:
		*to = n.Value
	}
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// amount reads a number that is not negative; null resets it.
func amount(r *plainfile.Reader, n *yaml.Node, name string, to **float64) {
	var x float64
	switch tag := n.ShortTag(); {
	case plainfile.IsNull(n):
		*to = nil
	case n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float":
		r.Fault(n, "%s: want a number, found %s", name, plainfile.Kind(n))
	case n.Decode(&x) != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0:
		r.Fault(n, "%s: want a finite number of 0 or more", name)
	default:
		*to = &x
	}
}

// count reads a whole number of 1 or more; null resets it.
func count(r *plainfile.Reader, n *yaml.Node, name string, to *int) {
	var x int
	switch {
	case plainfile.IsNull(n):
		*to = 0
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int":
		r.Fault(n, "%s: want a whole number, found %s", name, plainfile.Kind(n))
	case n.Decode(&x) != nil || x < 1 || x > math.MaxInt32:
		r.Fault(n, "%s: want a whole number between 1 and %d", name, math.MaxInt32)
	default:
		*to = x
	}
}

// truth reads true or false; null resets it.
func truth(r *plainfile.Reader, n *yaml.Node, name string, to **bool) {
	var x bool
	switch {
	case plainfile.IsNull(n):
		*to = nil
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&x) != nil:
		r.Fault(n, "%s: want true or false, found %s", name, plainfile.Kind(n))
	default:
		*to = &x
	}
}

// anything reads a value of a request's body into the types that
// encoding/json writes.
func anything(r *plainfile.Reader, n *yaml.Node, where string, depth int) any {
	if n = r.Follow(n); n == nil {
		return nil
	}
	if depth > plainfile.MaxDepth {
		r.Fault(n, "%s: nested too deeply", where)
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		r.Pairs(n, where, func(key string, _, v *yaml.Node) { out[key] = anything(r, v, where, depth+1) })
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range n.Content {
			out = append(out, anything(r, item, where, depth+1))
		}
		return out
	}
	return scalar(r, n, where)
}

func scalar(r *plainfile.Reader, n *yaml.Node, where string) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!str", "!!timestamp":
		if looksLikeKey(n.Value) {
			r.Fault(n, "%s: this looks like a key; keys come from environment variables only", where)
			return nil
		}
		return n.Value
	case "!!bool", "!!int", "!!float":
		var x any
		if err := n.Decode(&x); err == nil && finite(x) {
			return x
		}
	}
	r.Fault(n, "%s: %s that JSON cannot hold", where, plainfile.Kind(n))
	return nil
}

func finite(x any) bool {
	f, ok := x.(float64)
	return !ok || !math.IsNaN(f) && !math.IsInf(f, 0)
}
