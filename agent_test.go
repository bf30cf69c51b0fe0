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
