package curate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

const good = `dataset: v4
cases:
- {id: simple_python_0, kind: narrow, quote: q, accepts: ["[f(a=1)]"], found: readers, since: v1, reason: why, reference: "https://example.com/1"}
- {id: simple_python_1, kind: open, mode: prompt, quote: q, found: own, since: v1, reason: why}
`

func TestErrataParse(t *testing.T) {
	list := testkit.Must(errata.Parse("e.yaml", []byte(good)))(t)
	assert.Equal(t, errata.Narrow, list.Find("simple_python_0").Kind)
	assert.Nil(t, list.Find("simple_python_2"))
	assert.True(t, list.Items[1].Concerns(eval.Prompt))
	assert.False(t, list.Items[1].Concerns(eval.FC))
	for _, test := range []struct{ old, with, want string }{
		{"kind: narrow", "kind: unfair", `e.yaml: case "simple_python_0": kind: want one of [wrong narrow open rule contradiction]`},
		{"mode: prompt", "mode: loud", `case "simple_python_1": mode: want fc or prompt`},
		{"reason: why, ref", "ref", `case "simple_python_0": reason: want one line`},
		{"https://", "javascript://", "reference: want an https address"},
		{"simple_python_1", "simple_python_0", `case "simple_python_0" is listed twice`},
		{"simple_python_1", "\"a\\e[0m\"", "want a case's id"},
		{"reason: why}", "reason: \"a\\nb\"}", "reason: want one line"},
		{"since: v1", "since: yesterday", "since: want one of upstream's releases"},
		{"quote: q", "quote: ''", "quote: is missing"},
		{"found: own", "found: ''", "found: is missing"},
		{"kind: narrow", "kind: open", "an open case accepts no other answer"},
		{"kind: open", "kinds: open", "field kinds not found"},
	} {
		testkit.Fails(errata.Parse("e.yaml", []byte(strings.Replace(good, test.old, test.with, 1))))(t, test.want)
	}
}

// A row is a case of a test's dataset: a question, the properties of f and what
// it requires, and a key; an empty key for a case in which no call is right.
type row struct{ question, properties, required, key string }

// dataset writes cases as a dataset of V4's layout.
func dataset(t *testing.T, category string, rows ...row) *fixtures.Dataset {
	t.Helper()
	var questions, answers []string
	for i, r := range rows {
		questions = append(questions, fmt.Sprintf(`{"id": "%s_%d", "question": [[{"role": "user", "content": %q}]], "function": [{"name": "f.find_flights", "description": "", "parameters": {"type": "dict", "properties": {%s}, "required": [%s]}}]}`, category, i, r.question, r.properties, r.required))
		answers = append(answers, fmt.Sprintf(`{"id": "%s_%d", "ground_truth": [{"f.find_flights": {%s}}]}`, category, i, r.key))
	}
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "possible_answer"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v4_"+category+".json"), []byte(strings.Join(questions, "\n")), 0o644))
	if !strings.Contains(category, "relevance") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "possible_answer", "BFCL_v4_"+category+".json"), []byte(strings.Join(answers, "\n")), 0o644))
	}
	return testkit.Must(fixtures.Open(dir, ""))(t)
}

const (
	text = `"a": {"type": "string"}`
)

// files writes a dataset of files by name.
func files(t *testing.T, texts map[string]string) *fixtures.Dataset {
	t.Helper()
	return testkit.Must(fixtures.Open(testkit.Folder(t, texts), ""))(t)
}

// conversation is a dataset of one turn about one file, whose text is x.
func conversation(t *testing.T, question, file, call string) *fixtures.Dataset {
	t.Helper()
	class, ok := classes.All.Class("GorillaFileSystem")
	require.True(t, ok)
	return files(t, map[string]string{
		"BFCL_v4_multi_turn_base.json":                 `{"id": "multi_turn_base_0", "question": [[{"role": "user", "content": "` + question + `"}]], "initial_config": {"GorillaFileSystem": {"root": {"w": {"type": "directory", "contents": {"` + file + `": {"type": "file", "content": "x"}}}}}}, "path": [], "involved_classes": ["GorillaFileSystem"]}`,
		"possible_answer/BFCL_v4_multi_turn_base.json": `{"id": "multi_turn_base_0", "ground_truth": [["` + call + `"]]}`,
		"multi_turn_func_doc/gorilla_file_system.json": class.Doc,
	})
}

