package sqlrun

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The error types of statements that were carried out. Upstream has none: it
// never runs them.
const (
	executionError = "sql_checker:execution_error"
	wrongResult    = "sql_checker:wrong_result"
	wrongState     = "sql_checker:wrong_state"
)

// mostAccepted bounds how many ways of writing a possible answer are run.
const mostAccepted = 16

// Judge carries out a case's call, and those its possible answer stands for, on
// the case's tables. Their outcomes decide; compared, the verdict of comparing
// the calls themselves, is kept beside the decision. A call that cannot be made
// into a statement keeps that verdict: it is not a call of the case's function,
// or its arguments do not have the document's types.
func Judge(ctx context.Context, c *eval.Case, decoded pyval.Value, underscoreToDot bool, compared eval.Verdict) eval.Verdict {
	v := compared
	v.Compared = &compared
	made, ok := callOf(decoded, name(c, underscoreToDot))
	if !ok {
		return v
	}
	accepted, err := accept(ctx, c)
	if err != nil {
		return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:sql", Detail: pyval.Str("case " + c.ID + ": " + err.Error())}
	}
	errorType, message, err := check(ctx, c.Database, made, accepted)
	switch {
	case err != nil:
		return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:sql", Detail: pyval.Str("case " + c.ID + ": " + err.Error())}
	case errorType == "":
		return eval.Verdict{Compared: &compared}
	}
	return eval.Verdict{Status: eval.Fail, ErrorType: errorType, Detail: pyval.NewList(pyval.Str(message)), Compared: &compared}
}

func init() { eval.CarryOut(Judge) }

// name is the case's function as the model writes it.
func name(c *eval.Case, underscoreToDot bool) string {
	names := c.ToolNames()
	if len(names) != 1 {
		return ""
	}
	if underscoreToDot {
		return strings.ReplaceAll(names[0], ".", "_")
	}
	return names[0]
}

// callOf reads the one call of a list.
func callOf(v pyval.Value, name string) (call, bool) {
	list, ok := v.(*pyval.List)
	if !ok || len(list.Items) != 1 {
		return call{}, false
	}
	one, ok := list.Items[0].(*pyval.Dict)
	if !ok || one.Len() != 1 {
		return call{}, false
	}
	key, v := one.At(0)
	arguments, ok := v.(*pyval.Dict)
	if !ok || pyval.Text(key) != name {
		return call{}, false
	}
	return readCall(arguments)
}

// An expected is what an accepted statement leads to.
type expected struct {
	outcome
	ordered bool
}

// accept runs the statements that the possible answer stands for, each way of
// choosing among its accepted values; all of them must work.
func accept(ctx context.Context, c *eval.Case) ([]expected, error) {
	if c.Answer == nil {
		return nil, errors.New("there is no possible answer")
	}
	var out []expected
	seen := map[string]bool{}
	for _, arguments := range choices(c.Answer) {
		made, ok := readCall(arguments)
		if !ok {
			return nil, errors.New("no statement can be made from the possible answer")
		}
		s, err := made.statement()
		if err != nil {
			return nil, fmt.Errorf("possible answer: %w", err)
		}
		if seen[s.shown] {
			continue
		}
		seen[s.shown] = true
		o, err := run(ctx, c.Database, s)
		if err != nil {
			return nil, fmt.Errorf("possible answer %q: %w", s.shown, err)
		}
		out = append(out, expected{o, s.ordered})
	}
	if len(out) == 0 {
		return nil, errors.New("no statement can be made from the possible answer")
	}
	return out, nil
}

// choices are the arguments that a possible answer accepts, one value chosen
// for each parameter; "" leaves it out.
func choices(answer *pyval.List) []*pyval.Dict {
	if len(answer.Items) != 1 {
		return nil
	}
	one, ok := answer.Items[0].(*pyval.Dict)
	if !ok || one.Len() != 1 {
		return nil
	}
	_, v := one.At(0)
	parameters, ok := v.(*pyval.Dict)
	if !ok {
		return nil
	}
	out := []*pyval.Dict{pyval.NewDict(parameters.Len())}
	for key, accepted := range parameters.All() {
		values, ok := accepted.(*pyval.List)
		if !ok {
			return nil
		}
		out = chosen(out, key, values.Items)
	}
	return out
}

func chosen(all []*pyval.Dict, key pyval.Value, values []pyval.Value) []*pyval.Dict {
	var out []*pyval.Dict
	for _, arguments := range all {
		for _, v := range values {
			if len(out) == mostAccepted {
				return out
			}
			next := arguments.Clone()
			if v != pyval.Str("") {
				next.SetStr(pyval.Text(key), v)
			}
			out = append(out, next)
		}
	}
	return out
}

// check runs a call and says how its result differs from what is
// expected first; "" if it is like any that is expected.
func check(ctx context.Context, d *eval.Database, made call, accepted []expected) (errorType, message string, err error) {
	s, err := made.statement()
	if err != nil {
		return executionError, fmt.Sprintf("No statement can be made from the call: %s.", clip(err.Error())), nil
	}
	got, err := run(ctx, d, s)
	var why refusal
	switch {
	case errors.As(err, &why):
		return executionError, fmt.Sprintf("Error in execution of %q: %s.", clip(s.shown), reason(why.error)), nil
	case err != nil:
		return "", "", err
	}
	for _, want := range accepted {
		kind, difference := differ(want.outcome, got, want.ordered)
		if kind == "" {
			return "", "", nil
		}
		if errorType == "" {
			errorType, message = kind, fmt.Sprintf("Wrong outcome of %q: %s.", clip(s.shown), difference)
		}
	}
	return errorType, message, nil
}
