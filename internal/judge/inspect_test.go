package judge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestInspect: every fault of a call is found, the first of the gravest kind is
// named, and a call without faults is one that the judge accepts.
func TestInspect(t *testing.T) {
	docs := documents(t, parse(t, `[{"name": "kiln.fire", "parameters": {"properties": {
		"clay": {"type": "string"}, "heat": {"type": "integer"}, "hours": {"type": "integer"}, "vents": {"type": "array"}}, "required": ["clay", "heat"]}}]`).(*pyval.List))
	answer := parse(t, `[{"kiln.fire": {"clay": ["red"], "heat": [900], "hours": [8], "vents": [[1], ""]}}]`).(*pyval.List)
	missing := func(name string) judge.Faults {
		return judge.Faults{Missing: true, First: judge.Parameter{Name: name}}
	}
	for _, c := range []struct {
		call string
		want judge.Faults
		at   map[string]judge.Faults
	}{
		{`{"kiln.fire": {"clay": "Red", "heat": 900, "hours": 8}}`, judge.Faults{}, map[string]judge.Faults{}},
		{`{"kiln_fire": {"clay": "red", "heat": 900, "hours": 8}}`, judge.Faults{Function: true}, nil},
		{`{"kiln.fire": {"heat": 900, "hours": 8}}`, missing("clay"), map[string]judge.Faults{"clay": missing("clay")}},
		{`{"kiln.fire": {}}`, missing("clay"), map[string]judge.Faults{"clay": missing("clay"), "heat": missing("heat"), "hours": missing("hours")}},
		{`{"kiln.fire": {"clay": "red", "heat": 900}}`, missing("hours"), map[string]judge.Faults{"hours": missing("hours")}},
		{
			`{"kiln.fire": {"clay": "blue", "heat": "hot", "hours": 8, "glaze": 1}}`,
			judge.Faults{Unexpected: true, Type: true, Value: true, First: judge.Parameter{Name: "glaze", Value: pyval.MakeInt(1)}},
			map[string]judge.Faults{
				"clay":  {Value: true, First: judge.Parameter{Name: "clay", Value: pyval.Str("blue")}},
				"heat":  {Type: true, First: judge.Parameter{Name: "heat", Value: pyval.Str("hot")}},
				"glaze": {Unexpected: true, First: judge.Parameter{Name: "glaze", Value: pyval.MakeInt(1)}},
			},
		},
		{
			`{"kiln.fire": {"clay": "blue", "heat": 901, "hours": "8"}}`,
			judge.Faults{Type: true, Value: true, First: judge.Parameter{Name: "hours", Value: pyval.Str("8")}},
			map[string]judge.Faults{
				"clay":  {Value: true, First: judge.Parameter{Name: "clay", Value: pyval.Str("blue")}},
				"heat":  {Value: true, First: judge.Parameter{Name: "heat", Value: pyval.MakeInt(901)}},
				"hours": {Type: true, First: judge.Parameter{Name: "hours", Value: pyval.Str("8")}},
			},
		},
		{
			`{"kiln.fire": {"heat": "hot", "hours": "long", "glaze": 1}}`,
			judge.Faults{Missing: true, Unexpected: true, Type: true, First: judge.Parameter{Name: "clay"}},
			map[string]judge.Faults{
				"clay":  missing("clay"),
				"heat":  {Type: true, First: judge.Parameter{Name: "heat", Value: pyval.Str("hot")}},
				"hours": {Type: true, First: judge.Parameter{Name: "hours", Value: pyval.Str("long")}},
				"glaze": {Unexpected: true, First: judge.Parameter{Name: "glaze", Value: pyval.MakeInt(1)}},
			},
		},
		{ // a document that the judge cannot use counts as a wrong type
			`{"kiln.fire": {"clay": "red", "heat": 900, "hours": 8, "vents": [1]}}`,
			judge.Faults{Type: true, First: judge.Parameter{Name: "vents", Value: parse(t, `[1]`)}},
			map[string]judge.Faults{"vents": {Type: true, First: judge.Parameter{Name: "vents", Value: parse(t, `[1]`)}}},
		},
	} {
		decoded := pyval.NewList(parse(t, c.call))
		for _, rule := range []eval.Rule{eval.Simple, eval.Multiple, eval.Parallel} {
			o := judge.Options{Rule: rule}
			n, ok := judge.Inspect(docs, decoded, answer, o)
			require.True(t, ok)
			assert.Equal(t, c.want, n.Faults(0, 0), "%s %s", rule, c.call)
			at, known := n.Parameters(0, 0)
			assert.Equal(t, c.at != nil, known, c.call)
			assert.Equal(t, c.at, at, "%s %s", rule, c.call)
			assert.Equal(t, c.want == judge.Faults{}, judge.AST(docs, decoded, answer, o).Passed(), c.call)
		}
	}
}

