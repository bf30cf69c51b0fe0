// Package multiturn says whether a model did what a multi-turn case asked: by the
// state in which it left the simulated APIs after every turn, and by the answers
// that it obtained from them.
//
//	multiturn  a result to a verdict     _evaluate_single_multi_turn_entry
//	           turn by turn              multi_turn_checker
//	decode     a result to call texts    decode_execute of upstream's handlers
//	           results compared          response_checker
//	state      instances compared        state_checker
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
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
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
	steps, err := decodeTurns(list, s)
	turns := steps.Called()
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
	v := e.check(turns, open).Verdict()
	v.Steps = steps
	return v
}

const notTurns = "Error during inference phase. Model did not output a list of model responses."

func (e *entry) terminated(turns int) *Fault {
	return &Fault{Type: ForceTerminated, Turn: -1, listed: true, Message: fmt.Sprintf(
		"Model was force-terminated during inference phase. The length of the model result turns (%d) does not match the length of the ground truth turns (%d).",
		turns, len(e.answer))}
}

// evaluation is what upstream appends to a model's name when it evaluates, and
// groundTruth what it appends on the reference's side.
const (
	evaluation  = "_eval"
	groundTruth = "_ground_truth"
)

// Executed are the results of one turn's calls, on both sides.
type Executed struct {
	Model     [][]string // by step
	Reference []string
}

// A checker checks the turns of one result.
type checker struct {
	*entry
	model     *sim.Env
	reference side
	touched   touched
	pool      []string // the model's results of all turns so far
	done      []Executed
}

// check is upstream's multi_turn_checker: the first failure ends it.
func (e *entry) check(turns Turns, open opener) *Fault {
	world := sim.NewWorld(e.long)
	model, err := e.open(e.model+evaluation, world)
	if err != nil {
		return unusable(err)
	}
	reference, err := open(world)
	if err != nil {
		return unusable(err)
	}
	k := &checker{
		entry: e, model: model, reference: reference,
		touched: touched{all: true}, done: make([]Executed, 0, len(turns)),
	}
	for i, steps := range turns {
		if f := k.turn(i, steps); f != nil {
			f.Calls, f.Wanted = steps, e.answer[i]
			return f
		}
	}
	return nil
}

func (e *entry) open(model string, world *sim.World) (*sim.Env, error) {
	return classes.Library.Open(sim.Setup{
		Model: model, Entry: e.id, Involved: e.involved, Config: e.config, World: world,
	})
}

func (k *checker) turn(i int, steps [][]string) *Fault {
	k.execute(i, steps)
	switch {
	case len(k.answer[i]) == 0: // there is no reference; what the model did counts later
		return nil
	case len(steps) == 0 || len(steps) == 1 && len(steps[0]) == 0:
		return &Fault{Type: EmptyTurn, Turn: i, Executed: k.done, Message: fmt.Sprintf("Model response list is empty for turn %d", i)}
	}
	if f := k.compareStates(i); f != nil {
		return f
	}
	return k.compareResponses(i)
}

// execute runs a turn's calls, the model's first.
func (k *checker) execute(i int, steps [][]string) {
	results := make([][]string, len(steps))
	for n, calls := range steps {
		results[n] = k.model.Execute(calls)
		k.pool = append(k.pool, results[n]...)
		k.touch(calls)
	}
	k.done = append(k.done, Executed{Model: results, Reference: k.reference.run(i)})
	k.touch(k.answer[i])
}

func (k *checker) touch(calls []string) {
	for _, call := range calls {
		k.touched.add(call)
	}
}
