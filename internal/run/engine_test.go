package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

type adapter func(context.Context, *eval.Request) (*eval.Response, error)

func (f adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	return f(ctx, req)
}

// echo accepts the answer "right" and panics on "panic".
var echo = &eval.Category{
	Name: "simple_python", Group: "non_live",
	Decode: func(_ *eval.Case, result pyval.Value, _ eval.Settings) (pyval.Value, error) {
		if result == pyval.Str("panic") {
			panic("decoder")
		}
		return result, nil
	},
	Judge: func(_ *eval.Case, decoded pyval.Value, _ error, _ eval.Settings) eval.Verdict {
		if decoded == pyval.Str("right") {
			return eval.Verdict{}
		}
		return eval.Verdict{Status: eval.Fail, ErrorType: "value_error:string"}
	},
}

var question = &eval.Case{ID: "simple_python_0"}

func engineText(s string) adapter {
	return func(context.Context, *eval.Request) (*eval.Response, error) {
		return &eval.Response{Result: eval.TextResult(s), InputTokens: 1, OutputTokens: 2, Latency: time.Second}, nil
	}
}

// writer records into a folder.
func writer(t *testing.T, dir string) *record.Writer {
	t.Helper()
	return testkit.Must(record.NewWriter(dir, nil))(t)
}

func TestEngineRun(t *testing.T) {
	for _, c := range []struct {
		name    string
		adapter adapter
		status  eval.Status
		kind    string
	}{
		{"right", engineText("right"), eval.Pass, ""},
		{"wrong", engineText("wrong"), eval.Fail, "value_error:string"},
		{"panic in decoder", engineText("panic"), eval.Error, "infrastructure:panic"},
		{"panic in adapter", func(context.Context, *eval.Request) (*eval.Response, error) { panic("adapter") }, eval.Error, "infrastructure:panic"},
		{"infra", func(context.Context, *eval.Request) (*eval.Response, error) { return nil, eval.Infra("reset", "peer") }, eval.Error, "infrastructure:reset"},
		{"plain error", func(context.Context, *eval.Request) (*eval.Response, error) { return nil, errors.New("x") }, eval.Error, "infrastructure:adapter"},
		{"nothing", func(context.Context, *eval.Request) (*eval.Response, error) { return nil, nil }, eval.Error, "infrastructure:adapter"},
		{"hangs", func(ctx context.Context, _ *eval.Request) (*eval.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, eval.Error, "infrastructure:timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &engine.Engine{Adapter: c.adapter, Timeout: 20 * time.Millisecond, Progress: engine.NewProgress([]engine.Count{{Total: 1}}, 0, "", 0)}
			out := e.Run(t.Context(), echo, question, 0)
			assert.Equal(t, c.status, out.Status)
			assert.Equal(t, c.kind, out.ErrorType)
			assert.Equal(t, c.status == eval.Error, out.Err != nil)
			now := e.Progress.Snapshot()
			assert.Equal(t, 1, now.Done)
			assert.Zero(t, now.InFlight)
		})
	}
}

func TestEngineRecordAndResume(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	e := &engine.Engine{Adapter: engineText("right"), Writer: w}
	require.True(t, e.Run(t.Context(), echo, question, 0).Passed())
	e.Adapter = adapter(func(context.Context, *eval.Request) (*eval.Response, error) { return nil, eval.Infra("reset", "peer") })
	require.Equal(t, eval.Error, e.Run(t.Context(), echo, &eval.Case{ID: "simple_python_1"}, 0).Status)
	require.NoError(t, w.Close())

	failures := testkit.Must(os.ReadFile(filepath.Join(dir, "errors.jsonl")))(t)
	assert.Contains(t, string(failures), `"id":"simple_python_1","category":"simple_python","trial":0,"kind":"reset","error":"reset: peer"`)

	answers := testkit.Must(record.ReadAnswers(dir, []*eval.Category{echo}, 1))(t)
	asked := 0
	e = &engine.Engine{Recorded: answers, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
		asked++
		return engineText("right")(nil, nil)
	})}
	out := e.Run(t.Context(), echo, question, 0)
	assert.True(t, out.Reused && out.Passed())
	assert.Equal(t, time.Second, out.Latency)
	assert.Zero(t, asked)
	assert.True(t, e.Run(t.Context(), echo, &eval.Case{ID: "simple_python_1"}, 0).Passed())
	assert.Equal(t, 1, asked)
}

