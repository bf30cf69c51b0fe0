package multiturn

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

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
func (e *entry) check(turns Turns, open opener) (*Fault, eval.Recovery) {
	var recovery eval.Recovery
	world := sim.NewWorld(e.long)
	model, err := e.open(e.model+evaluation, world)
	if err != nil {
		return unusable(err), recovery
	}
	reference, err := open(world)
	if err != nil {
		return unusable(err), recovery
	}
	k := &checker{
		entry: e, model: model, reference: reference,
		touched: touched{all: true}, done: make([]Executed, 0, len(turns)),
	}
	for i, steps := range turns {
		f := k.turn(i, steps)
		recovery.Add(k.recovery(i, f == nil))
		if f != nil {
			f.Calls, f.Wanted = steps, e.answer[i]
			return f, recovery
		}
	}
	return nil, recovery
}

// recovery counts a turn in which a tool answered the model with an error.
func (k *checker) recovery(turn int, passed bool) eval.Recovery {
	if len(k.answer[turn]) == 0 { // nothing could pass
		return eval.Recovery{}
	}
	for _, results := range k.done[turn].Model {
		for _, text := range results {
			if !sim.IsError(text) {
				continue
			}
			if passed {
				return eval.Recovery{Turns: 1, Passed: 1}
			}
			return eval.Recovery{Turns: 1}
		}
	}
	return eval.Recovery{}
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
