package judge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// shed is a function with a parameter of each type, and one whose type is unknown.
func shed(t testing.TB) *eval.Case {
	return &eval.Case{ID: "x", Tools: []*pyval.Dict{parse(t, `{"name": "shed.fill", "parameters": {"type": "dict", "properties": {
		"s": {"type": "string"}, "n": {"type": "integer"}, "f": {"type": "float"}, "b": {"type": "boolean"}, "a": {"type": "any"},
		"l": {"type": "array", "items": {"type": "string"}}, "d": {"type": "dict", "properties": {"deep": {"type": "integer"}}},
		"ds": {"type": "array", "items": {"type": "dict"}}, "e": {"type": "string", "enum": ["oak", "elm"]}, "z": {"type": "integer", "default": 4}, "odd": {"type": "number"}}, "required": []}}`).(*pyval.Dict)}}
}

func choice(options ...match.Matcher) *match.Choice {
	c := &match.Choice{}
	for _, m := range options {
		c.Options = append(c.Options, match.Option{Matcher: m})
	}
	return c
}

func object(fields ...any) *match.Object {
	o := &match.Object{}
	for i := 0; i+1 < len(fields); i += 2 {
		o.Fields = append(o.Fields, match.Field{Name: fields[i].(string), Choice: fields[i+1].(*match.Choice)})
	}
	return o
}

// TestMatchAnswers: what an expectation is as a possible answer of the benchmark,
// whether it has that form, and what its sample looks like.
func TestMatchAnswers(t *testing.T) {
	c := shed(t)
	docs := map[string]*pyval.Dict{"shed.fill": c.Tools[0]}
	optional := lit(t, `3`)
	optional.Optional = true
	literal := func(text string) match.Matcher { return &match.Literal{Value: parse(t, text)} }
	nested := object("k", choice(object("j", lit(t, `1`))))
	for _, row := range []struct {
		name           string
		choice         *match.Choice
		answer, sample string // "" if it has not the benchmark's form
	}{
		{"s", choice(literal(`"a"`), literal(`"b"`)), `['a', 'b']`, `['a']`},
		{"n", optional, `[3, '']`, `[3]`},
		{"s", one(&match.Contains{Parts: []string{"Main"}}), ``, `['Main']`},
		{"d", one(object("k", choice(literal(`1`), literal(`2`)), "o", optional)), `[{'k': [1, 2], 'o': [3, '']}]`, `[{'k': [1], 'o': [3]}]`},
		{"d", one(nested), `[{'k': [{'j': 1}]}]`, `[{'k': [{'j': 1}]}]`},
		{"d", one(object("k", one(pattern(t, "^x$")))), ``, `[{'k': ['x']}]`},
		{"ds", one(&match.List{Items: []*match.Choice{one(object("k", choice(literal(`1`), literal(`2`))))}}), `[[{'k': [1, 2]}]]`, `[[{'k': [1]}]]`},
		{"l", one(&match.List{Items: lits(t, `"a"`, `"b"`)}), `[['a', 'b']]`, `[['a', 'b']]`},
		{"l", one(&match.List{Items: []*match.Choice{choice(literal(`"a"`), literal(`"b"`))}}), ``, `[['a']]`},
		{"l", one(&match.List{Items: []*match.Choice{optional}}), ``, `[[3]]`},
		{"l", one(&match.List{Items: []*match.Choice{one(object("k", optional))}}), ``, `[[{'k': [3]}]]`},
		{"l", one(&match.List{Items: []*match.Choice{one(object("k", lit(t, `5`)))}}), `[[{'k': 5}]]`, `[[{'k': [5]}]]`},
		{"l", one(object("k", lit(t, `5`))), ``, `[{'k': 5}]`},
		{"s", one(&match.List{Items: lits(t, `"a"`)}), ``, `[['a']]`},
		{"unknown", one(object("k", lit(t, `5`))), `[{'k': 5}]`, `[{'k': [5]}]`},
		{"unknown", one(object("k", optional)), ``, `[{'k': [3]}]`},
		{"unknown", one(&match.List{Items: lits(t, `"a"`)}), `[['a']]`, `[['a']]`},
		{"unknown", one(&match.List{Items: []*match.Choice{optional}}), ``, `[[3]]`},
		// of what no matcher has an example, the type has one
		{"s", one(whatever{}), ``, `['x']`}, {"n", one(whatever{}), ``, `[1]`}, {"f", one(whatever{}), ``, `[1.0]`},
		{"b", one(whatever{}), ``, `[True]`}, {"l", one(whatever{}), ``, `[['x']]`}, {"d", one(whatever{}), ``, `[{'deep': [1]}]`},
		{"e", one(whatever{}), ``, `['oak']`}, {"z", one(whatever{}), ``, `[4]`}, {"unknown", one(whatever{}), ``, `['x']`},
	} {
		call := &match.Call{Function: "shed.fill", Args: []match.Field{{Name: row.name, Choice: row.choice}}}
		w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{call}}
		wrap := func(text string) string {
			if text == "absent" {
				return `[{'shed.fill': {}}]`
			}
			return `[{'shed.fill': {'` + row.name + `': ` + text + `}}]`
		}
		answer, ok := w.Answer(docs)
		require.Equal(t, row.answer != "", ok, "%s %s", row.name, row.choice)
		if ok {
			assert.Equal(t, wrap(row.answer), pyval.Repr(answer))
		}
		assert.Equal(t, wrap(row.sample), pyval.Repr(w.Sample(docs)), "%s %s", row.name, row.choice)
	}
	call := matchCall(t, "shed.fill", "n", "1")
	for _, w := range []*match.Whole{{Mode: match.InOrder, Calls: []*match.Call{call}}, {Mode: match.AtLeast}, {Mode: match.AnyOrder, NoneOf: []*match.Call{call}}} {
		_, ok := w.Answer(docs)
		assert.False(t, ok, w.String())
	}
	assert.Equal(t, `['shed.fill(n=1)', "shed.fill(ds=[{'k': 1}], s='a')"]`, pyval.Repr((&match.Whole{Calls: []*match.Call{call, matchCall(t, "shed.fill",
		"ds", &match.List{Items: []*match.Choice{one(object("k", choice(literal(`1`), literal(`2`))))}}, "s", `"a"`)}}).Texts(docs)))
	assert.Equal(t, `[]`, pyval.Repr((&match.Whole{Mode: match.AtMost}).Sample(docs)))
	given := match.Option{Matcher: &match.Go{Func: "elsewhere"}, Given: pyval.Str("own")}
	v, ok := given.Example()
	assert.True(t, ok)
	assert.Equal(t, pyval.Str("own"), v)
}

