package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func parse(t testing.TB, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err, "%q", text)
	return v
}

// ask judges one argument p of a function f.
func ask(t testing.TB, typ, accepted string, value pyval.Value) eval.Verdict {
	t.Helper()
	doc := parse(t, `{"name": "f", "parameters": {"properties": {"p": `+typ+`}, "required": []}}`)
	answer := parse(t, `[{"f": {"p": `+accepted+`}}]`).(*pyval.List)
	arguments, call := pyval.NewDict(1), pyval.NewDict(1)
	arguments.SetStr("p", value)
	call.SetStr("f", arguments)
	return judge.AST([]*pyval.Dict{doc.(*pyval.Dict)}, pyval.NewList(call), answer, judge.Options{Rule: eval.Simple})
}

const (
	str      = `{"type": "string"}`
	integer  = `{"type": "integer"}`
	float    = `{"type": "float"}`
	boolean  = `{"type": "boolean"}`
	anything = `{"type": "any"}`
	dict     = `{"type": "dict"}`
	ints     = `{"type": "array", "items": {"type": "integer"}}`
	strs     = `{"type": "array", "items": {"type": "string"}}`
	dicts    = `{"type": "array", "items": {"type": "dict"}}`
	tuple    = `{"type": "tuple", "items": {"type": "integer"}}`
)

func TestArgument(t *testing.T) {
	for _, c := range []struct{ typ, accepted, value, want string }{
		{str, `["Blue Moon"]`, `"blue-moon"`, ""},
		{str, `["it's"]`, `"IT\"S"`, ""},
		{str, `["Straße", "ΟΔΟΣ"]`, `"οδος"`, ""},
		{str, `["a"]`, `"b"`, "value_error:string"},
		{str, `["a"]`, `"a!"`, "value_error:string"},
		{str, `["a\u0000"]`, `"A\u0000"`, ""},
		{str, `["a"]`, `["a"]`, "type_error:simple"},
		{str, `[5]`, `5`, ""}, {str, `[5]`, `"5"`, "value_error:others"},
		{integer, `[5]`, `5`, ""}, {integer, `[5]`, `5.0`, "type_error:simple"},
		{integer, `[1]`, `true`, "type_error:simple"}, {integer, `[5]`, `6`, "value_error:others"},
		{integer, `["count"]`, `"count"`, ""}, {integer, `["count"]`, `"Count"`, "value_error:others"},
		{integer, `[""]`, `5`, "value_error:others"}, {integer, `[""]`, `""`, "type_error:simple"},
		{float, `[5.0]`, `5`, ""}, {float, `[5]`, `5`, ""}, {float, `[1.0]`, `true`, "type_error:simple"},
		{boolean, `[true]`, `true`, ""}, {boolean, `[true]`, `1`, "type_error:simple"},
		{anything, `[true]`, `true`, ""}, {anything, `["x"]`, `"X"`, ""},
		{ints, `[[1, 2]]`, `[1, 2]`, ""}, {ints, `[[1, 2]]`, `[2, 1]`, "value_error:list/tuple"},
		{ints, `[[1, 2]]`, `["1"]`, "type_error:nested"}, {ints, `[[1, 2]]`, `1`, "type_error:simple"},
		{ints, `[["n"]]`, `["n"]`, ""}, {ints, `[]`, `[1]`, "type_error:simple"},
		{ints, `[[1], ""]`, `["x"]`, "value_error:list/tuple"}, {ints, `[[1], ""]`, `[]`, ""},
		{strs, `[["New York"]]`, `["new-york"]`, ""}, {strs, `["names"]`, `"names"`, ""},
		{dict, `[{"a": ["X"], "b": ["", 1]}]`, `{"a": "x"}`, ""},
		{dict, `[{"a": ["X"]}]`, `{"a": "y"}`, "value_error:dict_value"},
		{dict, `[{"a": ["X"]}]`, `{"c": "x"}`, "value_error:dict_key"},
		{dict, `[{"a": ["X"]}]`, `{}`, "value_error:dict_key"},
		{dict, `[{"a": ["X"]}, {}]`, `{}`, ""}, {dict, `[""]`, `{}`, "dict_checker:unclear"},
		{dict, `["config"]`, `"config"`, ""},
		{dicts, `[[{"a": [1]}, {"a": [2]}]]`, `[{"a": 1}, {"a": 2}]`, ""},
		{dicts, `[[{"a": [1]}, {"a": [2]}]]`, `[{"a": 2}, {"a": 1}]`, "value_error:dict_value"},
		{dicts, `[[{"a": [1]}]]`, `[]`, "value_error:list_dict_count"},
		{dicts, `[[{"a": [1]}], [{"a": [2]}]]`, `[{"a": 2}]`, ""},
		{tuple, `[[1, 2]]`, `[1, 2]`, ""},
		{`{}`, `[1]`, `1`, judge.Unusable}, {`{"type": "number"}`, `[1]`, `1`, judge.Unusable},
		{`{"type": "array"}`, `[[1]]`, `[1]`, judge.Unusable}, {integer, `5`, `5`, judge.Unusable},
		{integer, `{"a": 1}`, `"a"`, ""}, {dict, `[{"a": 5}]`, `{"a": 5}`, judge.Unusable},
		{dicts, `[[5]]`, `[{}]`, judge.Unusable}, {strs, `[["a"], 5]`, `["a"]`, judge.Unusable},
		{float, `[1.0]`, `1` + strings.Repeat("0", 400), judge.Unusable},
	} {
		got := ask(t, c.typ, c.accepted, parse(t, c.value))
		assert.Equal(t, c.want, got.ErrorType, "%s accepts %s, given %.80s: %.300s", c.typ, c.accepted, c.value, show(got))
		assert.Equal(t, c.want == "", got.Passed())
	}
}

