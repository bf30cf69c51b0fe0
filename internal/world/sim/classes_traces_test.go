package sim_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// maxShown is the most differences that are printed.
const maxShown = 40

// longContext returns the official dataset's long-context data.
func longContext(t testing.TB) *eval.LongContext {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v4", "long_context.json")))(t)
	return testkit.Must(eval.ParseLongContext(data))(t)
}

// A count counts what was compared.
type count struct {
	Traces, States     int
	Calls, Foreign     int // calls of classes that the library lacks
	Equal, EqualStates int
	OtherWords         int // calls that fail as upstream's do, but with a different error text of CPython's
}

// traces runs the recorded traces of a class on a library that has it, and
// reports every difference. Calls of classes that the library lacks are
// skipped.
func traces(t *testing.T, lib *sim.Library, class string) count {
	t.Helper()
	c := &checker{T: t, lib: lib, long: longContext(t)}
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "traces_"+class+".jsonl"), func(_ int, row *pyval.Dict) {
		c.trace(row)
	})
	t.Logf("%s: %d of %d calls equal (%d of other classes skipped, %d with other words for the same error), %d of %d final states, %d traces",
		class, c.Equal, c.Calls, c.Foreign, c.OtherWords, c.EqualStates, c.States, c.count.Traces)
	return c.count
}

type checker struct {
	*testing.T
	count
	lib   *sim.Library
	long  *eval.LongContext
	shown int
}

func (c *checker) differ(format string, args ...any) {
	c.Helper()
	if c.shown++; c.shown <= maxShown {
		c.Errorf(format, args...)
	} else {
		c.Fail()
	}
}

func (c *checker) trace(row *pyval.Dict) {
	c.Helper()
	c.count.Traces++
	id := testkit.Text(row, "id")
	env, err := c.open(row)
	if err != nil {
		c.differ("%s: %v", id, err)
		return
	}
	foreign := len(env.Classes()) < len(names(row))
	for i, item := range testkit.Field(row, "calls").(*pyval.List).Items {
		call := item.(*pyval.Dict)
		if foreign && !c.ours(testkit.Text(call, "c")) {
			c.Foreign++
			continue
		}
		c.call(id, i, env, call)
	}
	c.directory(id, env, testkit.Field(row, "cwd"))
	states := testkit.Field(row, "final_state").(*pyval.Dict)
	for _, class := range env.Classes() {
		c.state(id, env, class, testkit.Field(states, class))
	}
}

func names(row *pyval.Dict) []string {
	var out []string
	for _, item := range testkit.Field(row, "involved_classes").(*pyval.List).Items {
		out = append(out, pyval.Text(item))
	}
	return out
}

func (c *checker) open(row *pyval.Dict) (*sim.Env, error) {
	involved := slices.DeleteFunc(names(row), func(name string) bool {
		_, ok := c.lib.Class(name)
		return !ok
	})
	config, _ := testkit.Field(row, "initial_config").(*pyval.Dict)
	entry := testkit.Text(row, "test_entry_id")
	world := sim.NewWorld(nil)
	if strings.Contains(entry, "long_context") || strings.Contains(entry, "composite") {
		world.Long = c.long
	}
	return c.lib.Open(sim.Setup{
		Model: testkit.Text(row, "model_name"), Entry: entry, Involved: involved, Config: config, World: world,
	})
}

// ours reports whether the library has the class of a call.
func (c *checker) ours(call string) bool {
	name, _, _ := strings.Cut(call, "(")
	for _, class := range c.lib.Classes() {
		for _, m := range class.Methods {
			if m.Name == name {
				return true
			}
		}
	}
	return false
}

func (c *checker) call(id string, i int, env *sim.Env, call *pyval.Dict) {
	c.Helper()
	c.Calls++
	want := testkit.Text(call, "r")
	if newer := testkit.Text(call, "r312"); newer != "" {
		want = newer
	}
	got := env.Call(testkit.Text(call, "c"))
	switch {
	case got.Text == want, testkit.Flag(call, "set_order") && sorted(got.Text) == sorted(want):
		c.Equal++
	case got.Raised != nil && freeWords(call, want):
		c.Equal++
		c.OtherWords++
	default:
		c.differ("%s call %d %q:\n got %q\nwant %q", id, i, shorten(testkit.Text(call, "c")), shorten(got.Text), shorten(want))
	}
}

// freeWords reports whether an error's text is CPython's, which differs between
// versions.
func freeWords(call *pyval.Dict, want string) bool {
	switch testkit.Text(call, "x") {
	case "SyntaxError", "AttributeError", "RecursionError", "IndexError":
		return true
	case "TypeError":
		return !strings.Contains(want, "() got ") && !strings.Contains(want, "() missing ") && !strings.Contains(want, "() takes ")
	}
	return false
}

func (c *checker) state(id string, env *sim.Env, class string, want pyval.Value) {
	c.Helper()
	c.States++
	instance, _ := env.Instance(class)
	got, expected := canon(instance.State()), canon(decode(c, want))
	if got == expected {
		c.EqualStates++
		return
	}
	at := 0
	for at < min(len(got), len(expected)) && got[at] == expected[at] {
		at++
	}
	at = max(0, at-80)
	c.differ("%s final state of %s, from byte %d:\n got %q\nwant %q", id, class, at, shorten(got[at:]), shorten(expected[at:]))
}

// directory compares the file system's current directory with the recorded
// names from the root to it. Traces of other classes have none.
func (c *checker) directory(id string, env *sim.Env, want pyval.Value) {
	c.Helper()
	names, ok := want.(*pyval.List)
	if _, has := env.Instance("GorillaFileSystem"); !ok || !has {
		return
	}
	path := ""
	for _, name := range names.Items {
		path += "/" + pyval.Text(name)
	}
	expected, err := pyval.JSON(sim.Answer("current_working_directory", pyval.Str(path)), 0)
	if got := env.Call("pwd()").Text; err != nil || got != expected {
		c.differ("%s current directory: got %q, want %q", id, shorten(got), shorten(expected))
	}
}

func sorted(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

func shorten(s string) string {
	const most = 300
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
