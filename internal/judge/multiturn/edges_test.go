package multiturn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
	v = both(t, caseOf(t, bakery, `[["ls()"]]`), parse(t, `[["[ls(), cat(file_name='none')]"]]`), eval.SettingsFor(eval.Prompt))
	assert.Equal(t, eval.Recovery{Turns: 1, Passed: 1}, v.Recovery, "the second call of a step failed")
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
	r, err := multiturn.NewReference(c)
	require.NoError(t, err)
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
