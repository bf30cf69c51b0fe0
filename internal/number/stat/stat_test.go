package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestRound2(t *testing.T) {
	for _, c := range []struct{ x, python, numpy float64 }{
		{0.125, 0.12, 0.12},
		{0.375, 0.38, 0.38},
		{2.675, 2.67, 2.68},
		{-2.675, -2.67, -2.68},
		{1e300, 1e300, 1e300},
		{1.7e308, 1.7e308, 1.7e308},
		{0, 0, 0},
		{math.Inf(1), math.Inf(1), math.Inf(1)},
	} {
		assert.Equal(t, c.python, stat.Round2(c.x), "Round2(%v)", c.x)
		assert.Equal(t, c.numpy, stat.RoundScaled2(c.x), "RoundScaled2(%v)", c.x)
	}
	assert.True(t, math.IsNaN(stat.Round2(math.NaN())))
}

func TestMeanAndStdDev(t *testing.T) {
	for _, c := range []struct {
		xs        []float64
		mean, dev float64
	}{
		{[]float64{1, 2, 3}, 2, 1},
		{[]float64{0.1, 0.1, 0.1}, 0.1, 0},
		{[]float64{0, 0}, 0, 0},
		{[]float64{-1, 1}, 0, math.Sqrt2},
		{[]float64{1e16, 1, -1e16, 1}, 0.5, 8164965809277260},
		{[]float64{1e308, 1e308}, 1e308, 0},
		{[]float64{5e-324, 5e-324}, 5e-324, 0},
		{[]float64{3, 3, 3, 7}, 4, 2},
	} {
		mean, err := stat.Mean(c.xs)
		require.NoError(t, err)
		assert.Equal(t, c.mean, mean, "mean of %v", c.xs)
		dev, err := stat.StdDev(c.xs)
		require.NoError(t, err)
		assert.InEpsilon(t, 1+c.dev, 1+dev, 1e-12, "deviation of %v", c.xs)
	}
}

func TestVariance(t *testing.T) {
	v, err := stat.Variance([]float64{1, 2, 3, 4})
	require.NoError(t, err)
	assert.Equal(t, 5.0/3, v)
}

func TestSampleErrors(t *testing.T) {
	one, nan, inf := []float64{1}, []float64{1, math.NaN()}, []float64{math.Inf(-1), 1}
	for _, c := range []struct {
		name string
		f    func([]float64) (float64, error)
		xs   []float64
		want error
	}{
		{"mean of nothing", stat.Mean, nil, stat.ErrTooFew},
		{"mean of NaN", stat.Mean, nan, stat.ErrNotFinite},
		{"deviation of one", stat.StdDev, one, stat.ErrTooFew},
		{"deviation of infinity", stat.StdDev, inf, stat.ErrNotFinite},
		{"variance of one", stat.Variance, one, stat.ErrTooFew},
		{"percentile of nothing", p95, nil, stat.ErrTooFew},
		{"percentile of NaN", p95, nan, stat.ErrNotFinite},
	} {
		_, err := c.f(c.xs)
		assert.ErrorIs(t, err, c.want, c.name)
	}
}

func p95(xs []float64) (float64, error) { return stat.Percentile(xs, 95) }

func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		q    float64
		want float64
	}{
		{[]float64{7}, 95, 7},
		{[]float64{3, 1, 2}, 50, 2},
		{[]float64{1, 2}, 25, 1.25},
		{[]float64{1, 2}, 75, 1.75},
		{[]float64{1, 2}, 0, 1},
		{[]float64{1, 2}, 100, 2},
		{[]float64{1, 2}, 400, 2},
	} {
		got, err := stat.Percentile(c.xs, c.q)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v at %v", c.xs, c.q)
	}
}

// The published values are those of Newcombe, Statistics in Medicine 17
// (1998), table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		correct, total int
		low, high      float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1},
		{0, 0, 0, 1},
	} {
		got := stat.Wilson(c.correct, c.total, stat.Z95)
		assert.InDelta(t, c.low, got.Low, 5e-5, "%d/%d", c.correct, c.total)
		assert.InDelta(t, c.high, got.High, 5e-5, "%d/%d", c.correct, c.total)
	}
}

func TestCombine(t *testing.T) {
	one := stat.Wilson(30, 40, stat.Z95)
	assert.Equal(t, one, stat.Combine([]float64{1}, []stat.Interval{one}, nil))

	certain := stat.Interval{Estimate: 1, Low: 1, High: 1}
	half := stat.Combine([]float64{0.5, 0.5}, []stat.Interval{one, certain}, nil)
	assert.InDelta(t, 0.875, half.Estimate, 1e-12)
	assert.InDelta(t, (one.High-one.Low)/2, half.High-half.Low, 1e-12)

	four := stat.Combine([]float64{.25, .25, .25, .25}, []stat.Interval{one, one, one, one}, nil)
	assert.InDelta(t, (one.High-one.Low)/2, four.High-four.Low, 1e-12)
}

func TestClusteredWilson(t *testing.T) {
	apart := make([]stat.Cluster, 20)
	for i := range apart {
		apart[i] = stat.Cluster{Correct: i % 2, Total: 1}
	}
	together := make([]stat.Cluster, 5)
	for i := range together {
		together[i] = stat.Cluster{Correct: 10 * (i % 2), Total: 10}
	}
	assert.InDelta(t, 1, stat.DesignEffect(apart), 0.1, "independent cases")
	assert.InDelta(t, 12.5, stat.DesignEffect(together), 0.1, "all of a cluster alike")
	assert.Equal(t, 1.0, stat.DesignEffect(nil))

	narrow, wide := stat.Wilson(20, 50, stat.Z95), stat.ClusteredWilson(20, 50, together, stat.Z95)
	assert.InDelta(t, narrow.Estimate, wide.Estimate, 1e-12)
	assert.Equal(t, narrow, stat.ClusteredWilson(20, 50, nil, stat.Z95))
	assert.Less(t, wide.Low, narrow.Low)
	assert.Greater(t, wide.High, narrow.High)
}

func FuzzMoments(f *testing.F) {
	f.Add(1.0, 2.0, 3.5)
	f.Add(5e-324, 1.7e308, math.Copysign(0, -1))
	f.Add(math.Inf(1), 0.1, 0.2)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		xs := []float64{a, b, c}
		mean, err := stat.Mean(xs)
		if err != nil {
			return
		}
		assert.True(t, mean >= min(a, b, c) && mean <= max(a, b, c), "mean of %v is %v", xs, mean)
		dev, err := stat.StdDev(xs)
		require.NoError(t, err)
		assert.False(t, dev < 0 || math.IsNaN(dev), "deviation of %v is %v", xs, dev)
	})
}
