package classes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

const raised = "Error during execution: "

// A script is calls on one instance, and the texts that answer them. The files
// of testdata, each named after its class, hold scripts, one below another:
//
//	scenario JSON     begins a script
//	> call            and its answer on the next line; "> .name" is an attribute
//	refused JSON      a scenario that is no instance's, and the error below it
//	hostile JSON      a scenario for TestHostile
type script struct {
	class         *sim.Class
	kind          string
	scenario      string
	calls, answer []string // for a refused one, answer is the error
}

func scripts(t testing.TB) (all []*script) {
	t.Helper()
	library := classes.With(classes.Services{Embedder: testkit.Embedder{}})
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		class, ok := library.Class(strings.TrimSuffix(filepath.Base(file), ".txt"))
		require.True(t, ok, file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "", "#":
			case "scenario", "refused", "hostile":
				all = append(all, &script{class: class, kind: word, scenario: rest})
			case ">":
				all[len(all)-1].calls = append(all[len(all)-1].calls, rest)
			default:
				all[len(all)-1].answer = append(all[len(all)-1].answer, line)
			}
		}
	}
	return all
}

// TestScripts runs the scripts of testdata.
func TestScripts(t *testing.T) {
	for _, s := range scripts(t) {
		switch s.kind {
		case "refused":
			_, err := s.class.New(sim.Table(s.scenario), sim.NewWorld(nil))
			if assert.Error(t, err, s.scenario) {
				assert.Equal(t, s.answer, []string{sim.AsException(err).Msg}, s.scenario)
			}
		case "scenario":
			env := open(t, s.class, s.scenario, nil)
			require.Len(t, s.answer, len(s.calls), "%s: %s", s.class.Name, s.scenario)
			for i, call := range s.calls {
				assert.Equal(t, s.answer[i], answered(env, s.class, call), "%s: %s", s.class.Name, call)
			}
		}
	}
}

func answered(env *sim.Env, class *sim.Class, call string) string {
	name, ok := strings.CutPrefix(call, ".")
	if !ok {
		return env.Call(call).Text
	}
	instance, _ := env.Instance(class.Name)
	v, _ := instance.State().GetStr(name)
	return pyval.Repr(v)
}

// open returns one side of a case: an instance of a class with a scenario,
// which is given as JSON.
func open(t testing.TB, class *sim.Class, scenario string, world *sim.World) *sim.Env {
	t.Helper()
	env, err := sim.NewLibrary(class).Open(sim.Setup{
		Model: "m", Entry: "multi_turn_base_0", Involved: []string{class.Name},
		Config: sim.Answer(class.Name, sim.Table(scenario)), World: world,
	})
	require.NoError(t, err)
	return env
}

func BenchmarkScripts(b *testing.B) {
	all := scripts(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range all {
			if s.kind == "scenario" {
				open(b, s.class, s.scenario, nil).Execute(s.calls)
			}
		}
	}
}
