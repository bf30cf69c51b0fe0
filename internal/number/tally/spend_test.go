package tally_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// runOf is a run with these results of one category.
func runOf(category string, results ...eval.Result) *tally.Run {
	cat := categories.Find(category)
	for i := range results {
		results[i].Category = cat
		if results[i].Case == nil {
			results[i].Case = &eval.Case{ID: category + "_" + string(rune('0'+i))}
		}
	}
	return &tally.Run{Run: record.Run{Model: "m", Dataset: "v4"}, Parts: []tally.Part{{Category: cat, Results: results}}}
}

func took(latency, ttft float64, in, out int) eval.Result {
	seconds := func(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }
	return eval.Result{Response: eval.Response{Latency: seconds(latency), TTFT: seconds(ttft), InputTokens: in, OutputTokens: out}}
}

func with(r eval.Result, change func(*eval.Result)) eval.Result {
	change(&r)
	return r
}

// TestSpend: what a run's answers took and cost, and what that is reckoned by.
func TestSpend(t *testing.T) {
	t.Parallel()
	prices := &record.Prices{Input: 2, Output: 10}
	agent := func(cost float64, exceeded bool) func(*eval.Result) {
		return func(r *eval.Result) { r.Effort = &eval.Effort{Cost: cost, Exceeded: exceeded} }
	}
	for _, c := range []struct {
		name             string
		prices           *record.Prices
		results          []eval.Result
		basis            string
		cost             float64 // below 0: none
		in, out          int64
		answers, lacking int
	}{
		{"tokens", prices, []eval.Result{took(1, 0, 1000, 500), took(2, 0, 1000, 500)}, "tokens", 0.014, 2000, 1000, 2, 0},
		{"an answer without numbers is none", prices, []eval.Result{took(1, 0, 1000, 500), took(0, 0, 0, 0)}, "tokens", 0.007, 1000, 500, 1, 0},
		{"one that states no tokens", prices, []eval.Result{took(1, 0, 1000, 500), took(1, 0, 0, 0)}, "tokens", 0.007, 1000, 500, 2, 1},
		{"none states tokens", prices, []eval.Result{took(1, 0, 0, 0)}, "tokens", 0, 0, 0, 1, 1},
		{"only input", prices, []eval.Result{took(0, 0, 1000, 0)}, "tokens", 0.002, 1000, 0, 1, 0},
		{"only output", prices, []eval.Result{took(0, 0, 0, 500)}, "tokens", 0.005, 0, 500, 1, 1},
		{"no answer at all", prices, []eval.Result{took(0, 0, 0, 0)}, "", -1, 0, 0, 0, 0},
		{"by time", nil, []eval.Result{took(1, 0, 5, 0), took(2, 0, 5, 0)}, "time", -2, 10, 0, 2, 0},
		{"computed in process", nil, []eval.Result{took(0.001, 0, 0, 0), took(0.002, 0, 0, 0)}, "", -1, 0, 0, 2, 0},
		{"an agent", prices, []eval.Result{with(took(1, 0, 0, 0), agent(0.25, false)), with(took(1, 0, 0, 0), agent(0.5, false))}, "agent", 0.75, 0, 0, 2, 0},
		{"an agent that says less", prices, []eval.Result{with(took(1, 0, 0, 0), agent(0.25, true)), with(took(1, 0, 0, 0), agent(0, false))}, "agent", 0.25, 0, 0, 2, 2},
		{"an agent that says nothing", prices, []eval.Result{with(took(1, 0, 9, 0), agent(0, false))}, "agent", -1, 9, 0, 1, 0},
	} {
		r := runOf("irrelevance", c.results...)
		r.Prices = c.prices
		s := r.Spend()
		assert.Equal(t, c.basis, s.Basis, c.name)
		assert.Equal(t, []int64{c.in, c.out}, []int64{s.InputTokens, s.OutputTokens}, c.name)
		assert.Equal(t, c.answers, s.Answers, c.name)
		if c.lacking == 0 {
			assert.Empty(t, s.Lacks, c.name)
		} else if s.Cost != nil {
			assert.Contains(t, s.Lacks[0], fmt.Sprint(c.lacking), c.name)
		}
		switch {
		case c.cost == -1:
			assert.Nil(t, s.Cost, c.name)
			assert.Nil(t, s.CostPer1000, c.name)
		case c.cost == -2:
			require.NotNil(t, s.Cost, c.name)
			assert.InDelta(t, 1000**s.Cost/2, *s.CostPer1000, 1e-12, c.name)
		default:
			require.NotNil(t, s.Cost, c.name)
			assert.InDelta(t, c.cost, *s.Cost, 1e-12, c.name)
			assert.InDelta(t, 1000*c.cost/float64(c.answers), *s.CostPer1000, 1e-9, c.name)
		}
	}
	s := runOf("irrelevance", took(1, 0.25, 1, 0), took(3, 0.75, 1, 0), took(0, 0, 0, 0)).Spend()
	assert.InDelta(t, 2, *s.LatencyMean, 1e-12)
	assert.InDelta(t, 0.5, *s.TTFTMean, 1e-12)
	assert.Greater(t, *s.TTFTP95, *s.TTFTMean)
	s = runOf("irrelevance", took(1, 0, 1, 0)).Spend()
	assert.Nil(t, s.TTFTMean)
	least := 0.005
	assert.True(t, tally.Spend{LatencyMean: &least}.Asked(), "two decimals show it")
}
