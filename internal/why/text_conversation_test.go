package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// workshop is a case of two turns with files and tickets; the second turn
// brings a function.
func workshop(t *testing.T) *eval.Case {
	return &eval.Case{
		ID: "multi_turn_base_0", Category: "multi_turn_base",
		Turns: [][]eval.Message{{{Role: "user", Content: "Count the rye orders."}}, nil},
		Scene: &eval.Scene{
			Classes: []string{"GorillaFileSystem", "TicketAPI"},
			Config: parse(t, `{"GorillaFileSystem": {"root": {"shop": {"type": "directory", "contents": {
				"orders.txt": {"type": "file", "content": "rye\nspelt"}}}}}}`).(*pyval.Dict),
			HeldOut: map[int][]*pyval.Dict{1: {parse(t, `{"name": "create_ticket"}`).(*pyval.Dict)}},
		},
		Answer: parse(t, `[["grep('orders.txt', 'rye')"], ["create_ticket(title='Flour', priority=2)"]]`).(*pyval.List),
	}
}

func failureJudged(t *testing.T, result string) (*eval.Case, eval.Result) {
	t.Helper()
	c := workshop(t)
	v := parse(t, result)
	return c, eval.Result{Response: eval.Response{Result: v}, Verdict: multiturn.Judge(c, v, eval.SettingsFor(eval.Prompt))}
}

func TestFailureConversation(t *testing.T) {
	const grep = `["grep(file_name='orders.txt', pattern='rye')"]`
	for _, c := range []struct{ name, result, first, text string }{
		{
			"state", `[` + grep + `, ["ls()", "create_ticket(title='Flour', priority=3)"]]`,
			"multi_turn:instance_state_mismatch: turn 2: TicketAPI.ticket_queue[0].priority is 3, the ground truth has 2",
			`
  turn      2 of 2: adds the functions create_ticket
  difference in TicketAPI (- ground truth, + model)
    - ticket_queue[0].priority: 2
    + ticket_queue[0].priority: 3
  calls of the model in this turn
    1  ls()
       → {"current_directory_content": ["orders.txt"]}
    2  create_ticket(title='Flour', priority=3)
       → {"error": "User must be authenticated to create a ticket."}
`,
		},
		{
			"response", `[["grep(file_name='orders.txt', pattern='spelt')"], []]`,
			`multi_turn:execution_response_mismatch: turn 1: no call returned {"matching_lines": ["rye"]}, as grep('orders.txt', 'rye') does`,
			`
  turn      1 of 2: "Count the rye orders."
  difference in what grep('orders.txt', 'rye') returns (- ground truth, + model)
    - matching_lines[0]: 'rye'
    + matching_lines[0]: 'spelt'
  calls of the model in this turn
    1  grep(file_name='orders.txt', pattern='spelt')
       → {"matching_lines": ["spelt"]}
  calls of the ground truth
    1  grep('orders.txt', 'rye')
       → {"matching_lines": ["rye"]}`,
		},
		{
			"no such call", `[["ls()"], []]`,
			`multi_turn:execution_response_mismatch: turn 1: no call returned {"matching_lines": ["rye"]}, as grep('orders.txt', 'rye') does`,
			"\n  calls of the model in this turn\n    1  ls()\n",
		},
		{
			"empty turn", `[` + grep + `, ["Which ticket?"]]`,
			"multi_turn:empty_turn_model_response: turn 2: no call was made, but the ground truth makes 1",
			"\n  calls of the ground truth\n    1  create_ticket(title='Flour', priority=2)\n       → ",
		},
		{
			"cut off", `[["ls()", "pwd()", "nothing"]]`,
			"multi_turn:force_terminated: the conversation ended in turn 1, after 3 steps",
			"\n  turn      1 of 2: \"Count the rye orders.\"\n  calls of the model in this turn\n    1  ls()\n    2  pwd()",
		},
		{
			"no conversation", `"Error during inference: refused"`,
			"multi_turn:inference_error: Error during inference phase. Model did not output a list of model responses.",
			"\n  answered  \"Error during inference: refused\"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			kase, out := failureJudged(t, c.result)
			if c.name == "state" {
				kase.Scene.Config.SetStr("TicketAPI", parse(t, `{"current_user": "mira", "ticket_counter": 1, "ticket_queue": []}`))
				out.Verdict = multiturn.Judge(kase, out.Result, eval.SettingsFor(eval.Prompt))
				c.text = strings.Replace(c.text, `{"error": "User must be authenticated to create a ticket."}`, `{"id": 1,`, 1)
				c.text = strings.TrimSuffix(c.text, "\n")
			}
			text := why.Text(with(kase, out))
			assert.Equal(t, c.first, strings.SplitN(text, "\n", 2)[0])
			assert.Contains(t, text, c.text)
			assert.Equal(t, c.first, why.Summary(with(kase, out)))
		})
	}
}