func TestArgumentOfPythonOnly(t *testing.T) {
	one := pyval.NewTuple(pyval.MakeInt(1))
	assert.True(t, ask(t, tuple, `[[1]]`, one).Passed())
	assert.Equal(t, "type_error:simple", ask(t, ints, `[[1]]`, one).ErrorType)
	assert.Equal(t, "type_error:simple", ask(t, str, `["a"]`, pyval.Bytes("a")).ErrorType)
	assert.Equal(t, "type_error:simple", ask(t, str, `["a"]`, pyval.Ellipsis).ErrorType)
	assert.Equal(t, "type_error:simple", ask(t, float, `[1.0]`, pyval.Complex(1)).ErrorType)
}

func TestDetail(t *testing.T) {
	for _, c := range []struct{ typ, accepted, value, want string }{
		{str, `["a", ""]`, `"b"`, `["Invalid value for parameter 'p': 'b'. Expected one of ['a', '']. Case insensitive."]`},
		{dict, `[{"a": ["X Y"], "b": [1]}]`, `{"a": "z"}`,
			`["Invalid value for parameter 'a': 'z'. Expected one of ['xy'].", "Missing dict key parameter: 'b'."]`},
		{ints, `[[1]]`, `["1"]`,
			`["Nested type checking failed for parameter 'p'. Expected outer type array with inner type <class 'int'>. Parameter value: ['1']."]`},
		{dict, `[]`, `{}`, `[]`},
	} {
		got := ask(t, c.typ, c.accepted, parse(t, c.value))
		want := parse(t, c.want)
		assert.True(t, pyval.Equal(want, got.Detail), "got %s\nwant %s", show(got), pyval.Repr(want))
	}
}

const twoDocs = `[{"name": "a.b", "parameters": {"properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x"]}},
	{"name": "c", "parameters": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}}]`

