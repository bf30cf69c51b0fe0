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

// TestKindOf: a type is of the kind of what it begins with, and of none if that says
// nothing.
func TestKindOf(t *testing.T) {
	for errorType, want := range map[string]cause.Kind{
		"infrastructure:http:429": cause.Infrastructure, "executable_decoder:rest_wrong_output_format": cause.Malformed, "type_error:nested": cause.WrongType,
		"value_error:list/tuple": cause.WrongValue, "value_error:exec_result_count": cause.WrongCount, "executable_checker:wrong_result_type:dict_key_not_found": cause.WrongType,
		"irrelevance_error:decoder_success": cause.UnwantedCall, "relevance_error:decoder_failed": cause.NoCall, "simple_function_checker:missing_optional": cause.MissingRequired,
		"multi_turn:of_a_later_release": cause.Unexplained, "made_up:by_a_file\x1b": cause.Unexplained, ":::": cause.Unexplained, "": "",
	} {
		assert.Equal(t, want, cause.KindOf(errorType), errorType)
	}
	titles := map[string]bool{}
	for _, kind := range cause.Kinds() {
		assert.False(t, kind.Title() == "" || titles[kind.Title()], kind)
		titles[kind.Title()] = true
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
