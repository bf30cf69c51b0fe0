package early_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/early"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// A course is cases with their verdicts, of which some are never known.
type course struct {
	name    string
	cases   int
	lost    float64 // of what was right
	gained  float64 // of what was wrong
	shared  bool    // clusters of three, some across categories
	partial bool    // shares of trials instead of verdicts
	gaps    int     // every so manieth verdict is missing; 0 for none
}

func (c course) draw() (cases []early.Case, values []float64) {
	random := rand.New(rand.NewPCG(uint64(c.cases), 11))
	weights := []float64{1, 1, 3}
	total := 0.0
	for i := range c.cases {
		total += weights[i%3]
	}
	for i := range c.cases {
		base := float64(min(random.IntN(3), 1))
		if c.partial {
			base = float64(random.IntN(5)) / 4
		}
		cluster := strconv.Itoa(i)
		if c.shared {
			cluster = strconv.Itoa(i / 4)
		}
		value := base
		if chance := map[bool]float64{true: c.lost, false: c.gained}[base >= 0.5]; random.Float64() < chance {
			value = 1 - base
		}
		cases = append(cases, early.Case{Category: strconv.Itoa(i % 3), Weight: weights[i%3] / total, Base: base, Cluster: cluster})
		values = append(values, value)
	}
	return cases, values
}

// TestFigures: what is known at each of some looks, and the decision, of courses
// of many kinds. That the decisions hold is tested elsewhere; here no figure
// changes without a word.
func TestFigures(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, c := range []course{
		{name: "unchanged", cases: 300},
		{name: "a little worse", cases: 300, lost: 0.06, gained: 0.04, shared: true},
		{name: "much worse", cases: 300, lost: 0.3, gained: 0.02, shared: true},
		{name: "better", cases: 120, lost: 0.02, gained: 0.4},
		{name: "all change", cases: 90, lost: 1, gained: 1, shared: true},
		{name: "shares of trials", cases: 120, lost: 0.2, gained: 0.2, partial: true, shared: true},
		{name: "gaps", cases: 240, lost: 0.1, gained: 0.1, gaps: 7, shared: true},
		{name: "one case", cases: 1, lost: 1, gained: 1},
	} {
		cases, values := c.draw()
		order := early.Order(cases, 5, strconv.Itoa)
		for _, rule := range []early.Rule{{Level: 0.05, Points: 0.03}, {Level: 0.01, Points: 0.1}, {Level: 0.05}, {Points: 0.02}, {Points: 0.15}} {
			fmt.Fprintf(&text, "%s, %+v\n", c.name, rule)
			w := early.New(cases, order, rule)
			asked := 0
			for _, share := range []int{0, 5, 20, 50, 90, 100, 120} {
				for ; asked < min(len(order), len(order)*share/100); asked++ {
					if i := order[asked]; c.gaps == 0 || i%c.gaps > 0 {
						w.See(i, values[i])
					}
				}
				w.Ask(len(order) * share / 100)
				e := w.Estimate()
				fmt.Fprintf(&text, "  %d%%: %s %.6f (%.6f to %.6f), lose %.6f, keep %.6f, error %.6f\n", share, w.Outcome(), e.Difference, e.Low, e.High, e.Lose, e.Keep, e.Error)
			}
		}
	}
	const path = "testdata/figures.txt"
	got := strings.ReplaceAll(text.String(), "-0.000000", "0.000000")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "see what changed, then run the test with -update")
}

// TestDecides: a loss that is plain breaks the rule, its absence keeps it, long
// before the last case, and with the last case the decision is that of all.
func TestDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		course
		rule  early.Rule
		half  early.Outcome // after half of the cases
		whole early.Outcome
	}{
		{"much worse", course{cases: 300, lost: 0.4}, early.Rule{Level: 0.05, Points: 0.03}, early.Fail, early.Fail},
		{"much worse than allowed", course{cases: 300, lost: 0.4}, early.Rule{Points: 0.05}, early.Fail, early.Fail},
		{"unchanged", course{cases: 300}, early.Rule{Level: 0.05, Points: 0.05}, early.Pass, early.Pass},
		{"unchanged, no loss named", course{cases: 300}, early.Rule{Level: 0.05}, early.Open, early.Pass},
		{"much better", course{cases: 300, gained: 0.5}, early.Rule{Points: 0}, early.Pass, early.Pass},
		{"unchanged, none allowed", course{cases: 300}, early.Rule{Points: 0}, early.Open, early.Open}, // a tie is on the bound
	} {
		cases, values := c.draw()
		order := early.Order(cases, 1, strconv.Itoa)
		w := early.New(cases, order, c.rule)
		for n, i := range order {
			w.See(i, values[i])
			if n == len(order)/2 {
				w.Ask(n + 1)
				assert.Equal(t, c.half, w.Outcome(), c.name)
			}
		}
		w.Ask(len(order))
		assert.Equal(t, c.whole, w.Outcome(), c.name)
	}
}

// TestOneCluster: the error for one cluster of cases that are alike. If all
// change, they correlate by no more than 1; if one does, as is believed, which
// counts as much as thirty changes.
func TestOneCluster(t *testing.T) {
	t.Parallel()
	const n = 30.0
	for changed, correlation := range map[int]float64{n: 1, 1: 0.26 * 30 / (30 + n - 1)} {
		var cases []early.Case
		var order []int
		for i := range int(n) {
			cases, order = append(cases, early.Case{Category: "a", Cluster: "c", Base: 1, Weight: 1 / n}), append(order, i)
		}
		w := early.New(cases, order, early.Rule{Level: 0.05})
		for i := range cases {
			w.See(i, float64(min(1, i/changed)))
		}
		w.Ask(n)
		others := (float64(changed) + 0.5) / (n + 10) // one in twenty of ten cases was believed to change
		often := (float64(changed) + 4*others) / (n + 4)
		assert.InDelta(t, math.Sqrt(often*(n+correlation*(n*n-n)))/n, w.Estimate().Error, 1e-6, changed)
	}
}

// TestLooks: looks come closer together at the beginning, each has more cases
// than the one before, and none has all.
func TestLooks(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 61, 67, 74, 81, 89}, early.Looks(100))
	assert.Empty(t, early.Looks(1))
	assert.Equal(t, []int{1}, early.Looks(2))
	for _, n := range []int{3, 50, 5000} {
		before := 0
		for _, look := range early.Looks(n) {
			assert.Greater(t, look, before)
			before = look
		}
		assert.Less(t, before, n)
	}
}
