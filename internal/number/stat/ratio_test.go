package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestRatioChange: by hand, ratios of 5/2 and 9/3 over three clusters.
func TestRatioChange(t *testing.T) {
	t.Parallel()
	a := []stat.Ratio{{2, 1}, {3, 1}, {}}
	b := []stat.Ratio{{2, 1}, {3, 1}, {4, 1}}
	i, known := stat.RatioChange(a, b)
	require.True(t, known)
	assert.InDelta(t, 0.5, i.Value, 1e-12)
	// Influences in a: -1/4, 1/4, 0; in b: -1/3, 0, 1/3. Two clusters of a count.
	scatter := square(-1./3+1./4) + square(-1./4) + square(1./3)
	half := stat.Student(stat.Z95, 1) * math.Sqrt(2*scatter)
	assert.InDelta(t, 0.5-half, i.Low, 1e-9)
	assert.InDelta(t, 0.5+half, i.High, 1e-9)
	for _, few := range [][]stat.Ratio{nil, {{2, 1}, {}, {}}, {{0, 0}, {0, 0}, {0, 0}}} {
		_, known := stat.RatioChange(few, b)
		assert.False(t, known, few)
		_, known = stat.RatioChange(b, few)
		assert.False(t, known, few)
	}
}

// TestCoverageOfRatios: of intervals over costs by solved cases that are made
// with a known truth, about 95% hold it.
func TestCoverageOfRatios(t *testing.T) {
	t.Parallel()
	n := repetitions(t, 160, 400)
	for i, c := range []struct {
		clusters      int
		solvedA, more float64
	}{{15, 0.8, 0.1}, {50, 0.5, 0.2}, {200, 0.9, 0.05}, {200, 0.3, 0}} {
		random := rand.New(rand.NewPCG(7, uint64(i)))
		// A case's costs have the mean 1 in a, 1.5 in b, and are alike in both.
		truth := 1.5/(c.solvedA+c.more) - 1/c.solvedA
		got := shareOf(n, func() bool {
			var a, b []stat.Ratio
			for range c.clusters {
				size, luck := random.ExpFloat64(), random.Float64()
				a = append(a, stat.Ratio{Over: size, Under: of(luck < c.solvedA)})
				b = append(b, stat.Ratio{Over: 1.5 * size * (0.5 + random.Float64()), Under: of(luck < c.solvedA+c.more)})
			}
			change, known := stat.RatioChange(a, b)
			return known && holds(change, truth)
		})
		t.Logf("%3d clusters, %.0f%% and %.0f%% solved: %.1f%%", c.clusters, 100*c.solvedA, 100*(c.solvedA+c.more), 100*got)
		within(t, got, 0.92, 0.98, n, "ratios")
	}
}
