package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// talked accepts a result of two turns.
var talked = &eval.Category{
	Name: "multi_turn_base", Group: "multi_turn", Rule: eval.MultiTurn,
	Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) { return result, nil },
	Judge: func(_ *eval.Case, decoded pyval.Value, _ error, _ eval.Settings) eval.Verdict {
		if list, ok := decoded.(*pyval.List); ok && len(list.Items) == 2 {
			return eval.Verdict{}
		}
		return eval.Verdict{Status: eval.Fail, ErrorType: "multi_turn:force_terminated"}
	},
}

var conversation = &eval.Case{ID: "multi_turn_base_0"}

// A leader is a function that leads a conversation.
type leader func(context.Context, *eval.Category, *eval.Case, int, eval.Ask) (*eval.Response, error)

func (f leader) Lead(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error) {
	return f(ctx, cat, c, trial, ask)
}

// twice asks twice and gives a result of two turns.
func twice(ctx context.Context, _ *eval.Category, c *eval.Case, trial int, ask eval.Ask) (*eval.Response, error) {
	resp := &eval.Response{Result: pyval.NewList(), Talk: &eval.Talk{}}
	for turn := range 2 {
		answer, err := ask(ctx, &eval.Request{ID: c.ID, Trial: trial, Turn: turn})
		if err != nil {
			return nil, err
		}
		list := resp.Result.(*pyval.List)
		list.Items = append(list.Items, pyval.NewList(answer.Result))
	}
	return resp, nil
}

// TestEngineConverse: a conversation is recorded whole or not at all; one that
// broke off starts again.
func TestEngineConverse(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	asked, broken := 0, true
	e := &engine.Engine{Writer: w, Leader: leader(twice), Adapter: adapter(func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		if asked++; broken && req.Turn == 1 {
			return nil, eval.Infra("server_error", "boom")
		}
		return &eval.Response{Result: pyval.Str("x")}, nil
	})}
	out := e.Run(t.Context(), talked, conversation, 0)
	assert.Equal(t, "infrastructure:server_error", out.ErrorType)
	_, err := os.Stat(filepath.Join(dir, "result"))
	require.ErrorIs(t, err, os.ErrNotExist)
	answers, err := record.ReadAnswers(dir, []*eval.Category{talked}, 1)
	require.NoError(t, err)
	assert.Empty(t, answers[0])

	broken, e.Recorded = false, answers
	out = e.Run(t.Context(), talked, conversation, 0)
	require.NoError(t, w.Close())
	assert.True(t, out.Passed())
	assert.Equal(t, 4, asked)

	e.Writer = nil
	e.Recorded, err = record.ReadAnswers(dir, []*eval.Category{talked}, 1)
	require.NoError(t, err)
	out = e.Run(t.Context(), talked, conversation, 0)
	assert.True(t, out.Passed() && out.Reused)
	assert.Equal(t, 4, asked)
}

// whole is an adapter that answers a conversation in one response.
type whole struct{ adapter }

func (whole) AnswersWhole() bool { return true }

func TestEngineWholeAnswers(t *testing.T) {
	e := &engine.Engine{Leader: leader(twice), Adapter: whole{func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		assert.Equal(t, conversation.ID, req.ID)
		return &eval.Response{Result: pyval.NewList(pyval.NewList(), pyval.NewList())}, nil
	}}}
	assert.True(t, e.Run(t.Context(), talked, conversation, 0).Passed())

	e.Leader = leader(func(context.Context, *eval.Category, *eval.Case, int, eval.Ask) (*eval.Response, error) {
		return &eval.Response{Result: eval.TextResult("right")}, nil
	})
	assert.True(t, e.Run(t.Context(), echo, question, 0).Passed(), "a question is asked as others are")

	e = &engine.Engine{Adapter: engineText("x")}
	assert.Equal(t, "infrastructure:pose", e.Run(t.Context(), talked, conversation, 0).ErrorType)
}

// TestEngineObtain: a conversation without a verdict is asked once, recorded
// and paid for, and counted nowhere.
func TestEngineObtain(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	e := &engine.Engine{
		Writer: w, Leader: leader(twice), Progress: engine.NewProgress([]engine.Count{{Total: 1}}, 0, "", 0),
		Budget:  engine.Budget{Prices: prices(1.5, 0), Most: 6}, // two requests a conversation
		Adapter: engineText("x"),
	}
	cat := &eval.Category{Name: "memory_kv_prereq", Group: "agentic/memory/kv", Rule: eval.Agentic}
	_, resp := e.Obtain(t.Context(), cat, conversation, 0)
	require.NotNil(t, resp)
	assert.InDelta(t, 3, resp.Cost.Dollars, 0)
	now := e.Progress.Snapshot()
	assert.Zero(t, now.Done)
	assert.InDelta(t, 3, now.Cost.Dollars, 0)

	recorded, err := record.ReadAnswers(dir, []*eval.Category{cat}, 1)
	require.NoError(t, err)
	e.Recorded = recorded
	out, resp := e.Obtain(t.Context(), cat, conversation, 0)
	require.NotNil(t, resp)
	assert.True(t, out.Reused)

	other := &eval.Case{ID: "memory_kv_prereq_1-a-1"}
	_, resp = e.Obtain(t.Context(), cat, other, 0)
	require.NotNil(t, resp)
	assert.ErrorContains(t, e.Halted(), "the budget is spent")
	out, resp = e.Obtain(t.Context(), cat, &eval.Case{ID: "memory_kv_prereq_2-a-2"}, 0)
	assert.Nil(t, resp)
	assert.True(t, out.NotRun)
	require.NoError(t, w.Close())

	e = &engine.Engine{Adapter: e.Adapter, Leader: leader(func(context.Context, *eval.Category, *eval.Case, int, eval.Ask) (*eval.Response, error) {
		panic("conversation")
	})}
	out, resp = e.Obtain(t.Context(), cat, conversation, 0)
	assert.Nil(t, resp)
	assert.Equal(t, "infrastructure:panic", out.ErrorType)
}

// TestEngineNotRun: a case that waited for a conversation that never took place
// counts as not run, not as an error.
func TestEngineNotRun(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	cause := errors.New("the budget is spent")
	e := &engine.Engine{Writer: w, Adapter: engineText("x"), Progress: engine.NewProgress([]engine.Count{{Total: 1}}, 0, "", 0)}
	e.Leader = leader(func(context.Context, *eval.Category, *eval.Case, int, eval.Ask) (*eval.Response, error) {
		return nil, &engine.NotRun{Cause: cause}
	})
	out := e.Run(t.Context(), talked, conversation, 0)
	require.NoError(t, w.Close())
	assert.True(t, out.NotRun)
	assert.ErrorIs(t, out.Err, cause)
	assert.NoFileExists(t, filepath.Join(dir, "errors.jsonl"))
	now := e.Progress.Snapshot()
	assert.Zero(t, now.Done+now.Errors+now.InFlight)
}
