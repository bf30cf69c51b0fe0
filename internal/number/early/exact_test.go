package early_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/early"
)

// A boundary is a population whose difference to the baseline is known, and a
// rule whose bound lies next to it: the hardest there is to decide.
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
	{"2,000 cases", 2000, 0.1, 0.3, func(int) float64 { return 1 }},
	{"2,000 cases, some count ten times as much", 2000, 0.1, 0.3, func(i int) float64 { return 1 + 9*float64(min(i/1800, 1)) }},
	{"2,000 cases, those that count more change more", 2000, 0.05, 0.1, func(i int) float64 { return 1 + 20*float64(min(i%40/39, 1)) }},
}

func (b boundary) population(random *rand.Rand) (cases []early.Case, values []float64, difference float64) {
	total := 0.0
	for i := range b.cases {
		total += b.weights(i)
	}
	for i := range b.cases {
		c := early.Case{Category: "multiple", Weight: b.weights(i) / total, Base: float64(min(random.IntN(4), 1)), Cluster: strconv.Itoa(i)}
		v := c.Base
		if chance := map[float64]float64{1: b.lost, 0: b.gained}[c.Base]; random.Float64() < chance {
			v = 1 - v
		}
		cases, values = append(cases, c), append(values, v)
		difference += c.Weight * (v - c.Base)
	}
	return cases, values, difference
}

// TestCoverageOfExact: with a bound that all cases reach just so, or just not,
// at most half of Alpha of the runs are decided the other way, at any of forty
// looks.
func TestCoverageOfExact(t *testing.T) {
	t.Parallel()
	repetitions := 100
	if testing.Short() {
		repetitions = 25
	}
	if more, err := strconv.Atoi(os.Getenv("BFCL_COVERAGE")); err == nil {
		repetitions = max(repetitions, more/2)
	}
	for _, b := range boundaries {
		random := rand.New(rand.NewPCG(uint64(b.cases), 5))
		names := map[early.Outcome][]string{}
		for i := range b.cases {
			for _, truth := range []early.Outcome{early.Pass, early.Fail} {
				names[truth] = append(names[truth], fmt.Sprint(b.name, truth, i))
			}
		}
		wrong, asked := map[early.Outcome]int{}, map[early.Outcome]float64{}
		for n := range repetitions {
			cases, values, difference := b.population(random)
			for _, truth := range []early.Outcome{early.Pass, early.Fail} {
				const next = 1e-6
				bound := difference - next
				if truth == early.Fail {
					bound = difference + next
				}
				order := early.Drawn(cases, uint64(n), func(i int) string { return names[truth][i] })
				x := early.NewExact(cases, order, early.Rule{Points: -bound})
				said, share := ever(x, order, values)
				if said != early.Open && said != truth {
					wrong[truth]++
				}
				asked[truth] += share / float64(repetitions)
			}
		}
		t.Logf("%-48s closed though all would keep it: %.1f%% (at most %.1f%%); open though all would break it: %.1f%%",
			b.name, 100*float64(wrong[early.Pass])/float64(repetitions), 50*early.Alpha, 100*float64(wrong[early.Fail])/float64(repetitions))
		most := early.Alpha/2*float64(repetitions) + 3*2 // three standard errors of so few
		assert.LessOrEqual(t, float64(wrong[early.Pass]), most, b.name)
		assert.LessOrEqual(t, float64(wrong[early.Fail]), most, b.name)
	}
}

// ever is what the first of forty looks that settles it says.
func ever(x *early.Exact, order []int, values []float64) (early.Outcome, float64) {
	const looks = 40
	asked := 0
	for look := 1; look < looks; look++ {
		for ; asked < look*len(order)/looks; asked++ {
			x.See(order[asked], values[order[asked]])
		}
		x.Ask(asked)
		if said := x.Outcome(); said != early.Open {
			return said, float64(asked) / float64(len(order))
		}
	}
	return early.Open, 1
}

// TestExact: the interval holds the truth, shrinks to it, and cases without a
// verdict speak against either decision.
func TestExact(t *testing.T) {
	b := boundaries[1]
	cases, values, difference := b.population(rand.New(rand.NewPCG(1, 2)))
	order := early.Drawn(cases, 3, strconv.Itoa)
	whole, gaps := early.NewExact(cases, order, early.Rule{Points: 0.2}), early.NewExact(cases, order, early.Rule{Points: 0.2})
	width := 2.0
	for n, i := range order {
		whole.See(i, values[i])
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
			assert.LessOrEqual(t, g.Low, e.Low+1e-6)
			assert.GreaterOrEqual(t, g.High, e.High-1e-6)
			assert.GreaterOrEqual(t, e.Difference, e.Low)
			width = e.High - e.Low
		}
	}
	assert.InDelta(t, 0, width, 1e-6, "all is known")
	assert.Equal(t, early.Pass, whole.Outcome())
}
