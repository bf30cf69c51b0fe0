package suggest

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Review returns the report as YAML for a person to review: it shows what the
// case would say with the value, and what it says now.
func (r *Report) Review() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# What at least %d of %d models agree on and %s refuses. Several models can be
# wrong together: nothing is accepted until you write it into the case, where
# "becomes" is what the parameter would have. Any value under "any_of" is right;
# "optional: true" lets the parameter be left out.
`, r.Least, len(r.Models), safe.Plain(r.Dataset, 200))
	if !r.Own {
		b.WriteString("# " + strings.ReplaceAll(NotOurs, "\n", "\n# ") + "\n")
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range r.Suggestions {
		list.Content = append(list.Content, r.Suggestions[i].node())
	}
	doc := mapping("dataset", scalar(r.Dataset), "digest", scalar(r.Digest), "models", texts(r.Models), "suggestions", list)
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

// NotOurs is the note for datasets that are not a user's own suite.
const NotOurs = "These answers are the benchmark's and not ours to change: scores of a\nchanged dataset are not comparable with any others. bfcl errata lists the known errors."

func (s *Suggestion) node() *yaml.Node {
	n := mapping("id", scalar(s.ID))
	add := func(key string, v *yaml.Node) { n.Content = append(n.Content, scalar(key), v) }
	if s.File != "" {
		add("where", scalar(fmt.Sprintf("%s:%d", s.File, s.Line)))
	}
	if s.Turn > 0 {
		add("turn", number(s.Turn))
	}
	if s.Call > 1 {
		add("call", number(s.Call))
	}
	add("function", scalar(s.Function))
	add("parameter", scalar(s.Parameter))
	if s.LeftOut {
		add("given", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null", LineComment: "left out"})
	} else {
		add("given", value(s.Value))
	}
	add("accepted", scalar(s.Accepted))
	add("refused", scalar(s.ErrorType))
	add("models", texts(s.Models))
	add("answers", number(s.Answers))
	add("passed", texts(s.Passed))
	if s.Becomes != nil {
		add("becomes", s.Becomes.node())
	}
	add("review", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	return n
}

func (c *Becomes) node() *yaml.Node {
	options := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range c.AnyOf {
		options.Content = append(options.Content, value(v))
	}
	out := mapping("any_of", options)
	if c.Optional {
		out.Content = append(out.Content, scalar("optional"), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	out.Style = yaml.FlowStyle
	return out
}

func mapping(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(pairs); i += 2 {
		n.Content = append(n.Content, scalar(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}

func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(safe.Printable(text, longest))
	return n
}

func number(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(n)}
}

func texts(all []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, text := range all {
		n.Content = append(n.Content, scalar(text))
	}
	return n
}

// value returns a model's value as YAML. Texts that are not UTF-8 become binary
// values.
func value(v pyval.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch v := v.(type) {
	case pyval.Str:
		n = &yaml.Node{}
		n.SetString(string(v))
		if n.Style == yaml.LiteralStyle {
			n.Style = yaml.DoubleQuotedStyle
		}
	case pyval.Bool:
		n.Tag, n.Value = "!!bool", strings.ToLower(pyval.Repr(v))
	case pyval.Int:
		n.Tag, n.Value = "!!int", pyval.Repr(v)
	case pyval.Float:
		n.Tag, n.Value = "!!float", pyval.Repr(v)
	case *pyval.List:
		n = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, item := range v.Items {
			n.Content = append(n.Content, value(item))
		}
	case *pyval.Dict:
		n = &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		for key, item := range v.All() {
			n.Content = append(n.Content, scalar(pyval.Text(key)), value(item))
		}
	case pyval.NoneType:
		n.Tag, n.Value = "!!null", "null"
	default:
		n = scalar(pyval.Repr(v))
	}
	return n
}