func TestCalls(t *testing.T) {
	docs := parse(t, twoDocs).(*pyval.List)
	for _, c := range []struct {
		rule            eval.Rule
		answer, decoded string
		underscores     bool
		want            string
	}{
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a.b": {"x": 1}}]`, false, ""},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a_b": {"x": 1}}]`, true, ""},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a.b": {"x": 1}}]`, true, "simple_function_checker:wrong_func_name"},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a_b": {"x": 1}}]`, false, "simple_function_checker:wrong_func_name"},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[]`, false, "simple_function_checker:wrong_count"},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a.b": {}}]`, false, "simple_function_checker:missing_required"},
		{eval.Simple, `[{"a.b": {"x": [1], "y": [2]}}]`, `[{"a.b": {"x": 1}}]`, false, "simple_function_checker:missing_optional"},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a.b": {"x": 1, "y": 1}}]`, false, "simple_function_checker:unexpected_param"},
		{eval.Simple, `[{"a.b": {"x": [1]}}]`, `[{"a.b": {"x": 1, "z": 1}}]`, false, "simple_function_checker:unexpected_param"},
		{eval.Simple, `[]`, `[{"a.b": {"x": 1}}]`, false, judge.Unusable},
		{eval.Simple, `[{}]`, `[{"a.b": {"x": 1}}]`, false, judge.Unusable},
		{eval.Simple, `[{"a.b": 5}]`, `[{"a.b": {}}]`, false, "simple_function_checker:missing_required"},
		{eval.Simple, `[{"a.b": 5}]`, `[{"a.b": {"x": 1}}]`, false, judge.Unusable},
		{eval.Multiple, `[{"c": {"x": [1]}}]`, `[{"c": {"x": 1}}]`, false, ""},
		{eval.Multiple, `[{"c": {"x": [1]}}]`, `[{"c": {"x": 1}}, {"c": {"x": 1}}]`, false, "multiple_function_checker:wrong_count"},
		{eval.Multiple, `[{"d": {"x": [1]}}]`, `[{"c": {"x": 1}}]`, false, judge.Unusable},
		{eval.Multiple, `[]`, `[]`, false, judge.Unusable},
		{eval.ParallelMultiple, `[{"c": {"x": [1]}}, {"a.b": {"x": [1]}}]`, `[{"a.b": {"x": 1}}, {"c": {"x": 1}}]`, false, ""},
		{eval.ParallelMultiple, `[{"c": {"x": [1]}}, {"a.b": {"x": [1]}}]`, `[{"c": {"x": 1}}, {"c": {"x": 1}}]`, false, "parallel_function_checker_no_order:cannot_find_match"},
		{eval.Parallel, `[{"c": {"x": [1]}}]`, `[]`, false, "parallel_function_checker_no_order:wrong_count"},
		// The first answer takes the first call it accepts and leaves the second without one.
		{eval.Parallel, `[{"c": {"x": [1, 2]}}, {"c": {"x": [1]}}]`, `[{"c": {"x": 1}}, {"c": {"x": 2}}]`, false, "parallel_function_checker_no_order:cannot_find_match"},
		{eval.Parallel, `[]`, `[]`, false, ""},
		{eval.Parallel, `[{"d": {}}]`, `[{"c": {}}]`, false, judge.Unusable},
		{eval.Parallel, `[{}]`, `[{"c": {}}]`, false, judge.Unusable},
		{eval.Simple, `[]`, `{}`, false, "ast_decoder:decoder_wrong_output_format"},
		{eval.Simple, `[]`, `[5]`, false, "ast_decoder:decoder_wrong_output_format"},
		{eval.Simple, `[]`, `[{}]`, false, "ast_decoder:decoder_wrong_output_format"},
		{eval.Simple, `[]`, `[{"c": []}]`, false, "ast_decoder:decoder_wrong_output_format"},
	} {
		got := judge.AST(documents(t, docs), parse(t, c.decoded), parse(t, c.answer).(*pyval.List),
			judge.Options{Rule: c.rule, UnderscoreToDot: c.underscores})
		assert.Equal(t, c.want, got.ErrorType, "%s %s %s: %s", c.rule, c.answer, c.decoded, show(got))
	}
}

func TestNothingToJudge(t *testing.T) {
	got := judge.AST(nil, nil, nil, judge.Options{Language: 99})
	assert.Equal(t, "ast_decoder:decoder_wrong_output_format", got.ErrorType)
	got = judge.AST(nil, parse(t, `[{"f": {}}]`), nil, judge.Options{Language: 99})
	assert.Equal(t, judge.Unusable, got.ErrorType)
}

func TestDecodeFailure(t *testing.T) {
	got := judge.DecodeFailure(errors.New("odd text"))
	assert.Equal(t, eval.Fail, got.Status)
	assert.Equal(t, "ast_decoder:decoder_failed", got.ErrorType)
	assert.Equal(t, "['Invalid syntax. Failed to decode AST. odd text']", pyval.Repr(got.Detail))
}

func TestRelevance(t *testing.T) {
	odd := errors.New("odd text")
	for _, c := range []struct {
		rule    eval.Rule
		decoded string
		err     error
		want    string
	}{
		{eval.Irrelevance, `[]`, nil, ""}, {eval.Irrelevance, `5`, nil, ""}, {eval.Irrelevance, `null`, odd, ""},
		{eval.Irrelevance, `[{}]`, nil, ""}, {eval.Irrelevance, `[{"f": {}}]`, nil, "irrelevance_error:decoder_success"},
		{eval.Relevance, `[{"f": {}}]`, nil, ""}, {eval.Relevance, `[]`, nil, "relevance_error:decoder_failed"},
		{eval.Relevance, `null`, odd, "relevance_error:decoder_failed"},
	} {
		got := judge.Relevance(c.rule, eval.V4, parse(t, c.decoded), c.err)
		assert.Equal(t, c.want, got.ErrorType, "%s %s", c.rule, c.decoded)
	}
}