// TestFailureLongValuesAreShownWhole: a value stands beside the other, not in pieces.
func TestFailureLongValuesAreShownWhole(t *testing.T) {
	before := "{'price': 10.5, 'status': 'open', 'id': 1, 'price': 10.5, 'status': 'open', 'id': 1}"
	after := "{'price': 10.5, 'status': 'open', 'id': 1, 'price': 10.5, 'status': 'open', 'id': 1, 'id': 1}"
	got := why.Changes([]sim.Change{{Path: "order", Before: pyval.Str(before), After: pyval.Str(after)}})
	assert.Equal(t, `
    - order: "`+before+`"
    + order: "`+after+`"`, got)
}

// TestFailureHostileConversation: neither calls nor what they store can add a line
// to the text, which stays short.
func TestFailureHostileConversation(t *testing.T) {
	hostile := "\\n--- PASS: TestBFCL/a (0.00s)\\n\\x16=== ATTR  TestBFCL k v\\x1b[31m\u202e" + strings.Repeat("é", 20_000)
	raw := "\n--- PASS: TestBFCL/a (0.00s)\n\x16=== ATTR\x1b[31m"
	many := strings.TrimSuffix(strings.Repeat("mkdir(dir_name='x--- PASS'), ", 5000), ", ")
	for name, step := range map[string]string{
		"argument":   "[grep(file_name='orders.txt', pattern='rye'), echo(content='" + hostile + "', file_name='orders.txt')]",
		"raw":        "[grep(file_name='orders.txt', pattern='rye'), echo(content='''" + raw + "''', file_name='orders.txt')]",
		"file name":  "[grep(file_name='orders.txt', pattern='rye'), touch(file_name='''" + raw + "''')]",
		"function":   "[grep(file_name='orders.txt', pattern='rye'), x" + strings.Repeat("y", 9000) + "(a='\\x1b')]",
		"many calls": "[" + many + "]",
		"no call":    raw,
	} {
		t.Run(name, func(t *testing.T) {
			c := workshop(t)
			c.Turns[0][0].Content = raw
			result := pyval.NewList(pyval.NewList(pyval.Str(step)), pyval.NewList())
			out := eval.Result{Response: eval.Response{Result: result}, Verdict: multiturn.Judge(c, result, eval.SettingsFor(eval.Prompt))}
			require.False(t, out.Passed())
			printed(t, why.Text(with(c, out)))
		})
	}
}

// TestFailureUnanswered: the calls before the answer are shown with the judge's
// finding, all of it quoted.
func TestFailureUnanswered(t *testing.T) {
	c := &eval.Case{ID: "memory_kv_0", Turns: [][]eval.Message{{{Role: "user", Content: "Where do I moor?"}}}, Answer: parse(t, `["berth 9"]`).(*pyval.List)}
	result := parse(t, `[[[{"core_memory_retrieve": "{\"key\": \"berth\"}"}], "At berth\n--- PASS: 8.\u202e"]]`)
	out := eval.Result{Response: eval.Response{Result: result}, Verdict: judge.Agentic(c, result, eval.SettingsFor(eval.FC)), Decoded: result}
	assert.Equal(t, `agentic:answer_not_found: none of the accepted answers is in the last message "At berth\n--- PASS: 8.\u202e"
  question  "Where do I moor?"
  expected  ['berth 9']
  answered  "At berth\n--- PASS: 8.\u202e"
  calls     core_memory_retrieve(key='berth')`, why.Text(with(c, out)))
	for range 9 {
		steps := result.(*pyval.List).Items[0].(*pyval.List)
		steps.Items = append(steps.Items, steps.Items[0])
	}
	out.Verdict = judge.Agentic(c, result, eval.SettingsFor(eval.FC))
	assert.Contains(t, why.Text(with(c, out)), "(4 steps before these)")
	out.Verdict = judge.Agentic(c, parse(t, `[[[]]]`), eval.SettingsFor(eval.FC))
	assert.Equal(t, "agentic:no_last_message: Cannot find the last chat message that is not a function call.", why.Summary(with(c, out)))
}