// TestEngineHalt: a fatal error or a spent budget stops the run; recorded
// answers are still judged.
func TestEngineHalt(t *testing.T) {
	fatal := &transport.Error{Kind: "auth", Message: "key refused", Fatal: true}
	e := &engine.Engine{
		Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) { return nil, fatal }),
	}
	first := e.Run(t.Context(), echo, question, 0)
	assert.False(t, first.NotRun)
	assert.Equal(t, eval.Error, first.Status)
	second := e.Run(t.Context(), echo, question, 0)
	assert.True(t, second.NotRun)
	assert.ErrorIs(t, second.Err, fatal)
	e.Leader = leader(func(context.Context, *eval.Category, *eval.Case, int, eval.Ask) (*eval.Response, error) {
		assert.Fail(t, "no conversation begins after the halt")
		return nil, fatal
	})
	assert.True(t, e.Run(t.Context(), talked, conversation, 0).NotRun)
	third, _ := e.Obtain(t.Context(), talked, conversation, 0)
	assert.True(t, third.NotRun)

	e = &engine.Engine{
		Adapter: engineText("right"), Budget: engine.Budget{Prices: prices(1, 0), Most: 2.5}, Progress: engine.NewProgress([]engine.Count{{Total: 9}}, 0, "", 0),
	}
	asked := 0
	for range 9 {
		if out := e.Run(t.Context(), echo, question, 0); !out.NotRun {
			asked++
			assert.InDelta(t, 1, out.Cost.Dollars, 0)
		}
	}
	assert.Equal(t, 2, asked, "a third request would exceed the budget by a fifth")
	assert.EqualError(t, e.Halted(), "the budget is spent: $2.0000 of -max-cost=2.5, and another case costs about $1.0000; continue with -resume and a new budget")
	assert.InDelta(t, 2, e.Progress.Snapshot().Cost.Dollars, 0)
	e.Recorded = record.Answers{{question.ID: {ID: question.ID, Result: eval.TextResult("right"), Entry: &pyval.Dict{}}}}
	assert.True(t, e.Run(t.Context(), echo, question, 0).Passed())
}

// TestInFlight: more cases may be in progress than requests are in flight.
func TestInFlight(t *testing.T) {
	for most, want := range map[int]int{0: 3, 1: 1, 2: 2, 9: 3} {
		var together, all sync.WaitGroup
		together.Add(3)
		e := &engine.Engine{Progress: engine.NewProgress([]engine.Count{{Total: 3}}, most, "", 0)}
		e.Adapter = adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			together.Done()
			together.Wait()
			assert.Equal(t, want, e.Progress.Snapshot().InFlight, "at most %d", most)
			all.Done()
			all.Wait()
			return engineText("right")(nil, nil)
		})
		var done sync.WaitGroup
		all.Add(3)
		for range 3 {
			done.Go(func() { e.Run(t.Context(), echo, question, 0) })
		}
		done.Wait()
	}
}

// TestEngineNothingCanBeRecorded: an answer that cannot be recorded is an
// error, and no further request is sent.
func TestEngineNothingCanBeRecorded(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "result"), nil, 0o644), "a file where a folder is to be")
	e := &engine.Engine{Adapter: engineText("right"), Writer: w}
	first := e.Run(t.Context(), echo, question, 0)
	assert.Equal(t, "infrastructure:record", first.ErrorType)
	assert.False(t, first.NotRun)
	assert.ErrorContains(t, e.Halted(), "answers cannot be recorded: ")
	assert.ErrorContains(t, e.Halted(), "fix that and continue with -resume")
	assert.True(t, e.Run(t.Context(), echo, &eval.Case{ID: "simple_python_1"}, 0).NotRun)
}

