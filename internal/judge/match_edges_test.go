package judge_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestMatchEdges: the last value that is accepted and the first that is not.
func TestMatchEdges(t *testing.T) {
	accept := func(m match.Matcher, v pyval.Value) { assert.Empty(t, m.Refuse(v), "%s", m) }
	refuse := func(m match.Matcher, v pyval.Value, why string) { assert.Contains(t, m.Refuse(v), why, "%s", m) }
	zero := &match.Near{Value: pyval.Float(0)}
	accept(zero, pyval.Float(4*math.SmallestNonzeroFloat64))
	refuse(zero, pyval.Float(5*math.SmallestNonzeroFloat64), "is refused by number 0.0 within 0")
	accept(&match.Near{Value: pyval.Float(-1)}, pyval.Float(-1-0x4p-52))
	refuse(zero, pyval.Str("0"), "'0' is a str, but number 0.0 within 0 needs a number")

	many := func(n int) pyval.Value { return pyval.NewList(slices.Repeat([]pyval.Value{pyval.None}, n)...) }
	full := &match.Set{Items: []*match.Choice{one(whatever{})}}
	refuse(full, many(1000), "item 1, None, is refused by unordered [whatever]")
	refuse(full, many(1001), "a list of 1001 items is refused by unordered [whatever]: more than 1000 are not compared")

	pair := &match.List{Items: lits(t, `1`, `2`)}
	accept(pair, pyval.NewTuple(pyval.MakeInt(1), pyval.MakeInt(2)))
	refuse(pair, pyval.MakeInt(5), "5 is an int, not a list")
	testkit.Must(match.NewPattern(strings.Repeat("a", 2000)))(t)

	letters := func(n int) pyval.Value { return pyval.Str(strings.Repeat("a", n-2)) } // and two quotation marks
	refuse(&match.Literal{Value: pyval.MakeInt(1)}, letters(160), "a' is not 1")
	refuse(&match.Literal{Value: pyval.MakeInt(1)}, letters(161), "a… is not 1")
}

// TestMatchExample: what a matcher has as an example, or that it has none.
func TestMatchExample(t *testing.T) {
	for want, m := range map[string]match.Matcher{
		"7": &match.Near{Value: pyval.MakeInt(7)}, "'Re:'": &match.Contains{Parts: []string{"Re:"}},
		"{'b': 2}": object("b", lit(t, `2`)), "[1]": &match.List{Items: lits(t, `1`)}, "'x'": pattern(t, "^.$"),
		"'é'": pattern(t, "[é-ë]"), "'a'": pattern(t, `^[Z\[a-c]$`), "'[a'": pattern(t, `^\[[Z-a]$`),
		pyval.Repr(pyval.Str(strings.Repeat("a", 1000))): pattern(t, "a{1000}"),
	} {
		v, ok := m.Example()
		assert.True(t, ok, want)
		assert.Equal(t, want, pyval.Repr(v))
	}
	for _, m := range []match.Matcher{
		whatever{}, &match.Go{Func: "elsewhere"}, &match.List{Items: []*match.Choice{one(whatever{})}}, &match.Set{Items: []*match.Choice{one(whatever{})}},
		object("a", one(whatever{})), pattern(t, "a{1000}b"), pattern(t, "a{1000}(?:b|c*)"), pattern(t, `[^\x00-\x{10FFFF}]`),
	} {
		_, ok := m.Example()
		assert.False(t, ok, m.String())
	}
}

