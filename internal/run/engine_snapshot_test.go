package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestSnapshotText: the line that a run shows, part by part.
func TestSnapshotText(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.Local)
	at := began.Add(10 * time.Second)
	until, long := at.Add(time.Minute), strings.Repeat("l", 101)
	tally := func(done, passed, failed, errs int) engine.Tally {
		return engine.Tally{Done: done, Passed: passed, Failed: failed, Errors: errs}
	}
	for _, c := range []struct {
		s    engine.Snapshot
		want string
	}{
		{engine.Snapshot{Total: 40, Started: began}, "0/40  0 in flight"},
		{engine.Snapshot{Total: 40, Started: began, InFlight: 3, Tally: tally(20, 15, 4, 1)}, "20/40  78.9% passed  1 error  3 in flight  2.0/s  10s left"},
		{engine.Snapshot{Total: 40, Started: began, Tally: tally(2, 0, 0, 2)}, "2/40  2 errors  0 in flight  0.2/s  3m10s left"},
		{engine.Snapshot{Total: 40, Started: began, Reused: 10, Cost: dollars(0.5), Tally: tally(20, 20, 0, 0), Category: "rest"}, "20/40  100.0% passed  $0.50 of about $1.50  0 in flight  1.0/s  20s left  rest"},
		{engine.Snapshot{Total: 40, Started: began, Reused: 20, Cost: dollars(0.5), Tally: tally(20, 20, 0, 0)}, "20/40  100.0% passed  $0.50 of about $0.00  0 in flight"},
		{engine.Snapshot{Total: 40, Started: at, Tally: tally(1, 1, 0, 0)}, "1/40  100.0% passed  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 2, Until: until, Asked: 5 * time.Second}}, "0/1  2 waiting until 12:01:10: s asks for 5s  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 2, Until: until, Asked: 5*time.Second - 1}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Until: until, Asked: time.Minute}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 2, Until: at, Asked: time.Minute}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 2, Starting: true, Until: until}}, "0/1  2 waiting for s to load its model, until 12:01:10  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 0, Starting: true, Until: until}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 2, Starting: true, Until: at}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 1, Asked: time.Minute, Until: until}}, "0/1  1 waiting until 12:01:10: s asks for 1m0s  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: "s", Requests: 1, Starting: true, Until: until}}, "0/1  1 waiting for s to load its model, until 12:01:10  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: long, Requests: 2, Starting: true, Until: until}}, "0/1  2 waiting for " + long[:100] + "… (101 bytes) to load its model, until 12:01:10  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: transport.Wait{Server: long, Requests: 2, Until: until, Asked: time.Minute}}, "0/1  2 waiting until 12:01:10: " + long[:100] + "… (101 bytes) asks for 1m0s  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Refusals: 10, Refusal: "rate_limited"}, "0/1  10 refused in a row: rate_limited  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Refusals: 9, Refusal: "rate_limited"}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Category: long}, "0/1  0 in flight  " + long[:60] + "… (101 bytes)"},
		{engine.Snapshot{Total: 2, Started: began, Cost: dollars(0.5), Tally: tally(1, 0, 1, 0)}, "1/2  0.0% passed  $0.50 of about $1.00  0 in flight  0.1/s  10s left"},
		{engine.Snapshot{Total: 2, Started: at.Add(-time.Second / 2), Tally: tally(1, 0, 0, 1)}, "1/2  1 error  0 in flight  2.0/s  1s left"},
	} {
		assert.Equal(t, c.want, c.s.Text(at))
		assert.Equal(t, c.s.Rate(at) > 0, c.s.Left(at) != 0, c.want)
	}
}

// TestSnapshotSees: a snapshot counts by category and kind, and keeps the last
// failures.
func TestSnapshotSees(t *testing.T) {
	t.Parallel()
	p := engine.NewProgress([]engine.Count{{Name: "other", Total: 1}, {Name: echo.Name, Total: 40}}, 3, "", 0)
	e := &engine.Engine{Progress: p}
	p.Watch(func() transport.Wait { return transport.Wait{Requests: 7} })
	for i := range 30 {
		answer := "wrong"
		if i%10 == 0 {
			answer = "right"
		}
		out := engine.Judge(echo, question, &eval.Response{Result: eval.TextResult(answer)}, eval.Settings{})
		assert.Equal(t, i%10 == 0, out.Passed())
		e.Adapter = engineText(answer)
		e.Run(t.Context(), echo, &eval.Case{ID: fmt.Sprintf("c%d", i)}, 0)
	}
	e.Adapter = adapter(nil) // which panics
	assert.Equal(t, eval.Error, e.Run(t.Context(), echo, &eval.Case{ID: "last"}, 0).Status)
	now := p.Snapshot()
	assert.Equal(t, engine.Tally{Done: 31, Passed: 3, Failed: 27, Errors: 1}, now.Tally)
	assert.Equal(t, engine.Count{Name: echo.Name, Total: 40, Tally: now.Tally}, now.Categories[1])
	assert.Equal(t, engine.Count{Name: "other", Total: 1}, now.Categories[0])
	assert.Equal(t, 41, now.Total)
	assert.Equal(t, 7, now.Wait.Requests)
	assert.Equal(t, map[string]int{"infrastructure:panic": 1}, now.Kinds)
	assert.Equal(t, echo.Name, now.Category)
	if assert.Len(t, now.Failures, 20) {
		assert.Equal(t, "last", now.Failures[0].ID)
		assert.Equal(t, "c29", now.Failures[1].ID)
		assert.Contains(t, now.Failures[0].Reason, "panic")
	}
	for i, kind := range []string{"rate_limited", "overloaded", "", "timeout"} {
		e.Sending(t.Context(), "")(transport.End{Kind: kind})
		now = p.Snapshot()
		assert.Equal(t, []int{1, 2, 0, 1}[i], now.Refusals)
		assert.Equal(t, kind, now.Refusal)
	}
	(*engine.Progress)(nil).Close()
	p.Close() // there is no file to end
	panicky := engine.Judge(echo, question, &eval.Response{Result: eval.TextResult("panic")}, eval.Settings{})
	assert.Equal(t, "infrastructure:panic", panicky.ErrorType)
}

