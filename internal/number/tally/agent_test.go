package tally_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// TestAgent: means are over solved cases, sums and costs over all.
func TestAgent(t *testing.T) {
	part := func(category string, results ...tally.Result) tally.Part {
		return tally.Part{Category: categories.Find(category), Results: results}
	}
	run := &tally.Run{Parts: []tally.Part{
		part("multi_turn_base",
			tally.Result{Effort: &eval.Effort{Steps: 4, Calls: 2, Failed: 1, Recovered: 1, Wall: 2 * time.Second, Cost: 0.01}},
			tally.Result{Status: eval.Fail, Effort: &eval.Effort{Steps: 50, Calls: 40, Redundant: 30, WrongTools: 5, Late: 2, Exceeded: true, Wall: time.Minute, Cost: 0.05}},
			tally.Result{Effort: &eval.Effort{Steps: 6, Calls: 4, Wall: 4 * time.Second}},
			tally.Result{Status: eval.Error}),
		part("simple_python", tally.Result{Status: eval.Fail, Effort: &eval.Effort{}}),
	}}
	a := run.Agent()
	require.NotNil(t, a)
	assert.Equal(t, []float64{5, 3, 3}, []float64{*a.StepsPerSolved, *a.CallsPerSolved, *a.SecondsPerSolved})
	assert.InDelta(t, 0.03, *a.CostPerSolved, 1e-9)
	assert.Equal(t, []int{4, 2, 46, 1, 1, 30, 5, 2, 1}, []int{a.Cases, a.Solved, a.Calls, a.Failed, a.Recovered, a.Redundant, a.WrongTools, a.Late, a.Exceeded})
	assert.Equal(t, []string{"multi_turn_base"}, a.Comparable)
	assert.Equal(t, []string{"simple_python"}, a.Others)
	assert.InDelta(t, 65.2, *a.Share(a.Redundant), 0.1)
	a.Official = true
	var b strings.Builder
	require.NoError(t, a.Write(&b))
	assert.Equal(t, `agent    2 of 4 cases solved; each took 5.0 steps, 3.0 calls, 3.0 s, $0.0300
calls    46: 1 failed (1 recovered), 30 redundant, 5 of unknown tools
         2 more came when no turn was open: they belong to nobody
         1 cases were ended by the limit of calls
board    multi_turn_base
         compare with the published board
board    simple_python
         do not: there a model answers once and sees no result
`, b.String())
	b.Reset()
	require.NoError(t, (&tally.Agent{Cases: 3}).Write(&b))
	assert.Contains(t, b.String(), "no call arrived")
	assert.Nil(t, (&tally.Run{Parts: []tally.Part{part("multi_turn_base", tally.Result{})}}).Agent())
	assert.Nil(t, (&tally.Agent{}).Share(0))
}
