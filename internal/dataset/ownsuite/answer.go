package ownsuite

import (
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// answer reads what is expected: a list of calls, each a function's name with
// its arguments.
func (l *loader) answer(p *part, file string, n, expect *yaml.Node) *pyval.List {
	empty := expect == nil || expect.Kind == yaml.SequenceNode && len(expect.Content) == 0
	switch {
	case !p.Answers() && empty:
		return nil
	case !p.Answers():
		l.fault(file, expect.Line, "kind %s asks only whether a call is made: leave expect out", p.Rule)
		return nil
	case empty:
		l.fault(file, n.Line, "expect is missing: say which call is right, or use kind irrelevance for cases without one")
		return nil
	}
	calls := expect.Content
	if expect.Kind != yaml.SequenceNode {
		calls = []*yaml.Node{expect}
	}
	if p.Rule.OneCall() && len(calls) != 1 {
		l.fault(file, expect.Line, "kind %s expects one call, here are %d: use kind parallel or parallel_multiple", p.Rule, len(calls))
		return nil
	}
	out := &pyval.List{}
	for _, call := range calls {
		out.Items = append(out.Items, l.call(file, call))
	}
	return out
}

// call is one expected call in the benchmark's form.
func (l *loader) call(file string, n *yaml.Node) pyval.Value {
	out := pyval.NewDict(1)
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		out.SetStr(n.Value, pyval.NewDict(0)) // a call without arguments
		return out
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Kind != yaml.ScalarNode {
		l.fault(file, n.Line, "a call is one function's name with its arguments: book_table: {guests: 4}")
		return out
	}
	args := n.Content[1]
	if args.ShortTag() == "!!null" {
		out.SetStr(n.Content[0].Value, pyval.NewDict(0))
		return out
	}
	if args.Kind != yaml.MappingNode {
		l.fault(file, args.Line, "the arguments of %s must be names with values", quote(n.Content[0].Value))
		return out
	}
	out.SetStr(n.Content[0].Value, l.accepted(file, args, 0))
	return out
}

// accepted are the arguments of a call, or the fields of an object, each with
// the list of values that are accepted of it.
func (l *loader) accepted(file string, n *yaml.Node, depth int) *pyval.Dict {
	out := pyval.NewDict(len(n.Content) / 2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || out.Has(key.Value) {
			l.fault(file, key.Line, "arguments have plain names, each once")
			continue
		}
		out.SetStr(key.Value, l.values(file, n.Content[i+1], depth))
	}
	return out
}

var choiceKeys = []string{"any_of", "value", "optional"}

// values are the accepted values of an argument: the value itself, or those of
// any_of; optional adds the empty text, which stands for leaving it out.
func (l *loader) values(file string, n *yaml.Node, depth int) *pyval.List {
	out := &pyval.List{}
	if !isChoice(n) {
		out.Items = append(out.Items, l.expected(file, n, depth))
		return out
	}
	optional := false
	l.pairs(file, n, "argument", choiceKeys, func(key string, _, v *yaml.Node) {
		switch key {
		case "value":
			out.Items = append(out.Items, l.expected(file, v, depth))
		case "any_of":
			if v.Kind != yaml.SequenceNode {
				l.fault(file, v.Line, "any_of: want a list of accepted values")
				return
			}
			for _, item := range v.Content {
				out.Items = append(out.Items, l.expected(file, item, depth))
			}
		case "optional":
			if v.ShortTag() != "!!bool" || v.Decode(&optional) != nil {
				l.fault(file, v.Line, "optional: want true or false")
			}
		}
	})
	if len(out.Items) == 0 {
		l.fault(file, n.Line, "no value is accepted: give value or any_of")
	}
	if optional {
		out.Items = append(out.Items, pyval.Str(""))
	}
	return out
}

// isChoice tells a mapping with any_of or value, and nothing beside them but
// optional, from an object that is expected as it is.
func isChoice(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	choice := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "any_of", "value":
			choice = true
		case "optional":
		default:
			return false
		}
	}
	return choice
}

// expected is one accepted value in the benchmark's form, in which each field
// of an object has a list of accepted values of its own.
func (l *loader) expected(file string, n *yaml.Node, depth int) pyval.Value {
	if depth > maxDepth {
		l.fault(file, n.Line, "%v", errDepth)
		return pyval.None
	}
	switch n.Kind {
	case yaml.MappingNode:
		return l.accepted(file, n, depth+1)
	case yaml.SequenceNode:
		list := &pyval.List{}
		for _, item := range n.Content {
			list.Items = append(list.Items, l.expected(file, item, depth+1))
		}
		return list
	}
	v, err := value(n, depth)
	if err != nil {
		l.fault(file, n.Line, "%v", err)
		return pyval.None
	}
	return v
}
