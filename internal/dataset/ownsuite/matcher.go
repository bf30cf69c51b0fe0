package ownsuite

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// heads are the keys that make a mapping a matcher; besideHeads are the keys
// that may be given beside them.
var (
	heads       = []string{"value", "any_of", "matches", "contains", "number", "unordered", "func"}
	besideHeads = []string{"optional", "within", "example"}
	choiceKeys  = append(slices.Clone(heads), besideHeads...)
)

// gone are keys of earlier versions, with what to write instead.
var gone = map[string]string{
	"prefix": "use matches, such as '^Re:', or contains", "date": "list the forms under any_of, or use matches or func", "order": "it stood beside date",
	"subset_of": "list the accepted lists under any_of", "includes": "list the accepted lists under any_of",
	"present": "list the accepted values under any_of, or use func", "absent": "leave the argument out: a call that has it is refused",
	"calls": asTurns, "tool_calls": asTurns, "tool_call_id": asTurns, "name": asTurns,
}

const asTurns = "write what comes before the last question as turns, with results (kind multi_turn)"

// goneHeads are the matchers among them, which are no fields of an object either.
var goneHeads = []string{"prefix", "date", "subset_of", "includes", "present", "absent"}

// isChoice reports whether a mapping says what is accepted, and is not itself
// the expected object.
func isChoice(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	choice := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		switch {
		case slices.Contains(heads, key), slices.Contains(goneHeads, key):
			choice = true
		case key != "order" && !slices.Contains(besideHeads, key):
			return false
		}
	}
	return choice
}

// A chooser reads one mapping that says what is accepted.
type chooser struct {
	*loader
	file   string
	depth  int
	fields map[string]*yaml.Node
}

// choice reads what is accepted for an argument, a field or an item: a value,
// or a mapping with matchers.
func (l *loader) choice(file string, n *yaml.Node, depth int) *match.Choice {
	if depth > maxDepth {
		l.fault(file, n.Line, "%v", errDepth)
		return &match.Choice{Line: n.Line}
	}
	if !isChoice(n) {
		return &match.Choice{Line: n.Line, Options: []match.Option{{Matcher: l.expected(file, n, depth), Line: n.Line}}}
	}
	c := &chooser{l, file, depth, l.mapping(file, n, "argument", choiceKeys)}
	out := &match.Choice{Line: n.Line}
	var head []string
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key != "value" && slices.Contains(heads, key) && c.fields[key] != nil && !slices.Contains(head, key) {
			head = append(head, key)
		}
	}
	if len(head) > 1 {
		l.fault(file, n.Line, "%s: use one matcher at a time, or several under any_of", strings.Join(head, ", "))
		return out
	}
	if v := c.fields["value"]; v != nil {
		out.Options = append(out.Options, match.Option{Matcher: l.expected(file, v, depth), Line: v.Line})
	}
	if len(head) == 1 {
		if v := c.fields[head[0]]; head[0] == "any_of" {
			c.anyOf(out, v)
		} else if m := c.matcher(head[0], v); m != nil {
			out.Options = append(out.Options, match.Option{Matcher: m, Line: v.Line})
		}
	}
	c.beside(out, n, head)
	return out
}

// beside reads the keys beside a matcher.
func (c *chooser) beside(out *match.Choice, n *yaml.Node, head []string) {
	if v := c.fields["optional"]; v != nil && (v.ShortTag() != "!!bool" || v.Decode(&out.Optional) != nil) {
		c.fault(c.file, v.Line, "optional: want true or false")
	}
	if v := c.fields["within"]; v != nil && !slices.Contains(head, "number") {
		c.fault(c.file, v.Line, "within belongs to number")
	}
	if v := c.fields["example"]; v != nil && len(out.Options) > 0 {
		given, err := value(v, c.depth)
		if err != nil {
			c.fault(c.file, v.Line, "example: %v", err)
			return
		}
		last := &out.Options[len(out.Options)-1]
		last.Given = given
		if _, ok := last.Matcher.(*match.Go); ok {
			return // not known before it is asked
		}
		if why := last.Explain(given); why != "" {
			c.fault(c.file, v.Line, "example: %s", why)
		}
	}
	if len(out.Options) == 0 && n != nil && !slices.ContainsFunc(n.Content, func(k *yaml.Node) bool { return slices.Contains(goneHeads, k.Value) }) {
		c.fault(c.file, n.Line, "no value is accepted: give value or any_of")
	}
}

// anyOf adds the options of a list of values and matchers.
func (c *chooser) anyOf(out *match.Choice, v *yaml.Node) {
	if v.Kind != yaml.SequenceNode {
		c.fault(c.file, v.Line, "any_of: want a list of accepted values")
		return
	}
	for _, item := range v.Content {
		one := c.choice(c.file, item, c.depth+1)
		if one.Optional {
			c.fault(c.file, item.Line, "any_of: write optional beside any_of, not in it")
		}
		out.Options = append(out.Options, one.Options...)
	}
}

// matcher reads the matcher of a key; nil if it has a fault.
func (c *chooser) matcher(key string, v *yaml.Node) match.Matcher {
	switch key {
	case "matches":
		m, err := match.NewPattern(c.text(key, v))
		if err == nil {
			return m
		}
		c.fault(c.file, v.Line, "matches: %v", err)
	case "contains":
		parts := c.strs(c.file, v, key)
		if len(parts) > 0 && !slices.Contains(parts, "") {
			return &match.Contains{Parts: parts}
		}
		c.fault(c.file, v.Line, "contains: want a string or a list of strings, none of them empty")
	case "number":
		return c.number(v)
	case "unordered":
		if v.Kind == yaml.SequenceNode {
			return &match.Set{Items: c.items(c.file, v, c.depth)}
		}
		c.fault(c.file, v.Line, "unordered: want a list of values")
	case "func":
		return &match.Go{Func: c.text(key, v)}
	}
	return nil
}

// text reads a text that must not be empty.
func (c *chooser) text(key string, v *yaml.Node) string {
	s := c.str(c.file, v, key)
	if s == "" && v.Kind == yaml.ScalarNode {
		c.fault(c.file, v.Line, "%s: want a non-empty string", key)
	}
	return s
}

func (c *chooser) number(v *yaml.Node) match.Matcher {
	n, err := value(v, c.depth)
	if err != nil || n.Kind() != pyval.KindInt && n.Kind() != pyval.KindFloat {
		c.fault(c.file, v.Line, "number: want a number")
		return nil
	}
	out := &match.Near{Value: n}
	at := c.fields["within"]
	if at == nil {
		return out
	}
	text, percent := strings.CutSuffix(strings.TrimSpace(at.Value), "%")
	within, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if at.Kind != yaml.ScalarNode || err != nil || within < 0 || math.IsInf(within, 0) || math.IsNaN(within) {
		c.fault(c.file, at.Line, "within: want a number of 0 or more, or a share such as 5%%")
		return nil
	}
	out.Within, out.Percent = within, percent
	return out
}
