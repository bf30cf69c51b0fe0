package judge_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func pattern(t testing.TB, src string) *match.Pattern {
	t.Helper()
	return testkit.Must(match.NewPattern(src))(t)
}

// whatever accepts any value, and knows no example.
type whatever struct{}

func (whatever) Name() string                 { return "whatever" }
func (whatever) String() string               { return "whatever" }
func (whatever) Refuse(pyval.Value) string    { return "" }
func (whatever) Example() (pyval.Value, bool) { return nil, false }

func one(m match.Matcher) *match.Choice { return &match.Choice{Options: []match.Option{{Matcher: m}}} }

func lit(t testing.TB, s string) *match.Choice { return one(&match.Literal{Value: parse(t, s)}) }

func lits(t testing.TB, all ...string) (out []*match.Choice) {
	for _, s := range all {
		out = append(out, lit(t, s))
	}
	return out
}

// TestMatchers: what each matcher accepts and refuses, and what a refusal says.
func TestMatchers(t *testing.T) {
	object := &match.Object{Fields: []match.Field{
		{Name: "street", Choice: one(&match.Contains{Parts: []string{"main"}})},
		{Name: "zip", Choice: lit(t, `"10115"`)},
		{Name: "flat", Choice: &match.Choice{Options: lit(t, `3`).Options, Optional: true}},
	}}
	for _, c := range []struct {
		m        match.Matcher
		accepted []string
		refused  []string
		why      string // of the first refused
	}{
		{pattern(t, `^INV-\d{4}$`), []string{`"INV-2041"`}, []string{`"inv-2041"`, `"INV-1"`, `4`, `null`}, `'inv-2041' is refused by matches "^INV-\\d{4}$"`},
		{pattern(t, `(?i)urgent|asap`), []string{`"URGENT!"`, `"do it asap"`}, []string{`"later"`}, `'later' is refused by matches "(?i)urgent|asap"`},
		{&match.Contains{Parts: []string{"Refund", "4711"}}, []string{`"refund for order 4711"`}, []string{`"refund for order 471"`, `["refund 4711"]`}, `'refund for order 471' is refused by contains "Refund", "4711"`},
		{&match.Near{Value: pyval.Float(19.99), Within: 0.01}, []string{`20.0`, `20`, `19.98`}, []string{`20.01`, `"20"`, `true`, `NaN`, `Infinity`}, `20.01 is refused by number 19.99 within 0.01`},
		{&match.Near{Value: pyval.MakeInt(200), Within: 5, Percent: true}, []string{`190`, `210.0`}, []string{`189.9`, `-200`}, `189.9 is refused by number 200 within 5%`},
		{&match.Near{Value: pyval.MakeInt(0)}, []string{`0`, `0.0`, `-0.0`}, []string{`1e-9`}, `1e-09 is refused by number 0 within 0`},
		{&match.Near{Value: pyval.Float(0.2), Within: 0.1}, []string{`0.3`, `0.1`}, []string{`0.31`}, ``},
		{&match.Set{Items: lits(t, `"a"`, `"b"`, `"b"`)}, []string{`["b", "a", "B"]`}, []string{`["a", "b"]`, `["a", "a", "b"]`, `["a", "b", "b", "c"]`, `"ab"`, `{}`}, `'b' is missing from ['a', 'b'], so it is refused by unordered ['a', 'b', 'b']`},
		{&match.List{Items: lits(t, `1`, `"b"`)}, []string{`[1, "B"]`, `[1.0, "b"]`}, []string{`[1, "c"]`, `[1]`, `["b", 1]`}, `item 1: 'c' is not 'b'`},
		{object, []string{`{"street": "12 Main St", "zip": "10115"}`, `{"zip": "10115", "street": "main", "flat": 3}`}, []string{`{"street": "Elm", "zip": "10115"}`, `{"street": "Main"}`, `{"street": "Main", "zip": "10115", "x": 1}`, `{"street": "Main", "zip": "10115", "flat": 4}`, `[]`}, `field street: 'Elm' is refused by contains "main"`},
	} {
		for _, s := range c.accepted {
			assert.Empty(t, c.m.Refuse(parse(t, s)), "%s: %s", c.m, s)
		}
		for i, s := range c.refused {
			why := c.m.Refuse(parse(t, s))
			assert.NotEmpty(t, why, "%s: %s", c.m, s)
			if i == 0 && c.why != "" {
				assert.Equal(t, c.why, why)
			}
		}
		if v, ok := c.m.Example(); ok {
			assert.Empty(t, c.m.Refuse(v), "%s: its own example %s", c.m, pyval.Repr(v))
		}
	}
}