// TestMatchSays: of several options, the reason of an object or a list says most.
func TestMatchSays(t *testing.T) {
	k, j := object("k", lit(t, `1`)), object("j", lit(t, `1`))
	a, b := &match.Contains{Parts: []string{"a"}}, &match.Contains{Parts: []string{"b"}}
	list := &match.List{Items: lits(t, `1`)}
	for _, c := range []struct {
		options     *match.Choice
		value, want string
	}{
		{choice(a, k), `{"k": 2}`, "field k: 2 is not 1"},
		{choice(k, a), `{"k": 2}`, "field k: 2 is not 1"},
		{choice(k, j), `{"k": 2}`, "field k: 2 is not 1"},
		{choice(a, list), `[2]`, "item 0: 2 is not 1"},
		{choice(a, b), `"c"`, `'c' is none of contains "a" or contains "b"`},
		{choice(a), `"c"`, `'c' is refused by contains "a"`},
	} {
		m := &match.List{Items: []*match.Choice{c.options}}
		assert.Equal(t, "item 0: "+c.want, m.Refuse(pyval.NewList(parse(t, c.value))), c.options.String())
	}
}

// TestMatchWholes: what is said of calls that are not the expected ones.
func TestMatchWholes(t *testing.T) {
	c, s := testCase(t), eval.SettingsFor(eval.FC)
	f1, f2 := matchCall(t, "f", "n", "1"), matchCall(t, "f", "n", "2")
	free := &match.Call{Function: "g.h", Any: true}
	calls := func(all ...*match.Call) []*match.Call { return all }
	long := func(n int) string { return strings.Repeat("a", n-len("g.h(s='')")) }
	const format = "ast_decoder:decoder_wrong_output_format"
	for _, row := range []struct {
		w               *match.Whole
		made, typ, text string // how the text begins
	}{
		{&match.Whole{Mode: match.InOrder, Calls: calls(f1)}, `[{"f": {"n": 2}}]`, "value_error:others", "f.n: Invalid value"},
		{&match.Whole{Mode: match.InOrder, Calls: calls(f1)}, `[{"g.h": {}}, {"f": {"n": 1}}]`, "calls:in_order", "call 1: 'g.h' is called, not f; it is call 2 instead"},
		{&match.Whole{Mode: match.InOrder, Calls: calls(f1, f2)}, `[{"f": {"n": 3}}, {"f": {"n": 4}}]`, "value_error:others", "call 1: f.n: Invalid value for parameter 'n': 3. Expected one of [1]."},
		{&match.Whole{Mode: match.AnyOrder, Calls: calls(f1, f2)}, `[{"f": {"n": 1}}, {"f": {"n": 3}}]`, "value_error:others", "call 2: f.n: Invalid value for parameter 'n': 3. Expected one of [2]."},
		{&match.Whole{Mode: match.AtLeast, Ordered: true, Calls: calls(f1)}, `[{"f": {"n": 1}}, {"g.h": {}}]`, "", ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: calls(f1)}, `[{"f": 1}]`, format, ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: calls(f1)}, `[5]`, format, ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: calls(f1)}, `[{"f": {"n": 1}, "g.h": {}}]`, format, ""},
		{&match.Whole{Mode: match.AnyOrder, Calls: calls(f1)}, `5`, format, ""},
		{&match.Whole{Mode: match.AtMost}, `[{"g.h": {"s": "` + long(200) + `"}}]`, "calls:unexpected", "call 1, g.h(s='" + long(200) + "'), is one too many"},
		{&match.Whole{Mode: match.AtMost}, `[{"g.h": {"s": "` + long(201) + `"}}]`, "calls:unexpected", "call 1, g.h(s='" + long(201) + "'…, is one too many"},
	} {
		v := row.w.Judge(c, parse(t, row.made), nil, s)
		assert.Equal(t, row.typ, v.ErrorType, "%s: %s", row.w, row.made)
		if row.text != "" {
			text := pyval.Text(v.Detail.(*pyval.List).Items[0])
			assert.True(t, strings.HasPrefix(text, row.text), text)
		}
	}
	assert.Equal(t, "[f(n=1)] none_of [g.h(…)]", (&match.Whole{Calls: calls(f1), NoneOf: calls(free)}).String())
	assert.Equal(t, "[] none_of [f(n=1), g.h(…)]", strings.TrimSpace((&match.Whole{NoneOf: calls(f1, free)}).String()))

	table := match.Script{{Call: f1, Result: "yes"}}
	step := pyval.Str("[f(n=1)]")
	_, results, err := table.Execute(c, step, eval.Settings{Mode: eval.Prompt, Dialect: "prompt-brackets"})
	require.NoError(t, err)
	assert.Equal(t, []string{"yes"}, results)
	_, _, err = table.Execute(c, step, eval.Settings{Mode: eval.Prompt, Dialect: "no such"})
	assert.ErrorContains(t, err, "unknown dialect")
}