func TestEngineProgressFile(t *testing.T) {
	dir := t.TempDir()
	_, ok := engine.ReadProgress(dir)
	require.False(t, ok)
	p := engine.NewProgress([]engine.Count{{Total: 7}}, 0, dir, time.Millisecond)
	require.Eventually(t, func() bool {
		s, ok := engine.ReadProgress(dir)
		return ok && s.Total == 7
	}, 5*time.Second, time.Millisecond)
	p.Close()
	_, ok = engine.ReadProgress(dir)
	assert.False(t, ok)
	path, most := filepath.Join(dir, ".progress.json"), 1<<20
	for text, want := range map[string]bool{`{"total": 7}`: true, `{"total": 7`: false, `{"total": 7}` + strings.Repeat(" ", most-12): true, `{"total": 7}` + strings.Repeat(" ", most-11): false} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, ok = engine.ReadProgress(dir)
		assert.Equal(t, want, ok, "%d bytes", len(text))
	}
}

// TestEngineNotes: what kept a case from being answered is recorded, except that
// the run was ended; what cannot be recorded is told.
func TestEngineNotes(t *testing.T) {
	file := func(dir string) string { return filepath.Join(dir, "errors.jsonl") }
	for name, c := range map[string]struct {
		ended, taken bool
		said         string
		noted        bool
	}{
		"noted": {false, false, "reset: peer", true}, "ended": {true, false, "reset: peer", false},
		"taken": {false, true, "reset: peer (and the error could not be recorded: ", false},
	} {
		dir := t.TempDir()
		if c.taken {
			require.NoError(t, os.Mkdir(file(dir), 0o755))
		}
		w := writer(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		e := &engine.Engine{Writer: w, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			if c.ended {
				cancel()
			}
			return nil, eval.Infra("reset", "peer")
		})}
		out := e.Run(ctx, echo, question, 0)
		cancel()
		assert.Equal(t, "infrastructure:reset", out.ErrorType)
		require.ErrorContains(t, out.Err, c.said, name)
		assert.Equal(t, c.taken, out.Err.Error() != c.said)
		require.NoError(t, e.Halted())
		require.NoError(t, w.Close())
		if c.noted {
			assert.FileExists(t, file(dir))
		} else {
			assert.NoFileExists(t, file(dir))
		}
	}
	w := writer(t, t.TempDir())
	e := &engine.Engine{Writer: w, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
		return &eval.Response{Result: &pyval.Set{}}, nil
	})}
	assert.Equal(t, "infrastructure:record", e.Run(t.Context(), echo, question, 0).ErrorType)
	require.NoError(t, e.Halted(), "other answers can be recorded")
	require.NoError(t, w.Close())
}

// TestOutcome: what is known of an answer stands beside its verdict.
func TestOutcome(t *testing.T) {
	effort := &eval.Effort{Steps: 3}
	resp := &eval.Response{Result: pyval.Str("right"), InputTokens: 1, OutputTokens: 2, Latency: 3, TTFT: 4, CutOff: true, Malformed: true, Finish: "odd: tired", Effort: effort}
	got := engine.Judge(echo, question, resp, eval.Settings{})
	assert.Equal(t, *resp, got.Response)
	assert.Equal(t, []any{echo.Name, question, resp.Result}, []any{got.Category.Name, got.Case, got.Decoded})
	assert.InDelta(t, 3e-9, got.Seconds, 0)
}

