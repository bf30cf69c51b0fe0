package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

type stub = testkit.Embedder

func TestGoldenStubEmbedding(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "agentic", "stub_embedding.jsonl"), func(c *testkit.Comparison) {
		vectors, _ := stub{}.Embed(t.Context(), []string{testkit.Text(c.Row, "text")})
		signs := make([]byte, len(vectors[0]))
		for i, x := range vectors[0] {
			signs[i] = '+'
			if x < 0 {
				signs[i] = '-'
			}
		}
		c.Same(testkit.Text(c.Row, "text"), testkit.Text(c.Row, "signs"), string(signs))
	})
}

func TestGoldenKV(t *testing.T)     { traces(t, memory.KV, "memory_kv.jsonl") }
func TestGoldenRecSum(t *testing.T) { traces(t, memory.RecSum, "memory_rec_sum.jsonl") }
func TestGoldenVector(t *testing.T) { traces(t, memory.Vector(stub{}), "memory_vector.jsonl") }

// A checker compares the conversations of a file.
type checker struct {
	*testkit.Comparison
	class *sim.Class
	lib   *sim.Library
}

func traces(t *testing.T, class *sim.Class, file string) {
	lib := sim.NewLibrary(class)
	testkit.Compare(t, testkit.GoldenFile(t, "agentic", file), func(of *testkit.Comparison) {
		c, row, files := &checker{Comparison: of, class: class, lib: lib}, of.Row, map[string]string{}
		if chain, ok := testkit.Field(row, "chain").(*pyval.List); ok {
			for _, link := range chain.Items {
				c.entry(testkit.Text(row, "id"), link.(*pyval.Dict), files, "files_after")
			}
			return
		}
		if before, ok := testkit.Field(row, "snapshot_before").(*pyval.Dict); ok {
			files[c.final(row)] = testkit.Must(memory.Write(before))(t)
		}
		c.entry(testkit.Text(row, "id"), row, files, "files_after_flush")
	})
}

func (c *checker) folder() string {
	return "model/agentic/memory/" + strings.TrimPrefix(c.class.Name, "MemoryAPI_") + "/memory_snapshot/"
}

func (c *checker) final(row *pyval.Dict) string {
	return c.folder() + testkit.Text(row, "scenario") + "_final.json"
}

// entry runs the calls of one conversation over what lies in files, and
// writes there what upstream writes.
func (c *checker) entry(id string, row *pyval.Dict, files map[string]string, wanted string) {
	test := testkit.Text(row, "test_id")
	env, m := c.open(row, test, files)
	c.context(id, row, "context_before", m)
	for _, item := range testkit.Field(row, "calls").(*pyval.List).Items {
		c.call(id, env, item.(*pyval.Dict))
	}
	if want, ok := testkit.Field(row, "final_state").(*pyval.Dict); ok {
		c.context(id, row, "context_after", m)
		c.Note("final states")
		c.Same(id+": final state", stateText(want), stateText(m.State()))
	}
	want, ok := testkit.Field(row, wanted).(*pyval.Dict)
	if !ok {
		return
	}
	if strings.Contains(test, "prereq") {
		c.flush(row, files, m, "prereq_checkpoints/"+test)
	} else if wanted == "files_after_flush" { // recorded by hand: questions write nothing
		c.flush(row, files, m, test)
	}
	c.Same(id+": names of files", strings.Join(sortedKeys(want), "\n"), strings.Join(sortedNames(files), "\n"))
	for name, text := range want.All() {
		c.Note("files")
		c.Same(id+": "+pyval.Text(name), pyval.Text(text), files[pyval.Text(name)])
	}
}

func (c *checker) flush(row *pyval.Dict, files map[string]string, m memory.Memory, name string) {
	text := testkit.Must(memory.Write(m.Snapshot()))(c)
	files[c.final(row)] = text
	files[c.folder()+name+".json"] = text
}

func (c *checker) open(row *pyval.Dict, test string, files map[string]string) (*sim.Env, memory.Memory) {
	var before *pyval.Dict
	if text, ok := files[c.final(row)]; ok && (!strings.Contains(test, "prereq") || !strings.HasSuffix(test, "-0")) {
		before = testkit.Must(memory.Read(text))(c)
	}
	env, err := c.lib.Open(sim.Setup{
		Model: "simmodel-v1", Entry: test, Involved: []string{c.class.Name},
		Config: sim.Answer(c.class.Name, memory.Scenario(before)),
	})
	require.NoError(c, err, test)
	return env, memory.In(env)
}

func (c *checker) context(id string, row *pyval.Dict, field string, m memory.Memory) {
	want, ok := testkit.Field(row, field).(pyval.Str)
	if !ok {
		return
	}
	c.Note("contexts")
	got := testkit.Must(m.Context())(c)
	if got == "" {
		got = map[string]string{ // a dataset's own words, see prompt.Wording
			"MemoryAPI_kv":      "There is no content in the core memory at this point.",
			"MemoryAPI_rec_sum": "There is no content in the memory at this point.",
		}[c.class.Name]
	}
	c.Same(id+": "+field, string(want), got)
}

func (c *checker) call(id string, env *sim.Env, call *pyval.Dict) {
	c.Note("calls")
	want := testkit.Text(call, "r")
	got := env.Call(testkit.Text(call, "c"))
	if class := testkit.Text(call, "x"); class != "" && (got.Raised == nil || got.Raised.Class != class) {
		c.Errorf("%s: %q: raised %v, not %s", id, testkit.Text(call, "c"), got.Raised, class)
		return
	}
	c.Same(id+": "+testkit.Text(call, "c"), want, got.Text)
}

// stateText is a state as a text in which the order of entries shows. A
// recorded store is a list of pairs.
func stateText(state *pyval.Dict) string {
	out := pyval.NewDict(state.Len())
	for name, v := range state.All() {
		if d, ok := v.(*pyval.Dict); ok && d.Has("store") {
			v = pyval.NewList(testkit.Field(d, "next_id"), pairs(testkit.Field(d, "store")))
		}
		out.SetStr(pyval.Text(name), v)
	}
	return pyval.Repr(out)
}

func pairs(store pyval.Value) pyval.Value {
	out := pyval.NewList()
	switch store := store.(type) {
	case *pyval.List:
		for _, item := range store.Items {
			pair := item.(*pyval.List)
			out.Items = append(out.Items, pyval.NewList(pyval.Str(pyval.Text(pair.Items[0])), pair.Items[1]))
		}
	case *pyval.Dict:
		for id, text := range store.All() {
			out.Items = append(out.Items, pyval.NewList(id, text))
		}
	}
	return out
}
