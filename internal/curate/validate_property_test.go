package curate_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A generator writes suites of random tools and expectations.
type generator struct{ *rand.Rand }

func (g generator) pick(texts ...string) string { return texts[g.IntN(len(texts))] }

// kinds are the types of parameters with their values, of which a small answer
// has all that matter.
var kinds = map[string][]string{
	"string":  {`"red"`, `"blue"`, `"dark red"`, `"2025-01-31"`, `""`},
	"integer": {"1", "2", "7", "-1"},
	"number":  {"1.5", "2.0", "7.25", "7", "1"},
	"boolean": {"true", "false"},
}

// parameter returns a parameter's schema; its names are x, y and z.
func (g generator) parameter(typ string) string {
	more := ""
	if g.IntN(3) == 0 {
		values := kinds[typ]
		more += ", enum: [" + strings.Join(values[:1+g.IntN(len(values)-1)], ", ") + "]"
	}
	if g.IntN(3) == 0 {
		more += ", default: " + g.pick(kinds[typ]...)
	}
	return "{type: " + typ + more + "}"
}

// choice returns what is accepted for a parameter of a type.
func (g generator) choice(typ string) string {
	value := func() string { return g.pick(kinds[typ]...) }
	optional := g.pick("", "", ", optional: true")
	switch g.IntN(4) {
	case 0:
		return value()
	case 1:
		return "{value: " + value() + optional + "}"
	case 2:
		return "{any_of: [" + value() + ", " + value() + "]" + optional + "}"
	}
	switch typ {
	case "string":
		return g.pick("{contains: red", "{matches: '^d'", "{any_of: [red, {contains: blue}]") + optional + "}"
	case "boolean":
		return value()
	}
	return g.pick("{number: 2, within: 1", "{number: 7", "{any_of: [1, {number: 7, within: 50%}]") + optional + "}"
}

var names = []string{"x", "y", "z"}

