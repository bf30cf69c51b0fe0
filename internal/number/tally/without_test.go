package tally_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestWithout: cases are left out with all their trials, and the run itself
// stays as it is.
func TestWithout(t *testing.T) {
	result := func(id string, trial int, status eval.Status) eval.Result {
		return eval.Result{Case: &eval.Case{ID: id}, Trial: trial, Verdict: eval.Verdict{Status: status}}
	}
	run := &tally.Run{Run: record.Run{Dataset: "v4", Trials: 2}, Parts: []tally.Part{{Category: categories.Find("simple_python"), Results: []eval.Result{
		result("a", 0, eval.Pass), result("a", 1, eval.Pass), result("b", 0, eval.Fail), result("b", 1, eval.Fail),
	}}}}
	rest, left := run.Without([]string{"b", "c"})
	assert.Equal(t, []string{"b"}, left)
	s, err := rest.Score(false)
	require.NoError(t, err)
	assert.Equal(t, 2, s.Categories["simple_python"].Total)
	assert.InDelta(t, 1, s.Categories["simple_python"].Accuracy, 0)
	assert.Equal(t, score.Covered{Cases: 1, Of: 399}, s.Coverage.Categories["simple_python"], "of two trials, and less one that is wrong")
	s, err = run.Score(false)
	require.NoError(t, err)
	assert.Equal(t, 4, s.Categories["simple_python"].Total)
}
