package bfcl_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl"
)

// talks is a suite of conversations whose calls have results.
var talks = map[string]string{
	"suite.yaml": "name: talks\ntools: [{functions: t.yaml}]\ncategories:\n  - {name: talks, kind: multi_turn, cases: c.yaml}\n  - {name: asks, kind: multiple, cases: q.yaml}\n",
	"t.yaml":     "- {name: find, parameters: {type: object, properties: {title: {type: string}}, required: [title]}}\n- {name: hold, parameters: {type: object, properties: {id: {type: integer}}, required: [id]}}\n",
	"c.yaml": `- id: talk_0
  turns:
    - {question: "Is Low Tide there?", expect: {find: {title: Low Tide}}}
    - {question: "Put it aside.", expect: {hold: {id: 7}}}
  results:
    - {call: {find: {title: Low Tide}}, result: {id: 7}}
    - {call: hold, result: done}
`,
	"q.yaml": "- {id: ask_0, question: Hold 7., expect: {hold: {id: 7}}}\n",
}

// verdicts asks an agent and returns what became of its cases.
func verdicts(t *testing.T, agent bfcl.AgentFunc) map[string]string {
	t.Helper()
	dir, out := t.TempDir(), map[string]string{}
	for name, text := range talks {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_, err := bfcl.MeasureAgent(t.Context(), agent, bfcl.Suite(dir), bfcl.Each(func(v bfcl.Verdict) {
		out[v.ID] = string(v.Status) + " " + v.ErrorType
	}))
	if err != nil {
		require.ErrorIs(t, err, bfcl.ErrUnscored)
	}
	return out
}

// TestAgent: an agent in this program is judged by the calls that it makes,
// remembers what was before, and is heard no more when its turn is over.
func TestAgent(t *testing.T) {
	var mu sync.Mutex
	var late []string
	var last *bfcl.Turn
	got := verdicts(t, func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
		assert.Len(t, turn.Tools, 2)
		mu.Lock()
		defer mu.Unlock()
		said := turn.Messages[len(turn.Messages)-1].Content
		switch {
		case said == "Is Low Tide there?":
			result, failed := turn.Call(ctx, "find", `{"title": "Low Tide"}`)
			assert.JSONEq(t, `{"id": 7}`, result)
			assert.False(t, failed)
			turn.Memory, last = result, turn
		case turn.Memory != nil:
			result, failed := last.Call(ctx, "nothing", `{`)
			assert.True(t, failed, result)
			fallthrough
		default:
			turn.Call(ctx, "hold", `{"id": 7}`)
			late = append(late, said)
		}
		return &bfcl.Response{Text: "Done."}, nil
	})
	assert.Equal(t, map[string]string{"talk_0": "pass ", "ask_0": "pass "}, got)
	assert.ElementsMatch(t, []string{"Put it aside.", "Hold 7."}, late)
	result, failed := last.Call(t.Context(), "hold", `{"id": 7}`)
	assert.Equal(t, "This call came when no turn was open. It was not carried out.", result)
	assert.True(t, failed)
}

// TestAgentTrouble: what an agent does wrong, and what keeps it from working.
func TestAgentTrouble(t *testing.T) {
	for name, row := range map[string]struct {
		agent      bfcl.AgentFunc
		talk, asks string
	}{
		"wrong calls": {func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
			turn.Call(ctx, "hold", `{"id": 8}`)
			return &bfcl.Response{}, nil
		}, "fail simple_function_checker:wrong_func_name", "fail value_error:others"},
		"returned calls": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return &bfcl.Response{Calls: []bfcl.Call{{Name: "hold", Arguments: `{"id": 7}`}}}, nil
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
		"an error": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return nil, errors.New("down")
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
		"a panic": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			panic("no")
		}, "error infrastructure:panic", "error infrastructure:panic"},
		"nothing": {func(context.Context, *bfcl.Turn) (*bfcl.Response, error) {
			return nil, nil
		}, "error infrastructure:adapter", "error infrastructure:adapter"},
	} {
		assert.Equal(t, map[string]string{"talk_0": row.talk, "ask_0": row.asks}, verdicts(t, row.agent), name)
	}
	_, err := bfcl.MeasureAgent(t.Context(), nil)
	require.EqualError(t, err, "bfcl.MeasureAgent: the agent is nil")
}