// suite writes a suite with one tool and some cases.
func (g generator) suite(cases int) (tool, answers string, types map[string]string) {
	types = map[string]string{}
	var properties, required []string
	for _, name := range names[:1+g.IntN(len(names))] {
		types[name] = g.pick("string", "integer", "number", "boolean")
		properties = append(properties, name+": "+g.parameter(types[name]))
		if g.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	tool = fmt.Sprintf("- {name: f, parameters: {type: object, properties: {%s}, required: [%s]}}\n", strings.Join(properties, ", "), strings.Join(required, ", "))
	for i := range cases {
		var args []string
		for _, name := range names {
			if types[name] != "" && g.IntN(5) > 0 {
				args = append(args, name+": "+g.choice(types[name]))
			}
		}
		expect := "{f: {" + strings.Join(args, ", ") + "}}"
		if g.IntN(8) == 0 {
			expect = "{at_most: [" + expect + "]}"
		}
		answers += fmt.Sprintf("- {id: a_%d, question: q%d, expect: %s}\n", i, i, expect)
	}
	return tool, answers, types
}

// answersOf are all calls with the values that matter.
func answersOf(types map[string]string) (out []map[string]string) {
	out = []map[string]string{{}}
	for _, name := range names {
		if types[name] == "" {
			continue
		}
		var more []map[string]string
		for _, args := range out {
			more = append(more, args)
			for _, v := range kinds[types[name]] {
				with := map[string]string{name: v}
				for k, v := range args {
					with[k] = v
				}
				more = append(more, with)
			}
		}
		out = more
	}
	return out
}

func passes(cat *eval.Category, c *eval.Case, args map[string]string) bool {
	var fields []string
	for name, v := range args {
		fields = append(fields, fmt.Sprintf("%q: %s", name, v))
	}
	result := eval.CallsResult([]eval.ToolCall{{Name: "f", Arguments: "{" + strings.Join(fields, ", ") + "}"}})
	_, v := cat.Verdict(c, result, eval.SettingsFor(eval.FC))
	return v.Passed()
}

// TestValidateAsTheJudge: what validate says of generated cases is what the judge
// does with every answer that matters: which cases no model can pass, which
// arguments may be left out, and which accepted values are refused.
func TestValidateAsTheJudge(t *testing.T) {
	suites, cases := 60, 25
	if os.Getenv("BFCL_TEST_ALL") != "" {
		suites = 400
	}
	seed := rand.Uint64()
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	judged, stated := 0, 0
	for range suites {
		tool, text, types := g.suite(cases)
		dir := t.TempDir()
		write(t, dir, "suite.yaml", "name: s\ntools: [{functions: t.yaml}]\ncategories: [{name: one, kind: parallel, cases: c.yaml}]\n")
		write(t, dir, "t.yaml", tool)
		write(t, dir, "c.yaml", text)
		said := map[string][]validate.Problem{}
		report := check(t, dir)
		for _, p := range report.Problems {
			require.NotEqual(t, validate.Format, p.Kind, "%s\n%s%s", p.Message, tool, text)
			said[p.Case] = append(said[p.Case], p)
		}
		data, err := fixtures.Open(dir, "")
		require.NoError(t, err)
		cat := data.Categories().All()[0]
		all, err := data.Cases(cat)
		require.NoError(t, err)
		for i, c := range all {
			about := fmt.Sprintf("seed %d\n%s%s", seed, tool, strings.Split(text, "\n")[i])
			judged, stated = judged+1, stated+len(said[c.ID])
			holds(t, cat, c, types, said[c.ID], about)
		}
	}
	t.Logf("%d cases, %d statements", judged, stated)
	assert.Positive(t, stated)
}

// defaulted: if a call with an argument's default passes, but none without the
// argument, that is said.
func defaulted(t *testing.T, parameters *pyval.Dict, right []map[string]string, said []validate.Problem, about string) {
	t.Helper()
	for key, schema := range parameters.Child("properties").All() {
		given, ok := schema.(*pyval.Dict).GetStr("default")
		required, _ := parameters.GetStr("required")
		name := pyval.Text(key)
		if !ok || given == pyval.Value(pyval.Str("")) || strings.Contains(pyval.Repr(required), "'"+name+"'") {
			continue
		}
		with, without := false, false
		for _, args := range right {
			v, there := args[name]
			value, err := pyval.ParseJSON(cmp.Or(v, "null"))
			require.NoError(t, err)
			with, without = with || there && value == given, without || !there
		}
		if with && !without {
			assert.NotEmpty(t, said, "%s\nnothing is said about %s, whose default is right but not leaving it out", about, name)
		}
	}
}

// holds compares what was said of a case with what the judge does.
func holds(t *testing.T, cat *eval.Category, c *eval.Case, types map[string]string, said []validate.Problem, about string) {
	t.Helper()
	var right []map[string]string
	for _, args := range answersOf(types) {
		if passes(cat, c, args) {
			right = append(right, args)
		}
	}
	impossible, byParam := false, map[string]string{}
	for _, p := range said {
		impossible = impossible || strings.Contains(p.Message, "no model can pass") || strings.Contains(p.Message, "so no call can be right") || strings.Contains(p.Message, "no value of the enum is accepted")
		if _, rest, ok := strings.Cut(p.Message, `f."`); ok {
			byParam[rest[:1]] += rest[3:] + "\n"
		}
	}
	schema := c.Tools[0].Child("parameters")
	inEnum := func(args map[string]string) bool {
		for name, v := range args {
			enum, _ := schema.Child("properties").Child(name).GetStr("enum")
			value, err := pyval.ParseJSON(v)
			require.NoError(t, err)
			list, _ := enum.(*pyval.List)
			if list == nil {
				continue
			}
			found := false
			for _, item := range list.Items {
				found = found || pyval.Equal(item, value)
			}
			if !found {
				return false
			}
		}
		return true
	}
	reachable := false
	for _, args := range right {
		reachable = reachable || inEnum(args)
	}
	if impossible {
		assert.False(t, reachable, "%s\nsaid to be impossible, but %v passes: %v", about, right, said)
		return
	}
	if len(said) == 0 {
		assert.NotEmpty(t, right, "%s\nnothing is said, but no answer passes", about)
		assert.True(t, reachable, "%s\nnothing is said, but no answer within the enums passes: %v", about, right)
	}
	defaulted(t, schema, right, said, about)
	for name, text := range byParam {
		without, with := false, false
		for _, args := range right {
			_, given := args[name]
			without, with = without || !given, with || given
		}
		if strings.Contains(text, "which is refused") || strings.Contains(text, "that leaves it out is refused") {
			assert.False(t, without, "%s\n%s: a call without it passes", about, text)
			assert.True(t, with, "%s\n%s: no call with it passes", about, text)
		}
	}
}
