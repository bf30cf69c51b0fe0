package multiturn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A bakery's files and tickets: three turns, in the second of which nothing
// is to be done.
const (
	bakery = `{"id": "multi_turn_base_0", "involved_classes": ["GorillaFileSystem", "TicketAPI"], "initial_config": {
		"GorillaFileSystem": {"root": {"bakery": {"type": "directory", "contents": {
			"orders.txt": {"type": "file", "content": "rye\nspelt\nrye"}}}}},
		"TicketAPI": {"ticket_queue": [], "ticket_counter": 7, "current_user": "mira"}}}`
	bakeryAnswer = `[["grep('orders.txt', 'rye')", "wc(file_name='orders.txt')"], [], ["mkdir('done')", "create_ticket(title='Flour', priority=2)"]]`
)

func caseOf(t testing.TB, entry, answer string) *eval.Case {
	t.Helper()
	c := newCase(parse(t, entry).(*pyval.Dict))
	c.Answer = parse(t, answer).(*pyval.List)
	return c
}

func parse(t testing.TB, text string) pyval.Value {
	t.Helper()
	return testkit.Must(pyval.ParseJSON(text))(t)
}

// both judges side by side and by a recorded reference, which must agree.
func both(t testing.TB, c *eval.Case, result pyval.Value, s eval.Settings) eval.Verdict {
	t.Helper()
	v := multiturn.Judge(c, result, s)
	r, err := multiturn.NewReference(c)
	if err == nil {
		again := r.Judge("model", result, s)
		assert.Equal(t, v.ErrorType, again.ErrorType, "by a recorded reference")
		assert.Equal(t, detail(v), detail(again), "by a recorded reference")
	}
	return v
}

const (
	grep   = `"grep(file_name='orders.txt', pattern='rye')"`
	count  = `"wc(file_name='orders.txt')"`
	folder = `"mkdir(dir_name='done')"`
	flour  = `"create_ticket(title='Flour', priority=2)"`
	bye    = `"All done."`
)

func TestJudge(t *testing.T) {
	for _, c := range []struct{ name, result, want, says string }{
		{"as the answer", `[[` + grep + `, ` + count + `, ` + bye + `], [` + bye + `], [` + folder + `, ` + flour + `]]`, "", ""},
		{"in other order, all at once", `[["[wc(file_name='orders.txt'), grep(pattern='rye', file_name='orders.txt')]"], [], ["[create_ticket(priority=2, title='Flour'), mkdir(dir_name='done')]"]]`, "", ""},
		{"harmless calls more", `[["ls()", ` + grep + `, "pwd()", ` + count + `], ["ls()"], [` + flour + `, ` + folder + `, "get_ticket(ticket_id=7)"]]`, "", ""},
		{"obtained in an earlier turn", `[[` + grep + `, ` + count + `], [` + folder + `], [` + flour + `, "ls()"]]`, "", ""},
		{"a call that fails", `[["cat(file_name='none')", ` + grep + `, "nonsense(a=1)", ` + count + `], [], [` + folder + `, ` + flour + `]]`, "", ""},
		{"a result is missing", `[[` + grep + `], [], [` + folder + `, ` + flour + `]]`, multiturn.ResponseMismatch, `'missing_items': ['{"count": 3, "type": "lines"}']`},
		{"a result of a later turn", `[[` + grep + `], [` + count + `], [` + folder + `, ` + flour + `]]`, multiturn.ResponseMismatch, "for turn 0."},
		{"another result", `[["grep(file_name='orders.txt', pattern='spelt')", ` + count + `], [], [` + folder + `, ` + flour + `]]`, multiturn.ResponseMismatch, "rye"},
		{"another ticket", `[[` + grep + `, ` + count + `], [], [` + folder + `, "create_ticket(title='Flour', priority=3)"]]`, multiturn.StateMismatch, "{'ticket_queue': {'model': [{'id': 7, 'title': 'Flour', 'description': '', 'status': 'Open', 'priority': 3, 'created_by': 'mira'}]"},
		{"a number of another type", `[[` + grep + `, ` + count + `], [], [` + folder + `, "create_ticket(title='Flour', priority=2.0)"]]`, multiturn.ResponseMismatch, "for turn 2"},
		{"another folder", `[[` + grep + `, ` + count + `, "mkdir(dir_name='extra')"], [], [` + folder + `, ` + flour + `]]`, multiturn.StateMismatch, "Contents: {'orders.txt': <<File: orders.txt, Content: rye"},
		{"undone where nothing is to be done", `[[` + grep + `, ` + count + `], ["rm(file_name='orders.txt')"], [` + folder + `, ` + flour + `]]`, multiturn.StateMismatch, "GorillaFileSystem"},
		{"empty turn", `[[` + grep + `, ` + count + `], [], []]`, multiturn.EmptyTurn, "Model response list is empty for turn 2"},
		{"only talk", `[[` + bye + `], [` + bye + `], [` + bye + `]]`, multiturn.EmptyTurn, "for turn 0"},
		{"too few turns", `[[` + grep + `]]`, multiturn.ForceTerminated, "(1) does not match the length of the ground truth turns (3)"},
		{"too many turns", `[[], [], [], []]`, multiturn.ForceTerminated, "turns (4)"},
		{"no list", `"Error during inference: timed out"`, multiturn.InferenceError, "Model did not output a list of model responses."},
		{"nothing", `null`, multiturn.InferenceError, ""},
		{"a turn is null", `[null, [], []]`, multiturn.Unusable, "turn 1: expected a list of steps, got a NoneType"},
		{"turns are texts", `["ls()", "", "ls()"]`, multiturn.EmptyTurn, "for turn 0"},
		{"turns are objects", `[{"ls()": 1, "wc(file_name='orders.txt')": 2, "grep(file_name='orders.txt', pattern='rye')": 3}, {}, {"mkdir(dir_name='done')": 1, "create_ticket(title='Flour', priority=2)": 2}]`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := both(t, caseOf(t, bakery, bakeryAnswer), parse(t, c.result), eval.SettingsFor(eval.Prompt))
			assert.Equal(t, c.want, v.ErrorType)
			assert.Equal(t, c.want == "", v.Passed())
			assert.Contains(t, detail(v), c.says)
		})
	}
}

