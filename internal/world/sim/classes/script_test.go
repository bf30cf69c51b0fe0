package classes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A step is a call, as text, and the text that answers it.
type step struct{ Call, Want string }

// open returns one side of a case: an instance of a class with a scenario,
// which is given as JSON.
func open(t testing.TB, class *sim.Class, scenario string, world *sim.World) *sim.Env {
	t.Helper()
	env, err := sim.NewLibrary(class).Open(sim.Setup{
		Model: "m", Entry: "multi_turn_base_0", Involved: []string{class.Name},
		Config: sim.Answer(class.Name, sim.Table(scenario)), World: world,
	})
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// script runs steps, one after another, on one instance.
func script(t *testing.T, class *sim.Class, scenario string, steps ...step) {
	t.Helper()
	env := open(t, class, scenario, nil)
	for i, step := range steps {
		if diff := cmp.Diff(step.Want, env.Call(step.Call).Text); diff != "" {
			t.Errorf("step %d, %s (-want +got):\n%s", i, step.Call, diff)
		}
	}
}

// sameDocs compares a class's table of methods with the dataset's tool documents in
// a file of multi_turn_func_doc: names, order, parameters, and which of them
// are required.
func sameDocs(t *testing.T, class *sim.Class, file string) {
	t.Helper()
	at := 0
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "multi_turn_func_doc", file), func(line int, doc *pyval.Dict) {
		if at = line; line > len(class.Methods) {
			return
		}
		m := class.Methods[line-1]
		if diff := cmp.Diff(documented(doc), declared(m)); diff != "" {
			t.Errorf("%s.%s, line %d of %s (-documented +declared):\n%s", class.Name, m.Name, line, file, diff)
		}
	})
	if at != len(class.Methods) {
		t.Errorf("%s: %d methods, %d documents", class.Name, len(class.Methods), at)
	}
}

// declared returns a method as its name and parameters, with parameters that
// have defaults in [].
func declared(m sim.Method) []string {
	out := []string{m.Name}
	for _, p := range m.Params {
		if p.Default != nil {
			out = append(out, "["+p.Name+"]")
		} else {
			out = append(out, p.Name)
		}
	}
	return out
}

func documented(doc *pyval.Dict) []string {
	out := []string{testkit.Text(doc, "name")}
	params := testkit.Field(doc, "parameters").(*pyval.Dict)
	required := testkit.Field(params, "required")
	for name := range testkit.Field(params, "properties").(*pyval.Dict).All() {
		text := pyval.Text(name)
		if is, _ := pyval.Contains(required, name); !is {
			text = "[" + text + "]"
		}
		out = append(out, text)
	}
	return out
}
