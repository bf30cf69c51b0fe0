package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// came reads an answer: JSON is a list of {name: arguments}, and else a text.
func came(t *testing.T, text string) why.Answer {
	t.Helper()
	if text == "" || text[0] != '[' {
		return why.Read(pyval.Str(text))
	}
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err, text)
	return why.Read(v)
}

// TestDiffer: each difference is named, and nothing else.
func TestDiffer(t *testing.T) {
	const one, three = `[{"place": {"code": "A-1"}}]`, `[{"f": {"x": "aa"}}, {"f": {"x": "bb"}}, {"f": {"x": "cc"}}]`
	for _, c := range []struct {
		want, came string
		kinds      []string
	}{
		{one, one, nil},
		{one, `[{"place": {"code": "A-1"}}, {"place": {"code": "A-1"}}]`, []string{"every call arrives twice"}},
		{three, `[{"f": {"x": "aa"}}]`, []string{"only the first of several calls arrives"}},
		{three, `[{"f": {"x": "aa"}}, {"f": {"x": "bb"}}]`, []string{"the last of several calls is lost"}},
		{three, `[{"f": {"x": "bb"}}, {"f": {"x": "cc"}}]`, []string{"the first of several calls is lost"}},
		{three, `[{"f": {"x": "cc"}}, {"f": {"x": "aa"}}, {"f": {"x": "bb"}}]`, []string{"calls arrive in another order"}},
		{three, `[{"f": {"x": "aa"}}, {"f": {}}, {"f": {}}]`, []string{"the arguments of some of several calls are lost"}},
		{one, `[{"place<|x|>": {"code": "A-1"}}]`, []string{"the name is followed by `<|x|>`"}},
		{one, `[{"functions.place": {"code": "A-1"}}]`, []string{"the name is preceded by `functions.`"}},
		{one, `[{"place:0": {"code": "A-1"}}]`, []string{"the name is followed by its number"}},
		{one, `[{"pla": {"code": "A-1"}}]`, []string{"names are cut after 3 characters"}},
		{`[{"Place": {}}]`, `[{"place": {}}]`, []string{"names arrive in small letters"}},
		{one, `[{"other": {"code": "A-1"}}]`, []string{"another function's name arrives"}},
		{one, `[{"place": {}}]`, []string{"arguments arrive empty"}},
		{one, `[{"place": "{\"code\": \"A-1\""}]`, []string{"the end of the arguments' JSON is lost"}},
		{one, `[{"place": "\"{\\\"code\\\": \\\"A-1\\\"}\""}]`, []string{"arguments are encoded twice"}},
		{one, `[{"place": "{'code': 'A-1'}"}]`, []string{"arguments are written as Python, not as JSON"}},
		{one, `[{"place": {"code": "A-1", "more": null}}]`, []string{"parameters that were left out arrive as null"}},
		{one, `[{"place": {"CODE": "A-1"}}]`, []string{"names of parameters are changed, as in `CODE`"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": "4"}}]`, []string{"numbers or booleans arrive as texts"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": 4.0}}]`, []string{"integers arrive as floats"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": [4]}}]`, []string{"values arrive within lists"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": 5}}]`, []string{"another number arrives"}},
		{`[{"f": {"n": 0.12345}}]`, `[{"f": {"n": 0.123}}]`, []string{"numbers are rounded"}},
		{`[{"f": {"s": "007"}}]`, `[{"f": {"s": 7}}]`, []string{"texts of digits arrive as numbers"}},
		{`[{"f": {"s": "none"}}]`, `[{"f": {"s": null}}]`, []string{`texts such as "true" or "none" arrive as booleans or null`}},
		{`[{"f": {"o": {"a": 1}}}]`, `[{"f": {"o": {}}}]`, []string{"objects and lists within arguments arrive empty"}},
		{`[{"f": {"o": {"a": 1}}}]`, `[{"f": {"o": "{\"a\": 1}"}}]`, []string{"objects or lists arrive as texts"}},
		{`[{"f": {"s": "a & b"}}]`, `[{"f": {"s": "a &amp; b"}}]`, []string{"texts arrive escaped for HTML"}},
		{`[{"f": {"s": "a\nb"}}]`, `[{"f": {"s": "a\\nb"}}]`, []string{"texts arrive escaped twice"}},
		{`[{"f": {"s": " a "}}]`, `[{"f": {"s": "a"}}]`, []string{"white space at the ends of texts is lost"}},
		{`[{"f": {"s": "Abcd"}}]`, `[{"f": {"s": "ABCD"}}]`, []string{"texts arrive in capitals"}},
		{`[{"f": {"s": "東京x"}}]`, `[{"f": {"s": "\ufffdx"}}]`, []string{"characters of texts are replaced by U+FFFD or ?"}},
		{`[{"f": {"s": "abc"}}]`, `[{"f": {"s": "abc<|im_end|>"}}]`, []string{"texts are followed by `<|im_end|>`"}},
		{`[{"f": {"s": "abc"}}]`, `[{"f": {"s": "xyz"}}]`, []string{"another text arrives as a value"}},
		{one, `<tool_call>{"name": "place"}</tool_call>`, []string{"calls stay in the text"}},
		{one, "", []string{"calls are lost, and nothing arrives in their place"}},
		{one, "I cannot.", []string{"a text arrives in place of calls"}},
		{"HERON-3", "The word is heron-3.", nil},
		{"HERON-3", "<think>x</think> HERON-3", []string{"thoughts stay in the text"}},
		{"HERON-3", "no", []string{"another text arrives"}},
		{"goodbye", one, []string{"a call arrives where none is wanted"}},
	} {
		var kinds []string
		for _, d := range why.Differ(came(t, c.want), came(t, c.came)) {
			kinds = append(kinds, d.Kind)
		}
		assert.Equal(t, c.kinds, kinds, c.came)
	}
}

