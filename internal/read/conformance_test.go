package read_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// TestConformance compares readings with those of upstream's decoders, at the
// commit that docs/upstream-differences.md names, on texts of this project.
// internal/test/bench/upstream writes the rows and says how to check them again.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, f := range []decode.Format{decode.Python, decode.JSON, decode.VerboseXML, decode.ConciseXML, decode.Java, decode.JavaScript, "fc"} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			testkit.Compare(t, "testdata/conformance/"+string(f)+".jsonl", func(c *testkit.Comparison) {
				if f == "fc" {
					tally{c}.calls()
				} else {
					tally{c}.text(f)
				}
			})
		})
	}
}

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
		{three, `[{"f": {"x": "aa"}}, {"f": {}}, {"f": {}}]`, []string{"arguments arrive empty", "parameters are lost"}}, // of which the rest of the run decides
		{one, `[{"place<|x|>": {"code": "A-1"}}]`, []string{"functions' names are followed by something"}},
		{one, `[{"functions.place": {"code": "A-1"}}]`, []string{"functions' names are preceded by something"}},
		{one, `[{"place:0": {"code": "A-1"}}]`, []string{"functions' names are followed by something"}},
		{one, `[{"pla": {"code": "A-1"}}]`, []string{"functions' names are cut"}},
		{`[{"Place": {}}]`, `[{"place": {}}]`, []string{"functions' names arrive in small letters"}},
		{one, `[{"other": {"code": "A-1"}}]`, []string{"functions' names are replaced by others"}},
		{one, `[{"place": {}}]`, []string{"arguments arrive empty", "parameters are lost"}}, // of which the rest of the run decides
		{one, `[{"place": "{\"code\": \"A-1\""}]`, []string{"arguments lose the end of their JSON"}},
		{one, `[{"place": "\"{\\\"code\\\": \\\"A-1\\\"}\""}]`, []string{"arguments are encoded twice"}},
		{one, `[{"place": "{'code': 'A-1'}"}]`, []string{"arguments are written as Python, not as JSON"}},
		{one, `[{"place": {"code": "A-1", "more": null}}]`, []string{"parameters arrive that no document has"}},
		{one, `[{"place": {"CODE": "A-1"}}]`, []string{"parameters' names arrive in capitals"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": "4"}}]`, []string{"values that are numbers or booleans arrive as texts"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": 4.0}}]`, []string{"values that are integers arrive as floats"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": [4]}}]`, []string{"values arrive within lists"}},
		{`[{"f": {"n": 4}}]`, `[{"f": {"n": 5}}]`, []string{"values that are numbers are replaced by others"}},
		{`[{"f": {"n": 0.12345}}]`, `[{"f": {"n": 0.123}}]`, []string{"values that are numbers are rounded"}},
		{`[{"f": {"s": "007"}}]`, `[{"f": {"s": 7}}]`, []string{"values that are texts of digits arrive as numbers"}},
		{`[{"f": {"s": "none"}}]`, `[{"f": {"s": null}}]`, []string{`values that are texts such as "true" or "none" arrive as booleans or null`}},
		{`[{"f": {"o": {"a": 1}}}]`, `[{"f": {"o": {}}}]`, []string{"values that are objects or lists arrive empty"}},
		{`[{"f": {"o": {"a": 1}}}]`, `[{"f": {"o": "{\"a\": 1}"}}]`, []string{"values that are objects or lists arrive as texts"}},
		{`[{"f": {"s": "a & b"}}]`, `[{"f": {"s": "a &amp; b"}}]`, []string{"texts arrive escaped for HTML"}},
		{`[{"f": {"s": "a\nb"}}]`, `[{"f": {"s": "a\\nb"}}]`, []string{"texts arrive escaped twice"}},
		{`[{"f": {"s": " a "}}]`, `[{"f": {"s": "a"}}]`, []string{"texts lose the white space at their ends"}},
		{`[{"f": {"s": "Abcd"}}]`, `[{"f": {"s": "ABCD"}}]`, []string{"texts arrive in capitals"}},
		{`[{"f": {"s": "東京x"}}]`, `[{"f": {"s": "\ufffdx"}}]`, []string{"texts have characters replaced by U+FFFD or ?"}},
		{`[{"f": {"s": "abc"}}]`, `[{"f": {"s": "abc<|im_end|>"}}]`, []string{"texts are followed by something"}},
		{`[{"f": {"s": "abc"}}]`, `[{"f": {"s": "xyz"}}]`, []string{"texts are replaced by others"}},
		{one, `<tool_call>{"name": "place"}</tool_call>`, []string{"calls stay in the text"}},
		{one, "", []string{"calls are lost, and nothing arrives in their place"}},
		{one, "I cannot.", []string{"a text arrives in place of calls"}},
		{"HERON-3", "The word is heron-3.", nil},
		{"HERON-3", "<think>x</think> HERON-3", []string{"thoughts stay in the text"}},
		{"HERON-3", "no", []string{"another text arrives"}},
		{"goodbye", one, []string{"calls arrive where none is wanted"}},
	} {
		var kinds []string
		for _, d := range why.Differ(came(t, c.want), came(t, c.came), nil) {
			kinds = append(kinds, d.Kind)
		}
		assert.Equal(t, c.kinds, kinds, c.came)
	}
}