// memory is a dataset of one question about a memory.
func memory(t *testing.T, question, key string) *fixtures.Dataset {
	t.Helper()
	texts := map[string]string{
		"BFCL_v4_memory.json":                             `{"id": "memory_0-customer-0", "question": [[{"role": "user", "content": "` + question + `"}]], "involved_classes": ["MemoryAPI"], "scenario": "customer"}`,
		"possible_answer/BFCL_v4_memory.json":             `{"id": "memory_0-customer-0", "ground_truth": ["` + key + `"], "source": "s"}`,
		"memory_prereq_conversation/memory_customer.json": `{"id": "memory_prereq_0-customer-0", "topic": "t", "question": [[{"role": "user", "content": "My bus leaves at three."}]], "involved_classes": ["MemoryAPI"], "scenario": "customer"}`,
	}
	for _, backend := range []string{"kv", "vector", "rec_sum"} {
		class, ok := classes.All.Class("MemoryAPI_" + backend)
		require.True(t, ok)
		texts["multi_turn_func_doc/memory_"+backend+".json"] = class.Doc
	}
	return files(t, texts)
}

// TestErrataConversations: what an entry accepts of a conversation is proved as of
// a call, and counts as right.
func TestErrataConversations(t *testing.T) {
	file := conversation(t, "Write y into notes.txt", "notes.txt", "echo(content='z',file_name='notes.txt')")
	bus := memory(t, "When does my bus leave?", "three")
	const id, asked = "multi_turn_base_0", "memory_kv_0-customer-0"
	for _, test := range []struct {
		d    *fixtures.Dataset
		item errata.Item
		want string
	}{
		{file, errata.Item{ID: id, Quote: "Write y", Accepts: []string{`{"1": ["echo(content='y',file_name='notes.txt')"]}`}}, ""},
		{file, errata.Item{ID: id, Quote: "Write y", Accepts: []string{`{"1": ["echo(content='z',file_name='notes.txt')", "pwd()"]}`}}, "is accepted today in prompt mode"},
		{file, errata.Item{ID: id, Quote: "Write y", Accepts: []string{`{"2": ["pwd()"]}`}}, "names turn 2 of 1"},
		{file, errata.Item{ID: id, Quote: "Write y", Accepts: []string{`pwd()`}}, "is not an object from turns to lists of calls"},
		{file, errata.Item{ID: id, Quote: "Write y", Accepts: []string{`{"1": ["cat(file_name='gone.txt')"]}`}}, "no answer can meet the amended key: in turn 1 cat(file_name='gone.txt') fails"},
		{file, errata.Item{ID: id, Quote: "Write z", Accepts: []string{`{"1": []}`}}, "its quotation does not stand in the case"},
		{bus, errata.Item{ID: asked, Quote: "leaves at three", Accepts: []string{"3 o'clock"}}, ""},
		{bus, errata.Item{ID: asked, Quote: "leaves at three", Accepts: []string{"at three"}}, "at three is accepted today in fc mode"},
	} {
		list := errata.List{Items: []errata.Item{test.item}}
		proved := testkit.Must(prove(&list, test.d))(t)
		if test.want != "" {
			assert.Contains(t, strings.Join(proved.faults, "\n"), test.want)
			continue
		}
		assert.Empty(t, proved.faults)
		assert.Equal(t, 1, proved.amended)
	}
	for _, test := range []struct {
		d       *fixtures.Dataset
		cat     string
		accepts string
		answer  pyval.Value
		want    bool
	}{
		{file, "multi_turn_base", `{"1": ["echo(content='y',file_name='notes.txt')"]}`, step("[echo(content='y',file_name='notes.txt')]"), true},
		{file, "multi_turn_base", `{"1": ["echo(content='y',file_name='notes.txt')"]}`, step("[echo(content='v',file_name='notes.txt')]"), false},
		{bus, "memory_kv", "3", step("It leaves at 3."), true},
		{bus, "memory_kv", "3", step("It leaves at 4."), false},
	} {
		cases := testkit.Must(test.d.Cases(categories.Find(test.cat)))(t)
		item := errata.Item{ID: cases[0].ID, Accepts: []string{test.accepts}}
		got := testkit.Must(item.Accept(categories.Find(test.cat), cases[0], test.answer, eval.SettingsFor(eval.Prompt)))(t)
		assert.Equal(t, test.want, got, pyval.Text(test.answer))
	}
}

// step is the result of a conversation of one answer.
func step(text string) pyval.Value { return pyval.NewList(pyval.NewList(pyval.Str(text))) }

