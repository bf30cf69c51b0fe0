package trace

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// A replay executes a conversation's calls again, the model's and the ground
// truth's in turn, as the judge does.
type replay struct {
	*eval.Result
	asked    *eval.Case
	settings eval.Settings
	// model and truth are nil if the calls cannot be executed again.
	model, truth *sim.Env
	log          *pyval.List
	other        int // results that differ from those that were logged
}

// converse adds the turns of a conversation.
func (t *Trace) converse(result *eval.Result, model string, s eval.Settings) {
	r := &replay{Result: result, asked: result.Case, settings: s}
	log, _ := pyval.ParseJSON(result.Log) // which was checked, unless there is none
	r.log, _ = log.(*pyval.List)
	if r.asked.Scene != nil {
		t.Classes = r.asked.Scene.Classes
	}
	if err := r.open(model); err != nil {
		t.Notes = append(t.Notes, "the calls cannot be carried out again: "+err.Error()+"; the results shown are those that were logged, if any")
	}
	answer := result.Response.Result
	answered, _ := answer.(*pyval.List)
	for i := range max(len(r.asked.Turns), lengthOf(answered)) {
		t.Turns = append(t.Turns, r.turn(i, at(answer, i)))
	}
	if answered == nil && answer != nil {
		t.Notes = append(t.Notes, "the answer is not a list of turns: "+pyval.Text(answer))
	}
	if n := len(r.asked.Turns); answered != nil && len(answered.Items) < n {
		t.Notes = append(t.Notes, fmt.Sprintf("the conversation ended in turn %d of %d", len(answered.Items), n))
	}
	if r.other > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("results that differ from those logged when the model was asked: %d", r.other))
	}
}

func lengthOf(l *pyval.List) int {
	if l == nil {
		return 0
	}
	return len(l.Items)
}

func (r *replay) open(name string) (err error) {
	scene := r.asked.Scene
	if scene == nil {
		return fmt.Errorf("the case has no simulated APIs")
	}
	if scene.Script != nil {
		return nil // the log has what the table says
	}
	if r.Category.Agentic() {
		return fmt.Errorf("the record does not contain the data that the tools had")
	}
	setup := sim.Setup{Model: name, Entry: r.asked.ID, Involved: scene.Classes, Config: scene.Config, World: sim.NewWorld(scene.Long)}
	model, err := classes.Library.Open(setup)
	if err != nil {
		return err
	}
	setup.Model += "_ground_truth"
	r.truth, err = classes.Library.Open(setup)
	if err == nil {
		r.model = model
	}
	return err
}

func (r *replay) turn(i int, answered pyval.Value) Turn {
	t := Turn{Steps: []Step{}, Expected: []Call{}, Messages: []Message{}}
	if i < len(r.asked.Turns) {
		t.Messages = MessagesOf(r.asked.Turns[i])
	}
	if r.asked.Scene != nil {
		for _, doc := range r.asked.Scene.HeldOut[i] {
			if name, ok := doc.GetStr("name"); ok {
				t.NewTools = append(t.NewTools, pyval.Text(name))
			}
		}
	}
	steps, _ := answered.(*pyval.List)
	for k := range lengthOf(steps) {
		t.Steps = append(t.Steps, r.step(i, k, steps.Items[k]))
	}
	t.Expected = append(t.Expected, r.expected(i)...)
	return t
}

// expected returns the ground truth's calls of a turn with their results, or
// the accepted answers if an answer is expected instead.
func (r *replay) expected(turn int) []Call {
	if turns, ok := r.asked.Expected.(match.Turns); ok && turn < len(turns) && len(turns[turn].Calls) > 0 {
		return calls([]string{turns[turn].String()})
	}
	if r.asked.Answer == nil {
		return nil
	}
	if _, text := at(r.asked.Answer, 0).(pyval.Str); text {
		return calls(callTexts(r.asked.Answer))
	}
	wanted, _ := at(r.asked.Answer, turn).(*pyval.List)
	var texts []string
	for k := range lengthOf(wanted) {
		texts = append(texts, pyval.Text(wanted.Items[k]))
	}
	out := calls(texts)
	if r.truth != nil {
		setResults(out, r.truth.Execute(texts))
	}
	return out
}

func setResults(calls []Call, results []string) {
	for k := range min(len(calls), len(results)) {
		calls[k].Result = &results[k]
		calls[k].Error = sim.IsError(results[k])
	}
}

func (r *replay) step(turn, step int, answer pyval.Value) Step {
	s := Step{Calls: []Call{}}
	s.took(r.Entry, turn, step)
	if text, ok := answer.(pyval.Str); ok {
		s.Text = string(text)
	}
	texts, err := multiturn.Execute(answer, r.settings)
	switch {
	case err != nil && s.Text != "" && r.settings.Mode == eval.FC:
		return s // a text without calls is an answer like any other
	case err != nil:
		s.undecodable(answer, err)
		return s
	case multiturn.IsEmpty(texts):
		return s
	}
	s.Calls = calls(texts)
	seen := loggedResults(r.log, turn, step)
	if r.model == nil {
		setResults(s.Calls, seen)
		return s
	}
	before := make([]pyval.Value, len(r.model.Classes()))
	for i, class := range r.model.Classes() {
		instance, _ := r.model.Instance(class)
		before[i] = pyval.DeepCopy(instance.State())
	}
	results := r.model.Execute(texts)
	setResults(s.Calls, results)
	for k := range min(len(seen), len(results)) {
		if seen[k] != results[k] {
			r.other++
		}
	}
	for i, class := range r.model.Classes() {
		instance, _ := r.model.Instance(class)
		was, _ := before[i].(*pyval.Dict)
		for _, c := range sim.Changes(was, instance.State()) {
			change := Change{Class: class, Path: c.Path, Before: reprOf(c.Before), After: reprOf(c.After)}
			if c.Before != nil && c.After != nil && *change.Before == *change.After {
				continue // such as a folder that contains itself, which equals nothing
			}
			s.Changes = append(s.Changes, change)
		}
	}
	return s
}
