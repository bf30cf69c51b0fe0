package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/engine"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// talked accepts a result of two turns.
var talked = &eval.Category{
	Name: "multi_turn_base", Group: "multi_turn", MultiTurn: true,
	Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) { return result, nil },
	Judge: func(_ *eval.Case, decoded pyval.Value, _ error, _ eval.Settings) eval.Verdict {
		if list, ok := decoded.(*pyval.List); ok && len(list.Items) == 2 {
			return eval.Verdict{}
		}
		return eval.Verdict{Status: eval.Fail, ErrorType: "multi_turn:force_terminated"}
	},
}

var conversation = &eval.Case{ID: "multi_turn_base_0"}

// twice asks twice and gives a result of two turns.
func twice(ctx context.Context, _ *eval.Category, c *eval.Case, trial int, ask engine.Ask) (*eval.Response, error) {
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

// TestConverse records a whole conversation or nothing: one that broke off is
// led anew.
func TestConverse(t *testing.T) {
	dir := t.TempDir()
	w, err := record.NewWriter(dir)
	require.NoError(t, err)
	asked, broken := 0, true
	e := &engine.Engine{Writer: w, Converse: twice, Adapter: adapter(func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		if asked++; broken && req.Turn == 1 {
			return nil, eval.Infra("server_error", "boom")
		}
		return &eval.Response{Result: pyval.Str("x")}, nil
	})}
	out := e.Run(t.Context(), talked, conversation, 0)
	assert.Equal(t, "infrastructure:server_error", out.ErrorType)
	_, err = os.Stat(filepath.Join(dir, "result"))
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

// whole answers conversations in one piece.
type whole struct{ adapter }

func (whole) AnswersWhole() bool { return true }

func TestWholeAnswers(t *testing.T) {
	e := &engine.Engine{Converse: twice, Adapter: whole{func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		assert.Equal(t, conversation.ID, req.ID)
		return &eval.Response{Result: pyval.NewList(pyval.NewList(), pyval.NewList())}, nil
	}}}
	assert.True(t, e.Run(t.Context(), talked, conversation, 0).Passed())

	e = &engine.Engine{Adapter: text("x")}
	assert.Equal(t, "infrastructure:pose", e.Run(t.Context(), talked, conversation, 0).ErrorType)
}
