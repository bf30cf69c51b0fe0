package exec

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// An Expected is an expected result and the rule that compares with it.
type Expected struct {
	Value pyval.Value
	Rule  Rule
}

// Expect runs the calls of a possible answer. Upstream does so before it
// judges: the dataset has calls and rules, but no results. A call's rule is the
// one at its position; there may be more rules. An error means that the case
// cannot be judged.
func Expect(ctx context.Context, env *Env, calls []string, rules []Rule) ([]Expected, error) {
	if len(rules) < len(calls) {
		return nil, fmt.Errorf("%d calls have %d match rules", len(calls), len(rules))
	}
	out := make([]Expected, len(calls))
	for i, call := range calls {
		v, err := Run(ctx, env, call)
		if err != nil {
			return nil, fmt.Errorf("possible answer %q: %w", clip(call), err)
		}
		out[i] = Expected{Value: throughJSON(v), Rule: rules[i]}
	}
	return out, nil
}

// throughJSON is a value after it was written as JSON and read again.
func throughJSON(v pyval.Value) pyval.Value {
	text, err := pyval.JSON(v, 0)
	if err != nil {
		return v
	}
	again, err := pyval.ParseJSON(text)
	if err != nil {
		return v
	}
	return again
}

// Judge carries out decoded calls and judges their results: upstream's
// executable checkers behind its decoding and its format gate. In category
// "executable_simple" (single) exactly one call is right; in all others every
// expected result takes the first unused call that matches.
func Judge(ctx context.Context, env *Env, single bool, want []Expected, decoded pyval.Value, decodeErr error) eval.Verdict {
	return verdict(Check(ctx, env, single, want, decoded, decodeErr))
}

// Check is Judge with all fields of upstream's result. An error is
// infrastructure's.
func Check(ctx context.Context, env *Env, single bool, want []Expected, decoded pyval.Value, decodeErr error) (Outcome, error) {
	calls, ok := texts(decoded)
	switch {
	case decodeErr != nil:
		return decoderFailed(decodeErr), nil
	case !ok:
		return wrongFormat("executable_decoder:wrong_output_format"), nil
	case single && len(want) == 0:
		return Outcome{}, errors.New("the case expects no result")
	case single && len(calls) != 1:
		return refused("simple_exec_checker:wrong_count", nil, "Wrong number of functions."), nil
	case single:
		return match(ctx, env, calls[0], want[0])
	case len(calls) != len(want):
		return refused("value_error:exec_result_count", nil,
			"Wrong number of functions provided. Expected %d, but got %d.", len(want), len(calls)), nil
	}
	return noOrder(ctx, env, calls, want)
}

func verdict(o Outcome, err error) eval.Verdict {
	switch {
	case err != nil:
		return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:" + eval.InfraKind(err), Detail: pyval.Str(err.Error())}
	case o.Valid:
		return eval.Verdict{}
	}
	return eval.Verdict{
		Status: eval.Fail, ErrorType: o.ErrorType, Detail: pyval.NewList(o.Error...), Executed: &eval.Executed{Output: o.Output},
	}
}

func decoderFailed(err error) Outcome {
	return refused("executable_decoder:decoder_failed", nil, "Failed to decode executable. %s", reason(err))
}

// reason is str(exception) of the exception that a decoder raised.
func reason(err error) string {
	var raised *pyval.Exception
	var failed *decode.Error
	switch {
	case errors.As(err, &raised):
		return raised.Msg
	case errors.As(err, &failed):
		return failed.Msg
	}
	return err.Error()
}

func wrongFormat(errorType string) Outcome {
	return refused(errorType, nil, "Did not output in the specified format. Note: the model_result is wrapped in a string to ensure json serializability.")
}

// texts is upstream's is_executable_format_output: a list of at least one str
// and nothing else.
func texts(decoded pyval.Value) ([]string, bool) {
	list, ok := decoded.(*pyval.List)
	if !ok || len(list.Items) == 0 {
		return nil, false
	}
	out := make([]string, len(list.Items))
	for i, item := range list.Items {
		s, ok := item.(pyval.Str)
		if !ok {
			return nil, false
		}
		out[i] = string(s)
	}
	return out, true
}

// match runs one call and compares its result.
func match(ctx context.Context, env *Env, call string, want Expected) (Outcome, error) {
	got, err := Run(ctx, env, call)
	if raised := exception(err); raised != nil {
		return refused("executable_checker:execution_error", nil, "Error in execution: %s. Error: %s",
			pyval.Repr(pyval.Str(call)), raised.Msg), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	return want.Rule.Match(call, got, want.Value, false), nil
}

// noOrder is upstream's executable_checker_parallel_no_order: every expected
// result takes the first unused call that matches.
func noOrder(ctx context.Context, env *Env, calls []string, want []Expected) (Outcome, error) {
	used := make([]bool, len(calls))
next:
	for index, w := range want {
		var left []string
		var refusals []pyval.Value
		for i, call := range calls {
			if used[i] {
				continue
			}
			o, err := match(ctx, env, call, w)
			if err != nil {
				return Outcome{}, err
			}
			if used[i] = o.Valid; o.Valid {
				continue next
			}
			left, refusals = append(left, strconv.Itoa(i)), append(refusals, o.asResult(i))
		}
		o := refused("executable_checker:cannot_find_match", nil,
			"Could not find a matching function among index [%s] of model output for index %d of possible answers.",
			strings.Join(left, ", "), index)
		o.Error = append(o.Error, refusals...)
		return o, nil
	}
	return accepted(), nil
}

// asResult is how upstream lists a call that did not match.
func (o Outcome) asResult(i int) pyval.Value {
	output := o.Output
	if output == nil {
		output = pyval.None
	}
	return record("Model Result Index "+strconv.Itoa(i),
		record("sub_error", pyval.NewList(o.Error...), "sub_error_type", pyval.Str(o.ErrorType), "model_executed_output", output))
}
