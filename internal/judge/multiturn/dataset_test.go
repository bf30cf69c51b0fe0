package multiturn_test

import (
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	data := testkit.Must(os.ReadFile(dir + "/long_context.json"))(t)
	long := testkit.Must(eval.ParseLongContext(data))(t)
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

// TestNoTurnAtFault: if no turn is at fault, the calls of the last one are known,
// and upstream's message is a list.
func TestNoTurnAtFault(t *testing.T) {
	for _, c := range []struct {
		result, typ string
		calls       [][]string
	}{
		{`[]`, multiturn.ForceTerminated, nil},
		{`[null]`, multiturn.ForceTerminated, nil},
		{`[["ls()"]]`, multiturn.ForceTerminated, [][]string{{"ls()"}}},
		{`[["ls()"], ["pwd()"]]`, multiturn.ForceTerminated, [][]string{{"pwd()"}}},
		{`[null, [], []]`, multiturn.Unusable, nil},
		{`5`, multiturn.InferenceError, nil},
	} {
		v := both(t, caseOf(t, bakery, bakeryAnswer), parse(t, c.result), eval.SettingsFor(eval.Prompt))
		f, ok := v.Fault.(*multiturn.Fault)
		require.True(t, ok, c.result)
		assert.Equal(t, c.typ, f.Type, c.result)
		assert.Equal(t, -1, f.Turn, c.result)
		assert.Equal(t, c.calls, f.Calls, c.result)
		assert.Equal(t, "{'error_message': ["+pyval.Repr(pyval.Str(f.Message))+"], 'error_type': '"+c.typ+"'}", detail(v))
	}
	c := caseOf(t, bakery, bakeryAnswer)
	c.Answer = nil
	assert.Contains(t, detail(multiturn.Judge(c, parse(t, `[]`), eval.SettingsFor(eval.FC))), "no simulated APIs or no answer")
}

// TestDetail: upstream's error dicts of what is at fault in a turn.
func TestDetail(t *testing.T) {
	const ran = `[{'model': [['{"current_directory_content": ["orders.txt"]}']], 'ground_truth': ['{"current_directory_content": ["orders.txt"]}']}, `
	for _, c := range []struct{ answer, result, want string }{
		{`[["ls()"], ["ls()"]]`, `[["ls()"], []]`, `{'error_message': 'Model response list is empty for turn 1', 'error_type': 'multi_turn:empty_turn_model_response', ` +
			`'details': {'execution_result': ` + ran + `{'model': [], 'ground_truth': ['{"current_directory_content": ["orders.txt"]}']}]}}`},
		{`[["ls()"], ["mkdir(dir_name='a')"]]`, `[["ls()"], ["mkdir(dir_name='b')"]]`, `, 'execution_result': ` + ran + `{'model': [['None']], 'ground_truth': ['None']}]}`},
		{`[["ls()"], ["pwd()", "wc('orders.txt')", "ls()"]]`, `[["ls()"], ["pwd()"]]`, `{'missing_items': ['{"count": 3, "type": "lines"}'], `},
		{`[["wc('orders.txt')", "pwd()", "ls()"]]`, `[["pwd()"]]`, `{'missing_items': ['{"count": 3, "type": "lines"}', '{"current_directory_content": ["orders.txt"]}'], `},
	} {
		v := both(t, caseOf(t, bakery, c.answer), parse(t, c.result), eval.SettingsFor(eval.Prompt))
		assert.Contains(t, detail(v), c.want)
		assert.Contains(t, detail(v), "'error_type': '"+v.ErrorType+"'")
	}
	v := both(t, caseOf(t, bakery, `[["ls()"], ["create_ticket(title='a', priority=2)"]]`), parse(t, `[["ls()"], ["[create_ticket(title='b', priority=2)]"]]`), eval.SettingsFor(eval.Prompt))
	assert.Equal(t, multiturn.StateMismatch, v.ErrorType, "no class before it was touched")
	assert.Equal(t, "TicketAPI", v.Fault.(*multiturn.Fault).Class)
}

// TestSteps: which decoded turns are empty, live and by a recorded reference.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		calls []string
		empty bool
	}{{nil, true}, {[]string{""}, true}, {[]string{"ls()"}, false}, {[]string{"", "ls()"}, false}, {[]string{"", ""}, false}} {
		assert.Equal(t, c.empty, multiturn.IsEmpty(c.calls), "%q", c.calls)
	}
	c := caseOf(t, bakery, `[["ls()"]]`)
	r := testkit.Must(multiturn.NewReference(c))(t)
	for _, row := range []struct {
		turns multiturn.Turns
		want  string
	}{
		{multiturn.Turns{{}}, multiturn.EmptyTurn}, {multiturn.Turns{{{}}}, multiturn.EmptyTurn}, {multiturn.Turns{{{}, {"ls()"}}}, ""},
		{multiturn.Turns{{{"ls()"}}}, ""}, {multiturn.Turns{{{"pwd()"}}}, multiturn.ResponseMismatch}, {multiturn.Turns{{{}, {}}}, multiturn.ResponseMismatch},
		{multiturn.Turns{}, multiturn.ForceTerminated}, {multiturn.Turns{{{"ls()"}}, {}}, multiturn.ForceTerminated},
	} {
		for _, f := range []*multiturn.Fault{multiturn.Check(c, row.turns, "model"), r.Check(row.turns, "model")} {
			if row.want == "" {
				assert.Nil(t, f, "%q", row.turns)
			} else if assert.NotNil(t, f, "%q", row.turns) {
				assert.Equal(t, row.want, f.Type, "%q", row.turns)
			}
		}
	}
}
