package multiturn

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A Fault says why a result is refused.
type Fault struct {
	Type    string // one of the error types
	Message string
	Turn    int // counted from 0; -1 if no turn is at fault
	// Executed are the results of all turns up to the one at fault.
	Executed []Executed
	// Calls are the model's calls in the turn at fault, by step; if the
	// conversation ended early, those of its last turn. Wanted are the
	// reference's.
	Calls  [][]string
	Wanted []string

	// Class is the class whose states differ, with what differs and the whole
	// states, in upstream's form.
	Class            string
	Differences      []Difference
	Model, Reference *pyval.Dict
	// Changes returns the places inside the class's states that differ, from
	// the reference's value to the model's.
	Changes func() []sim.Change

	// Missing are the results that the reference obtained and the model did
	// not.
	Missing []string

	pool   []string // the model's results of all turns so far
	listed bool     // upstream writes the message as a list of one
}

// unusable returns the fault in place of upstream's exception.
func unusable(err error) *Fault {
	return &Fault{Type: Unusable, Turn: -1, listed: true, Message: "The result cannot be judged: " + err.Error()}
}

// Steps returns the calls.
func (f *Fault) Steps() [][]string { return f.Calls }

// Verdict returns a pass for nil.
func (f *Fault) Verdict() eval.Verdict {
	if f == nil {
		return eval.Verdict{}
	}
	return eval.Verdict{Status: eval.Fail, ErrorType: f.Type, Detail: f.Error(), Fault: f}
}

// Error returns upstream's error dict.
func (f *Fault) Error() *pyval.Dict {
	d := pyval.Object("error_message", f.message(), "error_type", pyval.Str(f.Type))
	switch f.Type {
	case EmptyTurn:
		d.SetStr("details", pyval.Object("execution_result", executed(f.Executed)))
	case StateMismatch:
		differences := pyval.NewDict(len(f.Differences))
		for _, x := range f.Differences {
			differences.SetStr(x.Attribute, pyval.Object("model", x.Model, "ground_truth", x.Reference))
		}
		d.SetStr("details", pyval.Object("differences", differences, "model_instance_state", f.Model, "ground_truth_instance_state", f.Reference))
		d.SetStr("execution_result", executed(f.Executed))
	case ResponseMismatch:
		d.SetStr("details", pyval.Object(
			"missing_items", pyval.Texts(f.Missing),
			"model_response (including all previous turns)", pyval.Texts(f.pool),
			"ground_truth_response (only the current turn)", pyval.Texts(f.Executed[f.Turn].Reference)))
	}
	return d
}

func (f *Fault) message() pyval.Value {
	if f.listed {
		return pyval.NewList(pyval.Str(f.Message))
	}
	return pyval.Str(f.Message)
}

// executed returns upstream's execution_result.
func executed(turns []Executed) pyval.Value {
	out := &pyval.List{Items: make([]pyval.Value, len(turns))}
	for i, turn := range turns {
		steps := &pyval.List{Items: make([]pyval.Value, len(turn.Model))}
		for n, results := range turn.Model {
			steps.Items[n] = pyval.Texts(results)
		}
		out.Items[i] = pyval.Object("model", steps, "ground_truth", pyval.Texts(turn.Reference))
	}
	return out
}
