package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestCoverageOfWhole: of finite populations the intervals hold as many as they say.
func TestCoverageOfWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	random := rand.New(rand.NewPCG(17, 3))
	const repetitions, all, n = 1500, 400, 100
	var held float64
	for range repetitions {
		var value [all]float64
		var truth float64
		for i := range value {
			if random.Float64() < 0.9*random.Float64() {
				value[i] = 1
			}
			truth += value[i] / all
		}
		s := stat.Drawn{Weight: 1, All: all}
		for _, i := range random.Perm(all)[:n] {
			s.Values = append(s.Values, value[i])
		}
		if i := stat.Whole([]stat.Drawn{s}, stat.Z95); i.Low <= truth && truth <= i.High {
			held += 1.0 / repetitions
		}
	}
	t.Logf("100 of 400: holds %.1f%%", 100*held)
	assert.InDelta(t, 0.95, held, 0.02)
}

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

// TestAloneAreBlocksOfOne: values that are counted tell what as many blocks of one
// value do, among clusters and in several strata.
func TestAloneAreBlocksOfOne(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 500 {
		var counted, listed []stat.Stratum
		for range 1 + draw.IntN(4) {
			s := stat.Stratum{Weight: draw.Float64(), Known: float64(draw.IntN(2)) * draw.Float64()}
			for _, key := range []string{"a", "b", "c"}[:draw.IntN(4)] {
				b := stat.Block{Key: key}
				for range draw.IntN(5) {
					b.Add(float64(draw.IntN(2)))
				}
				s.Blocks = append(s.Blocks, b)
			}
			s.Alone = draw.IntN(40)
			s.Right = draw.IntN(s.Alone + 1)
			counted = append(counted, s)
			for i := range s.Alone {
				b := stat.Block{}
				b.Add(float64(min(1, max(0, s.Right-i))))
				s.Blocks = append(s.Blocks, b)
			}
			s.Alone, s.Right = 0, 0
			listed = append(listed, s)
		}
		got, want := stat.Compose(counted), stat.Compose(listed)
		require.Equal(t, [3]int{want.N, want.K, want.Strata}, [3]int{got.N, got.K, got.Strata})
		for _, pair := range [][2]float64{
			{want.Mean, got.Mean}, {want.Size, got.Size}, {want.Square, got.Square}, {want.Effect, got.Effect},
			{want.Most, got.Most}, {want.Freedom, got.Freedom}, {want.Share(stat.Z95).Low, got.Share(stat.Z95).Low},
		} {
			compared++
			if math.IsInf(pair[0], 1) {
				require.Equal(t, pair[0], pair[1])
				continue
			}
			assert.InDelta(t, pair[0], pair[1], 1e-9*(1+math.Abs(pair[0])))
		}
	}
	t.Logf("%d figures compared", compared)
}