// TestErrataAccept: what an amended key accepts beside the official one.
func TestErrataAccept(t *testing.T) {
	const properties = `"a": {"type": "array", "items": {"type": "float"}}, "b": {"type": "string"}, "c": {"type": "string"}`
	d := dataset(t, "simple_python", row{"q", properties, `"a"`, `"a": [[1.0, 2.0]], "b": ["x", "y"], "c": ["z", ""]`})
	cat := categories.Find("simple_python")
	cases := testkit.Must(d.Cases(cat))(t)
	for _, test := range []struct {
		kind    errata.Kind
		accepts string
		answer  string
		want    bool
	}{
		{errata.Narrow, `[f.find_flights(a=[1.0, 2.0])]`, `[f.find_flights(a=[1.0, 2.0])]`, true},
		{errata.Narrow, `[f.find_flights(a=[1.0, 2.0])]`, `[f.find_flights(a=[1.0, 2.0], c="z")]`, true},
		{errata.Narrow, `[f.find_flights(a=[1.0, 2.0])]`, `[f.find_flights(a=[1.0, 2.0], c="q")]`, false},
		{errata.Narrow, `[f.find_flights(a=[1.0, 2.0], b="w")]`, `[f.find_flights(a=[1.0, 2.0], b="w")]`, true},
		{errata.Narrow, `[f.find_flights(a=[1.0, 2.0], b="w")]`, `[f.find_flights(a=[1.0, 3.0], b="w")]`, false},
		{errata.Narrow, `[f.find_flights(a=[5.0], b="x")]`, `[f.find_flights(a=[5.0], b="y")]`, true},
		{errata.Wrong, `[f.find_flights(a=[1.0, 2.0], b="x"), f.find_flights(a=[3.0], b="x")]`, `[f.find_flights(a=[3.0], b="x"), f.find_flights(a=[1.0, 2.0], b="y")]`, true},
		{errata.Wrong, `[]`, `I cannot do this.`, true},
		{errata.Wrong, `[]`, `[f.find_flights(a=[1.0])]`, false},
		{errata.Rule, `[f.find_flights(a=[1, 2], b="x")]`, `[f.find_flights(a=[1, 2.0], b="y")]`, true},
		{errata.Rule, `[f.find_flights(a=[1.0, 2.0], b="ex")]`, `[f.find_flights(a=[1.0, 2.0], b="ex", c="z")]`, true},
		{errata.Rule, `[f.find_flights(a=[1.0, 2.0], b="ex")]`, `[f.find_flights(a=[1.0, 2.0], b="why")]`, false},
		{errata.Rule, `[f.find_flights(a=[1, 2], b="x")]`, `[f.find_flights(a=[1, 3], b="y")]`, false},
	} {
		item := errata.Item{ID: "simple_python_0", Kind: test.kind, Accepts: []string{test.accepts}}
		got := testkit.Must(item.Accept(cat, cases[0], pyval.Str(test.answer), eval.SettingsFor(eval.Prompt)))(t)
		assert.Equal(t, test.want, got, "%s for %s", test.answer, test.accepts)
	}
	item := errata.Item{ID: "simple_python_0", Kind: errata.Narrow, Accepts: []string{"f(1"}}
	testkit.Fails(item.Accept(cat, cases[0], pyval.Str("x"), eval.SettingsFor(eval.Prompt)))(t, "is not a list of Python calls")
}

// TestErrataProve: entries that hold, and each way in which one does not.
func TestErrataProve(t *testing.T) {
	d := dataset(t, "simple_python", row{"to Rome or\nOslo", text, `"a"`, `"a": ["Rome"]`}, row{"x", text, `"a"`, `"a": []`})
	for _, test := range []struct {
		item errata.Item
		want string
	}{
		{errata.Item{ID: "simple_python_0", Quote: "Rome or Oslo", Accepts: []string{`[f.find_flights(a="Oslo")]`}}, ""},
		{errata.Item{ID: "simple_python_0", Quote: "or Paris"}, "simple_python_0: its quotation does not stand in the case"},
		{errata.Item{ID: "simple_python_0", Quote: "to", Accepts: []string{`[f.find_flights(a="rome")]`}}, `[f.find_flights(a="rome")] is accepted today in fc mode`},
		{errata.Item{ID: "simple_python_0", Quote: "to", Accepts: []string{`[f.find_flights(b="Oslo")]`}}, "is refused by the amended key in fc mode"},
		{errata.Item{ID: "simple_python_7", Quote: "x"}, "simple_python_7: the dataset has no such case"},
	} {
		list := errata.List{Items: []errata.Item{test.item}}
		proved := testkit.Must(prove(&list, d))(t)
		if test.want == "" {
			assert.Empty(t, proved.faults)
			continue
		}
		assert.Contains(t, strings.Join(proved.faults, "\n"), test.want)
	}
}

// TestErrataFor: an entry holds for the data since its commit, under the id of
// the time.
func TestErrataFor(t *testing.T) {
	ids := func(name string) map[string]bool {
		_, digest := eval.Named(name)
		list := testkit.Must(errata.For(digest))(t)
		require.NotNil(t, list, name)
		out := map[string]bool{}
		for _, item := range list.Items {
			out[item.ID] = true
		}
		return out
	}
	v4, v3, v1 := ids("v4"), ids("v3"), ids("v1")
	assert.True(t, v4["simple_python_82"] && v3["simple_python_82"] && v1["simple_82"])
	assert.False(t, v4["simple_82"] || v1["simple_python_82"])
	assert.True(t, v1["javascript_5"], "the first release's own")
	assert.Less(t, len(v1), len(v3))
	list := testkit.Must(errata.For("0"))(t)
	assert.Nil(t, list)
	assert.Nil(t, list.Find("simple_python_82"))
}