// TestMatchExamples: the oracle has an example for each matcher, or an error if
// none can be made.
func TestMatchExamples(t *testing.T) {
	for src, want := range map[string]string{
		`^INV-\d{4}$`: "INV-1111", `(?i)yes|no`: "YES", `[^a-y]+z?`: "1", `^$`: "", `a{2,}b?`: "aa", `\bword\b`: "word",
	} {
		v, ok := pattern(t, src).Example()
		require.True(t, ok, src)
		assert.Equal(t, want, pyval.Text(v), src)
	}
	_, ok := pattern(t, `a\Bb\b.\b`).Example()
	assert.False(t, ok, "what is made up is tried")
	for _, bad := range []string{"(", strings.Repeat("a", 2001)} {
		assert.Error(t, testkit.Err(match.NewPattern(bad)))
	}
}

func TestMatchFunc(t *testing.T) {
	even := func(v json.RawMessage) error {
		var n int
		if err := json.Unmarshal(v, &n); err != nil {
			return err
		}
		if n == 13 {
			panic("unlucky")
		}
		if n%2 != 0 {
			return errors.New("odd")
		}
		return nil
	}
	if !match.Registered("test.even") { // by the test's last repetition
		require.NoError(t, match.Register("test.even", even))
	}
	assert.ErrorContains(t, match.Register("test.even", even), "registered already")
	assert.ErrorContains(t, match.Register("no name", even), "letters")
	assert.ErrorContains(t, match.Register("nothing", nil), "nil")
	m := &match.Go{Func: "test.even"}
	assert.Empty(t, m.Refuse(pyval.MakeInt(4)))
	assert.Equal(t, "5 is refused by func test.even: odd", m.Refuse(pyval.MakeInt(5)))
	assert.Contains(t, m.Refuse(pyval.Float(pyvalNaN(t))), "is not JSON")

	c := testCase(t)
	w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{{Function: "f", Args: []match.Field{{Name: "n", Choice: one(&match.Go{Func: "elsewhere"})}}}}}
	v := w.Judge(c, parse(t, `[{"f": {"n": 1}}]`), nil, eval.SettingsFor(eval.FC))
	assert.Equal(t, eval.Error, v.Status, "nothing is known of the answer")
	assert.Equal(t, "infrastructure:matcher", v.ErrorType)
}

// TestMatchPanic: if a matcher panics, the answer has no verdict, wherever the
// matcher is used, and the error says why and where.
func TestMatchPanic(t *testing.T) {
	if !match.Registered("test.shaky") { // by the test's last repetition
		require.NoError(t, match.Register("test.shaky", func(json.RawMessage) error {
			var none []int
			_ = none[1]
			return nil
		}))
	}
	c := testCase(t)
	call := &match.Call{Function: "f", Args: []match.Field{{Name: "n", Choice: one(&match.Go{Func: "test.shaky"})}}}
	answer, s := parse(t, `[{"f": {"n": 1}}]`), eval.SettingsFor(eval.FC)
	w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{call}}
	banned := &match.Whole{NoneOf: []*match.Call{call}}
	turn := pyval.NewList(pyval.NewList(eval.CallsResult([]eval.ToolCall{{Name: "f", Arguments: `{"n": 1}`}})))
	for name, v := range map[string]eval.Verdict{
		"a call":           w.Judge(c, answer, nil, s),
		"a forbidden call": banned.Judge(c, answer, nil, s),
		"a turn":           match.Turns{w}.Judge(c, turn, nil, s),
	} {
		assert.Equal(t, eval.Error, v.Status, name)
		assert.Equal(t, "infrastructure:matcher", v.ErrorType, name)
		assert.Regexp(t, `func test\.shaky panicked: runtime error: index out of range \[1\] with length 0, at .*TestMatchPanic.* \(match_test\.go:\d+\)`, pyval.Repr(v.Detail), name)
	}
	assert.Empty(t, w.Refused(c, answer, s))
	table := match.Script{{Call: call, Result: "done"}}
	_, _, err := table.Execute(c, eval.CallsResult([]eval.ToolCall{{Name: "f", Arguments: `{"n": 1}`}}), s)
	require.ErrorContains(t, err, "func test.shaky panicked")
	assert.Equal(t, "matcher", eval.InfraKind(err))
	table[0].Call = &match.Call{Function: "f", Args: []match.Field{{Name: "n", Choice: one(&match.Go{Func: "elsewhere"})}}}
	_, _, err = table.Execute(c, eval.CallsResult([]eval.ToolCall{{Name: "f", Arguments: `{"n": 1}`}}), s)
	require.ErrorContains(t, err, "not registered")
}

func pyvalNaN(t testing.TB) float64 {
	f, ok := parse(t, "NaN").(pyval.Float)
	require.True(t, ok)
	return float64(f)
}