// TestResponsesCountOnce: a result that the reference obtains twice in a turn
// must be obtained twice, in that turn or before, and counts again later.
func TestResponsesCountOnce(t *testing.T) {
	const answer = `[["ls()", "ls()"], ["ls()", "ls()"]]`
	for result, want := range map[string]string{
		`[[[{"ls": "{}"}], [{"ls": "{}"}]], [[{"pwd": "{}"}]]]`: "",
		`[[[{"ls": "{}"}]], [[{"ls": "{}"}]]]`:                  multiturn.ResponseMismatch,
	} {
		v := both(t, caseOf(t, bakery, answer), parse(t, result), eval.SettingsFor(eval.FC))
		assert.Equal(t, want, v.ErrorType, result)
	}
}

// TestLeak: what upstream shares between the two sides is shared here. Without
// "mentions" both tweets hold one list, so the reference's has the name, too,
// from its first result on.
func TestLeak(t *testing.T) {
	const entry = `{"id": "multi_turn_base_1", "involved_classes": ["TwitterAPI"], "initial_config": {"TwitterAPI": {
		"username": "mira", "password": "x", "authenticated": true, "tweets": {}, "comments": {}, "retweets": {}, "following_list": [], "tweet_counter": 0}}}`
	c := caseOf(t, entry, `[["post_tweet(content='Rye at nine', tags=[])"], []]`)
	const calls = `[["[post_tweet(content='Rye at nine', tags=[])]", "[mention(tweet_id=0, mentioned_usernames=['joe'])]", "[get_tweet(tweet_id=0)]"], []]`
	assert.Empty(t, both(t, c, parse(t, calls), eval.SettingsFor(eval.Prompt)).ErrorType)

	own := strings.Replace(calls, "tags=[]", "tags=[], mentions=[]", 1)
	assert.Equal(t, multiturn.StateMismatch, both(t, c, parse(t, own), eval.SettingsFor(eval.Prompt)).ErrorType)
}

// TestInstanceNames: a method's name before a "(" in a text gets the
// instance's name, which is another on the other side.
func TestInstanceNames(t *testing.T) {
	const name = "see acme_m_1%s_eval_multi_turn_base_0_GorillaFileSystem_instance.ls(1)"
	model, reference := fmt.Sprintf(name, ""), fmt.Sprintf(name, "_ground_truth")
	for file, want := range map[string]string{", file_name='orders.txt'": multiturn.StateMismatch, "": multiturn.ResponseMismatch} {
		call := `[["echo(content='see ls (1)'` + file + `)"]]`
		c, result := caseOf(t, bakery, call), parse(t, call)
		v := multiturn.JudgeAs("acme/m-1", c, result, eval.SettingsFor(eval.Prompt))
		assert.Equal(t, want, v.ErrorType)
		assert.Contains(t, detail(v), model)
		assert.Contains(t, detail(v), reference)

		r := testkit.Must(multiturn.NewReference(c))(t)
		assert.Equal(t, detail(v), detail(r.Judge("acme/m-1", result, eval.SettingsFor(eval.Prompt))))
	}
}

