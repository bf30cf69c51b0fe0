package tally_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func result(id string, c cause.Cause) eval.Result {
	r := eval.Result{Case: &eval.Case{ID: id, Category: "simple_python"}, Cause: c}
	if c.Kind != "" {
		r.Status, r.ErrorType = eval.Fail, "value_error:string"
	}
	if c.Kind == cause.Infrastructure {
		r.Status, r.ErrorType = eval.Error, "infrastructure:timeout"
	}
	return r
}

func failing() *tally.Run {
	metres := cause.Cause{Kind: cause.WrongValue, Function: "f", Parameter: "unit", Got: "'metres'"}
	other := cause.Cause{Kind: cause.WrongValue, Function: "f", Parameter: "unit", Got: "'miles'"}
	return &tally.Run{Name: "m", Run: record.Run{Dataset: "v4", Trials: 1}, Parts: []tally.Part{
		{Category: categories.Find("simple_python"), Results: []eval.Result{
			result("a", metres), result("b", metres), result("c", other), result("d", cause.Cause{}),
		}},
		{Category: categories.Find("multiple"), Results: []eval.Result{
			result("e", cause.Cause{Kind: cause.WrongCount, Function: "g", Got: "too many calls"}),
			result("f", cause.Cause{Kind: cause.Infrastructure}),
		}},
	}}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for by, want := range map[cause.By][]int{cause.ByKind: {3, 1, 1}, cause.ByFunction: {3, 1, 1}, cause.ByParameter: {2, 1, 1, 1}} {
		r, err := failing().Failures(tally.Grouping{By: by})
		require.NoError(t, err)
		assert.Equal(t, []int{6, 4, 1}, []int{r.Total, r.Wrong, r.Errors})
		var counts []int
		lost := 0.0
		for _, g := range r.Groups {
			counts = append(counts, g.Count)
			lost += g.Lost
			assert.NotEmpty(t, g.Title)
			assert.NotEmpty(t, g.Examples)
		}
		assert.ElementsMatch(t, want, counts, by)
		assert.InDelta(t, r.Lost, lost, 1e-9, "what the groups lose is what the run loses")
		again, err := failing().Failures(tally.Grouping{By: by})
		require.NoError(t, err)
		assert.Equal(t, r, again, "the same each time")
	}
	r, err := failing().Failures(tally.Grouping{By: cause.ByParameter, Categories: []string{"multiple"}, Kinds: []cause.Kind{cause.WrongCount}})
	require.NoError(t, err)
	require.Len(t, r.Groups, 1)
	assert.Equal(t, "g, too many calls", r.Groups[0].Detail())
	assert.Equal(t, []string{"e"}, r.Groups[0].Examples)
}

// TestGoldenCauses: the failures of a real run, and what they cost. The sum is
// what separates the run's overall from one that is right everywhere.
func TestGoldenCauses(t *testing.T) {
	t.Parallel()
	folder := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")
	runs, err := tally.ReadAll([]string{folder}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true})
	require.NoError(t, err)
	require.Len(t, runs, 1)
	score, err := runs[0].Answered(false)
	require.NoError(t, err)
	for _, by := range cause.Groupings {
		r, err := runs[0].Failures(tally.Grouping{By: by})
		require.NoError(t, err)
		counted, named := 0, 0
		for _, g := range r.Groups {
			counted += g.Count
			if g.Function != "" {
				named += g.Count
			}
		}
		assert.Equal(t, r.Wrong+r.Errors, counted)
		assert.InDelta(t, 100*(1-score.Overall.Ran.Value), r.Lost, 1e-6)
		t.Logf("%s: %d groups of %d failures in %d results, %.2f points", by, len(r.Groups), r.Wrong, r.Total, r.Lost)
		if by == cause.ByKind {
			i := 0
			for i < len(r.Groups) && r.Groups[i].Got != "one call where several were wanted" {
				i++
			}
			require.Less(t, i, len(r.Groups))
			parallel := 0
			for _, name := range []string{"parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"} {
				parallel += r.Groups[i].Categories[name]
			}
			assert.Equal(t, r.Groups[i].Count, parallel, "several calls are wanted in the parallel categories alone")
			assert.Greater(t, parallel, 400)
		} else {
			assert.Greater(t, named, r.Wrong*9/10, "most failures are of a function")
		}
	}
}
