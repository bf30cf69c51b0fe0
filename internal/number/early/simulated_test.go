package early_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/early"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A section is some categories of a made-up dataset, whose cases share
// clusters: so many of each category in each cluster.
type section struct {
	categories int
	weight     float64 // of each category
	clusters   int
	size       int
}

// likeV4 has the weights and clusters of V4.
func likeV4() []section {
	return []section{
		{4, 0.3 / 4, 200, 1}, // conversations
		{3, 0.2 / 3, 155, 1}, // memory
		{2, 0.2 / 2, 100, 1}, // web search
		{1, 0.1, 338, 4},     // live
		{1, 0.1, 1150, 1},    // not live
		{1, 0.05, 240, 1},    // irrelevance
		{1, 0.05, 294, 3},    // live irrelevance
	}
}

// A change is how a new version differs from its baseline: on what share of the
// cases, by what loss, and how much changes within a cluster correlate.
type change struct{ share, loss, together float64 }

func (c change) draw(random *rand.Rand) float64 {
	switch u := random.Float64(); {
	case u < (c.share+c.loss)/2:
		return -1
	case u < c.share:
		return 1
	}
	return 0
}

// simulate draws a baseline that is right in about 60% and a new version.
func (c change) simulate(random *rand.Rand, dataset []section) *trial {
	tr := &trial{detect: 0.03}
	for n, s := range dataset {
		for k := range s.clusters {
			common := c.draw(random)
			for category := range s.categories {
				for j := range s.size {
					d := common
					if random.Float64() >= math.Sqrt(c.together) {
						d = c.draw(random)
					}
					base := 0.0
					if d < 0 || d == 0 && random.Float64() < 0.6 {
						base = 1
					}
					tr.ids = append(tr.ids, fmt.Sprint(n, "/", category, "/", k, "/", j))
					tr.values = append(tr.values, base+d)
					tr.cases = append(tr.cases, early.Case{
						Category: fmt.Sprint(n, category), Weight: s.weight / float64(s.clusters*s.size), Base: base, Cluster: fmt.Sprint(n, k),
					})
				}
			}
		}
	}
	return tr
}

// repetitions is how often a simulation is repeated, unless BFCL_COVERAGE says
// it: fewer times than in CI.
func repetitions(few, all int) int {
	if n, err := strconv.Atoi(os.Getenv("BFCL_COVERAGE")); err == nil {
		return n
	}
	return testkit.Some(few, all)
}

// TestUnchanged: an unchanged model, the commonest case in CI, is known to have
// kept the rule after a few cases.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	tr := change{}.simulate(rand.New(rand.NewPCG(4, 4)), likeV4())
	d := tr.run(1)
	assert.Equal(t, early.Pass, d.early)
	assert.LessOrEqual(t, d.cases, 0.05, "of V4's cases")
	tr.detect = 0
	assert.Equal(t, 1.0, tr.run(1).cases, "a rule that names no loss excludes none")
}

// TestCostCurve: the share of the cases that is asked, with detect: 3.
func TestCostCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	n := repetitions(4, 4)
	asked := map[change]float64{}
	for _, share := range []float64{0, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2} {
		line := fmt.Sprintf("%4.1f%% of the cases differ:", 100*share)
		for _, loss := range []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05} {
			c := change{share, loss, 0.26}
			if loss > share {
				continue
			}
			random := rand.New(rand.NewPCG(1, 2))
			var s summary
			for k := range n {
				s.add(c.simulate(random, likeV4()).run(uint64(k)))
			}
			asked[c] = s.cases / float64(n)
			line += fmt.Sprintf("  %.0f points worse %.1f%% (broken %.0f%%)", 100*loss, 100*asked[c], 100*float64(s.earlyFail)/float64(n))
		}
		t.Log(line)
	}
	for share, most := range map[float64]float64{0: 0.05, 0.01: 0.08, 0.05: 0.25, 0.1: 0.4} {
		assert.LessOrEqual(t, asked[change{share, 0, 0.26}], most, "equally good, %g differ", share)
	}
	assert.Less(t, asked[change{0.1, 0.05, 0.26}], asked[change{0.1, 0.03, 0.26}])
}

// TestErrors: how often a version that is as good as its baseline is said to
// break the rule, and one that is three points worse to keep it, by stopping
// and over all cases.
func TestErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	n := repetitions(9, 25)
	for _, share := range []float64{0.05, 0.1} {
		for _, together := range []float64{0, 0.26, 0.5} {
			random := rand.New(rand.NewPCG(3, uint64(100*together)))
			var equal, worse summary
			kept := 0
			for k := range n {
				equal.add(change{share, 0, together}.simulate(random, likeV4()).run(uint64(k)))
				d := change{share, 0.03, together}.simulate(random, likeV4()).run(uint64(k))
				worse.add(d)
				if d.early == early.Pass && d.finds <= 0.03 {
					kept++
				}
			}
			percent := 100 / float64(n)
			t.Logf("%2.0f%% differ, correlation %.2f: as good %.1f%% broken (all cases %.1f%%) after %.0f%%; 3 points worse %.1f%% kept, %.1f%% not broken (all cases %.1f%%) after %.0f%%", 100*share, together,
				float64(equal.earlyFail)*percent, float64(equal.fulled)*percent, equal.cases*percent,
				float64(kept)*percent, float64(worse.n-worse.earlyFail)*percent, float64(worse.n-worse.fulled)*percent, worse.cases*percent)
			assert.LessOrEqual(t, float64(equal.earlyFail), 0.025*float64(n)+3*math.Sqrt(0.025*float64(n)))
			assert.LessOrEqual(t, float64(kept), 0.2*float64(n)+3*math.Sqrt(0.16*float64(n)), "detect is what is found in 80%")
		}
	}
}

