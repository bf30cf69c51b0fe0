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
	heads = []string{
		"value", "any_of", "matches", "contains", "prefix", "number", "date", "unordered", "subset_of", "includes",
		"present", "absent", "func",
	}
	besideHeads = []string{"optional", "within", "order", "example"}
	choiceKeys  = append(slices.Clone(heads), besideHeads...)
)

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
		case slices.Contains(heads, key):
			choice = true
		case !slices.Contains(besideHeads, key):
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
	c := &chooser{l, file, depth, map[string]*yaml.Node{}}
	out := &match.Choice{Line: n.Line}
	var head []string
	l.pairs(file, n, "argument", choiceKeys, func(key string, _, v *yaml.Node) {
		c.fields[key] = v
		if slices.Contains(heads, key) && key != "value" {
			head = append(head, key)
		}
	})
	if len(head) > 1 {
		l.fault(file, n.Line, "%s: use one matcher at a time, or several under any_of", strings.Join(head, ", "))
		return out
	}
	if v := c.fields["value"]; v != nil {
		out.Options = append(out.Options, match.Option{Matcher: l.expected(file, v, depth), Line: v.Line})
	}
	if len(head) == 1 {
		c.add(out, head[0], c.fields[head[0]])
	}
	c.beside(out, n, head)
	return out
}

// beside reads the keys beside a matcher.
func (c *chooser) beside(out *match.Choice, n *yaml.Node, head []string) {
	if v := c.fields["optional"]; v != nil && (v.ShortTag() != "!!bool" || v.Decode(&out.Optional) != nil) {
		c.fault(c.file, v.Line, "optional: want true or false")
	}
	for _, own := range [][2]string{{"within", "number"}, {"order", "date"}} {
		key, of := own[0], own[1]
		if v := c.fields[key]; v != nil && !slices.Contains(head, of) {
			c.fault(c.file, v.Line, "%s belongs to %s", key, of)
		}
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
	if len(out.Options) == 0 && !out.Absent && n != nil {
		c.fault(c.file, n.Line, "no value is accepted: give value or any_of")
	}
}

// add adds what one matcher accepts.
func (c *chooser) add(out *match.Choice, key string, v *yaml.Node) {
	switch key {
	case "any_of":
		c.anyOf(out, v)
		return
	case "present", "absent":
		yes := false
		if v.ShortTag() != "!!bool" || v.Decode(&yes) != nil || !yes {
			c.fault(c.file, v.Line, "%s: want true", key)
			return
		}
		if key == "absent" {
			out.Absent = true
			return
		}
	}
	if m := c.matcher(key, v); m != nil {
		out.Options = append(out.Options, match.Option{Matcher: m, Line: v.Line})
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
		if one.Optional || one.Absent {
			c.fault(c.file, item.Line, "any_of: write optional and absent beside any_of, not in it")
		}
		out.Options = append(out.Options, one.Options...)
	}
}

// matcher reads the matcher of a key; nil if it has a fault.
func (c *chooser) matcher(key string, v *yaml.Node) match.Matcher {
	var m match.Matcher
	var err error
	switch key {
	case "present":
		return match.Present{}
	case "matches":
		m, err = match.NewPattern(c.text(key, v))
	case "contains":
		parts := c.strs(c.file, v, key)
		if len(parts) == 0 || slices.Contains(parts, "") {
			c.fault(c.file, v.Line, "contains: want a string or a list of strings, none of them empty")
			return nil
		}
		return &match.Contains{Parts: parts}
	case "prefix":
		return &match.Prefix{Text: c.text(key, v)}
	case "number":
		return c.number(v)
	case "date":
		order := match.NoOrder
		if at := c.fields["order"]; at != nil {
			order = match.Order(c.str(c.file, at, "order"))
		}
		m, err = match.NewDate(c.str(c.file, v, key), order)
	case "unordered", "subset_of", "includes":
		if v.Kind != yaml.SequenceNode || len(v.Content) == 0 && key != "unordered" {
			c.fault(c.file, v.Line, "%s: want a list of some values", key)
			return nil
		}
		return &match.Set{Rule: match.SetRule(key), Items: c.items(c.file, v, c.depth)}
	case "func":
		return &match.Go{Func: c.text(key, v)}
	}
	if err != nil {
		c.fault(c.file, v.Line, "%s: %v", key, err)
		return nil
	}
	return m
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