// TestEngineFinish: a count of prompt tokens that cannot be that of the whole
// prompt is told, unless the server told how the answer ended.
func TestEngineFinish(t *testing.T) {
	long := &eval.Case{ID: "simple_python_0", Turns: [][]eval.Message{{{Role: "user", Content: strings.Repeat("word ", 100)}}}}
	for _, c := range []struct {
		tokens       int
		finish, want string
	}{{100, "", ""}, {0, "", ""}, {1, "", eval.ShortPrompt + "more than "}, {1, "odd: tired", "odd: tired"}, {100, "odd: tired", "odd: tired"}} {
		e := &engine.Engine{Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: eval.TextResult("right"), InputTokens: c.tokens, Finish: c.finish}, nil
		})}
		out := e.Run(t.Context(), echo, long, 0)
		assert.Truef(t, strings.HasPrefix(out.Finish, c.want), "%q", out.Finish)
		assert.Equal(t, c.want == "", out.Finish == "")
	}
}

// TestEngineDeadline: a request has a deadline only if there is a timeout, and an
// answer without a result is none.
func TestEngineDeadline(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Hour} {
		e := &engine.Engine{Timeout: timeout, Adapter: adapter(func(ctx context.Context, _ *eval.Request) (*eval.Response, error) {
			_, bounded := ctx.Deadline()
			assert.Equal(t, timeout > 0, bounded)
			return &eval.Response{}, nil
		})}
		out := e.Run(t.Context(), echo, question, 0)
		assert.ErrorContains(t, out.Err, "the adapter returned neither an answer nor an error")
	}
}

// TestEngineCutOff: an answer that the token limit cut off is judged as far as
// it goes; if wrong it has an error type of its own, also when it comes from
// the record.
func TestEngineCutOff(t *testing.T) {
	cut := func(s string) adapter {
		return func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: eval.TextResult(s), CutOff: true, InputTokens: 1, OutputTokens: 64}, nil
		}
	}
	dir := t.TempDir()
	w := writer(t, dir)
	wrong := &eval.Case{ID: "simple_python_1"}
	out := (&engine.Engine{Adapter: cut("right"), Writer: w}).Run(t.Context(), echo, question, 0)
	assert.True(t, out.Passed() && out.CutOff)
	out = (&engine.Engine{Adapter: cut("wrong"), Writer: w}).Run(t.Context(), echo, wrong, 0)
	assert.Equal(t, eval.Fail, out.Status)
	assert.Equal(t, "cut_off", out.ErrorType)
	require.NoError(t, w.Close())

	answers := testkit.Must(record.ReadAnswers(dir, []*eval.Category{echo}, 1))(t)
	again := (&engine.Engine{Recorded: answers}).Run(t.Context(), echo, wrong, 0)
	assert.True(t, again.Reused && again.CutOff)
	assert.Equal(t, "cut_off", again.ErrorType)
}

// TestEngineMalformed: output that the server could not parse counts as an
// answer, except where the verdict depends on whether it was a call: then there
// is no verdict.
func TestEngineMalformed(t *testing.T) {
	wantsNone := *echo
	wantsNone.Name, wantsNone.Rule = "irrelevance", eval.Irrelevance
	for _, c := range []struct {
		cat    *eval.Category
		told   string
		status eval.Status
	}{
		{echo, "", eval.Fail}, {echo, "right", eval.Pass},
		{&wantsNone, "right", eval.Pass}, {&wantsNone, "", eval.Error},
	} {
		w := writer(t, t.TempDir())
		e := &engine.Engine{Writer: w, Budget: engine.Budget{Prices: prices(1, 1), Most: 1}, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: eval.TextResult(c.told), Malformed: true}, nil
		})}
		out := e.Run(t.Context(), c.cat, question, 0)
		assert.Equal(t, c.status, out.Status, "%s %q", c.cat.Name, c.told)
		assert.Equal(t, c.status != eval.Error, out.Malformed)
		if c.status == eval.Error {
			assert.Equal(t, "infrastructure:malformed_call", out.ErrorType)
		}
		require.NoError(t, e.Halted(), "an error states no tokens, and breaks no budget")
		require.NoError(t, w.Close())
	}
}
