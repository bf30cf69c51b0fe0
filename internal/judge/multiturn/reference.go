package multiturn

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A side is the reference's side of a judgement.
type side interface {
	// run executes the next turn's calls and returns their results.
	run(turn int) []string
	// state returns the state of a class after the last turn that was run.
	state(class string) *pyval.Dict
	// described returns the state in the form that upstream writes into score
	// files.
	described(class string) *pyval.Dict
}

// An opener opens the reference's side in the world of one judgement.
type opener func(world *sim.World) (side, error)

// live returns the reference's side, run beside the model's.
func (e *entry) live(world *sim.World) (side, error) {
	env, err := e.open(e.model+groundTruth+evaluation, world)
	if err != nil {
		return nil, err
	}
	return &liveSide{env: env, answer: e.answer}, nil
}

type liveSide struct {
	env    *sim.Env
	answer [][]string
}

func (l *liveSide) run(turn int) []string { return l.env.Execute(l.answer[turn]) }

func (l *liveSide) instance(class string) sim.Instance {
	i, _ := l.env.Instance(class) // both sides have the case's classes
	return i
}

func (l *liveSide) state(class string) *pyval.Dict { return l.instance(class).State() }

func (l *liveSide) described(class string) *pyval.Dict { return sim.Describe(l.instance(class)) }

// A Reference judges many results of one case, running the reference's calls
// only once. It may be used by any number of goroutines.
type Reference struct {
	*entry
	turns []recorded // nil if results must be judged side by side
}

// A recorded turn has the results of the reference's calls, and the states
// after it.
type recorded struct {
	results []string
	states  map[string]*pyval.Dict
	opaque  map[string]bool // classes whose states only their instances can describe
}

// still is an instance that is never called.
type still struct{ state *pyval.Dict }

func (s still) State() *pyval.Dict { return s.state }

// NewReference runs the reference's calls of a case. The error says what in the
// case cannot be used.
func NewReference(c *eval.Case) (*Reference, error) {
	e, err := newEntry(c, unnamed)
	if err != nil {
		return nil, err
	}
	r := &Reference{entry: e}
	if !e.repeatable() {
		return r, nil
	}
	world := sim.NewWorld(e.long)
	env, err := e.open(e.model+groundTruth+evaluation, world)
	if err != nil {
		return nil, err
	}
	turns, last := make([]recorded, len(e.answer)), recorded{}
	for i, calls := range e.answer {
		results := env.Execute(calls)
		last = snapshot(env, last)
		turns[i], turns[i].results = last, results
	}
	if !world.Leaks() {
		r.turns = turns
	}
	return r, nil
}

// repeatable reports whether no name of an instance, and so of a model, can get
// into the reference's results. Upstream's process_method_calls puts one before
// every known name that is followed by "(", also inside literals.
func (e *entry) repeatable() bool {
	for _, calls := range e.answer {
		for _, call := range calls {
			if strings.Count(call, "(") > 1 {
				return false
			}
		}
	}
	return true
}

// snapshot copies the states, but takes those that are as before from the last turn.
func snapshot(env *sim.Env, last recorded) recorded {
	classes := env.Classes()
	r := recorded{states: make(map[string]*pyval.Dict, len(classes)), opaque: map[string]bool{}}
	for _, class := range classes {
		instance, _ := env.Instance(class)
		if state := instance.State(); last.states == nil || pyval.Repr(state) != pyval.Repr(last.states[class]) {
			r.states[class], _ = pyval.DeepCopy(state).(*pyval.Dict)
		} else {
			r.states[class] = last.states[class]
		}
		_, r.opaque[class] = instance.(sim.Describer)
	}
	return r
}

// Judge is JudgeAs for the reference's case.
func (r *Reference) Judge(model string, result pyval.Value, s eval.Settings) eval.Verdict {
	e, open := r.under(model)
	return e.judge(result, s, open)
}

// Check is Check for the reference's case.
func (r *Reference) Check(turns Turns, model string) *Fault {
	e, open := r.under(model)
	if len(turns) != len(e.answer) {
		return e.terminated(len(turns))
	}
	return e.check(turns, open)
}

// under returns the case under a model's name, and the reference's side of it.
func (r *Reference) under(model string) (*entry, opener) {
	e := *r.entry
	e.model = model
	if r.turns == nil {
		return &e, e.live
	}
	return &e, func(*sim.World) (side, error) { return &replayed{entry: &e, turns: r.turns}, nil }
}

// A replayed side is read from a Reference.
type replayed struct {
	*entry
	turns []recorded
	at    int
}

func (p *replayed) run(turn int) []string {
	p.at = turn
	return p.turns[turn].results
}

func (p *replayed) state(class string) *pyval.Dict { return p.turns[p.at].states[class] }

// described runs the reference's calls again if the recorded state does not
// have the text.
func (p *replayed) described(class string) *pyval.Dict {
	if !p.turns[p.at].opaque[class] {
		return sim.Describe(still{p.state(class)})
	}
	again, err := p.live(sim.NewWorld(p.long))
	if err != nil {
		return p.state(class)
	}
	for turn := range p.at + 1 {
		again.run(turn)
	}
	return again.described(class)
}
