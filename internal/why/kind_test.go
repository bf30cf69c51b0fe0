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
	for errorType, want := range map[string]cause.Kind{
		"":                                                           "",
		"multi_turn:instance_state_mismatch":                         cause.WrongState,
		"multi_turn:execution_response_mismatch":                     cause.MissingResult,
		"multi_turn:empty_turn_model_response":                       cause.EmptyTurn,
		"multi_turn:force_terminated":                                cause.CutOff,
		"multi_turn:inference_error":                                 cause.Infrastructure,
		"agentic:answer_not_found":                                   cause.WrongAnswer,
		"agentic:no_last_message":                                    cause.NoAnswer,
		"agentic:inference_error":                                    cause.Infrastructure,
		"multi_turn:of a later release":                              cause.Unexplained,
		"ast_decoder:decoder_failed":                                 cause.Malformed,
		"ast_decoder:decoder_wrong_output_format":                    cause.Malformed,
		"executable_decoder:decoder_failed":                          cause.Malformed,
		"executable_decoder:wrong_output_format":                     cause.Malformed,
		"executable_decoder:rest_wrong_output_format":                cause.Malformed,
		"simple_function_checker:wrong_count":                        cause.WrongCount,
		"multiple_function_checker:wrong_count":                      cause.WrongCount,
		"parallel_function_checker_no_order:wrong_count":             cause.WrongCount,
		"simple_exec_checker:wrong_count":                            cause.WrongCount,
		"value_error:exec_result_count":                              cause.WrongCount,
		"simple_function_checker:wrong_func_name":                    cause.WrongFunction,
		"parallel_function_checker_no_order:cannot_find_description": cause.WrongFunction,
		"simple_function_checker:missing_required":                   cause.MissingRequired,
		"simple_function_checker:missing_optional":                   cause.MissingRequired,
		"simple_function_checker:unexpected_param":                   cause.Unexpected,
		"type_error:simple":                                          cause.WrongType,
		"type_error:nested":                                          cause.WrongType,
		"type_error:java":                                            cause.WrongType,
		"type_error:js":                                              cause.WrongType,
		"value_error:string":                                         cause.WrongValue,
		"value_error:list/tuple":                                     cause.WrongValue,
		"value_error:others":                                         cause.WrongValue,
		"value_error:dict_key":                                       cause.WrongValue,
		"value_error:dict_value":                                     cause.WrongValue,
		"value_error:dict_items":                                     cause.WrongValue,
		"value_error:list_dict_count":                                cause.WrongValue,
		"value_error:exec_result_rest_count":                         cause.WrongValue,
		"dict_checker:unclear":                                       cause.WrongValue,
		"list_dict_checker:unclear":                                  cause.WrongValue,
		"executable_checker:wrong_result":                            cause.WrongValue,
		"executable_checker:wrong_result_real_time":                  cause.WrongValue,
		"executable_checker:cannot_find_match":                       cause.WrongValue,
		"executable_checker_rest:wrong_key":                          cause.WrongValue,
		"executable_checker:wrong_result_type":                       cause.WrongType,
		"executable_checker:wrong_result_type:dict_key_not_found":    cause.WrongType,
		"executable_checker_rest:wrong_type":                         cause.WrongType,
		"executable_checker:execution_error":                         cause.Execution,
		"executable_checker_rest:execution_error":                    cause.Execution,
		"executable_checker_rest:wrong_status_code":                  cause.Execution,
		"executable_checker_rest:cannot_get_status_code":             cause.Execution,
		"executable_checker_rest:response_format_error":              cause.Execution,
		"irrelevance_error:decoder_success":                          cause.UnwantedCall,
		"relevance_error:decoder_success":                            cause.UnwantedCall,
		"relevance_error:decoder_failed":                             cause.NoCall,
		"infrastructure:timeout":                                     cause.Infrastructure,
		"infrastructure:http:429":                                    cause.Infrastructure,
		"parallel_function_checker_no_order:cannot_find_match":       cause.Unexplained,
		"judge_error:unusable_answer":                                cause.Unexplained,
		"executable_checker:unclear":                                 cause.Unexplained,
		"made_up:by a file\x1b":                                      cause.Unexplained,
		":::":                                                        cause.Unexplained,
	} {
		assert.Equal(t, want, cause.KindOf(errorType), errorType)
	}
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
	unread := func(category string, result pyval.Value, errorType string) []pyval.Value {
		r := eval.Result{Category: categories.Find(category), Case: &eval.Case{ID: "x"}, Verdict: eval.Verdict{ErrorType: errorType}, Response: eval.Response{Result: result}}
		return UnreadOf(&r, eval.SettingsFor(eval.Prompt))
	}
	for category, errorTypes := range map[string]map[string]int{
		"simple_python":   {"ast_decoder:decoder_failed": 1, "ast_decoder:decoder_wrong_output_format": 1, "value_error:string": 0, "": 0},
		"live_relevance":  {"relevance_error:decoder_failed": 1},
		"irrelevance":     {"irrelevance_error:decoder_success": 0},
		"exec_simple":     {"executable_decoder:decoder_failed": 1},
		"multi_turn_base": {"multi_turn:instance_state_mismatch": 0},
	} {
		for errorType, want := range errorTypes {
			assert.Len(t, unread(category, pyval.Str("x"), errorType), want, "%s %s", category, errorType)
		}
	}
	steps := pyval.NewList(pyval.NewList(pyval.Str("I am done."), pyval.Str("[f(x=1)]")), pyval.Str("no turn"))
	assert.Len(t, unread("multi_turn_base", steps, ""), 1)
	assert.Empty(t, unread("multi_turn_base", nil, "ast_decoder:decoder_failed"))
}
