package tally_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

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
