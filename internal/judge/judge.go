// Package judge says whether decoded calls are right: upstream's ast_checker
// and its relevance check, verdict for verdict.
//
//	simple      one call against one document          simple_function_checker
//	parallel    one call, several documents            multiple_function_checker
//	            several calls in any order             parallel_function_checker_no_order
//	type        a value's type, one level deep         type_checker
//	string      a str, spelling relaxed                string_checker
//	list        a list, spelling of its strings too    list_checker
//	            a dict, key by key                     dict_checker
//	            a list of dicts                        list_dict_checker
//
// A rule returns nil or a fault, or ends in one: see judged. Upstream's quirks
// are kept where a verdict depends on them, and named where they are.
//
// If upstream's checker would raise and so end the whole evaluation, because a
// document or a possible answer has a shape that it cannot use, the verdict is a
// failure of type Unusable.
package judge

import (
	"errors"
	"fmt"

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
	return judged(func() *fault { return check(docs, list.Items, answers, &o) }).verdict()
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

// Unusable is the error type of a verdict that upstream does not give: its
// checker would raise on the document or the possible answer and end the
// whole evaluation.
const Unusable = "judge_error:unusable_answer"

// A fault is why an answer is refused. Its text is made only when it is read,
// because parallel matching drops most faults unread.
type fault struct {
	errorType string
	// text makes the fault's entry in upstream's `error` list.
	text func() string
	// before is the fault whose entries come first, if upstream goes on after
	// an error; its error type is lost.
	before *fault
	// items makes the whole `error` list of a parallel fault.
	items func() []pyval.Value
	// param is the missing parameter; nil for other faults.
	param pyval.Value
}

func refuse(errorType string, text func() string) *fault {
	return &fault{errorType: errorType, text: text}
}

// unusable ends judging, as upstream's exception does, with a fault: see judged.
func unusable(format string, args ...any) *fault {
	panic(refuse(Unusable, func() string {
		return "The answer cannot be judged: " + fmt.Sprintf(format, args...)
	}))
}

// judged returns a rule's fault, or that which ended it.
func judged(rule func() *fault) (flaw *fault) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *fault:
			flaw = r
		default:
			panic(r)
		}
	}()
	return rule()
}

// A tried is what an operation on a document or an answer gave.
type tried[T any] struct {
	value T
	err   error
}

func try[T any](value T, err error) tried[T] { return tried[T]{value, err} }

// or returns the value. An error ends judging; what and about, which may be
// nil, say of what.
func (t tried[T]) or(what string, about pyval.Value) T {
	switch {
	case t.err == nil:
	case what == "":
		unusable("%v", t.err)
	case about == nil:
		unusable("%s: %v", what, t.err)
	default:
		unusable("%s %s: %v", what, pyval.Repr(about), t.err)
	}
	return t.value
}

// after makes f follow another fault, which may be nil.
func (f *fault) after(before *fault) *fault {
	f.before = before
	return f
}

// list returns upstream's `error` list.
func (f *fault) list() []pyval.Value {
	if f == nil {
		return nil
	}
	if f.items != nil {
		return f.items()
	}
	entries := f.before.list()
	if f.text != nil {
		entries = append(entries, pyval.Str(f.text()))
	}
	return entries
}

func (f *fault) verdict() eval.Verdict {
	if f == nil {
		return eval.Verdict{}
	}
	return eval.Verdict{Status: eval.Fail, ErrorType: f.errorType, Detail: pyval.NewList(f.list()...)}
}

// failed returns a verdict with one line of text.
func failed(errorType, text string) eval.Verdict {
	return eval.Verdict{Status: eval.Fail, ErrorType: errorType, Detail: pyval.NewList(pyval.Str(text))}
}

// wrongValue refuses a value that is not among the accepted ones. The note is
// put after them.
func wrongValue(errorType string, param, value, accepted pyval.Value, note string) *fault {
	return refuse(errorType, func() string {
		return "Invalid value for parameter " + pyval.Repr(param) + ": " + pyval.Repr(value) +
			". Expected one of " + pyval.Text(accepted) + "." + note
	})
}

// Relevance judges only whether a call was made: upstream's
// _evaluate_single_relevance_entry. eval.Irrelevance wants no call,
// eval.Relevance wants one. An answer that could not be decoded has no call.
func Relevance(rule eval.Rule, release eval.Release, decoded pyval.Value, decodeErr error) eval.Verdict {
	if release == eval.V1 {
		return relevanceV1(decoded, decodeErr)
	}
	called := decodeErr == nil && !decode.IsEmpty(decoded)
	switch unwanted := rule == eval.Irrelevance; {
	case called && unwanted:
		return failed("irrelevance_error:decoder_success",
			"Valid syntax. Successfully decode AST when it should not.")
	case !called && !unwanted:
		return failed("relevance_error:decoder_failed",
			"Invalid syntax. Failed to decode AST when it should have. "+reason(decodeErr))
	}
	return eval.Verdict{}
}
