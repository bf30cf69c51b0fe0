package stat_test

import (
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

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

// verdicts are a stratum of independent verdicts.
func verdicts(weight float64, correct, total int) stat.Stratum {
	s := stat.Stratum{Weight: weight}
	for i := range total {
		var b stat.Block
		b.Add(of(i < correct))
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

// alike is a stratum of clusters whose values are all alike, as the trials of a
// case at temperature 0 are.
func alike(weight float64, correct, clusters, size int) stat.Stratum {
	s := stat.Stratum{Weight: weight}
	for i := range clusters {
		right := float64(size) * of(i < correct)
		s.Blocks = append(s.Blocks, stat.Block{N: size, Sum: right, Squares: right})
	}
	return s
}

func share(strata ...stat.Stratum) stat.Estimate { return stat.Compose(strata).Share(stat.Z95) }

// equal compares limits but for the last digits.
func equal(t *testing.T, want, got stat.Estimate, what string) {
	t.Helper()
	assert.InDelta(t, want.Value, got.Value, 1e-12, what)
	assert.InDelta(t, want.Low, got.Low, 1e-12, what)
	assert.InDelta(t, want.High, got.High, 1e-12, what)
}

// TestShareIsWilson: of independent verdicts, but where few are right or wrong.
func TestShareIsWilson(t *testing.T) {
	for _, c := range [][2]int{{81, 263}, {200, 400}, {300, 400}, {900, 5000}} {
		equal(t, stat.Wilson(c[0], c[1], stat.Z95), share(verdicts(1, c[0], c[1])), "Wilson")
	}
	// 3.5% is the probability of 3 right of 3 at 32.7%, and of 2 wrong or more
	// of 100 at 0.29%.
	assert.InDelta(t, 0.327107, share(verdicts(1, 3, 3)).Low, 1e-6)
	assert.InDelta(t, 0.997078, share(verdicts(1, 98, 100)).High, 1e-6)
	assert.Equal(t, stat.Estimate{High: 1}, stat.Compose(nil).Share(stat.Z95), "nothing is known of nothing")
	assert.Equal(t, stat.Estimate{High: 1}, share(stat.Stratum{Weight: 1, Blocks: []stat.Block{{Key: "empty"}}}))
}

func TestComposeOfParts(t *testing.T) {
	one := share(verdicts(1, 300, 400))
	four := share(verdicts(.25, 75, 100), verdicts(.25, 75, 100), verdicts(.25, 75, 100), verdicts(.25, 75, 100))
	assert.InDelta(t, one.Low, four.Low, 2e-3, "four quarters are the whole")
	assert.InDelta(t, one.High, four.High, 2e-3)
	apart := share(verdicts(.5, 100, 100), verdicts(.5, 0, 100))
	assert.Less(t, apart.High-apart.Low, 0.08, "what is certain of the parts is of the whole")
	equal(t, share(verdicts(1, 30, 40)), share(verdicts(7, 30, 40)), "weights are relative")
	assert.Equal(t, 0.3, share(verdicts(1, 30, 100), verdicts(1, 0, 0)).Value, "an empty stratum does not count")
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
		var sum, squares big.Rat
		for _, x := range xs {
			exact := new(big.Rat)
			exact.SetFloat64(x)
			sum.Add(&sum, exact)
			squares.Add(&squares, exact.Mul(exact, exact))
		}
		n := big.NewRat(int64(len(xs)), 1)
		exact, _ := sum.Quo(&sum, n).Float64()
		assert.Equal(t, exact, mean, "mean of %v", xs)
		v, dev, err := stat.Spread(xs)
		require.NoError(t, err)
		squares.Sub(&squares, sum.Mul(&sum, &sum).Mul(&sum, n))
		exact, _ = squares.Quo(&squares, n.Sub(n, big.NewRat(1, 1))).Float64()
		assert.Equal(t, exact, v, "variance of %v", xs)
		assert.False(t, dev < 0 || math.IsNaN(dev), "deviation of %v is %v", xs, dev)
	})
}

func costRows(t *testing.T, name string) []pyval.Value {
	t.Helper()
	text := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "cost", "cost.json")))(t)
	v := testkit.Must(pyval.ParseJSON(string(text)))(t)
	return testkit.Field(v.(*pyval.Dict), name).(*pyval.List).Items
}

func float(t *testing.T, v pyval.Value, name string) float64 {
	t.Helper()
	f, ok := testkit.Field(v.(*pyval.Dict), name).(pyval.Float)
	require.True(t, ok, "%s of %s", name, pyval.Repr(v))
	return float64(f)
}

func TestGoldenPercentile(t *testing.T) {
	all := costRows(t, "percentile_examples")
	for _, row := range all {
		var xs []float64
		for _, x := range testkit.Field(row.(*pyval.Dict), "values").(*pyval.List).Items {
			xs = append(xs, float64(x.(pyval.Float)))
		}
		got := testkit.Must(stat.Percentile(xs, 95))(t)
		assert.Equal(t, float(t, row, "p95"), got, "%v", xs)
		assert.Equal(t, float(t, row, "p95_rounded"), stat.RoundScaled2(got), "%v", xs)
	}
	t.Logf("%d rows compared", len(all))
}

func TestGoldenRounding(t *testing.T) {
	all := costRows(t, "rounding_examples")
	for _, row := range all {
		x := float(t, row, "value")
		assert.Equal(t, float(t, row, "python_round_2"), stat.Round2(x), "%v", x)
		assert.Equal(t, float(t, row, "numpy_round_2"), stat.RoundScaled2(x), "%v", x)
	}
	t.Logf("%d rows compared", len(all))
}