// TestInspectAnswers: how many calls were made and are wanted, and which of them
// are compared, by the rule and release.
func TestInspectAnswers(t *testing.T) {
	docs := documents(t, parse(t, twoDocs).(*pyval.List))
	calls := parse(t, `[{"c": {"x": 1}}, {"a.b": {"x": 2}}, {"c": {"x": 3}}]`)
	answer := parse(t, `[{"a.b": {"x": [2]}}, {"c": {"x": [1]}}, {"d": {}}, {}, {"c": 5}]`).(*pyval.List)
	for _, c := range []struct {
		o       judge.Options
		wanted  int
		inOrder bool
	}{
		{judge.Options{Rule: eval.Simple}, 1, true},
		{judge.Options{Rule: eval.Simple, Release: eval.V1}, 1, true},
		{judge.Options{Rule: eval.Multiple}, 5, true},
		{judge.Options{Rule: eval.Multiple, Release: eval.V1}, 5, false},
		{judge.Options{Rule: eval.Parallel}, 5, false},
		{judge.Options{Rule: eval.ParallelMultiple}, 5, false},
	} {
		n, ok := judge.Inspect(docs, calls, answer, c.o)
		require.True(t, ok)
		assert.Equal(t, 3, n.Made())
		assert.Equal(t, c.wanted, n.Wanted(), "%+v", c.o)
		assert.Equal(t, c.inOrder, n.InOrder(), "%+v", c.o)
		none, ok := judge.Inspect(docs, calls, nil, c.o)
		require.True(t, ok)
		assert.Zero(t, none.Wanted())
	}
	n, _ := judge.Inspect(docs, calls, answer, judge.Options{Rule: eval.Parallel})
	assert.Equal(t, judge.Faults{}, n.Faults(1, 0))
	assert.Equal(t, judge.Faults{}, n.Faults(0, 1))
	assert.Equal(t, judge.Faults{Value: true, First: judge.Parameter{Name: "x", Value: pyval.MakeInt(3)}}, n.Faults(2, 1))
	for expected, why := range map[int]string{0: "another function", 2: "no document", 3: "no function", 4: "no arguments"} {
		if expected < 4 {
			assert.Equal(t, judge.Faults{Function: true}, n.Faults(2, expected), why)
		} else {
			assert.True(t, n.Faults(2, expected).Type, why)
		}
		at, known := n.Parameters(2, expected)
		assert.Equal(t, expected == 4, known, why)
		assert.Equal(t, expected == 4, at["x"].Type, why)
	}
	for _, text := range []string{`{}`, `5`, `[5]`, `[{}]`, `[{"c": []}]`} {
		_, ok := judge.Inspect(docs, parse(t, text), answer, judge.Options{Rule: eval.Simple})
		assert.False(t, ok, text)
	}
	n, _ = judge.Inspect(nil, calls, answer, judge.Options{Rule: eval.Simple})
	assert.Equal(t, judge.Faults{Function: true}, n.Faults(0, 0), "no document")
	n, ok := judge.Inspect(docs, parse(t, `[{"a.b": []}]`), answer, judge.Options{Rule: eval.Simple, Release: eval.V1})
	require.True(t, ok, "arguments of any kind are calls in V1")
	assert.Equal(t, judge.Faults{Missing: true}, n.Faults(0, 0))
	_, known := n.Parameters(0, 0)
	assert.False(t, known)
	for _, broken := range []string{`{"name": "a.b"}`, `{"name": 5}`, `{}`, `{"name": "a.b", "parameters": {}}`, `{"name": "a.b", "parameters": {"properties": {}}}`, `{"name": "a.b", "parameters": {"properties": {}, "required": 5}}`} {
		n, _ = judge.Inspect(documents(t, pyval.NewList(parse(t, broken))), calls, answer, judge.Options{Rule: eval.Simple})
		assert.Equal(t, judge.Faults{Function: true}, n.Faults(1, 0), broken)
		_, known := n.Parameters(1, 0)
		assert.False(t, known, broken)
		v := judge.AST(documents(t, pyval.NewList(parse(t, broken))), parse(t, `[{"a.b": {"x": 2}}]`), answer, judge.Options{Rule: eval.Simple})
		assert.Equal(t, judge.Unusable, v.ErrorType, broken)
	}
}

