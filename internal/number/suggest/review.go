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
	doc := struct {
		Dataset, Digest string
		Models          []string `yaml:",flow"`
		Suggestions     []reviewed
	}{plain(r.Dataset), plain(r.Digest), plains(r.Models), []reviewed{}}
	for i := range r.Suggestions {
		doc.Suggestions = append(doc.Suggestions, r.Suggestions[i].reviewed())
	}
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

// NotOurs is the note for datasets that are not a user's own suite.
const NotOurs = "These answers are the benchmark's and not ours to change: scores of a\nchanged dataset are not comparable with any others. bfcl errata lists the known errors."

// A reviewed suggestion is one as a person sees it.
type reviewed struct {
	ID                  string
	Where               string `yaml:",omitempty"`
	Turn                int    `yaml:",omitempty"`
	Call                int    `yaml:",omitempty"`
	Function, Parameter string
	Given               *yaml.Node
	Accepted, Refused   string
	Models              []string `yaml:",flow"`
	Answers             int
	Passed              []string `yaml:",flow"`
	Becomes             *becomes `yaml:",omitempty,flow"`
	Review              bool
}

type becomes struct {
	AnyOf    []*yaml.Node `yaml:"any_of,flow"`
	Optional bool         `yaml:",omitempty"`
}

func (s *Suggestion) reviewed() reviewed {
	out := reviewed{
		ID: plain(s.ID), Turn: s.Turn, Function: plain(s.Function), Parameter: plain(s.Parameter), Accepted: plain(s.Accepted),
		Refused: plain(s.ErrorType), Models: plains(s.Models), Answers: s.Answers, Passed: plains(s.Passed), Review: true,
		Given: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null", LineComment: "left out"},
	}
	if s.File != "" {
		out.Where = plain(fmt.Sprintf("%s:%d", s.File, s.Line))
	}
	if s.Call > 1 {
		out.Call = s.Call
	}
	if !s.LeftOut {
		out.Given = value(s.Value)
	}
	if s.Becomes != nil {
		out.Becomes = &becomes{AnyOf: []*yaml.Node{}, Optional: s.Becomes.Optional}
		for _, v := range s.Becomes.AnyOf {
			out.Becomes.AnyOf = append(out.Becomes.AnyOf, value(v))
		}
	}
	return out
}

func plain(text string) string { return safe.Printable(text, longest) }

func plains(all []string) []string {
	out := make([]string, len(all))
	for i, text := range all {
		out[i] = plain(text)
	}
	return out
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
			n.Content = append(n.Content, value(pyval.Str(plain(pyval.Text(key)))), value(item))
		}
	case pyval.NoneType:
		n.Tag, n.Value = "!!null", "null"
	default:
		n = value(pyval.Str(plain(pyval.Repr(v))))
	}
	return n
}
