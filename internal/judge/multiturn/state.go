package multiturn

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A Difference is an attribute that a model left in another state than the
// reference did.
type Difference struct {
	Attribute        string
	Model, Reference pyval.Value // in upstream's form; Model is None if the attribute is missing
}

// compareStates is upstream's state_checker: the first class that differs ends
// the check, and all of its differing attributes are returned.
func (k *checker) compareStates(turn int) *Fault {
	for _, class := range k.model.Classes() {
		if !k.touched.has(class) {
			continue
		}
		instance, _ := k.model.Instance(class)
		got, want := instance.State(), k.reference.state(class)
		names := differing(got, want)
		if names == nil {
			continue
		}
		f := &Fault{
			Type: StateMismatch, Turn: turn, Executed: k.done, Class: class,
			Message: "Model instance for " + class + " does not match the state with ground truth instance.",
			Model:   sim.Describe(instance), Reference: k.reference.described(class),
			Changes: func() []sim.Change { return sim.Changes(want, got) },
		}
		for _, name := range names {
			f.Differences = append(f.Differences, Difference{name, valueOf(f.Model, name), valueOf(f.Reference, name)})
		}
		return f
	}
	k.touched.clear()
	return nil
}

// differing returns the reference's attributes that differ by Python's !=.
func differing(model, reference *pyval.Dict) []string {
	var out []string
	for i := range reference.Len() {
		name, want := reference.At(i)
		got, ok := attribute(model, i, name)
		if !ok || !pyval.Equal(got, want) {
			out = append(out, pyval.Text(name))
		}
	}
	return out
}

// attribute finds an attribute at the position of the other side, or else by
// name.
func attribute(state *pyval.Dict, i int, name pyval.Value) (pyval.Value, bool) {
	if i < state.Len() {
		if at, v := state.At(i); pyval.Equal(at, name) {
			return v, true
		}
	}
	return state.Get(name)
}

func valueOf(state *pyval.Dict, name string) pyval.Value {
	if v, ok := state.GetStr(name); ok {
		return v
	}
	return pyval.None
}
