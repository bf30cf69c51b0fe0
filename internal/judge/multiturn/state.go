package multiturn

import (
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
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

// owners maps each method's name to the classes that have it.
var owners = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, class := range classes.Library.Classes() {
		for _, m := range class.Methods {
			out[m.Name] = class.Name
		}
	}
	return out
})

// touched are the classes whose states may differ: those called, on either
// side, since they were last found equal. What upstream leaks passes from one
// side's instance of a class to the other's, and so a call can pass it on, too.
type touched struct {
	all   bool
	names []string
}

// add notes a call. One that is not simply a method with literals may reach any
// class.
func (t *touched) add(call string) {
	if t.all {
		return
	}
	method, rest, _ := strings.Cut(call, "(")
	class, ok := owners()[method]
	switch {
	case !ok || strings.Contains(rest, "("):
		t.all = true
	case !t.has(class):
		t.names = append(t.names, class)
	}
}

func (t *touched) has(class string) bool {
	if t.all {
		return true
	}
	for _, name := range t.names {
		if name == class {
			return true
		}
	}
	return false
}

// clear notes that all states were found to be equal.
func (t *touched) clear() { t.all, t.names = false, t.names[:0] }
