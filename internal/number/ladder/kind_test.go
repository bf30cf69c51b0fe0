package ladder

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestKindOf(t *testing.T) {
	for errorType, want := range map[string]Kind{
		"":                                                           "",
		"multi_turn:instance_state_mismatch":                         WrongState,
		"multi_turn:execution_response_mismatch":                     MissingResult,
		"multi_turn:empty_turn_model_response":                       EmptyTurn,
		"multi_turn:force_terminated":                                CutOff,
		"multi_turn:inference_error":                                 Infrastructure,
		"agentic:answer_not_found":                                   WrongAnswer,
		"agentic:no_last_message":                                    NoAnswer,
		"agentic:inference_error":                                    Infrastructure,
		"multi_turn:of a later release":                              Unexplained,
		"ast_decoder:decoder_failed":                                 Malformed,
		"ast_decoder:decoder_wrong_output_format":                    Malformed,
		"executable_decoder:decoder_failed":                          Malformed,
		"executable_decoder:wrong_output_format":                     Malformed,
		"executable_decoder:rest_wrong_output_format":                Malformed,
		"simple_function_checker:wrong_count":                        WrongCount,
		"multiple_function_checker:wrong_count":                      WrongCount,
		"parallel_function_checker_no_order:wrong_count":             WrongCount,
		"simple_exec_checker:wrong_count":                            WrongCount,
		"value_error:exec_result_count":                              WrongCount,
		"simple_function_checker:wrong_func_name":                    WrongFunction,
		"parallel_function_checker_no_order:cannot_find_description": WrongFunction,
		"simple_function_checker:missing_required":                   MissingRequired,
		"simple_function_checker:missing_optional":                   MissingRequired,
		"simple_function_checker:unexpected_param":                   Unexpected,
		"type_error:simple":                                          WrongType,
		"type_error:nested":                                          WrongType,
		"type_error:java":                                            WrongType,
		"type_error:js":                                              WrongType,
		"value_error:string":                                         WrongValue,
		"value_error:list/tuple":                                     WrongValue,
		"value_error:others":                                         WrongValue,
		"value_error:dict_key":                                       WrongValue,
		"value_error:dict_value":                                     WrongValue,
		"value_error:dict_items":                                     WrongValue,
		"value_error:list_dict_count":                                WrongValue,
		"value_error:exec_result_rest_count":                         WrongValue,
		"dict_checker:unclear":                                       WrongValue,
		"list_dict_checker:unclear":                                  WrongValue,
		"executable_checker:wrong_result":                            WrongValue,
		"executable_checker:wrong_result_real_time":                  WrongValue,
		"executable_checker:cannot_find_match":                       WrongValue,
		"executable_checker_rest:wrong_key":                          WrongValue,
		"executable_checker:wrong_result_type":                       WrongType,
		"executable_checker:wrong_result_type:dict_key_not_found":    WrongType,
		"executable_checker_rest:wrong_type":                         WrongType,
		"executable_checker:execution_error":                         Execution,
		"executable_checker_rest:execution_error":                    Execution,
		"executable_checker_rest:wrong_status_code":                  Execution,
		"executable_checker_rest:cannot_get_status_code":             Execution,
		"executable_checker_rest:response_format_error":              Execution,
		"irrelevance_error:decoder_success":                          UnwantedCall,
		"relevance_error:decoder_success":                            UnwantedCall,
		"relevance_error:decoder_failed":                             NoCall,
		"infrastructure:timeout":                                     Infrastructure,
		"infrastructure:http:429":                                    Infrastructure,
		"parallel_function_checker_no_order:cannot_find_match":       Unexplained,
		"judge_error:unusable_answer":                                Unexplained,
		"executable_checker:unclear":                                 Unexplained,
		"made_up:by a file\x1b":                                      Unexplained,
		":::":                                                        Unexplained,
	} {
		assert.Equal(t, want, KindOf(errorType), errorType)
	}
	titles := map[string]Kind{}
	for _, kind := range kinds {
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
		want                                       Kind
	}{
		{"prose", "simple_python", `"How many litres do you want?"`, "", "ast_decoder:decoder_failed", NoCall},
		{"prose about a function", "simple_python", `"The function toast needs slices."`, "", "ast_decoder:decoder_failed", NoCall},
		{"empty text", "simple_python", `""`, "", "ast_decoder:decoder_failed", NoCall},
		{"broken call", "simple_python", `"[toast(slices=2"`, "", "ast_decoder:decoder_failed", Malformed},
		{"broken call of no function", "simple_python", `"bake(2"`, "", "ast_decoder:decoder_failed", Malformed},
		{"call in prose", "simple_python", `"I would use kettle_boil(litres=2)."`, "", "ast_decoder:decoder_failed", Malformed},
		{"fenced JSON", "simple_python", "\"```json\\n[{\\\"x\\\": 1}]\\n```\"", "", "ast_decoder:decoder_failed", Malformed},
		{"name in quotes", "simple_python", `"Here: {\"name\": \"toast\"}"`, "", "ast_decoder:decoder_failed", Malformed},
		{"tag", "simple_python", `"<tool_call>"`, "", "ast_decoder:decoder_failed", Malformed},
		{"broken arguments", "simple_python", `[{"toast": "{\"slices"}]`, "", "ast_decoder:decoder_failed", Malformed},
		{"no tool calls", "simple_python", `[]`, `[]`, "simple_function_checker:wrong_count", NoCall},
		{"two tool calls", "simple_python", `[{}, {}]`, `[{}, {}]`, "simple_function_checker:wrong_count", WrongCount},
		{"Java's nothing", "simple_java", `"Nothing."`, `{}`, "ast_decoder:decoder_wrong_output_format", NoCall},
		{"JavaScript's nothing", "simple_javascript", `"Nothing."`, `null`, "ast_decoder:decoder_wrong_output_format", NoCall},
		{"numbers", "simple_python", `"1, 2"`, `[1, 2]`, "ast_decoder:decoder_wrong_output_format", Malformed},
		{"upstream's own failure", "simple_python", `"Error during inference: 429"`, "", "ast_decoder:decoder_failed", Infrastructure},
		{"relevance, prose", "live_relevance", `"Which one?"`, "", "relevance_error:decoder_failed", NoCall},
		{"relevance, attempt", "live_relevance", `"toast(slices="`, "", "relevance_error:decoder_failed", Malformed},
		{"irrelevance", "irrelevance", `[{"toast": "{}"}]`, `[{"toast": {}}]`, "irrelevance_error:decoder_success", UnwantedCall},
		{"wrong state", "multi_turn_base", `[[[{"toast": "{}"}]]]`, `[[[{"toast": "{}"}]]]`, "multi_turn:instance_state_mismatch", WrongState},
		{"empty turn", "multi_turn_base", `[[]]`, `[[]]`, "multi_turn:empty_turn_model_response", EmptyTurn},
		{"upstream's failed conversation", "multi_turn_base", `"Error during inference: 429"`, "", "multi_turn:inference_error", Infrastructure},
		{"an answer that is not a conversation", "multi_turn_base", `"Hello."`, "", "multi_turn:inference_error", Unexplained},
		{"a type that tells", "simple_python", `[{"toast": "{}"}]`, `[{"toast": {}}]`, "value_error:string", WrongValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			item := newCase(t, tools, `[{"toast": {"slices": [2]}}]`)
			a := Answer{Result: value(t, c.result)}
			if c.decoded != "" {
				a.Decoded = value(t, c.decoded)
			}
			v := eval.Verdict{Status: eval.Fail, ErrorType: c.errorType}
			assert.Equal(t, c.want, Of(categories.Find(c.category), item, a, v).Kind)
		})
	}
}

// FuzzOf grades what models may write, in both modes: no panic, and agreement
// with the verdict.
func FuzzOf(f *testing.F) {
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
				g := Of(cat, item, Answer{result, decoded, s}, v)
				if v.Passed() != (g.Level == Values) || v.Passed() != (g.Kind == "") || g.Kind == Unexplained {
					t.Fatalf("%s: level %s and kind %q of verdict %q", cat.Name, g.Level, g.Kind, v.ErrorType)
				}
			}
		}
	})
}