func TestUnusableCases(t *testing.T) {
	for _, c := range []struct{ name, entry, answer, says string }{
		{"unknown class", `{"id": "x_0", "involved_classes": ["Oven"]}`, `[["bake()"]]`, `unknown class "Oven"`},
		{"scenario", `{"id": "x_0", "involved_classes": ["GorillaFileSystem"], "initial_config": {"GorillaFileSystem": {"root": 5}}}`, `[["ls()"]]`, "scenario of GorillaFileSystem"},
		{"answer is no list of turns", bakery, `["ls()"]`, "answer, turn 1: expected a list of texts"},
		{"answer's call is no text", bakery, `[["ls()", 5]]`, "item 2 is an int, not a text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := both(t, caseOf(t, c.entry, c.answer), parse(t, `[[[{"ls": "{}"}]]]`), eval.SettingsFor(eval.FC))
			assert.Equal(t, multiturn.Unusable, v.ErrorType)
			assert.Contains(t, detail(v), c.says)
		})
	}
	v := multiturn.Judge(&eval.Case{ID: "x_0"}, parse(t, `[]`), eval.SettingsFor(eval.FC))
	assert.Contains(t, detail(v), "no simulated APIs or no answer")
}

// TestHostile: whatever a model does ends in a verdict, soon.
func TestHostile(t *testing.T) {
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("mkdir(dir_name='d%d')", i)
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for name, step := range map[string]string{
		"10,000 calls":                "[" + strings.Join(many, ", ") + "]",
		"a folder moved into itself":  "[mkdir(dir_name='a'), mv(source='a', destination='a'), cp(source='a', destination='a'), find(path='.')]",
		"a folder copied into itself": "[mkdir(dir_name='a'), cp(source='a', destination='a'), find(path='.'), du()]",
		"paths":                       "[cd(folder='../../..'), cd(folder='/etc'), cat(file_name='/etc/passwd')]",
		"a long argument":             "[echo(content='" + strings.Repeat("x", 1<<20) + "', file_name='orders.txt')]",
		"a deep argument":             "[echo(content=" + deep + ", file_name='orders.txt')]",
		"keys that are no texts":      "[edit_ticket(ticket_id=7, updates={1: 2, None: 3, (1, 2): [4], 1.5: {}}), create_ticket(title={None: 1}, priority=2), get_ticket(ticket_id={1: 1})]",
		"a folder moved upwards":      "[mkdir(dir_name='a'), cd(folder='a'), mv(source='a', destination='..'), mv(source='.', destination='a'), cp(source='/', destination='a'), rm(file_name='/')]",
		"no UTF-8":                    "[mkdir(dir_name='\xff\xfe')]",
		"nested calls":                "[echo(content=" + strings.Repeat("cat(file_name=", 3000) + "'x'" + strings.Repeat(")", 3000) + ")]",
		"code":                        "[__import__(name='os'), exec(code='1'), exit(code=1)]",
	} {
		t.Run(name, func(t *testing.T) {
			turn := pyval.NewList(pyval.Str(step))
			v := both(t, caseOf(t, bakery, bakeryAnswer), pyval.NewList(turn, turn, turn), eval.SettingsFor(eval.Prompt))
			assert.False(t, v.Passed())
			assert.NotEqual(t, multiturn.Unusable, v.ErrorType)
			assert.NoError(t, testkit.Err(pyval.AppendJSON(nil, v.Detail, 0)), "a score file must hold it")
		})
	}
}

