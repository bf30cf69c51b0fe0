package judge_test

import (
	"errors"
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

func v1Judge(t *testing.T, docs, calls, answer string, o judge.Options) string {
	t.Helper()
	o.Release = eval.V1
	return judge.AST(documents(t, parse(t, docs)), parse(t, calls), parse(t, answer).(*pyval.List), o).ErrorType
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
		assert.Equal(t, want, judge.Relevance(eval.Irrelevance, eval.V1, parse(t, text), nil).ErrorType, text)
	}
	assert.True(t, judge.Relevance(eval.Irrelevance, eval.V1, nil, errors.New("no calls")).Passed())
}
