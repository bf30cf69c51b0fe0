package why

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestKindOf(t *testing.T) {
	for want, errorTypes := range map[cause.Kind]string{
		cause.WrongState:     "multi_turn:instance_state_mismatch",
		cause.MissingResult:  "multi_turn:execution_response_mismatch",
		cause.EmptyTurn:      "multi_turn:empty_turn_model_response",
		cause.CutOff:         "multi_turn:force_terminated",
		cause.Infrastructure: "multi_turn:inference_error agentic:inference_error infrastructure:timeout infrastructure:http:429",
		cause.WrongAnswer:    "agentic:answer_not_found",
		cause.NoAnswer:       "agentic:no_last_message",
		cause.Unexplained: "multi_turn:of_a_later_release parallel_function_checker_no_order:cannot_find_match judge_error:unusable_answer " +
			"executable_checker:unclear made_up:by_a_file\x1b :::",
		cause.Malformed: "ast_decoder:decoder_failed ast_decoder:decoder_wrong_output_format executable_decoder:decoder_failed " +
			"executable_decoder:wrong_output_format executable_decoder:rest_wrong_output_format",
		cause.WrongCount: "simple_function_checker:wrong_count multiple_function_checker:wrong_count parallel_function_checker_no_order:wrong_count " +
			"simple_exec_checker:wrong_count value_error:exec_result_count",
		cause.WrongFunction:   "simple_function_checker:wrong_func_name parallel_function_checker_no_order:cannot_find_description",
		cause.MissingRequired: "simple_function_checker:missing_required simple_function_checker:missing_optional",
		cause.Unexpected:      "simple_function_checker:unexpected_param",
		cause.WrongType: "type_error:simple type_error:nested type_error:java type_error:js executable_checker:wrong_result_type " +
			"executable_checker:wrong_result_type:dict_key_not_found executable_checker_rest:wrong_type",
		cause.WrongValue: "value_error:string value_error:list/tuple value_error:others value_error:dict_key value_error:dict_value " +
			"value_error:dict_items value_error:list_dict_count value_error:exec_result_rest_count dict_checker:unclear " +
			"list_dict_checker:unclear executable_checker:wrong_result executable_checker:wrong_result_real_time " +
			"executable_checker:cannot_find_match executable_checker_rest:wrong_key",
		cause.Execution: "executable_checker:execution_error executable_checker_rest:execution_error executable_checker_rest:wrong_status_code " +
			"executable_checker_rest:cannot_get_status_code executable_checker_rest:response_format_error",
		cause.UnwantedCall: "irrelevance_error:decoder_success relevance_error:decoder_success",
		cause.NoCall:       "relevance_error:decoder_failed",
	} {
		for _, errorType := range strings.Fields(errorTypes) {
			assert.Equal(t, want, cause.KindOf(errorType), errorType)
		}
	}
	assert.Empty(t, cause.KindOf(""))
	titles := map[string]cause.Kind{}
	for _, kind := range cause.Kinds() {
		assert.NotEmpty(t, kind.Title(), kind)
		if other, taken := titles[kind.Title()]; taken {
			assert.Equal(t, other, kind, "kinds of one title")
		}
		titles[kind.Title()] = kind
	}
}