func testCase(t testing.TB) *eval.Case {
	c := &eval.Case{ID: "x"}
	for _, doc := range []string{
		`{"name": "f", "parameters": {"type": "dict", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}}, "o": {"type": "dict"}}, "required": ["n"]}}`,
		`{"name": "g.h", "parameters": {"type": "dict", "properties": {"s": {"type": "string"}}, "required": []}}`,
	} {
		c.Tools = append(c.Tools, parse(t, doc).(*pyval.Dict))
	}
	return c
}

func matchCall(t testing.TB, name string, args ...any) *match.Call {
	c := &match.Call{Function: name}
	for i := 0; i+1 < len(args); i += 2 {
		field := match.Field{Name: args[i].(string)}
		switch v := args[i+1].(type) {
		case string:
			field.Choice = lit(t, v)
		case match.Matcher:
			field.Choice = one(v)
		case *match.Choice:
			field.Choice = v
		}
		c.Args = append(c.Args, field)
	}
	return c
}

// TestMatchCalls: plain values are judged by upstream's rule, matchers by their
// own, and the rules for all calls apply to both.
func TestMatchCalls(t *testing.T) {
	c := testCase(t)
	f1, f2 := matchCall(t, "f", "n", "1"), matchCall(t, "f", "n", "2")
	g := matchCall(t, "g.h", "s", &match.Contains{Parts: []string{"a"}})
	free := &match.Call{Function: "g.h", Any: true}
	mixed := matchCall(t, "f", "n", "1", "s", &match.Choice{Options: []match.Option{{Matcher: &match.Literal{Value: pyval.Str("yes")}}, {Matcher: &match.Contains{Parts: []string{"ok"}}}}, Optional: true})
	typed := matchCall(t, "f", "n", whatever{})
	for _, row := range []struct {
		w         *match.Whole
		calls     string
		typ, text string
	}{
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"f": {"n": 1}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"f": {"n": "1"}}]`, "type_error:simple", "f.n: Incorrect type"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"f": {}}]`, "simple_function_checker:missing_required", `f: the required parameter "n" is missing`},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"f": {"n": 1, "s": "x"}}]`, "simple_function_checker:unexpected_param", "'s' is not expected"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"g_h": {}}]`, "simple_function_checker:wrong_func_name", "'g_h' is called, not f"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[]`, "calls:missing", "f(n=1) is not called (calls made: 0)"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `[{"f": {"n": 1}}, {"f": {"n": 1}}]`, "calls:unexpected", "call 2, f(n=1), is one too many"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{g}}, `[{"g_h": {"s": "Abc"}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{g}}, `[{"g_h": {"s": "Xbc"}}]`, "matcher:contains", `g.h.s: 'Xbc' is refused by contains "a"`},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{mixed}}, `[{"f": {"n": 1, "s": "Yes."}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{mixed}}, `[{"f": {"n": 1, "s": "OK then"}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{mixed}}, `[{"f": {"n": 1}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{mixed}}, `[{"f": {"n": 1, "s": "no"}}]`, "matcher:contains", `f.s: 'no' is none of 'yes' or contains "ok"`},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{typed}}, `[{"f": {"n": 77}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{typed}}, `[{"f": {"n": "x"}}]`, "type_error:simple", "'x' is a str, but the parameter is of type integer"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1, f2, g}}, `[{"f": {"n": 2}}, {"g.h": {"s": "a"}}, {"f": {"n": 1}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 2}}, {"f": {"n": 3}}]`, "value_error:others", "call 2: f.n: Invalid value"},
		{&match.Whole{Mode: match.InOrder, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 1}}, {"f": {"n": 2}}]`, "", ""},
		{&match.Whole{Mode: match.InOrder, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 2}}, {"f": {"n": 1}}]`, "calls:in_order", "it is call 2 instead"},
		{&match.Whole{Mode: match.InOrder, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 1}}]`, "calls:missing", "f(n=2) is not called (calls made: 1)"},
		{&match.Whole{Mode: match.AtLeast, Calls: []*match.Call{f1}}, `[{"g_h": {}}, {"f": {"n": 1}}]`, "", ""},
		{&match.Whole{Mode: match.AtLeast, Calls: []*match.Call{f1}}, `[{"g_h": {}}]`, "calls:missing", "at_least [f(n=1)]"},
		{&match.Whole{Mode: match.AtLeast, Ordered: true, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 1}}, {"g_h": {}}, {"f": {"n": 2}}]`, "", ""},
		{&match.Whole{Mode: match.AtLeast, Ordered: true, Calls: []*match.Call{f1, f2}}, `[{"f": {"n": 2}}, {"f": {"n": 1}}]`, "calls:missing", "in this order, f(n=2)"},
		{&match.Whole{Mode: match.AtMost, Calls: []*match.Call{f1, free}}, `[{"g_h": {"s": "q"}}]`, "", ""},
		{&match.Whole{Mode: match.AtMost, Calls: []*match.Call{f1, free}}, `[]`, "", ""},
		{&match.Whole{Mode: match.AtMost, Calls: []*match.Call{f1}}, `[{"f": {"n": 1}}, {"f": {"n": 1}}]`, "calls:unexpected", "call 2"},
		{&match.Whole{NoneOf: []*match.Call{free}}, `[{"f": {"n": 1}}]`, "", ""},
		{&match.Whole{NoneOf: []*match.Call{free}}, `[{"f": {"n": 1}}, {"g_h": {"s": "q"}}]`, "calls:none_of", "call 2, g_h(s='q'), is refused by none_of g.h(…)"},
		{&match.Whole{Mode: match.AtLeast, Calls: []*match.Call{f1}, NoneOf: []*match.Call{{Function: "f", Any: true, Args: f2.Args}}}, `[{"f": {"n": 1}}, {"f": {"n": 2}}]`, "calls:none_of", "call 2"},
		{&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{f1}}, `{"f": 1}`, "ast_decoder:decoder_wrong_output_format", ""},
	} {
		v := row.w.Judge(c, parse(t, row.calls), nil, eval.SettingsFor(eval.FC))
		assert.Equal(t, row.typ, v.ErrorType, "%s: %s", row.w, row.calls)
		if row.text != "" {
			require.NotNil(t, v.Detail)
			assert.Contains(t, pyval.Text(v.Detail.(*pyval.List).Items[0]), row.text)
		}
	}
	silent := &match.Whole{Mode: match.AtMost, Calls: []*match.Call{f1}}
	assert.True(t, silent.Judge(c, nil, errors.New("a text"), eval.SettingsFor(eval.FC)).Passed(), "no call is right")
	loud := &match.Whole{Mode: match.AtLeast, Calls: []*match.Call{f1}}
	assert.Equal(t, "ast_decoder:decoder_failed", loud.Judge(c, nil, errors.New("a text"), eval.SettingsFor(eval.FC)).ErrorType)
}

