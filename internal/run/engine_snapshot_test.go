package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// TestSnapshotText: the line that a run shows, part by part.
func TestSnapshotText(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.Local)
	at := began.Add(10 * time.Second)
	until := at.Add(time.Minute)
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
		{engine.Snapshot{Total: 40, Started: began, Reused: 10, Cost: 0.5, Tally: tally(20, 20, 0, 0), Category: "rest"}, "20/40  100.0% passed  $0.50 of about $1.50  0 in flight  1.0/s  20s left  rest"},
		{engine.Snapshot{Total: 40, Started: began, Reused: 20, Cost: 0.5, Tally: tally(20, 20, 0, 0)}, "20/40  100.0% passed  $0.50 of about $0.00  0 in flight"},
		{engine.Snapshot{Total: 40, Started: at, Tally: tally(1, 1, 0, 0)}, "1/40  100.0% passed  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Requests: 2, Until: until, Asked: 5 * time.Second}}, "0/1  2 waiting until 12:01:10: s asks for 5s  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Requests: 2, Until: until, Asked: 5*time.Second - 1}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Until: until, Asked: time.Minute}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Requests: 2, Until: at, Asked: time.Minute}}, "0/1  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Requests: 2, Starting: true, Until: until}}, "0/1  2 waiting for s to load its model, until 12:01:10  0 in flight"},
		{engine.Snapshot{Total: 1, Started: began, Wait: engine.Wait{Server: "s", Requests: 0, Starting: true, Until: until}}, "0/1  0 in flight"},
	} {
		assert.Equal(t, c.want, c.s.Text(at))
	}
}

// TestSnapshotSees: a snapshot counts by category and kind, and keeps the last
// failures and the slowest cases.
func TestSnapshotSees(t *testing.T) {
	t.Parallel()
	p := engine.NewProgress([]engine.Count{{Name: "other", Total: 1}, {Name: echo.Name, Total: 40}}, 3, "", 0)
	e := &engine.Engine{Progress: p}
	p.Watch(func() engine.Wait { return engine.Wait{Requests: 7} })
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
	if assert.Len(t, now.Slowest, 5) {
		assert.Equal(t, "c0", now.Slowest[0].ID, "of those that took as long the first stays")
		assert.InDelta(t, 1.0, now.Slowest[0].Seconds, 1e-9)
	}
	(*engine.Progress)(nil).Close()
	p.Close() // there is no file to end
	panicky := engine.Judge(echo, question, &eval.Response{Result: eval.TextResult("panic")}, eval.Settings{})
	assert.Equal(t, "infrastructure:panic", panicky.ErrorType)
}

// TestSnapshotReasons: the reason of a failure is the judge's or the server's.
func TestSnapshotReasons(t *testing.T) {
	t.Parallel()
	for want, detail := range map[string]pyval.Value{"first": pyval.NewList(pyval.Str("first"), pyval.Str("second")), "text": pyval.Str("text"), "": pyval.NewList()} {
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