// TestUnusableShapes: where upstream's checker would raise, the verdict says so,
// and never that the answer is right.
func TestUnusableShapes(t *testing.T) {
	for _, c := range []struct{ typ, accepted, value, want string }{
		{dict, `[{"a": [1]}, 5]`, `{"b": 1}`, judge.Unusable}, {dict, `[5]`, `{}`, "value_error:others"},
		{dict, `{"a": 1}`, `{"a": 1}`, judge.Unusable}, {dict, `[{"a": 5}]`, `{}`, judge.Unusable},
		{dict, `["", {"a": [1]}]`, `{"a": 1}`, ""}, {dict, `[{"a": [1]}, ""]`, `{"a": 2}`, "value_error:dict_value"},
		{dict, `[{"a": "xyz"}]`, `{"a": "y"}`, ""}, {dict, `[{"a": "xyz"}]`, `{}`, ""}, // a text holds its letters, and ""
		{ints, `{"a": 1}`, `[1]`, judge.Unusable}, {ints, `[[1], 5]`, `[1]`, judge.Unusable}, {ints, `["12"]`, `[1]`, "value_error:others"},
		{ints, `[[2], [1]]`, `[1]`, ""}, {ints, `[[1, 2]]`, `[1]`, "value_error:list/tuple"}, {ints, `[[1]]`, `[1, 2]`, "value_error:list/tuple"},
		{ints, `[[]]`, `[]`, ""}, {ints, `[[]]`, `[1]`, "value_error:list/tuple"},
		{dicts, `[5]`, `[{}]`, "value_error:others"}, {dicts, `[{"a": 1}]`, `[{"a": 1}]`, "value_error:others"}, {dicts, `[""]`, `[]`, ""},
		{dicts, `[[{"a": [1]}, {"a": [2]}]]`, `[{"a": 1}]`, "value_error:list_dict_count"},
		{dicts, `[[{"a": [1]}, {"a": [2]}], [{"a": [1]}]]`, `[{"a": 1}]`, ""}, {dicts, `[[]]`, `[]`, ""},
		{str, `"abc"`, `"b"`, ""}, {str, `"abc"`, `"d"`, "value_error:string"}, {str, `{"a": 1}`, `"a"`, judge.Unusable}, {str, `5`, `"a"`, judge.Unusable},
		{str, `[""]`, `""`, ""}, {str, `["a", ""]`, `""`, ""}, {str, `["", "b"]`, `"b"`, ""},
		{integer, `["", 5]`, `5`, ""}, {integer, `[5, ""]`, `""`, "type_error:simple"}, {integer, `"5"`, `5`, judge.Unusable}, {integer, `"5"`, `"5"`, ""},
		{float, `[1.5, 2]`, `2`, ""}, {float, `[2]`, `2.0`, ""}, {boolean, `[false]`, `true`, "value_error:others"}, {boolean, `["flag"]`, `"flag"`, ""},
	} {
		got := ask(t, c.typ, c.accepted, parse(t, c.value))
		assert.Equal(t, c.want, got.ErrorType, "%s accepts %s, given %.80s: %.300s", c.typ, c.accepted, c.value, show(got))
	}
	for _, c := range []struct{ properties, accepted, want string }{ // odd documents and possible answers
		{`["p"]`, `{"p": [1]}`, judge.Unusable}, {`"p"`, `{"p": [1]}`, judge.Unusable}, {`5`, `{"p": [1]}`, judge.Unusable},
		{`{"p": {"type": "integer"}}`, `["p"]`, judge.Unusable}, {`{"p": {"type": "integer"}}`, `[]`, "simple_function_checker:unexpected_param"},
		{`{"p": {"type": "integer"}}`, `5`, judge.Unusable}, {`{"p": {"type": "integer"}}`, `null`, judge.Unusable},
		{`{"p": {"type": "integer"}}`, `{"p": [1]}`, ""}, {`{}`, `{"p": [1]}`, "simple_function_checker:unexpected_param"},
		{`{"p": {"type": "integer"}, "q": {"type": "integer"}}`, `{"p": [1], "q": 5}`, judge.Unusable},
		{`{"p": {"type": "integer"}, "q": {"type": "integer"}}`, `{"p": [1], "q": [2, ""]}`, ""},
		{`{"p": {"type": "integer"}, "q": {"type": "integer"}}`, `{"q": [2], "p": [1]}`, "simple_function_checker:missing_optional"},
	} {
		doc := parse(t, `{"name": "f", "parameters": {"properties": `+c.properties+`, "required": "p"}}`)
		answer := parse(t, `[{"f": `+c.accepted+`}]`).(*pyval.List)
		got := judge.AST(documents(t, pyval.NewList(doc)), parse(t, `[{"f": {"p": 1}}]`), answer, judge.Options{Rule: eval.Simple})
		assert.Equal(t, c.want, got.ErrorType, "%s %s: %s", c.properties, c.accepted, show(got))
	}
}