// TestMatchRefused: every refused argument of the call that is most like the
// expected one is named, with what is accepted; nothing is if the calls are right.
func TestMatchRefused(t *testing.T) {
	c, s := shed(t), eval.SettingsFor(eval.FC)
	either := choice(&match.Literal{Value: pyval.Str("a")}, &match.Literal{Value: pyval.Str("b")})
	either.Optional = true
	w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{
		matchCall(t, "shed.fill", "n", "1", "s", either),
		matchCall(t, "shed.fill", "n", "2", "s", &match.Contains{Parts: []string{"x"}}),
	}}
	for _, row := range []struct{ calls, want string }{
		{`[{"shed.fill": {"n": 1}}, {"shed.fill": {"n": 2, "s": "xy"}}]`, ``},
		{`[{"shed.fill": {"n": 2, "s": "y"}}, {"shed.fill": {"n": 1, "s": "c"}}]`, `0 s='c' value_error:string of ['a', 'b', ''] | 1 s='y' matcher:contains of -`},
		{`[{"shed.fill": {"n": 1, "z": 9}}, {"shed.fill": {"n": 2, "s": "x", "b": true}}]`, `0 z=9 simple_function_checker:unexpected_param of - | 1 b=True simple_function_checker:unexpected_param of -`},
		{`[{"shed.fill": {"n": 2, "s": "x"}}]`, ``}, // of the first expected call there is none
		{`[{"shed.fill": {"n": 3, "s": "a"}}]`, `0 n=3 value_error:others of [1]`},
		{`[{"shed.fill": {}}, {"shed.fill": {"n": 2, "s": "x"}}]`, `0 n missing of [1]`},
		{`[{"other": {}}]`, ``}, {`5`, ``},
	} {
		var said []string
		for _, r := range w.Refused(c, parse(t, row.calls), s) {
			text, accepted := r.Name+" missing", "-"
			if r.Value != nil {
				text = r.Name + "=" + pyval.Repr(r.Value) + " " + r.Kind
			}
			if r.Values != nil {
				accepted = pyval.Repr(r.Values)
			}
			said = append(said, pyval.Repr(pyval.MakeInt(int64(r.Call)))+" "+text+" of "+accepted)
			assert.Equal(t, "shed.fill", r.Function)
		}
		assert.Equal(t, row.want, strings.Join(said, " | "), row.calls)
	}
	turns := match.Turns{{Mode: match.AnyOrder}, {Mode: match.AnyOrder, Calls: []*match.Call{matchCall(t, "shed.fill", "n", "1")}}}
	got := turns.Refused(c, parse(t, `[[], [[{"shed_fill": "{\"n\": 7}"}], "Done."], []]`), s)
	require.Len(t, got, 1)
	assert.Equal(t, 2, got[0].Turn)
	assert.Equal(t, pyval.MakeInt(7), got[0].Value)
	assert.Empty(t, turns.Refused(c, pyval.Str("x"), s))
	assert.Empty(t, turns.Refused(c, parse(t, `[[]]`), s))
	assert.Equal(t, "turn 1: any_order []; turn 2: [shed.fill(n=1)]", turns.String())
}

