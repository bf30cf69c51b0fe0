package stat_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// A sheet collects figures by name, nine digits of each: the last ones are not
// those of every processor.
type sheet struct{ strings.Builder }

func (s *sheet) line(name string, figures ...float64) {
	s.WriteString(name + ":")
	for _, x := range figures {
		s.WriteString(" " + strconv.FormatFloat(x, 'g', 9, 64))
	}
	s.WriteString("\n")
}

func (s *sheet) interval(name string, i stat.Estimate) { s.line(name, i.Value, i.Low, i.High) }

// keyed are blocks of values that are lists of ones and zeros, or of
// differences with minus signs, by key: "a 110 b 0".
func keyed(text string) (out []stat.Block) {
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i += 2 {
		b := stat.Block{Key: strings.Trim(fields[i], "-")}
		for _, digit := range strings.ReplaceAll(fields[i+1], "-", "m") {
			b.Add(map[rune]float64{'1': 1, '0': 0, 'm': -1, 'h': 0.5}[digit])
		}
		out = append(out, b)
	}
	return out
}

// structures that composites are computed of: one stratum and several, clusters
// in one and across them, values alone, finite strata, and nothing.
var composites = []struct {
	name   string
	strata []stat.Stratum
}{
	{"nothing", nil},
	{"empty strata", []stat.Stratum{{Weight: 1}, {Weight: 2, Blocks: []stat.Block{{Key: "a"}}}}},
	{"no weight", []stat.Stratum{{Alone: 4, Right: 2}}},
	{"one case", []stat.Stratum{{Weight: 1, Alone: 1, Right: 1}}},
	{"ten cases", []stat.Stratum{{Weight: 1, Alone: 10, Right: 7}}},
	{"all right", []stat.Stratum{{Weight: 1, Alone: 12, Right: 12}}},
	{"none right", []stat.Stratum{{Weight: 1, Alone: 12}}},
	{"a hundred", []stat.Stratum{{Weight: 3, Alone: 100, Right: 62}}},
	{"clusters", []stat.Stratum{{Weight: 1, Blocks: keyed("a 1110 b 1 c 000 d 11 e 10 f 0 g 11111")}}},
	{"clusters and an empty one", []stat.Stratum{{Weight: 1, Blocks: append(keyed("a 1110 b 1 c 000 d 11"), stat.Block{Key: "z"})}}},
	{"clusters all alike", []stat.Stratum{{Weight: 1, Blocks: keyed("a 111 b 000 c 11 d 1111")}}},
	{"clusters without a key", []stat.Stratum{{Weight: 1, Blocks: keyed("- 111 - 001 - 10")}}},
	{"one cluster", []stat.Stratum{{Weight: 1, Blocks: keyed("a 1101")}}},
	{"two strata", []stat.Stratum{{Weight: 0.3, Alone: 30, Right: 20}, {Weight: 0.7, Alone: 12, Right: 3}}},
	{"two strata of few", []stat.Stratum{{Weight: 0.5, Alone: 2, Right: 1}, {Weight: 0.5, Alone: 1, Right: 1}}},
	{"shared clusters", []stat.Stratum{{Weight: 0.4, Blocks: keyed("a 11 b 0 c 10")}, {Weight: 0.6, Blocks: keyed("a 1 b 00 d 1"), Alone: 6, Right: 2}}},
	{"a half is known", []stat.Stratum{{Weight: 1, Known: 0.5, Alone: 20, Right: 13}}},
	{"all is known", []stat.Stratum{{Weight: 1, Known: 1, Alone: 20, Right: 13}}},
	{"more than all", []stat.Stratum{{Weight: 1, Known: 1.5, Alone: 20, Right: 13}}},
	{"one of two is known", []stat.Stratum{{Weight: 0.5, Known: 1, Alone: 20, Right: 13}, {Weight: 0.5, Alone: 15, Right: 3}}},
	{"pairs", []stat.Stratum{{Weight: 1, Blocks: keyed("- 1 - - - 0 - 0 - 1 - 0 - 1")}}},
	{"pairs of one side", []stat.Stratum{{Weight: 1, Blocks: keyed("- 1 - 1 - 1 - 1 - 1 - 1 - 1")}}},
	{"clustered pairs", []stat.Stratum{{Weight: 0.5, Blocks: keyed("a 1-0 b 00 c -- d 01 e -h")}, {Weight: 0.5, Blocks: keyed("a 1 b 0 c - f 0")}}},
}

