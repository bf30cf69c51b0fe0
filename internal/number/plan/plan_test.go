package plan_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/plan"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/run/sample"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestScales: what package sample knows of V4 is what the layout and the
// published figures say.
func TestScales(t *testing.T) {
	seen := 0
	for _, s := range score.V4.Overall.Shares(func(name string) (int, bool) { return score.V4.Sizes[name], true }) {
		assert.InEpsilon(t, s.Weight*math.Sqrt(plan.Scatter(s.Category)), sample.Scale(s.Category), 1e-3, s.Category)
		seen++
	}
	assert.Equal(t, 21, seen)
	assert.Zero(t, sample.Scale("live_relevance"), "it does not count")
}

// TestPower: textbook figures, and both functions are each other's inverse.
func TestPower(t *testing.T) {
	assert.InDelta(t, 0.80, plan.Power(2.8016, 1, 0.05), 1e-3)
	assert.InDelta(t, 0.025, plan.Power(0, 1, 0.05), 1e-9)
	for _, power := range []float64{0.5, 0.8, 0.95} {
		assert.InDelta(t, power, plan.Power(plan.Detectable(0.01, 0.05, power), 0.01, 0.05), 1e-9)
	}
}

func TestBenchmark(t *testing.T) {
	b, err := plan.Open("starter", "", "all")
	require.NoError(t, err)
	all := b.All()
	assert.InDelta(t, 0, b.Error(all, 1000000, true), 1e-4, "all cases and trials are the dataset's score")
	assert.Less(t, b.Error(all, 3, true), b.Error(all, 1, true))
	assert.Greater(t, b.Error(all, 1, false), b.Error(all, 1, true))
	assert.Less(t, b.Difference(all, 5), b.Difference(all, 1))
	_, err = plan.Open("starter", "", "live_relevance")
	assert.ErrorContains(t, err, "counts in the overall")
}
