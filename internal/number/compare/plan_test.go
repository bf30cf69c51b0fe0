package compare_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestScales: what package sample knows of V4 is what the layout and the
// published figures say.
func TestScales(t *testing.T) {
	seen := 0
	for _, s := range score.V4.Overall.Shares(func(name string) (int, bool) { return score.V4.Sizes[name], true }) {
		assert.InEpsilon(t, s.Weight*math.Sqrt(compare.Scatter(s.Category)), suite.Scale(s.Category), 1e-3, s.Category)
		seen++
	}
	assert.Equal(t, 21, seen)
	assert.Zero(t, suite.Scale("live_relevance"), "it does not count")
}

// TestPower: textbook figures, and both functions are each other's inverse.
func TestPower(t *testing.T) {
	assert.InDelta(t, 0.80, compare.Power(2.8016, 1, 0.05), 1e-3)
	assert.InDelta(t, 0.025, compare.Power(0, 1, 0.05), 1e-9)
	for _, power := range []float64{0.5, 0.8, 0.95} {
		assert.InDelta(t, power, compare.Power(compare.Detectable(0.01, 0.05, power), 0.01, 0.05), 1e-9)
	}
}

// TestBenchmark: the dataset's score has no error with all cases and trials, and
// other questions' is larger than it.
func TestBenchmark(t *testing.T) {
	b, err := compare.Open("starter", "", "all")
	require.NoError(t, err)
	all := b.All()
	assert.InDelta(t, 0, b.Error(all, 1000000, true), 1e-4)
	assert.Less(t, b.Error(all, 3, true), b.Error(all, 1, true))
	assert.Greater(t, b.Error(all, 1, false), b.Error(all, 1, true))
	assert.Less(t, b.Difference(all, 5), b.Difference(all, 1))
	_, err = compare.Open("starter", "", "live_relevance")
	assert.ErrorContains(t, err, "counts in the overall")
}

// TestGoldenCases: the table of docs/statistics.md, in points.
func TestGoldenCases(t *testing.T) {
	b, err := compare.Open("v4", testkit.Shared(t, "bfcl"), "all_scoring")
	require.NoError(t, err)
	for n, want := range map[int][2]float64{100: {7.0, 11.9}, 200: {4.8, 9.4}, 500: {2.9, 7.6}, 872: {2.0, 7.0}, 1000: {1.8, 6.9}, 5090: {0, 6.4}} {
		cases := b.Allocate(n)
		if n < b.Cases() {
			assert.InDelta(t, want[0], 196*b.Error(cases, 1, true), 0.05, n)
		}
		assert.InDelta(t, want[1], 100*compare.Detectable(b.Difference(cases, 1), 0.05, 0.8), 0.05, n)
	}
}

// TestGoldenPower: the test of a gate finds losses on V4's cases as often as the
// plan says, if versions differ as it assumes.
func TestGoldenPower(t *testing.T) {
	t.Parallel()
	dataset, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	sel, err := suite.Select(dataset, "all_scoring", "")
	require.NoError(t, err)
	n := 150
	if more, err := strconv.Atoi(os.Getenv("BFCL_COVERAGE")); err == nil {
		n = more
	}
	b := compare.Of(sel)
	standardError := b.Difference(b.All(), 1)
	clusters, parts := compare.Clusters(sel), map[string]suite.Part{}
	for _, part := range sel.Parts {
		parts[part.Category.Name] = part
	}
	spread := map[string]map[string]bool{} // a cluster's categories
	for _, c := range b {
		for _, one := range parts[c.Name].Cases {
			if base := clusters.Of(one); spread[base] == nil {
				spread[base] = map[string]bool{}
			}
			spread[clusters.Of(one)][c.Name] = true
		}
	}
	random := rand.New(rand.NewPCG(8, 8))
	for _, loss := range []float64{0.01, 0.02, 0.03, 0.05} {
		found := 0
		for range n {
			common, strata := map[string]float64{}, make([]stat.Stratum, len(b))
			for k, c := range b {
				lost := loss * c.Differ / b.Differ()
				at := map[string]int{}
				strata[k].Weight, strata[k].Unit = c.Weight, eval.Unit(categories.Find(c.Name))
				for _, one := range parts[c.Name].Cases {
					base := clusters.Of(one)
					if _, known := common[base]; !known {
						common[base] = random.Float64()
					}
					correlation := compare.Base
					if len(spread[base]) > 1 {
						correlation = compare.Changes
					}
					u := random.Float64()
					if random.Float64() < math.Sqrt(correlation) {
						u = common[base]
					}
					if _, known := at[base]; !known {
						at[base] = len(strata[k].Blocks)
						strata[k].Blocks = append(strata[k].Blocks, stat.Block{Key: base})
					}
					switch block := &strata[k].Blocks[at[base]]; {
					case u < (c.Differ+lost)/2:
						block.Add(-1)
					case u > 1-(c.Differ-lost)/2:
						block.Add(1)
					default:
						block.Add(0)
					}
				}
			}
			if stat.Compose(strata).Difference(stat.Z95).High < 0 {
				found++
			}
		}
		share, power := float64(found)/float64(n), compare.Power(loss, standardError, 0.05)
		t.Logf("a loss of %.0f points is found in %.1f%%, the plan says %.1f%%", 100*loss, 100*share, 100*power)
		assert.InDelta(t, power, share, 0.03+2*math.Sqrt(0.25/float64(n)))
	}
}