// TestMatchSamples: an argument of which nothing is known is one of its type, not
// deeper than that can be useful, and the first such is named.
func TestMatchSamples(t *testing.T) {
	lists, dicts := `{"type": "string"}`, `{"type": "string"}`
	for range 12 {
		lists = `{"type": "array", "items": ` + lists + `}`
		dicts = `{"type": "dict", "properties": {"d": ` + dicts + `}}`
	}
	const deepest = 9
	docs := map[string]*pyval.Dict{"f": parse(t, `{"name": "f", "parameters": {"properties": {"l": `+lists+`, "d": `+dicts+`,
		"one": {"type": "string", "enum": ["oak"]}, "none": {"type": "string", "enum": []}, "odd": {"type": "string", "enum": 5}, "null": {"type": "integer", "default": null}}}}`).(*pyval.Dict)}
	for name, want := range map[string]string{
		"l":   strings.Repeat("[", deepest) + "'x'" + strings.Repeat("]", deepest),
		"d":   strings.Repeat("{'d': ", deepest) + "'x'" + strings.Repeat("}", deepest),
		"one": "'oak'", "none": "'x'", "odd": "'x'", "null": "1",
	} {
		w := &match.Whole{Mode: match.AtMost, Calls: []*match.Call{matchCall(t, "f", name, whatever{})}}
		assert.Equal(t, "f("+name+"="+want+")", pyval.Text(w.Texts(docs).Items[0]), name)
	}
	unknown := &match.Go{Func: "elsewhere"}
	for _, c := range []struct {
		args []any
		want string // "" for none
	}{
		{[]any{"a", "1", "b", unknown, "c", unknown}, "b"},
		{[]any{"a", "1"}, ""}, {[]any{"a", whatever{}}, "a"},
		{[]any{"a", choice(unknown, &match.Contains{Parts: []string{"x"}})}, ""},
	} {
		got := (&match.Whole{Calls: []*match.Call{matchCall(t, "f"), matchCall(t, "f", c.args...)}}).Guessed()
		if c.want == "" {
			assert.Nil(t, got)
		} else if assert.NotNil(t, got) {
			assert.Equal(t, c.want, got.Name)
		}
	}
}

// A torn matcher panics.
type torn struct {
	whatever
	with any
}

func (b torn) Refuse(pyval.Value) string { panic(b.with) }

// TestMatchOwnPanics: only what a Go function does is no defect of the judge; and
// if one panics at any time, no argument is said to be refused.
func TestMatchOwnPanics(t *testing.T) {
	c, s := testCase(t), eval.SettingsFor(eval.FC)
	answer := parse(t, `[{"f": {"n": 1}}]`)
	for _, with := range []any{"odd", errors.New("odd")} {
		w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{matchCall(t, "f", "n", torn{with: with})}}
		assert.PanicsWithValue(t, with, func() { w.Judge(c, answer, nil, s) })
	}
	calls, last := 0, 0
	if !match.Registered("test.tired") {
		require.NoError(t, match.Register("test.tired", func(json.RawMessage) error {
			if calls++; calls == last {
				panic("tired")
			}
			return errors.New("no")
		}))
	}
	tired := matchCall(t, "f", "n", &match.Go{Func: "test.tired"})
	w := &match.Whole{Mode: match.InOrder, Calls: []*match.Call{tired, tired}}
	two := parse(t, `[{"f": {"n": 1}}, {"f": {"n": 2}}]`)
	require.Len(t, w.Refused(c, two, s), 2)
	for most := calls; last < most; {
		calls, last = 0, last+1
		assert.Empty(t, w.Refused(c, two, s), "panicked at call %d", last)
	}
}
