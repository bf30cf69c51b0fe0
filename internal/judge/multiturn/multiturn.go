// Package multiturn says whether a model did what a multi-turn case asked: by the
// state in which it left the simulated APIs after every turn, and by the answers
// that it obtained from them.
//
//	multiturn  a result to a verdict     _evaluate_single_multi_turn_entry
//	decode     a result to call texts    decode_execute of upstream's handlers
//	check      turn by turn              multi_turn_checker
//	state      instances compared        state_checker
//	response   results compared          response_checker
//	fault      why a result is refused   upstream's error dicts
//	reference  the reference's side, run live or recorded
//
// The model's calls and the reference's run on instances of their own, which
// live as long as the judgement: nothing is shared between cases.
package multiturn

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The error types, in upstream's spelling.
const (
	InferenceError   = "multi_turn:inference_error"
	ForceTerminated  = "multi_turn:force_terminated"
	EmptyTurn        = "multi_turn:empty_turn_model_response"
	StateMismatch    = "multi_turn:instance_state_mismatch"
	ResponseMismatch = "multi_turn:execution_response_mismatch"
	// Unusable is the error type of a verdict that upstream does not give:
	// its evaluator would raise and end the whole evaluation, because the
	// result, the case or its answer has a shape it cannot use.
	Unusable = "judge_error:unusable_result"
)

// unnamed is the model's name if it does not matter.
const unnamed = "model"

// Judge judges a result as a result file holds it: a list of turns, each a
// list of steps. The verdict's Detail is upstream's error dict.
func Judge(c *eval.Case, result pyval.Value, s eval.Settings) eval.Verdict {
	return JudgeAs(unnamed, c, result, s)
}

// JudgeAs is Judge under a model's name. Upstream names instances after the
// model, and such a name can end up in a stored text.
func JudgeAs(model string, c *eval.Case, result pyval.Value, s eval.Settings) eval.Verdict {
	e, err := newEntry(c, model)
	if err != nil {
		return unusable(err).Verdict()
	}
	return e.judge(result, s, e.live)
}

// An entry is what the checks need of a case. It does not change.
type entry struct {
	id       string
	model    string
	involved []string
	config   *pyval.Dict
	answer   [][]string // turns of call texts
	long     *eval.LongContext
}

func newEntry(c *eval.Case, model string) (*entry, error) {
	if c.Scene == nil || c.Answer == nil {
		return nil, fmt.Errorf("case %s has no simulated APIs or no answer", c.ID)
	}
	e := &entry{id: c.ID, model: model, involved: c.Scene.Classes, config: c.Scene.Config, long: c.Scene.Long}
	e.answer = make([][]string, len(c.Answer.Items))
	for i, turn := range c.Answer.Items {
		var err error
		if e.answer[i], err = texts(turn); err != nil {
			return nil, fmt.Errorf("case %s: answer, turn %d: %w", c.ID, i+1, err)
		}
	}
	return e, nil
}

func texts(v pyval.Value) ([]string, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("expected a list of texts")
	}
	out := make([]string, len(list.Items))
	for i, item := range list.Items {
		s, ok := item.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("item %d is %s, not a text", i+1, pyval.ATypeName(item))
		}
		out[i] = string(s)
	}
	return out, nil
}

// judge is upstream's _evaluate_single_multi_turn_entry.
func (e *entry) judge(result pyval.Value, s eval.Settings, open opener) eval.Verdict {
	list, ok := result.(*pyval.List)
	if !ok {
		f := &Fault{Type: InferenceError, Turn: -1, Message: notTurns, listed: true}
		return f.Verdict()
	}
	turns, err := decodeTurns(list, s)
	switch {
	case len(list.Items) != len(e.answer):
		f := e.terminated(len(list.Items))
		if err == nil && len(turns) > 0 {
			f.Calls = turns[len(turns)-1]
		}
		return f.Verdict()
	case err != nil:
		return unusable(err).Verdict()
	}
	f, recovery := e.check(turns, open)
	v := f.Verdict()
	v.Recovery = recovery
	return v
}

const notTurns = "Error during inference phase. Model did not output a list of model responses."

func (e *entry) terminated(turns int) *Fault {
	return &Fault{Type: ForceTerminated, Turn: -1, listed: true, Message: fmt.Sprintf(
		"Model was force-terminated during inference phase. The length of the model result turns (%d) does not match the length of the ground truth turns (%d).",
		turns, len(e.answer))}
}