// TestFigures: every figure of composites of many shapes, of intervals, levels
// and tests. The shapes' coverage is tested elsewhere; here no figure changes
// without a word.
func TestFigures(t *testing.T) {
	t.Parallel()
	var s sheet
	for _, c := range composites {
		got := stat.Compose(c.strata)
		s.line(c.name, got.Mean, float64(got.N), float64(got.K), float64(got.Strata), got.Size, got.Square, got.Effect, got.Most, got.Freedom)
		for _, z := range []float64{0.01, 1, stat.Z95, 3.5} {
			s.interval(fmt.Sprintf("  share at %.3g", z), got.Share(z))
			s.interval(fmt.Sprintf("  difference at %.3g", z), got.Difference(z))
		}
		if got.N > 0 {
			s.line("  level", stat.Level(got.Difference))
		}
	}
	for _, n := range []int{0, 1, 2, 7, 40, 500} {
		for _, right := range []int{0, 1, n / 2, n - 1, n} {
			if right >= 0 && right <= n {
				s.interval(fmt.Sprintf("wilson %d of %d", right, n), stat.Wilson(right, n, stat.Z95))
				s.interval(fmt.Sprintf("wilson %d of %d at 1", right, n), stat.Wilson(right, n, 1))
			}
		}
	}
	for _, z := range []float64{0, 0.5, 1, stat.Z95, 4, 36, 39} {
		s.line(fmt.Sprintf("beyond %.3g", z), stat.TwoSided(z), stat.TwoSided(-z))
		for _, freedom := range []float64{math.NaN(), -1, 0, 0.5, 1, 4.5, 30, 1e4, 999999, 1e6, 1000001, math.Inf(1)} {
			s.line(fmt.Sprintf("  student, freedom %g", freedom), stat.Student(z, freedom))
		}
	}
	for _, level := range []float64{1, 0.5, 0.05, 0.0025, 1e-12} {
		s.line(fmt.Sprintf("quantile of %g", level), stat.Quantile(level))
	}
	golden(t, "figures.txt", s.String())
}

// TestRatioFigures: changes of ratios over clusters.
func TestRatioFigures(t *testing.T) {
	t.Parallel()
	var s sheet
	one := []stat.Ratio{{Over: 2, Under: 1}, {Over: 3, Under: 2}, {Over: 1}, {Over: 4, Under: 1}}
	other := []stat.Ratio{{Over: 1, Under: 1}, {Over: 2, Under: 1}, {Over: 2, Under: 1}, {Over: 3}}
	for i, pair := range [][2][]stat.Ratio{{one, other}, {other, one}, {one, one}, {one[:2], other[:2]}, {one[:1], other[:1]}, {one, other[:2]}, {one[2:], other[2:]}} {
		change, known := stat.RatioChange(pair[0], pair[1])
		s.interval(fmt.Sprint("ratios ", i, " ", known), change)
	}
	golden(t, "ratios.txt", s.String())
}

