package sim_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// longContext returns the official dataset's long-context data.
func longContext(t testing.TB) *eval.LongContext {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v4", "long_context.json")))(t)
	return testkit.Must(eval.ParseLongContext(data))(t)
}

// A checker runs the recorded traces of a file.
type checker struct {
	*testkit.Comparison
	long *eval.LongContext
}

func (c *checker) trace() {
	c.Helper()
	row, id := c.Row, testkit.Text(c.Row, "id")
	env, err := c.open(row)
	if err != nil {
		c.Errorf("%s: %v", id, err)
		return
	}
	for i, item := range testkit.Field(row, "calls").(*pyval.List).Items {
		c.call(fmt.Sprint(id, " call ", i), env, item.(*pyval.Dict))
	}
	c.directory(id, env, testkit.Field(row, "cwd"))
	states := testkit.Field(row, "final_state").(*pyval.Dict)
	for _, class := range env.Classes() {
		c.state(id, env, class, testkit.Field(states, class))
	}
}

func (c *checker) open(row *pyval.Dict) (*sim.Env, error) {
	var involved []string
	for _, item := range testkit.Field(row, "involved_classes").(*pyval.List).Items {
		involved = append(involved, pyval.Text(item))
	}
	config, _ := testkit.Field(row, "initial_config").(*pyval.Dict)
	entry := testkit.Text(row, "test_entry_id")
	world := sim.NewWorld(nil)
	if strings.Contains(entry, "long_context") || strings.Contains(entry, "composite") {
		world.Long = c.long
	}
	return classes.Library.Open(sim.Setup{
		Model: testkit.Text(row, "model_name"), Entry: entry, Involved: involved, Config: config, World: world,
	})
}

func (c *checker) call(about string, env *sim.Env, call *pyval.Dict) {
	c.Helper()
	c.Note("calls")
	want, src := testkit.Text(call, "r"), testkit.Text(call, "c")
	if newer := testkit.Text(call, "r312"); newer != "" {
		want = newer
	}
	got := env.Call(src)
	switch {
	case testkit.Flag(call, "set_order") && sorted(got.Text) == sorted(want):
	case got.Text != want && got.Raised != nil && freeWords(call, want):
		c.Note("calls with other words for the same error")
	default:
		c.Same(about+" "+src, want, got.Text)
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
	c.Note("final states")
	instance, _ := env.Instance(class)
	c.Same(id+" final state of "+class, canon(decode(c, want)), canon(instance.State()))
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
	want = sim.Answer("current_working_directory", pyval.Str(path))
	c.Same(id+" current directory", testkit.Must(pyval.JSON(want, 0))(c), env.Call("pwd()").Text)
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