func FuzzAST(f *testing.F) {
	f.Add(`[{"cinema_book_seats": {"film": "the third man", "seats": 3, "contact": {"name": "Ida Lind"}}}]`,
		`[{"cinema.book_seats": {"film": ["The Third Man"], "seats": [3], "contact": [{"name": ["Ida Lind"], "phone": ["", "555-0101"]}, ""]}}]`,
		`[{"name": "cinema.book_seats", "parameters": {"properties": {"film": {"type": "string"}, "seats": {"type": "integer"}, "contact": {"type": "dict"}}, "required": ["film", "seats"]}}]`, "parallel", uint8(0))
	f.Add(`[{"c": {"x": 1}}]`, `[{"c": {"x": [1]}}]`, twoDocs, "multiple", uint8(0))
	f.Add(`[{"f": {"p": [{"a": "X"}]}}]`, `[{"f": {"p": [[{"a": ["x"]}], "", 5]}}]`,
		`[{"name": "f", "parameters": {"properties": {"p": `+dicts+`}, "required": {}}}]`, "simple", uint8(0))
	f.Add(`[{"f": {"p": "new int[]{1, 2}"}}]`, `[{"f": {"p": [[1, 2]]}}]`,
		`[{"name": "f", "parameters": {"properties": {"p": {"type": "Array", "items": {"type": "integer"}}}, "required": "p"}}]`, "simple", uint8(1))
	f.Add(`[{"f": {"p": "[1, 2]"}}]`, `[{"f": {"p": [[1, 2]]}}]`,
		`[{"name": "f", "parameters": {"properties": {"p": {"type": "array", "items": {"type": "integer"}}}, "required": ["p"]}}]`, "simple", uint8(2))
	f.Fuzz(func(t *testing.T, decoded, answer, docs, rule string, language uint8) {
		calls, err := pyval.ParseJSON(decoded)
		if err != nil {
			return
		}
		accepted, _ := pyval.ParseJSON(answer)
		list, _ := accepted.(*pyval.List)
		described, _ := pyval.ParseJSON(docs)
		var known []*pyval.Dict
		if all, ok := described.(*pyval.List); ok {
			for _, doc := range all.Items {
				if doc, ok := doc.(*pyval.Dict); ok {
					known = append(known, doc)
				}
			}
		}
		v := judge.AST(known, calls, list, judge.Options{Rule: eval.Rule(rule), Language: eval.Language(language)})
		if v.Passed() != (v.ErrorType == "") || v.Passed() != (v.Detail == nil) {
			t.Errorf("half a verdict: %s", show(v))
		}
	})
}

// v1Docs are two functions; the name of one is part of the other's.
const v1Docs = `[
	{"name": "lamp.dim", "parameters": {"type": "dict", "required": ["level"], "properties": {
		"level": {"type": "integer"}, "scene": {"type": "dict"}, "steps": {"type": "array", "items": {"type": "dict"}}}}},
	{"name": "fan", "parameters": {"type": "dict", "required": [], "properties": {"speed": {"type": "float"}}}}]`

func pythonJSON(t *testing.T, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err, text)
	return v
}

func v1Judge(t *testing.T, docs, calls, answer string, o judge.Options) string {
	t.Helper()
	o.Release = eval.V1
	return judge.AST(documents(t, pythonJSON(t, docs)), pythonJSON(t, calls), pythonJSON(t, answer).(*pyval.List), o).ErrorType
}