// TestObserve: what one answer shows by itself, and what a model may write shows
// nothing.
func TestObserve(t *testing.T) {
	v := testkit.Must(pyval.ParseJSON(`{"name": "place.Label", "parameters": {"type": "dict", "properties": {"code": {"type": "string"}}, "required": ["code"]}}`))(t)
	c := &eval.Case{Tools: []*pyval.Dict{v.(*pyval.Dict)}, Turns: [][]eval.Message{{{Role: "user", Content: `Label "Tom & Anna".`}}}}
	observe := func(result pyval.Value, reasoning string, fields bool) []string {
		r := &eval.Result{Category: &eval.Category{Rule: eval.MultiTurn}, Case: c}
		r.Result = result
		return why.Observe(r, nil, reasoning, fields).Facts
	}
	for text, want := range map[string][]string{
		`[{"place_Label": {"code": "Tom & Anna"}}]`:           nil,
		`[{"place_Label<|channel|>x": {"code": "a"}}]`:        {"control tokens at names: <|channel|>x"},
		`[{"place_Sticker": {"code": "a"}}]`:                  nil,
		`[{"place_Label": {"code": "a</s>"}}]`:                {"control tokens in values: </s>"},
		`[{"place_Label": "{\"code\": 1}{\"code\": 2}"}]`:     {why.JoinedArguments},
		`[{"place_Label": "{}{\"code\": 2}"}]`:                {why.JoinedArguments},
		`<tool_call>{"name": "place_Label"}</tool_call>`:      {"calls stay in the text"},
		"place_Label is a function that I could call, but no": nil,
	} {
		result := pyval.Value(pyval.Str(text))
		if text[0] == '[' {
			result = testkit.Must(pyval.ParseJSON(text))(t)
		}
		assert.Equal(t, want, observe(result, "", true), text)
	}
	assert.Equal(t, []string{"calls arrive in the reasoning"}, observe(pyval.Str(""), `I call <tool_call>{"name": "place_Label"}`, true))
	assert.Empty(t, observe(pyval.Str(`<tool_call>{"name": "place_Label"}`), "", false), "calls are left in the text on purpose")
}

var executable = []string{
	"executable_simple", "executable_multiple_function", "executable_parallel_function", "executable_parallel_multiple_function",
}

// answers are a recorded model's answers of a category by case id.
func answers(t *testing.T, model, category string) map[string]pyval.Value {
	out := map[string]pyval.Value{}
	path := filepath.Join(testkit.Shared(t, "recorded", "v1", model), "result", "gorilla_openfunctions_v1_test_"+category+"_result.json")
	testkit.Rows(t, path, func(_ int, row *pyval.Dict) {
		out[testkit.Text(row, "id")] = testkit.Field(row, "result")
	})
	return out
}

// TestGoldenDialectExecute decodes what 14 models answered in the executable
// categories: the call texts are upstream's, or both fail.
func TestGoldenDialectExecute(t *testing.T) {
	runs := testkit.GoldenFile(t, "exec", "runs.jsonl")
	recorded := map[string]map[string]pyval.Value{}
	testkit.Compare(t, runs, func(c *testkit.Comparison) {
		model, id := testkit.Text(c.Row, "model"), testkit.Text(c.Row, "id")
		if recorded[model] == nil {
			recorded[model] = map[string]pyval.Value{}
			for _, category := range executable {
				maps.Copy(recorded[model], answers(t, model, category))
			}
		}
		known, ok := dialect.ForModel(model)
		require.True(t, ok, model)
		result, ok := recorded[model][id]
		require.True(t, ok, "%s: %s", model, id)
		got := pyval.Value(pyval.None)
		if calls, err := known.Dialect.Execute(result, dialect.V1(decode.Python)); err == nil {
			got = texts(calls)
		}
		c.Same(model+": "+id+": "+pyval.Text(result), pyval.Repr(testkit.Field(c.Row, "decoded")), pyval.Repr(got))
	})
}