// TestMatchScriptFinds: the row of a table that answers a call.
func TestMatchScriptFinds(t *testing.T) {
	c := shed(t)
	if !match.Registered("test.broken") { // by the test's last repetition
		require.NoError(t, match.Register("test.broken", func(json.RawMessage) error { panic("broken") }))
	}
	table := match.Script{
		{Call: matchCall(t, "shed.fill", "n", "1")}, {Call: &match.Call{Function: "shed.fill", Any: true, Args: matchCall(t, "", "n", "2").Args}},
		{Call: matchCall(t, "shed.fill", "s", &match.Go{Func: "test.broken"})},
	}
	for arguments, want := range map[string]int{`{"n": 1}`: 0, `{"n": 2}`: 1, `{"n": 2, "s": "a"}`: 1, `{"n": 3, "b": true}`: -1, `{"s": "a"}`: -1, `{`: -1} {
		assert.Equal(t, want, table.Find(c, eval.ToolCall{Name: "shed_fill", Arguments: arguments}), arguments)
	}
	assert.Equal(t, -1, table.Find(c, eval.ToolCall{Name: "other", Arguments: `{"n": 1}`}))
}

// TestMatcherNames: a matcher's name in a suite, and the kinds that it is for.
func TestMatcherNames(t *testing.T) {
	all := []pyval.Kind{pyval.KindStr, pyval.KindInt, pyval.KindFloat, pyval.KindBool, pyval.KindList, pyval.KindTuple, pyval.KindDict}
	for _, c := range []struct {
		m    match.Matcher
		name string
		fits []pyval.Kind // nil for all
	}{
		{&match.Literal{}, "value", nil}, {whatever{}, "whatever", nil}, {&match.Go{}, "func", nil},
		{pattern(t, "a"), "matches", all[:1]}, {&match.Contains{}, "contains", all[:1]},
		{&match.Near{}, "number", all[1:3]},
		{&match.List{}, "list", all[4:6]}, {&match.Set{}, "unordered", all[4:6]}, {&match.Object{}, "object", all[6:]},
	} {
		assert.Equal(t, c.name, c.m.Name())
		typed, ok := c.m.(match.Typed)
		assert.Equal(t, c.fits != nil, ok, c.name)
		for _, kind := range all {
			if ok {
				assert.Equal(t, strings.Contains(kinds(c.fits), kinds([]pyval.Kind{kind})), typed.Fits(kind), "%s %s", c.name, kind)
			}
		}
	}
	assert.Equal(t, "{a: 1, b: 'x' or 'y' (optional)}", object("a", lit(t, `1`), "b", &match.Choice{Optional: true, Options: choice(&match.Literal{Value: pyval.Str("x")}, &match.Literal{Value: pyval.Str("y")}).Options}).String())
	assert.Equal(t, "at_least ordered [] none_of [f(…)]", (&match.Whole{Mode: match.AtLeast, Ordered: true, NoneOf: []*match.Call{{Function: "f", Any: true}}}).String())
	deep := &match.Whole{Calls: []*match.Call{{Function: "f", Args: []match.Field{
		{Name: "o", Choice: one(object("k", one(&match.Go{Func: "in.object"})))},
		{Name: "l", Choice: one(&match.List{Items: []*match.Choice{one(&match.Go{Func: "in.list"})}})},
	}}}, NoneOf: []*match.Call{{Function: "f", Args: []match.Field{{Name: "s", Choice: one(&match.Set{Items: []*match.Choice{one(&match.Go{Func: "in.set"})}})}}}}}
	assert.Equal(t, []string{"in.object", "in.list", "in.set"}, deep.Funcs())
	many := &match.Whole{Mode: match.AtMost, Calls: []*match.Call{{Function: "g.h", Any: true}}}
	calls := `[` + strings.Repeat(`{"g.h": {}}, `, 1000) + `{"g.h": {}}]`
	assert.Equal(t, "calls:too_many", many.Judge(testCase(t), parse(t, calls), nil, eval.SettingsFor(eval.FC)).ErrorType)
	calls = strings.Replace(calls, `{"g.h": {}}, `, "", 1)
	assert.Equal(t, "calls:unexpected", many.Judge(testCase(t), parse(t, calls), nil, eval.SettingsFor(eval.FC)).ErrorType)
}

// kinds are the names of kinds, each between commas.
func kinds(all []pyval.Kind) string {
	out := ","
	for _, kind := range all {
		out += kind.String() + ","
	}
	return out
}
