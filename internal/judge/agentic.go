package judge

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The error types, in upstream's spelling.
const (
	InferenceError = "agentic:inference_error"
	NoLastMessage  = "agentic:no_last_message"
	NotFound       = "agentic:answer_not_found"
	// Unusable is the error type of a verdict that upstream does not give:
	// its evaluator would raise and end the whole evaluation.
	NoMessage = multiturn.Unusable
)

// The texts of refusals are upstream's.
const (
	notTurns  = "Error during inference phase. Model did not output a list of model responses."
	noMessage = "Cannot find the last chat message that is not a function call."
	notFound  = "None of the expected answers were found in the model response."
)

// Agentic judges the answer to an agentic case as a result file holds it: a
// list of one turn of steps. The verdict's Detail is upstream's error dict.
func Agentic(c *eval.Case, result pyval.Value, s eval.Settings) eval.Verdict {
	m, ok, err := Read(result, s)
	switch {
	case err != nil:
		return unreadable(err)
	case !ok:
		return refused(InferenceError, pyval.NewList(pyval.Str(notTurns)))
	case m.Last == nil || !pyval.Truth(m.Last):
		return refused(NoLastMessage, pyval.NewList(pyval.Str(noMessage)))
	}
	if c.Answer == nil {
		return unreadable(errors.New("the case has no answer"))
	}
	v := Check(m.Last, c.Answer)
	if !v.Passed() {
		v.Fault = &Fault{Last: m.Last, Calls: m.Calls}
	}
	return v
}

// A Fault says what is known about an answer that is not the right one.
type Fault struct {
	// Last is the last message that is not a call.
	Last pyval.Value
	// Calls are the calls of the steps that have any.
	Calls [][]string
}

// Steps returns the calls.
func (f *Fault) Steps() [][]string { return f.Calls }

// A Message is the last thing a model said, and the calls before it.
type Message struct {
	// Last is the last step that is not a call; nil if every step is one. Calls
	// after it do not matter.
	Last pyval.Value
	// Calls are the calls of the steps that have any.
	Calls [][]string
}

// Read finds a result's last message. ok is false if the result is not a list
// of one turn; it is an error if the turn has no steps to iterate over.
func Read(result pyval.Value, s eval.Settings) (m Message, ok bool, err error) {
	turns, isList := result.(*pyval.List)
	if !isList || len(turns.Items) != 1 {
		return m, false, nil
	}
	steps, err := iterated(turns.Items[0])
	if err != nil {
		return m, true, err
	}
	for _, step := range steps {
		calls, err := multiturn.Execute(step, s)
		if err != nil || multiturn.IsEmpty(calls) {
			m.Last = step
			continue
		}
		m.Calls = append(m.Calls, calls)
	}
	return m, true, nil
}

// iterated returns what Python's for loop iterates over: for a text, its
// characters.
func iterated(v pyval.Value) ([]pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, nil
	case *pyval.Dict:
		return v.Keys(), nil
	case pyval.Str:
		return pyval.Characters(string(v)), nil
	}
	return nil, fmt.Errorf("expected a list, got %s", pyval.ATypeName(v))
}

func refused(errorType string, message pyval.Value) eval.Verdict {
	return eval.Verdict{Status: eval.Fail, ErrorType: errorType, Detail: pyval.Object("error_message", message, "error_type", pyval.Str(errorType))}
}

// unreadable returns the verdict in place of upstream's exception.
func unreadable(err error) eval.Verdict {
	return refused(NoMessage, pyval.NewList(pyval.Str("The result cannot be judged: "+err.Error())))
}
