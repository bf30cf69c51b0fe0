package memory_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

func sortedKeys(d *pyval.Dict) []string {
	var out []string
	for key := range d.All() {
		out = append(out, pyval.Text(key))
	}
	sort.Strings(out)
	return out
}

func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// damaged are snapshots that no instance may begin with, and what is said of
// them.
var damaged = []struct {
	class             *sim.Class
	snapshot, trouble string
}{
	{memory.KV, `{}`, `"core_memory" is missing`},
	{memory.KV, `{"core_memory": {}, "archival_memory": []}`, `"archival_memory" is missing or not an object`},
	{memory.KV, `{"core_memory": {"a": 1}, "archival_memory": {}}`, `"a" is of type int`},
	{memory.RecSum, `{"memory": null}`, `"memory" is missing or not a string`},
	{memory.RecSum, `{"core_memory": {}, "archival_memory": {}}`, `"memory" is missing`},
	{memory.Vector(stub{}), `{"core_memory": {"next_id": 1}, "archival_memory": {}}`, `"store" is missing`},
	{memory.Vector(stub{}), `{"core_memory": {"next_id": "1", "store": {}}, "archival_memory": {}}`, `next_id`},
	{memory.Vector(stub{}), `{"core_memory": {"next_id": 1, "store": {"1": "x"}}, "archival_memory": {}}`, `the key "1"`},
	{memory.Vector(stub{}), `{"core_memory": {"next_id": 2, "store": {"01": "x"}}, "archival_memory": {}}`, `the key "01"`},
}

func TestDamagedSnapshots(t *testing.T) {
	for _, c := range damaged {
		before := testkit.Must(memory.Read(c.snapshot))(t)
		_, err := sim.NewLibrary(c.class).Open(sim.Setup{
			Entry: "memory_kv_0-garden-0", Involved: []string{c.class.Name}, Config: sim.Answer(c.class.Name, memory.Scenario(before)),
		})
		assert.ErrorContains(t, err, c.trouble, c.snapshot)
	}
	for _, file := range []string{"", "{", "[]", `"x"`} {
		assert.Error(t, testkit.Err(memory.Read(file)), file)
	}
}

// open returns an instance of a class that remembers nothing yet.
func open(t *testing.T, class *sim.Class, world *sim.World) *sim.Env {
	t.Helper()
	return testkit.Must(sim.NewLibrary(class).Open(sim.Setup{Involved: []string{class.Name}, Config: sim.Answer(class.Name, &pyval.Dict{}), World: world}))(t)
}

// TestGrowth: replacing gets round upstream's bound on the text, not ours.
func TestGrowth(t *testing.T) {
	env := open(t, memory.RecSum, nil)
	env.Call("memory_update(text='a' * 9999)")
	for range 4 {
		env.Call("memory_replace(old_text='a', new_text='aa' * 4000)")
	}
	assert.Equal(t, "Error during execution: the memory takes too much memory", env.Call("memory_replace(old_text='', new_text='b' * 9999)").Text)
}

// broken is an embedder that fails.
type broken struct{}

func (broken) Embed(context.Context, []string) ([][]float32, error) { return nil, errors.New("boom") }

func TestOutage(t *testing.T) {
	for trouble, embedder := range map[string]memory.Embedder{"boom": broken{}, "no embedder is given": nil} {
		env := open(t, memory.Vector(embedder), nil)
		results := env.Execute([]string{"core_memory_add(text='x')", "core_memory_retrieve(query='x')", "core_memory_clear()"})
		assert.Equal(t, `{"id": 0}`, results[0])
		assert.Empty(t, results[2], "an outage ends a step")
		require.NotNil(t, env.Outage(), trouble)
		assert.Equal(t, "embedder", env.Outage().Kind)
		assert.ErrorContains(t, env.Outage(), trouble)
	}
	env := open(t, memory.Vector(stub{}), nil)
	env.Execute([]string{"core_memory_retrieve(query=1)", "nothing()"})
	assert.Nil(t, env.Outage())
}

// TestContext hands the case's context to the embedder.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	env := open(t, memory.Vector(obedient{}), sim.NewWorld(nil).Bound(ctx))
	env.Execute([]string{"core_memory_add(text='x')", "core_memory_retrieve(query='x')"})
	assert.ErrorIs(t, env.Outage(), context.Canceled)
}

// obedient stops where it is told to.
type obedient struct{ testkit.Embedder }

func (o obedient) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return o.Embedder.Embed(ctx, texts)
}

func FuzzMemory(f *testing.F) {
	classes := []*sim.Class{memory.KV, memory.RecSum, memory.Vector(stub{})}
	f.Add(`{}`, "core_memory_add(key='a', value='b')\ncore_memory_key_search(query='a')")
	f.Add(`{"memory": "x"}`, "memory_replace(old_text='', new_text='y')")
	f.Add(`{"core_memory": {"next_id": 1, "store": {"0": "x"}}, "archival_memory": {"next_id": 0, "store": {}}}`, "core_memory_retrieve(query='x', top_k=1)")
	f.Fuzz(func(t *testing.T, snapshot, calls string) {
		before, err := memory.Read(snapshot)
		if err != nil {
			return
		}
		for _, class := range classes {
			env, err := sim.NewLibrary(class).Open(sim.Setup{Involved: []string{class.Name}, Config: sim.Answer(class.Name, memory.Scenario(before))})
			if err != nil {
				continue
			}
			lines := strings.Split(calls, "\n")
			env.Execute(lines[:min(len(lines), 20)])
			file := testkit.Must(memory.Write(memory.In(env).Snapshot()))(t)
			again, err := memory.Read(file)
			require.NoError(t, err, file)
			_, err = sim.NewLibrary(class).Open(sim.Setup{Involved: []string{class.Name}, Config: sim.Answer(class.Name, memory.Scenario(again))})
			require.NoError(t, err, "a memory's own snapshot: %s", file)
		}
	})
}
