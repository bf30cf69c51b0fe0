package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// errs measures an agent that makes mistakes in ten conversations: each verdict
// is that of a model that makes the same calls.
func errs(t *testing.T, of model) {
	t.Helper()
	const category, most = "multi_turn_base", 10
	cat := categories.Find(category)
	d, cases, script := scripted(t, category)
	made := map[string]string{}
	for i, c := range cases[:most] {
		m := Mistakes[i%len(Mistakes)]
		made[c.ID], script[FirstText(c)] = m.Name, m.In(script[FirstText(c)])
	}
	s := testkit.Must(suite.Open(suite.Options{Model: of(script.file(t)), Dataset: fixtures.Starter, Categories: category, RunDir: t.TempDir(), Trials: 1}))(t)
	s.Start()
	defer func() { require.NoError(t, s.Finish(false)) }()
	var mu sync.Mutex
	verdicts := map[string]int{}
	var wg sync.WaitGroup
	for _, c := range cases[:most] {
		wg.Go(func() {
			want := direct(t, d, c, script[FirstText(c)])
			got := s.Engine.Run(t.Context(), cat, c, 0).Verdict
			alike(t, c.ID+", an agent that "+made[c.ID], want, got)
			mu.Lock()
			defer mu.Unlock()
			verdicts[want.ErrorType]++
		})
	}
	wg.Wait()
	t.Logf("%d conversations with mistakes of %d kinds compared with the same calls made directly; verdicts: %v", most, len(Mistakes), verdicts)
	assert.Greater(t, len(verdicts), 2, "mistakes of which none fails show nothing")
}

// alike compares the verdict of calls that are made directly with an agent's.
func alike(t *testing.T, about string, want, got eval.Verdict) {
	shown := func(v eval.Verdict) string {
		if v.Detail == nil {
			return fmt.Sprint(v.Status, " ", v.ErrorType)
		}
		return fmt.Sprint(v.Status, " ", v.ErrorType, " ", pyval.Repr(v.Detail))
	}
	assert.Equal(t, shown(want), shown(got), about)
}

// direct is the verdict of a model that makes a script's calls, one a step.
func direct(t *testing.T, d *fixtures.Dataset, c *eval.Case, turns [][]Call) eval.Verdict {
	t.Helper()
	w, err := d.Wording()
	if !assert.NoError(t, err) {
		return eval.Verdict{}
	}
	l := &engine.Loop{Library: classes.Library, Wording: w, Model: "m", Settings: eval.SettingsFor(eval.FC)}
	resp, err := l.Run(t.Context(), c, 0, func(_ context.Context, req *eval.Request) (*eval.Response, error) {
		if calls := turns[req.Turn]; req.Step < len(calls) {
			call := calls[req.Step]
			return &eval.Response{Result: eval.CallsResult([]eval.ToolCall{{Name: call.Name, Arguments: string(call.Arguments)}})}, nil
		}
		return &eval.Response{Result: eval.TextResult("Done."), Message: eval.Message{Role: "assistant", Content: "Done."}}, nil
	})
	if !assert.NoError(t, err, c.ID) {
		return eval.Verdict{}
	}
	_, v := categories.Find(c.Category).Verdict(c, resp.Result, l.Settings)
	return v
}

// TestGoAgentErrs: an agent on the SDK's own client.
func TestGoAgentErrs(t *testing.T) { errs(t, goAgent(t)) }

// A Mistake changes the calls of a turn that has any.
type Mistake struct {
	Name string
	make func(calls []Call) []Call
}

// Mistakes are mistakes that reach the tools through any framework. Some
// frameworks tell the model themselves that a tool does not exist.
var Mistakes = []Mistake{
	{"leaves the last call out", func(calls []Call) []Call { return calls[:len(calls)-1] }},
	{"calls everything twice", func(calls []Call) []Call { return append(calls, calls...) }},
	{"invents an argument", func(calls []Call) []Call {
		calls[0].Arguments = json.RawMessage(`{"no_such_parameter": [1.5, "x"]}`)
		return calls
	}},
	{"forgets the arguments, then goes on", func(calls []Call) []Call {
		return append([]Call{{calls[0].Name, json.RawMessage(`{}`)}}, calls...)
	}},
	{"calls backwards", func(calls []Call) []Call { slices.Reverse(calls); return calls }},
	{"calls nothing", func([]Call) []Call { return []Call{} }},
}

// In makes the mistake in the first turn of a conversation that has calls.
func (m Mistake) In(turns [][]Call) [][]Call {
	out := slices.Clone(turns)
	for i := range out {
		if len(out[i]) > 0 {
			out[i] = m.make(slices.Clone(out[i]))
			break
		}
	}
	return out
}
