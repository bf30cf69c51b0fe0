package ownsuite

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// answer reads what is expected into an entry: a call, a list of calls, or rules
// for all calls. If the benchmark's form cannot express it, the entry's answer is
// only an example.
func (l *loader) answer(p *part, file string, n, expect *yaml.Node, entry *Entry) {
	empty := expect == nil || expect.Kind == yaml.SequenceNode && len(expect.Content) == 0
	switch {
	case !p.Answers() && empty:
		return
	case !p.Answers():
		l.fault(file, expect.Line, "kind %s only checks whether a call is made: remove expect", p.Rule)
		return
	case empty:
		l.fault(file, n.Line, "expect is missing: say which call is right, or use kind irrelevance for cases without a call")
		return
	}
	before := len(l.faults)
	w := l.whole(file, expect, match.AnyOrder)
	if len(l.faults) > before {
		return
	}
	if p.Rule.OneCall() && (len(w.Calls) != 1 || w.Mode != match.AnyOrder || len(w.NoneOf) > 0) {
		l.fault(file, expect.Line, "kind %s expects one call, but there are %d: use kind parallel or parallel_multiple", p.Rule, len(w.Calls))
		return
	}
	if uses(w) && p.language != pythonKey {
		l.fault(file, expect.Line, "matchers are only for language python: values of %s are source text", p.language)
	}
	var ok bool
	entry.Expect = w
	if entry.Answer, ok = w.Answer(l.docs()); !ok {
		entry.Answer, entry.Matched = w.Sample(l.docs()), true
	}
}

// uses reports whether an expectation has matchers or rules beyond upstream's.
func uses(w *match.Whole) bool {
	found := w.Mode != match.AnyOrder || len(w.NoneOf) > 0
	w.Choices(func(c *match.Choice) {
		for _, o := range c.Options {
			switch o.Matcher.(type) {
			case *match.Literal, *match.Object, *match.List:
			default:
				found = true
			}
		}
	})
	return found
}

// docs returns the documents of the suite's tools by name.
func (l *loader) docs() map[string]*pyval.Dict {
	if l.byName == nil {
		l.byName = make(map[string]*pyval.Dict, len(l.tools))
		for name, tool := range l.tools {
			l.byName[name] = tool.Doc
		}
	}
	return l.byName
}

var (
	modeKeys  = []string{string(match.InOrder), string(match.AnyOrder), string(match.AtLeast), string(match.AtMost)}
	wholeKeys = append(slices.Clone(modeKeys), "ordered", "none_of")
)

// isWhole reports whether a mapping is rules for all calls, and not a call: the
// arguments of a function so named would not be a list.
func isWhole(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return false
	}
	lists := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(wholeKeys, n.Content[i].Value) {
			return false
		}
		if n.Content[i+1].Kind == yaml.SequenceNode {
			lists++
		}
	}
	return lists > 0
}

// whole reads the expected calls and how they are to be made; a plain list is
// of the usual mode.
func (l *loader) whole(file string, n *yaml.Node, usual match.Mode) *match.Whole {
	w := &match.Whole{Mode: usual, Line: n.Line}
	switch {
	case isWhole(n):
		l.rules(file, n, w)
		return w
	case n.Kind != yaml.SequenceNode:
		w.Calls = []*match.Call{l.call(file, n)}
		return w
	}
	w.Calls = l.calls(file, n)
	return w
}

func (l *loader) rules(file string, n *yaml.Node, w *match.Whole) {
	mode := ""
	l.pairs(file, n, "expect", wholeKeys, func(key string, k, v *yaml.Node) {
		switch {
		case key == "ordered":
			if v.ShortTag() != "!!bool" || v.Decode(&w.Ordered) != nil {
				l.fault(file, v.Line, "ordered: want true or false")
			}
		case v.Kind != yaml.SequenceNode:
			l.fault(file, v.Line, "%s: want a list of calls", key)
		case key == "none_of":
			w.NoneOf = l.calls(file, v)
			for _, call := range w.NoneOf {
				call.Any = true
			}
		case mode != "":
			l.fault(file, k.Line, "expect: %s and %s exclude each other", mode, key)
		default:
			mode, w.Calls = key, l.calls(file, v)
		}
	})
	w.Mode = match.Mode(mode)
	if w.Ordered && w.Mode != match.AtLeast {
		l.fault(file, n.Line, "ordered belongs to at_least")
	}
}