func TestKindSeen(t *testing.T) {
	const tools = "[" + toaster + "," + kettle + "]"
	for _, c := range []struct {
		name, category, result, decoded, errorType string
		want                                       cause.Kind
	}{
		{"prose", "simple_python", `"How many litres do you want?"`, "", "ast_decoder:decoder_failed", cause.NoCall},
		{"prose about a function", "simple_python", `"The function toast needs slices."`, "", "ast_decoder:decoder_failed", cause.NoCall},
		{"empty text", "simple_python", `""`, "", "ast_decoder:decoder_failed", cause.NoCall},
		{"broken call", "simple_python", `"[toast(slices=2"`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"broken call of no function", "simple_python", `"bake(2"`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"call in prose", "simple_python", `"I would use kettle_boil(litres=2)."`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"fenced JSON", "simple_python", "\"```json\\n[{\\\"x\\\": 1}]\\n```\"", "", "ast_decoder:decoder_failed", cause.Malformed},
		{"name in quotes", "simple_python", `"Here: {\"name\": \"toast\"}"`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"tag", "simple_python", `"<tool_call>"`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"broken arguments", "simple_python", `[{"toast": "{\"slices"}]`, "", "ast_decoder:decoder_failed", cause.Malformed},
		{"no tool calls", "simple_python", `[]`, `[]`, "simple_function_checker:wrong_count", cause.NoCall},
		{"two tool calls", "simple_python", `[{}, {}]`, `[{}, {}]`, "simple_function_checker:wrong_count", cause.WrongCount},
		{"Java's nothing", "simple_java", `"Nothing."`, `{}`, "ast_decoder:decoder_wrong_output_format", cause.NoCall},
		{"JavaScript's nothing", "simple_javascript", `"Nothing."`, `null`, "ast_decoder:decoder_wrong_output_format", cause.NoCall},
		{"numbers", "simple_python", `"1, 2"`, `[1, 2]`, "ast_decoder:decoder_wrong_output_format", cause.Malformed},
		{"upstream's own failure", "simple_python", `"Error during inference: 429"`, "", "ast_decoder:decoder_failed", cause.Infrastructure},
		{"relevance, prose", "live_relevance", `"Which one?"`, "", "relevance_error:decoder_failed", cause.NoCall},
		{"relevance, attempt", "live_relevance", `"toast(slices="`, "", "relevance_error:decoder_failed", cause.Malformed},
		{"irrelevance", "irrelevance", `[{"toast": "{}"}]`, `[{"toast": {}}]`, "irrelevance_error:decoder_success", cause.UnwantedCall},
		{"wrong state", "multi_turn_base", `[[[{"toast": "{}"}]]]`, `[[[{"toast": "{}"}]]]`, "multi_turn:instance_state_mismatch", cause.WrongState},
		{"empty turn", "multi_turn_base", `[[]]`, `[[]]`, "multi_turn:empty_turn_model_response", cause.EmptyTurn},
		{"upstream's failed conversation", "multi_turn_base", `"Error during inference: 429"`, "", "multi_turn:inference_error", cause.Infrastructure},
		{"an answer that is not a conversation", "multi_turn_base", `"Hello."`, "", "multi_turn:inference_error", cause.Unexplained},
		{"a type that tells", "simple_python", `[{"toast": "{}"}]`, `[{"toast": {}}]`, "value_error:string", cause.WrongValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			item := newCase(t, tools, `[{"toast": {"slices": [2]}}]`)
			var decoded pyval.Value
			if c.decoded != "" {
				decoded = value(t, c.decoded)
			}
			v := eval.Verdict{Status: eval.Fail, ErrorType: c.errorType}
			assert.Equal(t, c.want, examined(categories.Find(c.category), item, value(t, c.result), decoded, eval.Settings{}, v).Cause.Kind)
		})
	}
}

// FuzzExamine grades what models may write, in both modes: no panic, and agreement
// with the verdict.
func FuzzExamine(f *testing.F) {
	for _, seed := range []string{
		`[toast(slices=2)]`, `[kettle.boil(litres=1.0), toast(slices=2)]`, `[{"toast": "{\"slices\": 2}"}]`, `[{"toast": {"slices": [[[]]]}}]`,
		"no call", `[{}]`, `{"a": 1}`, "```\n[toast(", strings.Repeat("[", 500), "\xff(", `[1, null, "x"]`,
	} {
		f.Add(seed)
	}
	item := newCase(f, "["+toaster+","+kettle+"]", toastBoil)
	f.Fuzz(func(t *testing.T, answer string) {
		results := []pyval.Value{pyval.Str(answer)}
		if v, err := pyval.ParseJSON(answer); err == nil {
			results = append(results, v)
		}
		for _, cat := range categories.All() {
			if !cat.Compares() {
				continue
			}
			for i, result := range results {
				s := eval.SettingsFor([]eval.Mode{eval.Prompt, eval.FC}[i])
				decoded, v := cat.Verdict(item, result, s)
				g := examined(cat, item, result, decoded, s, v)
				if v.Passed() != (g.Level == cause.Values) || v.Passed() != (g.Cause.Kind == "") || g.Cause.Kind == cause.Unexplained {
					t.Fatalf("%s: level %s and kind %q of verdict %q", cat.Name, g.Level, g.Cause.Kind, v.ErrorType)
				}
			}
		}
	})
}

func TestUnread(t *testing.T) {
	t.Parallel()
	read := func(category string, result pyval.Value, errorType string) []pyval.Value {
		r := eval.Result{Category: categories.Find(category), Case: &eval.Case{ID: "x"}, Verdict: eval.Verdict{ErrorType: errorType}, Response: eval.Response{Result: result}}
		return unread(&r, eval.SettingsFor(eval.Prompt))
	}
	for category, errorTypes := range map[string]map[string]int{
		"simple_python":   {"ast_decoder:decoder_failed": 1, "ast_decoder:decoder_wrong_output_format": 1, "value_error:string": 0, "": 0},
		"live_relevance":  {"relevance_error:decoder_failed": 1},
		"irrelevance":     {"irrelevance_error:decoder_success": 0},
		"exec_simple":     {"executable_decoder:decoder_failed": 1},
		"multi_turn_base": {"multi_turn:instance_state_mismatch": 0},
	} {
		for errorType, want := range errorTypes {
			assert.Len(t, read(category, pyval.Str("x"), errorType), want, "%s %s", category, errorType)
		}
	}
	steps := pyval.NewList(pyval.NewList(pyval.Str("I am done."), pyval.Str("[f(x=1)]")), pyval.Str("no turn"))
	assert.Len(t, read("multi_turn_base", steps, ""), 1)
	assert.Empty(t, read("multi_turn_base", nil, "ast_decoder:decoder_failed"))
}