// userTalk is a conversation with a user who is played by a script.
const userTalk = `- id: talk_0
  question: Put a book aside.
  user:
    - {asked: [title, which book], says: Low Tide.}
    - {asked: card, says: It is 20417.}
    - {called: {hold: {id: 7}}, leaves: true}
    - {says: I do not know.}
  patience: 2
  expect: {at_least: [hold: {id: 7}], ordered: true}
  results:
    - {call: find, result: {id: 7}}
    - {call: hold, result: done}
`

// TestSimulatedUser: the user says what the script has for what it is asked, leaves
// when it has what it wants or gets nowhere, and says the same to agents.
func TestSimulatedUser(t *testing.T) {
	for name, row := range map[string]struct {
		says    []string // turn by turn; a call begins with "!"
		heard   []string
		verdict string
	}{
		"asks for all": {
			[]string{"Which book?", "And your CARD, please?", "!hold 7"},
			[]string{"Put a book aside.", "Low Tide.", "It is 20417."}, "pass ",
		},
		"asks at once": {[]string{"Your card, and the title?", "!find", "!hold 7"}, []string{"Put a book aside.", "Low Tide. It is 20417.", "I do not know."}, "pass "},
		"gets nowhere": {
			[]string{"Hello.", "Who are you?"}, []string{"Put a book aside.", "I do not know."}, "fail calls:missing",
		},
		"asks again": {
			[]string{"Which book?", "Which book?", "Which book?"}, []string{"Put a book aside.", "Low Tide.", "Low Tide."}, "fail calls:missing",
		},
		"repeats a call": {
			[]string{"!find", "!find", "!find"}, []string{"Put a book aside.", "I do not know.", "I do not know."}, "fail calls:missing",
		},
		"holds another": {[]string{"!hold 8", "Done.", "Done."}, []string{"Put a book aside.", "I do not know.", "I do not know."}, "fail calls:missing"},
	} {
		dir := t.TempDir()
		for file, text := range talks {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(userTalk), 0o600))
		calls := map[string]bfcl.Call{
			"!find": {Name: "find", Arguments: `{"title": "Low Tide"}`}, "!hold 7": {Name: "hold", Arguments: `{"id": 7}`}, "!hold 8": {Name: "hold", Arguments: `{"id": 8}`},
		}
		var heard []string
		next := func() (string, bfcl.Call, bool) {
			says := row.says[len(heard)-1]
			call, is := calls[says]
			return says, call, is
		}
		model := bfcl.ModelFunc(func(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
			last := req.Messages[len(req.Messages)-1]
			if last.Role == "tool" {
				return &bfcl.Response{Text: "Is it done?"}, nil
			}
			heard = append(heard, last.Content)
			says, call, is := next()
			if is {
				return &bfcl.Response{Calls: []bfcl.Call{call}}, nil
			}
			return &bfcl.Response{Text: "<think>title or card?</think>" + says}, nil
		})
		var got string
		options := []bfcl.Option{bfcl.Suite(dir), bfcl.Categories("talks"), bfcl.Each(func(v bfcl.Verdict) { got = string(v.Status) + " " + v.ErrorType })}
		result, err := bfcl.Measure(t.Context(), model, options...)
		require.NoError(t, err, name)
		assert.NotNil(t, result)
		assert.Equal(t, row.heard, heard, name)
		assert.Equal(t, row.verdict, got, name)
		heard = nil
		_, err = bfcl.MeasureAgent(t.Context(), func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
			heard = append(heard, turn.Messages[0].Content)
			says, call, is := next()
			if is {
				turn.Call(ctx, call.Name, call.Arguments)
				says = "Is it done?"
			}
			return &bfcl.Response{Text: says}, nil
		}, options...)
		require.NoError(t, err, name)
		assert.Equal(t, row.heard, heard, name)
		assert.Equal(t, row.verdict, got, name)
	}
}
