// Package judge says whether decoded calls are right: upstream's ast_checker
// and its relevance check, verdict for verdict. There is one file per rule.
//
//	simple      one call against one document          simple_function_checker
//	multiple    one call, several documents            multiple_function_checker
//	parallel    several calls in any order             parallel_function_checker_no_order
//	type        a value's type, one level deep         type_checker
//	string      a str, spelling relaxed                string_checker
//	list        a list, spelling of its strings too    list_checker
//	dict        a dict, key by key                     dict_checker
//	list_dict   a list of dicts                        list_dict_checker
//
// A rule returns nil or a fault. Upstream's quirks are kept where a verdict
// depends on them, and named where they are.
//
// If upstream's checker would raise and so end the whole evaluation, because a
// document or a possible answer has a shape that it cannot use, the verdict is a
// failure of type Unusable.
package judge

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Options say how to judge an answer.
type Options struct {
	// Rule says how many calls are wanted, and of how many functions.
	Rule eval.Rule
	// Language is the language of the function documents.
	Language eval.Language
	// Release is the release of the checker: see v1.go.
	Release eval.Release
	// UnderscoreToDot is upstream's model setting of that name: the model saw
	// "_" in place of each "." in function names.
	UnderscoreToDot bool
}

// AST judges decoded calls by function documents and possible answers: the part
// of upstream's _evaluate_single_ast_entry after decoding, with its format
// check and ast_checker.
func AST(docs []*pyval.Dict, decoded pyval.Value, answer *pyval.List, o Options) eval.Verdict {
	list, ok := decoded.(*pyval.List)
	if !ok || !o.isCalls(list) {
		return failed("ast_decoder:decoder_wrong_output_format",
			"Did not output in the specified format. Note: the model_result is wrapped in a string to ensure json serializability.")
	}
	var answers []pyval.Value
	if answer != nil {
		answers = answer.Items
	}
	return check(docs, list.Items, answers, &o).verdict()
}

func check(docs []*pyval.Dict, calls, answers []pyval.Value, o *Options) *fault {
	switch {
	case o.parallel():
		return parallel(docs, calls, answers, o)
	case o.manyDocs():
		return multiple(docs, calls, answers, o)
	}
	return single(docs, calls, answers, o)
}

// DecodeFailure returns the verdict on an answer that could not be decoded.
func DecodeFailure(err error) eval.Verdict {
	return failed("ast_decoder:decoder_failed", "Invalid syntax. Failed to decode AST. "+reason(err))
}

// reason returns what upstream writes for an exception it caught: its text
// without its class; "None" without an exception.
func reason(err error) string {
	if err == nil {
		return "None"
	}
	var failure *decode.Error
	if errors.As(err, &failure) {
		return failure.Msg
	}
	return err.Error()
}