// TestObserve: what one answer shows by itself, and what a model may write shows
// nothing.
func TestObserve(t *testing.T) {
	v, err := pyval.ParseJSON(`{"name": "place.Label", "parameters": {"type": "dict", "properties": {"code": {"type": "string"}}, "required": ["code"]}}`)
	require.NoError(t, err)
	c := &eval.Case{Tools: []*pyval.Dict{v.(*pyval.Dict)}, Turns: [][]eval.Message{{{Role: "user", Content: `Label "Tom & Anna".`}}}}
	for text, want := range map[string][]string{
		`[{"place_Label": {"code": "Tom & Anna"}}]`:           nil,
		`[{"place_Label": {"code": "Tom &amp; Anna"}}]`:       {"texts are escaped for HTML"},
		`[{"place_Label<|channel|>x": {"code": "a"}}]`:        {"control tokens at names: <|channel|>x"},
		`[{"functions.place_Label": {"code": "a"}}]`:          {"the name is preceded by `functions.`"},
		`[{"place_Label:3": {"code": "a"}}]`:                  {"the name is followed by its number"},
		`[{"place_Lab": {"code": "a"}}]`:                      {"names are cut"},
		`[{"place_Sticker": {"code": "a"}}]`:                  nil,
		`[{"place_Label": {"code": "a</s>"}}]`:                {"control tokens in texts: </s>"},
		`[{"place_Label": "\"{\\\"code\\\": \\\"a\\\"}\""}]`:  {"arguments are encoded twice"},
		`<tool_call>{"name": "place_Label"}</tool_call>`:      {"calls stay in the text"},
		"place_Label is a function that I could call, but no": nil,
	} {
		result := pyval.Value(pyval.Str(text))
		if text[0] == '[' {
			result, err = pyval.ParseJSON(text)
			require.NoError(t, err)
		}
		assert.Equal(t, want, why.Observe(c, result, "", true).Signs, text)
	}
	assert.Equal(t, []string{"calls arrive in the reasoning"}, why.Observe(c, pyval.Str(""), `I call <tool_call>{"name": "place_Label"}`, true).Signs)
	assert.Empty(t, why.Observe(c, pyval.Str(`<tool_call>{"name": "place_Label"}`), "", false).Signs, "calls are left in the text on purpose")
}