func TestV1Rules(t *testing.T) {
	const scene = `[{"lamp.dim": {"level": [3], "scene": [{"name": ["Dusk", ""], "hue": {"warm": [1]}}, ""]}}]`
	for _, c := range []struct {
		name                string
		rule                eval.Rule
		calls, answer, want string
	}{
		{"same keys, nested", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"name": "dusk", "hue": {"warm": 1}}}}]`, scene, ""},
		{"a key that may be missing in V4", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"hue": {"warm": 1}}}}]`, scene, "value_error:dict_items"},
		{"other key", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"title": "dusk", "hue": {"warm": 1}}}}]`, scene, "value_error:dict_key"},
		{"other value", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"name": "dawn", "hue": {"warm": 1}}}}]`, scene, "value_error:dict_value"},
		{"other nested value", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"name": "dusk", "hue": {"warm": 2}}}}]`, scene, "value_error:dict_value"},
		{"other value after a nested one", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"hue": {"warm": 1}, "name": "dawn"}}}]`, scene, "value_error:dict_value"},
		{"no dict where one nests", eval.Simple, `[{"lamp.dim": {"level": 3, "scene": {"name": "dusk", "hue": 1}}}]`, scene, judge.Unusable},
		{"dicts in a list", eval.Simple, `[{"lamp.dim": {"level": 3, "steps": [{"to": 1}]}}]`, `[{"lamp.dim": {"level": [3], "steps": [[{"to": [1], "in": [2, ""]}]]}}]`, "value_error:dict_items"},
		{"several names in a call", eval.Simple, `[{"other": {}, "lamp.dim": {"level": 3}}]`, `[{"lamp.dim": {"level": [3]}}]`, ""},
		{"no name in a call", eval.Simple, `[{}]`, `[{"lamp.dim": {"level": [3]}}]`, "simple_function_checker:wrong_func_name"},
		{"arguments in a list", eval.Simple, `[{"lamp.dim": [3]}]`, `[{"lamp.dim": {"level": [3]}}]`, "simple_function_checker:missing_required"},
		{"arguments are no container", eval.Simple, `[{"lamp.dim": 3}]`, `[{"lamp.dim": {"level": [3]}}]`, judge.Unusable},
		{"two calls", eval.Simple, `[{"fan": {}}, {"fan": {}}]`, `[{"lamp.dim": {"level": [3]}}]`, "simple_function_checker:wrong_count"},
		{"suffixes", eval.ParallelMultiple, `[{"fan": {"speed": 2}}, {"fan": {"speed": 1}}, {"lamp.dim": {"level": 3}}]`,
			`[{"lamp.dim": {"level": [3]}}, {"fan_1": {"speed": [1.0]}}, {"fan 2": {"speed": [2.0]}}]`, ""},
		{"multiple is matched as parallel", eval.Multiple, `[{"fan": {"speed": 2}}]`, `[{"fan": {"speed": [1.0]}}]`, "parallel_function_checker_no_order:cannot_find_match"},
		{"multiple, wrong count", eval.Multiple, `[]`, `[{"fan": {"speed": [1.0]}}]`, "parallel_function_checker_no_order:wrong_count"},
		{"a key without a function", eval.Multiple, `[{"fan": {"speed": 2}}]`, `[{"blind": {}}]`, "parallel_function_checker_no_order:cannot_find_description"},
		{"a text among calls", eval.Simple, `["fan()"]`, `[{"lamp.dim": {"level": [3]}}]`, "ast_decoder:decoder_wrong_output_format"},
		{"no list", eval.Simple, `{}`, `[{"lamp.dim": {"level": [3]}}]`, "ast_decoder:decoder_wrong_output_format"},
	} {
		assert.Equal(t, c.want, v1Judge(t, v1Docs, c.calls, c.answer, judge.Options{Rule: c.rule}), c.name)
	}
	assert.Empty(t, v1Judge(t, v1Docs, `[{"lamp_dim": {"level": 3}}]`, `[{"lamp.dim": {"level": [3]}}]`, judge.Options{Rule: eval.Simple, UnderscoreToDot: true}))
	assert.Equal(t, "simple_function_checker:wrong_func_name", v1Judge(t, v1Docs, `[{"lamp.dim": {"level": 3}}]`, `[{"lamp.dim": {"level": [3]}}]`, judge.Options{Rule: eval.Simple, UnderscoreToDot: true}))
}

// TestV1OneDocument: a document that is alone is used, whatever its name.
func TestV1OneDocument(t *testing.T) {
	const doc, answer = `[{"name": "fan", "parameters": {"properties": {"speed": {"type": "float"}}, "required": []}}]`, `[{"blind": {"speed": [1.0]}}]`
	assert.Empty(t, v1Judge(t, doc, `[{"fan": {"speed": 1}}]`, answer, judge.Options{Rule: eval.Multiple}))
	assert.Equal(t, "parallel_function_checker_no_order:cannot_find_match", v1Judge(t, doc, `[{"fan": {"speed": 2}}]`, answer, judge.Options{Rule: eval.Multiple}))
}

func TestV1Relevance(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "", `[{}]`: "", `["talk"]`: "", `"talk"`: "", `{}`: "", `null`: "", `[{"f": {}}, 1]`: "",
		`[{"f": {}}]`: "relevance_error:decoder_success", `[{}, {}]`: "relevance_error:decoder_success", `[{"f": 1}]`: "relevance_error:decoder_success",
	} {
		assert.Equal(t, want, judge.Relevance(eval.Irrelevance, eval.V1, pythonJSON(t, text), nil).ErrorType, text)
	}
	assert.True(t, judge.Relevance(eval.Irrelevance, eval.V1, nil, errors.New("no calls")).Passed())
}
