package calllog

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A kind is a category that cases are sorted into.
type kind struct{ name, kind, about string }

// kinds are the categories, by what the response did.
var kinds = []kind{
	{"logged_single", "multiple", "One call was made."},
	{"logged_parallel", "parallel_multiple", "Several calls were made at once."},
	{"logged_no_call", "irrelevance", "No call was made."},
}

// order maps the number of calls, 0, 1 or more, to an index of kinds.
var order = [...]int{2, 0, 1}

// Files returns the suite's files by name, and the names in order.
func (l *Log) Files(name string) (names []string, files map[string][]byte, err error) {
	files = map[string][]byte{}
	add := func(file string, text []byte) {
		names = append(names, file)
		files[file] = text
	}
	suite := fmt.Appendf(nil, `# Made from a log. The possible answers are the calls that a model made, which may
# be wrong. Check every case, correct its expect or remove it, and then delete its
# "review: true".
name: %s
tools:
  - functions: tools/functions.json
categories:
`, yamlText(name))
	byKind := make([][]byte, len(kinds))
	for i, c := range l.Cases {
		at := order[min(len(c.Calls), 2)]
		if byKind[at], err = appendCase(byKind[at], c, i); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", c.Line, err)
		}
	}
	for i, k := range kinds {
		if byKind[i] != nil {
			suite = fmt.Appendf(suite, "  - name: %s\n    kind: %s\n    description: %s\n    cases: cases/%s.yaml\n", k.name, k.kind, k.about, k.name)
		}
	}
	add("suite.yaml", suite)
	text, err := pyval.JSONIndent(l.toolList(), 2)
	if err != nil {
		return nil, nil, err
	}
	add("tools/functions.json", []byte(text+"\n"))
	for i, k := range kinds {
		if byKind[i] != nil {
			add("cases/"+k.name+".yaml", byKind[i])
		}
	}
	return names, files, nil
}

// toolList returns the tools as the requests show them, so that the suite sends
// them unchanged. If one is in the benchmark's form, all are written in it,
// because a suite has one form.
func (l *Log) toolList() *pyval.List {
	asSent := !slices.ContainsFunc(l.Tools, func(t ownsuite.Tool) bool { return t.Written == nil })
	out := &pyval.List{}
	for _, tool := range l.Tools {
		if asSent {
			out.Items = append(out.Items, tool.Written)
		} else {
			out.Items = append(out.Items, tool.Doc)
		}
	}
	return out
}

// yamlText returns a text as JSON, which is also valid YAML.
func yamlText(s string) []byte { return visible(pyval.AppendJSONString(nil, s, pyval.JSONUnicode)) }

func yamlValue(v pyval.Value) ([]byte, error) {
	text, err := pyval.AppendJSON(nil, v, pyval.JSONUnicode)
	return visible(text), err
}

// visible escapes the characters of a JSON text that YAML does not take
// unescaped, such as C1 controls and YAML's own line breaks, and those that do
// not print.
func visible(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf-1 || unicode.IsPrint(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff: // JSON has no single escape for it
			out = fmt.Appendf(out, `\U%08x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// appendCase appends a case. Values are written as JSON, which YAML reads.
func appendCase(out []byte, c Case, n int) ([]byte, error) {
	out = fmt.Appendf(out, "# line %d of the log%s\n- id: logged_%d\n  review: true\n  messages:\n", c.Line, comma(c.Place), n)
	for _, m := range c.Messages.Items {
		text, err := yamlValue(m)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, "    - %s\n", text)
	}
	out = append(out, "  tools: ["...)
	for i, name := range c.Tools {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, yamlText(name)...)
	}
	out = append(out, "]\n"...)
	if len(c.Calls) > 0 {
		out = append(out, "  expect:\n"...)
	}
	for _, call := range c.Calls {
		name, arguments := call.At(0)
		out = fmt.Appendf(out, "    - %s:\n", yamlText(pyval.Text(name)))
		args, _ := arguments.(*pyval.Dict)
		if args.Len() == 0 {
			out = append(out[:len(out)-1], " {}\n"...)
		}
		for key, v := range args.All() {
			text, err := yamlValue(plain(v))
			if err != nil {
				return nil, err
			}
			out = fmt.Appendf(out, "        %s: {value: %s}\n", yamlText(pyval.Text(key)), text)
		}
	}
	return append(out, '\n'), nil
}

// plain returns a value in which each field of an object is framed with
// "value", so that the object is not read as a choice of values.
func plain(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.List:
		return v.Map(plain)
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, item := range v.All() {
			_ = out.Set(key, pyval.Object("value", plain(item))) // a key of a dict is hashable
		}
		return out
	}
	return v
}
