package judge_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
