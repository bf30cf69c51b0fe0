package validate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// suite compiles the schemas of a suite. A schema that is not JSON Schema is a
// problem of its tool.
func (c *checker) suite(s *ownsuite.Suite) {
	for i := range s.Tools {
		tool := &s.Tools[i]
		compiled, err := compiled(tool.Parameters())
		if err != nil {
			c.add(Problem{File: tool.File, Line: tool.Line, Severity: Error, Kind: Tool, Message: fmt.Sprintf("tool %s: the parameters are not a JSON Schema: %v", quote(tool.Name), err)})
			continue
		}
		c.schemas[tool.Name] = compiled
	}
	if all := s.Categories; len(all) > 0 && !slices.ContainsFunc(all, func(cat *ownsuite.Category) bool { return cat.Weight > 0 }) {
		c.add(Problem{File: ownsuite.File, Line: all[0].Line, Severity: Warning, Kind: Format, Message: "every category has weight 0, so there is no overall score"})
	}
	for _, cat := range s.Categories {
		for i := range cat.Entries {
			id, _ := cat.Entries[i].Row.Text("id")
			c.entries[id] = &cat.Entries[i]
		}
	}
}

// values checks the calls that a case expects against their tools' schemas.
func (c *checker) values(of *eval.Case) {
	entry := c.entries[of.ID]
	if entry == nil {
		return
	}
	wholes := slices.Clone([]*match.Whole(entry.Turns))
	if entry.Expect != nil {
		wholes = append(wholes, entry.Expect)
	}
	for _, w := range wholes {
		for _, call := range w.Calls {
			c.callValues(of, call, Error)
		}
		for _, call := range w.NoneOf {
			c.callValues(of, call, Warning)
			c.shown(of, call.Line, "none_of", call.Function)
		}
	}
}

// shown warns of a function that is not among a case's tools.
func (c *checker) shown(of *eval.Case, line int, what, function string) {
	if !slices.Contains(of.ToolNames(), function) {
		c.sayAt(line, Warning, Answer, of, "%s names %s, which is not among the case's tools (%s)", what, quote(function), someNames(of))
	}
}

// results checks the table of a conversation's results: each expected call has
// a row, and the rows fit the tools.
func (c *checker) results(of *eval.Case) {
	entry := c.entries[of.ID]
	if entry == nil || len(entry.Script) == 0 {
		return
	}
	for i, turn := range entry.Turns {
		for _, call := range turn.Calls {
			answered := func(v *variation) bool {
				text, err := json.Marshal(v.value)
				return err == nil && entry.Script.Find(of, eval.ToolCall{Name: call.Function, Arguments: string(text)}) >= 0
			}
			if turn.Mode != match.AtMost && !slices.ContainsFunc(variants(call), answered) {
				c.sayAt(call.Line, Warning, Answer, of, "turn %d: no row of results fits %s, so the call gets an error: add one", i+1, call)
			}
		}
	}
	for _, row := range entry.Script {
		c.callValues(of, row.Call, Error)
		c.shown(of, row.Call.Line, "the row of results", row.Call.Function)
	}
}

// callValues checks the values of a call; what is wrong is at most so severe.
func (c *checker) callValues(of *eval.Case, call *match.Call, most Severity) {
	s := c.schemas[call.Function]
	if s == nil || !slices.Contains(of.ToolNames(), call.Function) {
		return
	}
	said := map[string]bool{}
	for _, v := range variants(call) {
		for _, f := range s.check(v.value) {
			where := strings.Join(append([]string{call.Function}, f.path...), ".")
			if v.skips(f.path) || call.Any && f.missing || said[where+f.text] {
				continue
			}
			said[where+f.text] = true
			if most == Warning {
				f.severity = most
			}
			c.sayAt(v.line(f.path, call.Line), f.severity, Answer, of, "%s: %s", where, f.text)
		}
	}
}

// A variation is arguments that a case accepts, with one option of each choice:
// the first, but of one choice another.
type variation struct {
	value  map[string]any
	lines  map[string]int  // by path
	free   map[string]bool // paths of values that only matchers determine
	of     *match.Choice
	option int
}

func key(path []string) string { return strings.Join(path, "\x00") }

// line returns the line of a value, or of the innermost value around it that
// has one.
func (v *variation) line(path []string, otherwise int) int {
	for n := len(path); n > 0; n-- {
		if line := v.lines[key(path[:n])]; line > 0 {
			return line
		}
	}
	return otherwise
}

func (v *variation) skips(path []string) bool {
	for n := len(path); n > 0; n-- {
		if v.free[key(path[:n])] {
			return true
		}
	}
	return false
}

// variants returns the first options of all choices, and then each other option
// in turn.
func variants(call *match.Call) []*variation {
	const most = 300
	out := []*variation{variant(call, nil, 0)}
	w := match.Whole{Calls: []*match.Call{call}}
	w.Choices(func(c *match.Choice) {
		for i := 1; i < len(c.Options) && len(out) < most; i++ {
			out = append(out, variant(call, c, i))
		}
	})
	return out
}

func variant(call *match.Call, of *match.Choice, option int) *variation {
	v := &variation{map[string]any{}, map[string]int{}, map[string]bool{}, of, option}
	for _, a := range call.Args {
		v.value[a.Name] = v.choice(a.Choice, []string{a.Name})
	}
	return v
}

func (v *variation) choice(c *match.Choice, path []string) any {
	v.lines[key(path)] = c.Line
	if len(c.Options) == 0 {
		return nil
	}
	o := c.Options[0]
	if c == v.of {
		o = c.Options[v.option]
	}
	if o.Line > 0 {
		v.lines[key(path)] = o.Line
	}
	items := func(choices []*match.Choice) any {
		out := make([]any, len(choices))
		for i, c := range choices {
			out[i] = v.choice(c, append(slices.Clip(path), strconv.Itoa(i)))
		}
		return out
	}
	switch m := o.Matcher.(type) {
	case *match.Literal:
		return plain(m.Value)
	case *match.Object:
		out := map[string]any{}
		for _, f := range m.Fields {
			out[f.Name] = v.choice(f.Choice, append(slices.Clip(path), f.Name))
		}
		return out
	case *match.List:
		return items(m.Items)
	case *match.Set:
		return items(m.Items)
	case *match.Near:
		v.free[key(path)] = m.Within > 0
		return plain(m.Value)
	}
	v.free[key(path)] = o.Given == nil
	if example, ok := o.Example(); ok {
		return plain(example)
	}
	return nil
}

// plain returns a value in the form that package jsonschema takes.
func plain(v pyval.Value) any {
	switch v := v.(type) {
	case pyval.Str:
		return string(v)
	case pyval.Bool:
		return bool(v)
	case pyval.Int, pyval.Float:
		return json.Number(pyval.Repr(v))
	case *pyval.List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = plain(item)
		}
		return out
	case *pyval.Dict:
		out := map[string]any{}
		for k, item := range v.All() {
			out[pyval.Text(k)] = plain(item)
		}
		return out
	}
	return nil
}