// A boundary is a dataset whose difference to the baseline is known, and a
// bound next to it: the hardest there is to decide.
type boundary struct {
	name         string
	cases        int
	lost, gained float64 // shares of the cases that were right, and wrong
	weights      func(i int) float64
}

var boundaries = []boundary{
	{"40 cases", 40, 0.1, 0.3, func(int) float64 { return 1 }},
	{"400 cases", 400, 0.1, 0.3, func(int) float64 { return 1 }},
	{"400 cases, hardly a change", 400, 0.01, 0.02, func(int) float64 { return 1 }},
	{"400 cases, all change", 400, 0.9, 0.9, func(int) float64 { return 1 }},
	{"1,000 cases", 1000, 0.1, 0.3, func(int) float64 { return 1 }},
	{"1,000 cases, some count ten times as much", 1000, 0.1, 0.3, func(i int) float64 { return 1 + 9*float64(min(i/900, 1)) }},
	{"1,000 cases, those that count more change more", 1000, 0.05, 0.1, func(i int) float64 { return 1 + 20*float64(min(i%40/39, 1)) }},
}

func (b boundary) population(random *rand.Rand) (cases []early.Case, values []float64, difference float64) {
	total := 0.0
	for i := range b.cases {
		total += b.weights(i)
	}
	for i := range b.cases {
		c := early.Case{Category: strconv.Itoa(i % 3), Weight: b.weights(i) / total, Base: float64(min(random.IntN(4), 1)), Cluster: strconv.Itoa(i)}
		v := c.Base
		if chance := map[float64]float64{1: b.lost, 0: b.gained}[c.Base]; random.Float64() < chance {
			v = 1 - v
		}
		cases, values = append(cases, c), append(values, v)
		difference += c.Weight * (v - c.Base)
	}
	return cases, values, difference
}

// TestGuarantee: with a bound that all cases reach just so, or just not, at most
// early.Alpha of the runs are decided the other way, at any of forty looks.
func TestGuarantee(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	n := repetitions(14, 40)
	for _, b := range boundaries {
		random := rand.New(rand.NewPCG(uint64(b.cases), 5))
		wrong := map[early.Outcome]int{}
		for k := range n {
			cases, values, difference := b.population(random)
			order := early.Order(cases, uint64(k), strconv.Itoa)
			for truth, next := range map[early.Outcome]float64{early.Pass: -1e-6, early.Fail: 1e-6} {
				w := early.New(cases, order, early.Rule{Points: -difference - next})
				if said := ever(w, order, values); said != early.Open && said != truth {
					wrong[truth]++
				}
			}
		}
		t.Logf("%-48s broken though all would keep it: %.1f%%; kept though all would break it: %.1f%% (at most %.1f%%)",
			b.name, 100*float64(wrong[early.Pass])/float64(n), 100*float64(wrong[early.Fail])/float64(n), 100*early.Alpha)
		most := early.Alpha*float64(n) + 3*math.Sqrt(early.Alpha*float64(n))
		assert.LessOrEqual(t, float64(wrong[early.Pass]), most, b.name)
		assert.LessOrEqual(t, float64(wrong[early.Fail]), most, b.name)
	}
}

// ever is what the first of forty looks that settles it says.
func ever(w *early.Watch, order []int, values []float64) early.Outcome {
	const looks = 40
	asked := 0
	for look := 1; look < looks; look++ {
		for ; asked < look*len(order)/looks; asked++ {
			w.See(order[asked], values[order[asked]])
		}
		w.Ask(asked)
		if said := w.Outcome(); said != early.Open {
			return said
		}
	}
	return early.Open
}

// TestWatch: the interval holds the truth and shrinks to it; cases without a
// verdict speak against either decision, and the first verdict counts.
func TestWatch(t *testing.T) {
	b := boundaries[1]
	cases, values, difference := b.population(rand.New(rand.NewPCG(1, 2)))
	order := early.Order(cases, 3, strconv.Itoa)
	whole, gaps := early.New(cases, order, early.Rule{Points: 0.2}), early.New(cases, order, early.Rule{Points: 0.2})
	whole.Ask(0)
	require.Equal(t, early.Open, whole.Outcome(), "nothing is known of nothing")
	width := 2.0
	for n, i := range order {
		whole.See(i, values[i])
		whole.See(i, 1-values[i])
		if n%10 > 0 {
			gaps.See(i, values[i])
		}
		if n%100 == 99 {
			whole.Ask(n + 1)
			gaps.Ask(n + 1)
			e, g := whole.Estimate(), gaps.Estimate()
			assert.LessOrEqual(t, e.Low, difference+1e-6)
			assert.GreaterOrEqual(t, e.High, difference-1e-6)
			assert.Less(t, e.High-e.Low, width)
			assert.LessOrEqual(t, g.Low, difference+1e-6)
			assert.GreaterOrEqual(t, g.High, difference-1e-6)
			assert.Greater(t, g.High-g.Low, 0.09, "a tenth is not known")
			assert.GreaterOrEqual(t, e.Difference, e.Low)
			width = e.High - e.Low
		}
	}
	assert.InDelta(t, 0, width, 1e-6, "all is known")
	assert.Equal(t, early.Pass, whole.Outcome())
	assert.Equal(t, "open pass fail", early.Open.String()+" "+early.Pass.String()+" "+early.Fail.String())
}
