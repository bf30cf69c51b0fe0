// Package cause has the words for why a case did not pass: the kinds of the
// taxonomy, the levels that an answer may reach, and what a failure is about.
package cause

import (
	"slices"
	"strings"
)

// A Kind is a reason why a result failed.
type Kind string

// The kinds of the taxonomy.
const (
	WrongFunction   Kind = "wrong_function"
	WrongCount      Kind = "wrong_count"
	MissingRequired Kind = "missing_required"
	Unexpected      Kind = "unexpected_parameter"
	WrongType       Kind = "type"
	WrongValue      Kind = "value"
	Malformed       Kind = "malformed_call"
	NoCall          Kind = "no_call"
	UnwantedCall    Kind = "unwanted_call"
	Execution       Kind = "execution_error"
	// The kinds of conversations.
	WrongState    Kind = "wrong_state"
	MissingResult Kind = "missing_result"
	EmptyTurn     Kind = "empty_turn"
	CutOff        Kind = "cut_off"
	WrongAnswer   Kind = "wrong_answer"
	NoAnswer      Kind = "no_answer"

	Infrastructure Kind = "infrastructure"
	// Unexplained is for results with an error type that says nothing and no
	// available answer.
	Unexplained Kind = "unexplained"
)

// order is that of columns, whoever failed: from an answer without a call to one
// whose values are wrong, then conversations.
var order = []Kind{
	NoCall, Malformed, UnwantedCall, WrongCount, WrongFunction, MissingRequired, Unexpected, WrongType, WrongValue, Execution,
	EmptyTurn, WrongState, MissingResult, WrongAnswer, NoAnswer, CutOff, Unexplained, Infrastructure,
}

// kindTitles are the words for causes, everywhere.
var kindTitles = map[Kind]string{
	WrongFunction: "wrong function", WrongCount: "wrong number of calls", MissingRequired: "missing parameter",
	Unexpected: "unexpected parameter", WrongType: "wrong type", WrongValue: "wrong value",
	Malformed: "malformed call", NoCall: "no call", UnwantedCall: "called when it should not",
	Execution: "execution error", WrongState: "wrong end state", MissingResult: "required call missing",
	EmptyTurn: "turn without a call", CutOff: "cut off", WrongAnswer: "wrong answer", NoAnswer: "no answer",
	Infrastructure: "infrastructure error", Unexplained: "not shown by the error type",
}

// Title returns the kind in words.
func (k Kind) Title() string { return kindTitles[k] }

// Kinds returns all kinds, in an order that does not depend on the numbers.
func Kinds() []Kind { return slices.Clone(order) }

// kinds maps upstream's error types and ours to kinds. A type that begins with
// one of these is of that kind too: upstream appends details to some.
var kinds = map[string]Kind{
	"ast_decoder:decoder_failed":              Malformed,
	"ast_decoder:decoder_wrong_output_format": Malformed,
	"executable_decoder":                      Malformed, // decoder_failed, wrong_output_format, rest_wrong_output_format

	"simple_function_checker:wrong_count":                 WrongCount,
	"multiple_function_checker:wrong_count":               WrongCount,
	"parallel_function_checker_no_order:wrong_count":      WrongCount,
	"parallel_function_checker_enforce_order:wrong_count": WrongCount,
	"simple_exec_checker:wrong_count":                     WrongCount,
	"value_error:exec_result_count":                       WrongCount, // of the calls, despite its name

	"simple_function_checker:wrong_func_name":                         WrongFunction,
	"parallel_function_checker_no_order:cannot_find_description":      WrongFunction,
	"parallel_function_checker_enforce_order:cannot_find_description": WrongFunction,

	"simple_function_checker:missing_required": MissingRequired,
	"simple_function_checker:missing_optional": MissingRequired,
	"simple_function_checker:unexpected_param": Unexpected,

	"type_error": WrongType, // simple, nested, java, js

	"value_error":                               WrongValue, // string, others, list/tuple, dict_key, dict_value, dict_items, list_dict_count, exec_result_rest_count
	"dict_checker":                              WrongValue, // unclear
	"list_dict_checker":                         WrongValue, // unclear
	"executable_checker:wrong_result":           WrongValue,
	"executable_checker:wrong_result_real_time": WrongValue,
	"executable_checker:wrong_result_type":      WrongType,
	"executable_checker:cannot_find_match":      WrongValue, // no call gave the expected result
	"executable_checker_rest:wrong_type":        WrongType,
	"executable_checker_rest:wrong_key":         WrongValue,

	"executable_checker:execution_error":             Execution,
	"executable_checker_rest:execution_error":        Execution,
	"executable_checker_rest:wrong_status_code":      Execution,
	"executable_checker_rest:cannot_get_status_code": Execution,
	"executable_checker_rest:response_format_error":  Execution,

	"irrelevance_error":               UnwantedCall, // decoder_success
	"relevance_error:decoder_success": UnwantedCall, // the first release's irrelevance
	"relevance_error:decoder_failed":  NoCall,

	"multi_turn:instance_state_mismatch":     WrongState,
	"multi_turn:execution_response_mismatch": MissingResult,
	"multi_turn:empty_turn_model_response":   EmptyTurn,
	"multi_turn:force_terminated":            CutOff,
	"cut_off":                                CutOff,         // by the limit of tokens
	"multi_turn:inference_error":             Infrastructure, // the result is the text of a failed request
	"agentic:answer_not_found":               WrongAnswer,
	"agentic:no_last_message":                NoAnswer,
	"agentic:inference_error":                Infrastructure,

	"matcher":          WrongValue, // of a user's own suite, with the matcher's name
	"calls:missing":    WrongCount,
	"calls:unexpected": WrongCount,
	"calls:too_many":   WrongCount,
	"calls:in_order":   WrongFunction,
	"calls:none_of":    UnwantedCall,

	"infrastructure": Infrastructure,
	"judge_error":    Unexplained,
	"parallel_function_checker_no_order:cannot_find_match": Unexplained,
	"executable_checker:unclear":                           Unexplained,
}

// KindOf returns the kind of an error type if nothing is known about the
// answer; "" for a pass.
func KindOf(errorType string) Kind {
	if errorType == "" {
		return ""
	}
	for key := errorType; ; {
		if kind, ok := kinds[key]; ok {
			return kind
		}
		cut := strings.LastIndexByte(key, ':')
		if cut < 0 {
			return Unexplained
		}
		key = key[:cut]
	}
}
