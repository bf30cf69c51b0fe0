package multiturn_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var categories = []string{"multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context"}

// A dataset is what the tests need of the official one.
type dataset struct {
	cases map[string]*eval.Case
	list  []*eval.Case
	long  *eval.LongContext

	references sync.Map // by case
}

// reference is the case's recorded reference, made once.
func (d *dataset) reference(c *eval.Case) (*multiturn.Reference, error) {
	if r, ok := d.references.Load(c); ok {
		return r.(*multiturn.Reference), nil
	}
	r, err := multiturn.NewReference(c)
	if err == nil {
		d.references.Store(c, r)
	}
	return r, err
}

var loaded struct {
	sync.Mutex
	*dataset
}

// official loads the multi-turn cases of the official dataset, once.
func official(t testing.TB) *dataset {
	t.Helper()
	dir := testkit.Shared(t, "bfcl", "v4")
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.dataset != nil {
		return loaded.dataset
	}
	data, err := os.ReadFile(dir + "/long_context.json")
	if err != nil {
		t.Fatal(err)
	}
	long, err := eval.ParseLongContext(data)
	if err != nil {
		t.Fatal(err)
	}
	d := &dataset{cases: map[string]*eval.Case{}, long: long}
	for _, name := range categories {
		d.load(t, name, dir+"/BFCL_v4_"+name+".json", dir+"/possible_answer/BFCL_v4_"+name+".json")
	}
	loaded.dataset = d
	return d
}

func (d *dataset) load(t testing.TB, category, questions, answers string) {
	testkit.Rows(t, questions, func(_ int, row *pyval.Dict) {
		c := newCase(row)
		c.Category = category
		if category == "multi_turn_long_context" {
			c.Scene.Long = d.long
		}
		d.cases[c.ID] = c
		d.list = append(d.list, c)
	})
	testkit.Rows(t, answers, func(_ int, row *pyval.Dict) {
		d.cases[testkit.Text(row, "id")].Answer = testkit.Field(row, "ground_truth").(*pyval.List)
	})
}

func newCase(entry *pyval.Dict) *eval.Case {
	c := &eval.Case{ID: testkit.Text(entry, "id"), Entry: entry, Scene: &eval.Scene{}}
	for _, class := range testkit.Field(entry, "involved_classes").(*pyval.List).Items {
		c.Scene.Classes = append(c.Scene.Classes, pyval.Text(class))
	}
	c.Scene.Config, _ = testkit.Field(entry, "initial_config").(*pyval.Dict)
	return c
}

// caseOf finds the case of a golden row.
func (d *dataset) caseOf(t testing.TB, row *pyval.Dict) *eval.Case {
	t.Helper()
	id := testkit.Text(row, "case")
	c, ok := d.cases[id]
	if !ok {
		t.Fatalf("unknown case %q", id)
	}
	return c
}

func mode(row *pyval.Dict) eval.Settings {
	if testkit.Text(row, "mode") == "fc" {
		return eval.SettingsFor(eval.FC)
	}
	return eval.SettingsFor(eval.Prompt)
}

func strs(v pyval.Value) []string {
	out := []string{}
	for _, item := range v.(*pyval.List).Items {
		out = append(out, pyval.Text(item))
	}
	return out
}

// cut shortens a text for a message.
func cut(s string) string {
	const most = 400
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "?") + "..."
	}
	return s
}