// TestMatchTurns: a conversation is judged turn by turn, by the calls of all steps.
func TestMatchTurns(t *testing.T) {
	c := testCase(t)
	s := eval.SettingsFor(eval.FC)
	turns := match.Turns{
		{Mode: match.InOrder, Calls: []*match.Call{matchCall(t, "f", "n", "1"), matchCall(t, "g.h", "s", whatever{})}},
		{Mode: match.InOrder},
	}
	for _, row := range []struct{ result, typ, text string }{
		{`[[[{"f": "{\"n\": 1}"}], [{"g_h": "{\"s\": \"x\"}"}], "Done."], ["Bye."]]`, "", ""},
		{`[[[{"f": "{\"n\": 1}"}, {"g_h": "{\"s\": \"x\"}"}], "Done."], ["Bye."]]`, "", ""},
		{`[[[{"f": "{\"n\": 2}"}], "Done."], ["Bye."]]`, "value_error:others", "turn 1: call 1: f.n"},
		{`[[[{"f": "{\"n\": 1}"}, {"g_h": "{\"s\": \"x\"}"}]], [[{"f": "{\"n\": 1}"}]]]`, "calls:unexpected", "turn 2: call 1"},
		{`[[]]`, match.ForceTerminated, "turn 1 of 2"},
		{`"x"`, "multi_turn:inference_error", "not a list of turns"},
	} {
		v := turns.Judge(c, parse(t, row.result), nil, s)
		assert.Equal(t, row.typ, v.ErrorType, row.result)
		if row.text != "" {
			assert.Contains(t, pyval.Text(v.Detail.(*pyval.List).Items[0]), row.text)
		}
	}
	prompt := parse(t, `[["[f(n=1), g.h(s='x')]", "Done."], ["Bye."]]`)
	assert.True(t, turns.Judge(c, prompt, nil, eval.SettingsFor(eval.Prompt)).Passed())

	script := match.Script{{Call: matchCall(t, "f", "n", "1"), Result: `{"ok": true}`}, {Call: &match.Call{Function: "g.h", Any: true}, Result: "whatever"}}
	calls, results, err := script.Execute(c, parse(t, `[{"f": "{\"n\": 1}"}, {"f": "{\"n\": 2}"}, {"g_h": "{}"}, {"z": "{}"}]`), s)
	require.NoError(t, err)
	assert.Equal(t, []string{"f(n=1)", "f(n=2)", "g_h()", "z()"}, calls)
	assert.Equal(t, []string{`{"ok": true}`, `{"error": "no result for these arguments of f"}`, "whatever", `{"error": "there is no function z"}`}, results)
	_, _, err = script.Execute(c, pyval.Str("text"), s)
	require.Error(t, err)
}