func TestExecute(t *testing.T) {
	prompt, fc := eval.SettingsFor(eval.Prompt), eval.SettingsFor(eval.FC)
	for _, c := range []struct {
		step pyval.Value
		s    eval.Settings
		want []string
		err  string
	}{
		{pyval.Str("`ls(a=True)`"), prompt, []string{"ls(a=True)"}, ""},
		{parse(t, `[{"ls": "{\"a\": true, \"b\": 1.0}"}]`), fc, []string{"ls(a=True,b=1.0)"}, ""},
		{parse(t, `[{"ls": "{}"}]`), prompt, nil, "the answer is a list"},
		{pyval.Str("ls()"), fc, nil, "has no attribute"},
		{pyval.Str("ls(a=1)"), eval.Settings{Mode: eval.Prompt, Dialect: "prompt-brackets"}, []string{"ls(a=1)"}, ""},
		{pyval.Str("ls()"), eval.Settings{Dialect: "no such"}, nil, "unknown dialect"},
	} {
		got, err := multiturn.Execute(c.step, c.s)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
}

func TestDecode(t *testing.T) {
	turns := testkit.Must(multiturn.Decode(parse(t, `[["nope", [{"ls": "{}"}], [], null], []]`), eval.SettingsFor(eval.FC)))(t)
	assert.Equal(t, "[[['ls()']], []]", pyval.Repr(turns.Value()))
	testkit.Fails(multiturn.Decode(pyval.Str("Error"), eval.SettingsFor(eval.FC)))(t, "expected a list of turns")
}

func FuzzJudge(f *testing.F) {
	f.Add(`[["ls()"], ["x"], ["mkdir(dir_name='a')"]]`, false)
	f.Add(`[[[{"ls": "{}"}], "done"], [], [[{"mkdir": "{\"dir_name\": \"a\"}"}]]]`, true)
	f.Add(`[{"a": 1}, "text", [null]]`, true)
	c := caseOf(f, bakery, bakeryAnswer)
	f.Fuzz(func(t *testing.T, text string, fc bool) {
		result, err := pyval.ParseJSON(text)
		if err != nil {
			return
		}
		s := eval.SettingsFor(eval.Prompt)
		if fc {
			s = eval.SettingsFor(eval.FC)
		}
		both(t, c, result, s)
	})
}

// TestFault: what is said of a failure beyond upstream's dict.
func TestFault(t *testing.T) {
	v := both(t, caseOf(t, bakery, bakeryAnswer), parse(t, `[[`+grep+`, `+count+`], [], ["ls()", "[mkdir(dir_name='done'), create_ticket(title='Flour', priority=3)]"]]`), eval.SettingsFor(eval.Prompt))
	f, ok := v.Fault.(*multiturn.Fault)
	require.True(t, ok)
	assert.Equal(t, 2, f.Turn)
	assert.Equal(t, [][]string{{"ls()"}, {"mkdir(dir_name='done')", "create_ticket(title='Flour', priority=3)"}}, f.Calls)
	assert.Equal(t, []string{"mkdir('done')", "create_ticket(title='Flour', priority=2)"}, f.Wanted)
	changes := f.Changes()
	require.Len(t, changes, 1)
	assert.Equal(t, "ticket_queue[0].priority", changes[0].Path)
	assert.Equal(t, "2", pyval.Repr(changes[0].Before))
	assert.Equal(t, "3", pyval.Repr(changes[0].After))
}

// TestStatesOfWhatWasTouched: a class is compared in the turn in which either side
// touches it, and in the next one that counts.
func TestStatesOfWhatWasTouched(t *testing.T) {
	const ticket = `create_ticket(title='Flour', priority=2)`
	for _, c := range []struct{ name, answer, result, want, says string }{
		{"by the model alone", `[["ls()"], ["pwd()"]]`, `[["[ls()]"], ["[pwd()]", "[` + ticket + `]"]]`, multiturn.StateMismatch, "for TicketAPI"},
		{"by the model, where nothing is to be done", `[["ls()"], [], ["pwd()"]]`, `[["[ls()]"], ["[` + ticket + `]"], ["[pwd()]"]]`, multiturn.StateMismatch, "for TicketAPI"},
		{"by the reference alone", `[["ls()"], ["` + ticket + `"]]`, `[["[ls()]"], ["[ls()]"]]`, multiturn.StateMismatch, "for TicketAPI"},
		{"by nested calls", `[["ls()"], ["pwd()"]]`, `[["[ls()]"], ["[pwd()]", "[cat(file_name=create_ticket(title='Flour', priority=2))]"]]`, multiturn.StateMismatch, "for TicketAPI"},
		{"by both alike", `[["ls()"], ["` + ticket + `"], ["pwd()"]]`, `[["[ls()]"], ["[` + ticket + `]"], ["[pwd()]"]]`, "", ""},
		{"in the first turn", `[["ls()"], ["pwd()"]]`, `[["[ls()]", "[` + ticket + `]"], ["[pwd()]"]]`, multiturn.StateMismatch, "for TicketAPI"},
		{"an empty last step", `[["ls()"], ["pwd()"]]`, `[["[ls()]", ""], ["[pwd()]", ""]]`, "", ""},
		{"only an empty step", `[["ls()"], ["pwd()"]]`, `[["[ls()]"], [""]]`, multiturn.EmptyTurn, "for turn 1"},
		{"a list too short", `[["ls()"], ["pwd()"]]`, `[["[ls()]"]]`, multiturn.ForceTerminated, "(1) does not match the length of the ground truth turns (2)"},
	} {
		v := both(t, caseOf(t, bakery, c.answer), parse(t, c.result), eval.SettingsFor(eval.Prompt))
		assert.Equal(t, c.want, v.ErrorType, c.name)
		assert.Contains(t, detail(v), c.says, c.name)
		assert.Equal(t, c.want == "", v.Fault == nil, c.name)
	}
	v := both(t, caseOf(t, bakery, `[["ls()"], ["pwd()"]]`), parse(t, `[["[ls()]"], ["[pwd()]", "[`+ticket+`]"]]`), eval.SettingsFor(eval.Prompt))
	assert.Equal(t, [][]string{{"pwd()"}, {ticket}}, v.Fault.Steps())
}
