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
	return pyval.Object("Model Result Index "+strconv.Itoa(i),
		pyval.Object("sub_error", pyval.NewList(o.Error...), "sub_error_type", pyval.Str(o.ErrorType), "model_executed_output", output))
}

// A Rule says how a result is compared with the expected one.
type Rule string

// Upstream's match rules. It treats every other name like StructuralMatch.
const (
	ExactMatch      Rule = "exact_match"
	RealTimeMatch   Rule = "real_time_match"
	StructuralMatch Rule = "structural_match"
)

// tolerance is the share by which a result may differ under RealTimeMatch,
// upstream's REAL_TIME_MATCH_ALLOWED_DIFFERENCE.
const tolerance = 0.2

// An Outcome is what upstream's executable checkers give.
type Outcome struct {
	Valid bool
	// ErrorType is upstream's; a valid outcome may have one too.
	ErrorType string
	// Error is upstream's list of errors.
	Error []pyval.Value
	// Output is the result of a refused call; nil if upstream's result has
	// none.
	Output pyval.Value
}

const unclear = "executable_checker:unclear"

func accepted() Outcome { return Outcome{Valid: true, ErrorType: unclear} }

func refused(errorType string, output pyval.Value, format string, args ...any) Outcome {
	text := pyval.Str(fmt.Sprintf(format, args...))
	return Outcome{ErrorType: errorType, Error: []pyval.Value{text}, Output: output}
}

// Match compares a call's result with the expected one, as upstream's
// executable_checker_simple does. In a sanity check a dict needs only as many
// keys as the expected one.
func (r Rule) Match(call string, got, want pyval.Value, sanity bool) Outcome {
	if t, ok := got.(*pyval.Tuple); ok {
		got = pyval.NewList(t.Items...)
	}
	m := matcher{call: pyval.Repr(pyval.Str(call)), got: got, want: want, sanity: sanity}
	switch r {
	case ExactMatch:
		if pyval.Equal(m.got, m.want) {
			return accepted()
		}
		return m.wrong("wrong_result", " for %s. Expected: %s, but got: %s.", m.call, pyval.Text(m.want), pyval.Text(m.got))
	case RealTimeMatch:
		return m.realTime()
	}
	return m.structural()
}

type matcher struct {
	call      string // its repr
	got, want pyval.Value
	sanity    bool
}

// wrong is the refusal of the call's result: "Wrong execution result" and how.
func (m *matcher) wrong(errorType, format string, args ...any) Outcome {
	return refused("executable_checker:"+errorType, m.got, "Wrong execution result"+format, args...)
}

// realTime accepts nothing if the expected value is negative, or too large for a
// float, for which upstream's checker raises.
func (m *matcher) realTime() Outcome {
	const errorType, differs = "wrong_result_real_time", " for %s. Expected: %s, but got: %s. "
	if !isReal(m.got) || !isReal(m.want) {
		return m.wrong(errorType, differs+"Type needs to be float or int for real time match criteria.",
			m.call, pyval.Text(m.want), pyval.Text(m.got))
	}
	if low, err := pyval.Operate("*", m.want, pyval.Float(1-tolerance)); err == nil {
		high, _ := pyval.Operate("*", m.want, pyval.Float(1+tolerance)) // it fails only if the product above does
		above, _ := pyval.Order("<=", low, m.got)
		below, _ := pyval.Order("<=", m.got, high)
		if above && below {
			return accepted()
		}
	}
	return m.wrong(errorType, differs+"%s%% difference allowed.",
		m.call, pyval.Text(m.want), pyval.Text(m.got), pyval.Text(pyval.Float(tolerance*100)))
}

func isReal(v pyval.Value) bool { return v.Kind() == pyval.KindInt || v.Kind() == pyval.KindFloat }

func (m *matcher) structural() Outcome {
	const errorType = "wrong_result_type"
	const length = " pattern for %s. Expect type %s, but wrong number of elements in the output. Expected length: %d, but got: %d."
	const key = " pattern for %s. Expect type Dict, but key %s not %s in the model output."
	if !pyval.SameType(m.got, m.want) {
		return m.wrong(errorType, " type for %s. Expected type: <class '%s'>, but got: <class '%s'>.",
			m.call, pyval.TypeName(m.want), pyval.TypeName(m.got))
	}
	switch got := m.got.(type) {
	case *pyval.List:
		if want := m.want.(*pyval.List); len(got.Items) != len(want.Items) {
			return m.wrong(errorType+":list_length", length, m.call, "list", len(want.Items), len(got.Items))
		}
	case *pyval.Dict:
		want := m.want.(*pyval.Dict)
		if m.sanity {
			if got.Len() != want.Len() {
				return m.wrong(errorType+":dict_length", length, m.call, "Dict", want.Len(), got.Len())
			}
			return accepted()
		}
		if k := lacking(got, want); k != nil {
			return m.wrong(errorType+":dict_key_not_found", key, m.call, pyval.Repr(k), "found")
		}
		if k := lacking(want, got); k != nil {
			return m.wrong(errorType+":dict_extra_key", key, m.call, pyval.Repr(k), "expected")
		}
	}
	return accepted()
}

// lacking is the first key of a dict that another lacks; nil if there is none.
func lacking(d, of *pyval.Dict) pyval.Value {
	for key := range of.All() {
		if _, ok := d.Get(key); !ok {
			return key
		}
	}
	return nil
}