// TestArgumentAlone: an argument is judged by its document, with the text of its
// first fault.
func TestArgumentAlone(t *testing.T) {
	ask := func(doc, value, accepted string, l eval.Language) (string, string) {
		return judge.Argument(parse(t, doc), pyval.Str("p"), parse(t, value), parse(t, accepted), judge.Options{Language: l})
	}
	typ, text := ask(integer, `5`, `[5]`, eval.Python)
	assert.Empty(t, typ+text)
	typ, text = ask(integer, `5`, `[6, 7]`, eval.Python)
	assert.Equal(t, "value_error:others", typ)
	assert.Equal(t, "Invalid value for parameter 'p': 5. Expected one of [6, 7].", text)
	typ, text = ask(dict, `{}`, `[]`, eval.Python)
	assert.Equal(t, "dict_checker:unclear", typ)
	assert.Empty(t, text)
	for l, want := range map[eval.Language]string{eval.Java: "type_error:java", eval.JavaScript: "type_error:js"} {
		typ, text = ask(`{"type": "String"}`, `5`, `["5"]`, l)
		assert.Equal(t, want, typ, "source text is wanted")
		assert.Contains(t, text, "Expected type String, got int")
		typ, _ = ask(`{"type": "integer"}`, `"5"`, `[5]`, l)
		assert.Empty(t, typ)
	}
	typ, _ = ask(integer, `5`, `[5]`, 99)
	assert.Empty(t, typ, "an unknown language is read like Python")
	assert.True(t, judge.Alike(pyval.Str("A-b"), pyval.Str("ab")))
	assert.True(t, judge.Alike(pyval.MakeInt(1), pyval.Float(1)))
	assert.False(t, judge.Alike(pyval.Str("1"), pyval.MakeInt(1)))
}
