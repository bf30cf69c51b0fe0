package number_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// TestAgent: means are over solved cases, sums and costs over all.
func TestAgent(t *testing.T) {
	part := func(category string, results ...eval.Result) tally.Part {
		return tally.Part{Category: categories.Find(category), Results: results}
	}
	run := &tally.Run{Parts: []tally.Part{
		part("multi_turn_base",
			eval.Result{Response: eval.Response{InputTokens: 100, OutputTokens: 7, Effort: &eval.Effort{Steps: 4, Calls: 2, Failed: 1, Recovered: 1, Wall: 2 * time.Second, Cost: 0.01}}},
			eval.Result{Verdict: eval.Verdict{Status: eval.Fail}, Response: eval.Response{Effort: &eval.Effort{Steps: 50, Calls: 40, Redundant: 30, WrongTools: 5, Late: 2, Exceeded: true, Wall: time.Minute, Cost: 0.05}}},
			eval.Result{Response: eval.Response{InputTokens: 20, OutputTokens: 2, Effort: &eval.Effort{Steps: 6, Calls: 4, Wall: 4 * time.Second}}},
			eval.Result{Verdict: eval.Verdict{Status: eval.Error}}),
		part("simple_python", eval.Result{Verdict: eval.Verdict{Status: eval.Fail}, Response: eval.Response{Effort: &eval.Effort{}}}),
	}}
	a := tally.AgentOf(run)
	require.NotNil(t, a)
	figures := map[string]float64{}
	for name, v := range a.Figures {
		figures[name] = v.Value
	}
	assert.InDeltaMapValues(t, map[string]float64{
		"steps_per_solved": 5, "calls_per_solved": 3, "failed_calls_per_solved": 0.5, "recovered_calls_per_solved": 0.5,
		"redundant_calls_per_solved": 0, "wrong_tool_calls_per_solved": 0, "seconds_per_solved": 3,
		"cost_per_solved": 0.03, "input_tokens_per_solved": 60, "output_tokens_per_solved": 4.5,
	}, figures, 1e-9)
	assert.Equal(t, 3, a.Figures["cost_per_solved"].Silent, "one was stopped before it could say all, two say nothing")
	assert.Equal(t, 2, a.Figures["input_tokens_per_solved"].Silent)
	assert.Equal(t, []int{4, 2, 46, 1, 1, 30, 5, 2, 1}, []int{a.Cases, a.Solved, a.Calls, a.Failed, a.Recovered, a.Redundant, a.WrongTools, a.Late, a.Exceeded})
	assert.Equal(t, []string{"multi_turn_base"}, a.Comparable)
	assert.Equal(t, []string{"simple_python"}, a.Others)
	a.Official = true
	var b strings.Builder
	require.NoError(t, a.Write(&b))
	assert.Equal(t, `agent    2 of 4 cases solved
took     for each case solved: 5.00 steps, 3.00 calls, 0.50 failed calls,
         0.50 recovered calls, 0.00 redundant calls,
         0.00 calls to wrong tools, 3.00 s wall time, at least $0.0300 cost,
         at least 60 input tokens, at least 4 output tokens
calls    46: 1 failed (1 recovered), 30 redundant, 5 to wrong tools
         2 more came when no turn was open and were not carried out
         the limit of calls ended 1 case
board    multi_turn_base
         comparable with the published board
board    simple_python
         not comparable: there a model answers once and sees no result
`, b.String())
	b.Reset()
	require.NoError(t, (&score.AgentEffort{Cases: 3}).Write(&b))
	assert.Contains(t, b.String(), "no call arrived")
	assert.Nil(t, tally.AgentOf(&tally.Run{Parts: []tally.Part{part("multi_turn_base", eval.Result{})}}))
}

// TestFigures: each has a name of its own, a title and an explanation.
func TestFigures(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range score.AgentFigures() {
		assert.Regexp(t, `^[a-z_]+_per_solved$`, f.Name)
		assert.False(t, seen[f.Name] || seen[f.Title], f.Name)
		seen[f.Name], seen[f.Title] = true, true
		assert.NotEmpty(t, f.Help, f.Name)
		assert.Contains(t, []string{"", "s", "$"}, f.Unit, f.Name)
	}
	f := score.AgentFigure{Unit: "$", Digits: 4}
	assert.Equal(t, []string{"$0.0124", "$0.01236", "−0.5000"}, []string{f.Text(0.01236), f.Exact(0.01236), f.Signed(-0.5)})
	f = score.AgentFigure{Unit: "s", Digits: 2}
	assert.Equal(t, []string{"1.50 s", "1.5 s"}, []string{f.Text(1.5), f.Exact(1.5)})
}