// TestDrawnFigures: estimates of finite strata, with slopes and without.
func TestDrawnFigures(t *testing.T) {
	t.Parallel()
	var s sheet
	list := func(n int, f func(i int) float64) (out []float64) {
		for i := range n {
			out = append(out, f(i))
		}
		return out
	}
	strata := []stat.Drawn{
		{Weight: 0.5, All: 40, Values: list(12, func(i int) float64 { return float64(i * i % 2) })},
		{Weight: 0.3, All: 10, Values: list(10, func(i int) float64 { return float64(i % 3 / 2) })},
		{Weight: 0.2, All: 200, Values: list(30, func(i int) float64 { return float64(i * 7 % 10 / 5) })},
	}
	for _, c := range []struct {
		name   string
		strata []stat.Drawn
	}{{"three", strata}, {"the first", strata[:1]}, {"all of one", strata[1:2]}, {"the last", strata[2:]}} {
		s.interval(c.name, stat.Whole(c.strata, stat.Z95))
	}
	golden(t, "drawn.txt", s.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := testkit.Must(os.ReadFile(path))(t)
	assert.Equal(t, string(want), got, "see what changed, then run the test with -update")
}

// TestParseMeasure: a measure is written as it is read.
func TestParseMeasure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]stat.Measure{"accuracy": {}, "pass@1": {K: 1}, "pass^1": {K: 1, All: true}, "pass@2147483647": {K: math.MaxInt32}} {
		got, err := stat.ParseMeasure(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
	for _, bad := range []string{"", "pass", "pass@", "pass^x", "Pass@1", "pass@1^2", "accuracy^", "accuracy@1", "^3", "@3", "pass^0", "pass@2147483648", "fail@1"} {
		testkit.Fails(stat.ParseMeasure(bad))(t, "such as pass^3", bad)
	}
}

// TestSamples: the exact functions on values that are hard to add up, and on none.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		xs                 []float64
		mean, deviation, v float64
	}{
		{[]float64{1, 2, 3, 4}, 2.5, 1.2909944487358056, 5.0 / 3},
		{[]float64{1e16, 1, -1e16, 1}, 0.5, math.Sqrt(2e32/3 + 1.0/3), 2e32/3 + 1.0/3},
		{[]float64{5, 5, 5}, 5, 0, 0},
		{[]float64{1e308, 1e308}, 1e308, 0, 0},
		{[]float64{1e-200, 3e-200}, 2e-200, 1.414213562373095e-200, 0},
		{[]float64{1e150, 3e150}, 2e150, 1.414213562373095e150, 2e300},
		{[]float64{0.1, 0.2, 0.4}, 0.7 / 3, 0.15275252316519467, 0.07 / 3},
		{[]float64{1 + 0x1p-52, -1, 0x1p-53}, 0x1p-53, 1, 1},                      // halfway between two floats: the even one
		{[]float64{1 + 0x1p-52, -1, 0x1p-53 + 0x1p-100}, 0x1p-53, 1 + 0x1p-52, 1}, // and a little above
	} {
		mean := testkit.Must(stat.Mean(c.xs))(t)
		assert.InEpsilon(t, 1+c.mean, 1+mean, 1e-15, c.xs)
		v, deviation, err := stat.Spread(c.xs)
		require.NoError(t, err)
		assert.InDelta(t, c.deviation, deviation, 2e-16*c.deviation, c.xs)
		assert.InDelta(t, c.v, v, 1e-14*c.v, c.xs)
	}
	for _, xs := range [][]float64{nil, {1}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		none, dev, err := stat.Spread(xs)
		want := stat.ErrTooFew
		if len(xs) > 1 {
			want = stat.ErrNotFinite
		}
		assert.ErrorIs(t, err, want)
		assert.Zero(t, none+dev)
	}
	none, err := stat.Mean(nil)
	assert.ErrorIs(t, err, stat.ErrTooFew)
	assert.Zero(t, none)
	for _, c := range []struct {
		q    float64
		want float64
	}{{0, 1}, {100, 9}, {50, 4}, {25, 2.5}, {75, 6.5}, {-5, 1}, {105, 9}, {95, 8.5}, {10, 1.6}} {
		got := testkit.Must(stat.Percentile([]float64{9, 1, 4}, c.q))(t)
		assert.InDelta(t, c.want, got, 1e-12, c.q)
	}
	for _, c := range []struct{ q, low, high, want float64 }{ // from the nearer rank, from the upper one if both are as near
		{25, 0.4, 8.4, 2.4}, {25, 0.5, 6.2, 1.925}, {50, 0.1, 5, 2.55}, {50, 1.2, 7.1, 4.15}, {75, 0.9, 2.2, 1.875}, {75, 2.9, 6.8, 5.825},
	} {
		got := testkit.Must(stat.Percentile([]float64{c.high, c.low}, c.q))(t)
		assert.Equal(t, c.want, got, c)
	}
	one := testkit.Must(stat.Percentile([]float64{7}, 95))(t)
	assert.Equal(t, 7.0, one)
	for _, xs := range [][]float64{nil, {1, math.NaN()}, {math.Inf(-1)}} {
		none, err := stat.Percentile(xs, 95)
		assert.Error(t, err)
		assert.Zero(t, none)
	}
	assert.Equal(t, math.MaxFloat64, stat.Round2(math.MaxFloat64))
	assert.Equal(t, -math.MaxFloat64, stat.RoundScaled2(-math.MaxFloat64))
}

// TestEdges: what is known of two blocks and of one trial, what touches 0, and
// what is beyond floats.
func TestEdges(t *testing.T) {
	t.Parallel()
	two, ok := stat.RatioChange([]stat.Ratio{{0, 1}, {0, 1}}, []stat.Ratio{{0, 1}, {1, 1}}) // a standard error of 0.5, and 12.706 for one degree of freedom
	assert.True(t, ok)
	assert.InDelta(t, 0.5-6.353, two.Low, 1e-3)
	assert.InDelta(t, 0.5+6.353, two.High, 1e-3)
	_, ok = stat.Measure{}.Of(0, 0)
	assert.False(t, ok)
	value, ok := stat.Measure{}.Of(1, 1)
	assert.True(t, ok)
	assert.Equal(t, 1.0, value)
	for _, touching := range []stat.Estimate{{Low: -1, High: 0}, {Low: 0, High: 1}} {
		assert.Equal(t, 1.0, stat.Level(func(float64) stat.Estimate { return touching }))
	}
	for n := range 500 {
		for _, z := range []float64{1, stat.Z95, 2.5} {
			assert.LessOrEqual(t, stat.Wilson(n, n, z).High, 1.0, n)
		}
	}
}