// TestSnapshotReasons: the reason of a failure is the judge's or the server's.
func TestSnapshotReasons(t *testing.T) {
	t.Parallel()
	for want, detail := range map[string]pyval.Value{"first": pyval.NewList(pyval.Str("first"), pyval.Str("second")), "only": pyval.NewList(pyval.Str("only")), "text": pyval.Str("text"), "": pyval.NewList()} {
		cat := &eval.Category{Name: "c", Decode: echo.Decode, Judge: func(*eval.Case, pyval.Value, error, eval.Settings) eval.Verdict {
			return eval.Verdict{Status: eval.Fail, ErrorType: "x", Detail: detail}
		}}
		p := engine.NewProgress(nil, 0, "", 0)
		e := &engine.Engine{Progress: p, Adapter: engineText("wrong")}
		e.Run(t.Context(), cat, question, 0)
		assert.Equal(t, want, p.Snapshot().Failures[0].Reason)
	}
	p := engine.NewProgress(nil, 0, "", 0)
	e := &engine.Engine{Progress: p, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) { return nil, errors.New("the peer went") })}
	e.Run(t.Context(), echo, question, 0)
	assert.Contains(t, p.Snapshot().Failures[0].Reason, "the peer went")
}

// TestSnapshotIsKept: a snapshot stays as it was taken, and no list in it grows
// without end.
func TestSnapshotIsKept(t *testing.T) {
	t.Parallel()
	p := engine.NewProgress([]engine.Count{{Name: echo.Name, Total: 99}}, 0, "", 0)
	var kind string
	var took time.Duration
	e := &engine.Engine{Progress: p, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
		if kind != "" {
			return nil, eval.Infra(kind, "%s", strings.Repeat("e", 300))
		}
		return &eval.Response{Result: eval.TextResult("wrong"), Latency: took}, nil
	})}
	var before engine.Snapshot
	for i := range 56 {
		kind, took = fmt.Sprintf("kind_%d", i), 0
		if i < 4 {
			kind, took = "", time.Duration(i)*time.Second
		}
		e.Run(t.Context(), echo, &eval.Case{ID: fmt.Sprint(i)}, 0)
		if i == 9 {
			before = p.Snapshot()
		}
	}
	kind = "kind_4"
	e.Run(t.Context(), echo, &eval.Case{ID: "again"}, 0)
	kind, took = "", 90*time.Second
	e.Recorded = record.Answers{{"slow": {ID: "slow", Result: eval.TextResult("right"), Entry: pyval.Object("latency", pyval.Float(90))}}}
	out := e.Run(t.Context(), echo, &eval.Case{ID: "slow"}, 0)
	assert.Equal(t, took, out.Latency)
	after := p.Snapshot()
	assert.WithinDuration(t, time.Now(), after.At, time.Hour)
	assert.True(t, after.At.After(after.Started))
	assert.Equal(t, []int{10, 58, 0, 1}, []int{before.Done, after.Done, before.Reused, after.Reused})
	assert.Equal(t, []int{10, 58}, []int{before.Categories[0].Done, after.Categories[0].Done})
	assert.Len(t, before.Kinds, 6)
	assert.Len(t, after.Kinds, 50)
	assert.Equal(t, 2, after.Kinds["infrastructure:kind_4"])
	assert.Equal(t, []string{"9", "again"}, []string{before.Failures[0].ID, after.Failures[0].ID})
	assert.Equal(t, "kind_9: "+strings.Repeat("e", 292)+"… (308 bytes)", before.Failures[0].Reason)
}

// TestPulse: time without a beat is time in which the process stood still;
// waiting is not.
func TestPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := engine.NewPulse()
		time.Sleep(time.Minute)
		assert.Zero(t, p.Stood())
		assert.NoError(t, p.Close()) // no more beats, as in a stopped process
		time.Sleep(15 * time.Second)
		assert.InDelta(t, 15, p.Stood().Seconds(), 0.5)
		assert.InDelta(t, 15, p.Stood().Seconds(), 0.5, "counted once")
	})
}

// TestLongWait: a quiet run says that the server makes it wait for a minute or more.
func TestLongWait(t *testing.T) {
	for wait, want := range map[transport.Wait]bool{
		{Requests: 1, Asked: time.Hour}:                 true,
		{Requests: 1, Asked: time.Minute}:               true,
		{Requests: 1, Asked: 59 * time.Second}:          false,
		{Asked: time.Hour}:                              false,
		{Requests: 1, Asked: time.Hour, Starting: true}: false,
	} {
		assert.Equal(t, want, wait.Long(), "%v", wait)
	}
}

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
	require.ErrorIs(t, testkit.Err(os.Stat(filepath.Join(dir, "result"))), os.ErrNotExist)
	answers := testkit.Must(record.ReadAnswers(dir, []*eval.Category{talked}, 1))(t)
	assert.Empty(t, answers[0])

	broken, e.Recorded = false, answers
	out = e.Run(t.Context(), talked, conversation, 0)
	require.NoError(t, w.Close())
	assert.True(t, out.Passed())
	assert.Equal(t, 4, asked)

	e.Writer = nil
	e.Recorded = testkit.Must(record.ReadAnswers(dir, []*eval.Category{talked}, 1))(t)
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

	recorded := testkit.Must(record.ReadAnswers(dir, []*eval.Category{cat}, 1))(t)
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