func (l *loader) calls(file string, n *yaml.Node) []*match.Call {
	out := make([]*match.Call, len(n.Content))
	for i, item := range n.Content {
		out[i] = l.call(file, item)
	}
	return out
}

// call reads one expected call.
func (l *loader) call(file string, n *yaml.Node) *match.Call {
	out := &match.Call{Line: n.Line}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		out.Function = n.Value // a call without arguments
		return out
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Kind != yaml.ScalarNode {
		l.fault(file, n.Line, "a call is a function's name with its arguments, such as book_table: {guests: 4}")
		return out
	}
	args := n.Content[1]
	out.Function = n.Content[0].Value
	if args.ShortTag() == "!!null" {
		return out
	}
	if args.Kind != yaml.MappingNode {
		l.fault(file, args.Line, "the arguments of %s must be names with values", quote(out.Function))
		return out
	}
	out.Args = l.fields(file, args, 0)
	if tool, ok := l.tools[out.Function]; ok {
		l.fits(file, out.Function, out.Args, tool.Doc.Child("parameters"))
	}
	return out
}

// fits reports matchers for values that a parameter cannot have.
func (l *loader) fits(file, where string, fields []match.Field, doc *pyval.Dict) {
	for _, f := range fields {
		schema := doc.Child("properties").Child(f.Name)
		if schema == nil {
			continue
		}
		for _, o := range f.Options {
			l.fit(file, where+"."+f.Name, o, schema)
		}
	}
}

func (l *loader) fit(file, where string, o match.Option, schema *pyval.Dict) {
	typ, _ := schema.Text("type")
	if object, ok := o.Matcher.(*match.Object); ok {
		kind, known := kindOf[typ]
		for _, f := range object.Fields {
			if hint := l.hint(f.Name, choiceKeys); known && kind != pyval.KindDict && strings.Contains(hint, "did you mean") {
				l.fault(file, o.Line, "%s is of type %s, and there is no matcher %s%s", where, typ, quote(f.Name), hint)
				return
			}
		}
		l.fits(file, where, object.Fields, schema)
		return
	}
	if _, list := o.Matcher.(*match.List); list {
		return // validate checks the values
	}
	typed, ok := o.Matcher.(match.Typed)
	if !ok {
		return
	}
	if kind, known := kindOf[typ]; known && !typed.Fits(kind) {
		hint := ""
		if typ == "dict" {
			hint = "; for an object with a field of that name, write value: {" + o.Name() + ": …}"
		}
		l.fault(file, o.Line, "%s is of type %s, but %s is not for that type%s", where, typ, o.Name(), hint)
	}
}

// kindOf holds the types of parameters whose values are all of one kind.
var kindOf = map[string]pyval.Kind{
	"string": pyval.KindStr, "integer": pyval.KindInt, "float": pyval.KindFloat, "boolean": pyval.KindBool,
	"array": pyval.KindList, "dict": pyval.KindDict,
}

// fields reads the arguments of a call, or the fields of an object.
func (l *loader) fields(file string, n *yaml.Node, depth int) []match.Field {
	var out []match.Field
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || seen[key.Value] {
			l.fault(file, key.Line, "the names of arguments must be plain texts, each given once")
			continue
		}
		seen[key.Value] = true
		out = append(out, match.Field{Name: key.Value, Choice: l.choice(file, n.Content[i+1], depth)})
	}
	return out
}

// expected reads one accepted value.
func (l *loader) expected(file string, n *yaml.Node, depth int) match.Matcher {
	if depth > maxDepth {
		l.fault(file, n.Line, "%v", errDepth)
		return &match.Literal{Value: pyval.None}
	}
	switch n.Kind {
	case yaml.MappingNode:
		return &match.Object{Fields: l.fields(file, n, depth+1)}
	case yaml.SequenceNode:
		return &match.List{Items: l.items(file, n, depth)}
	}
	v, err := value(n, depth)
	if err != nil {
		l.fault(file, n.Line, "%s", strings.TrimPrefix(err.Error(), "line "))
		return &match.Literal{Value: pyval.None}
	}
	return &match.Literal{Value: v}
}

func (l *loader) items(file string, n *yaml.Node, depth int) []*match.Choice {
	out := make([]*match.Choice, len(n.Content))
	for i, item := range n.Content {
		out[i] = l.choice(file, item, depth+1)
	}
	return out
}
