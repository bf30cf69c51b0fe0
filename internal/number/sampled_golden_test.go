package number_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A population is the cases of a recorded run that count, with its verdicts.
type population struct {
	name   string
	names  []string // of its categories
	cases  [][]int  // by category
	weight []float64
	ids    []string
	of     []int // the place of the category, by case
	right  []float64
	truth  float64
	orders map[string][]int // those drawn already, by scale and seed
}

// whole is what a model was asked, weighted as the overall is.
func (f full) whole(m *model) *population {
	p := &population{name: m.name, orders: map[string][]int{}}
	for _, s := range f.layout.Overall.Shares(func(name string) (int, bool) { return f.cases(name), m.wrong[name] != nil }) {
		for _, part := range f.parts {
			if part.category != s.Category {
				continue
			}
			var cases []int
			sum := 0.0
			for _, id := range part.ids {
				cases = append(cases, len(p.ids))
				p.ids = append(p.ids, part.category+"/"+id)
				p.of = append(p.of, len(p.names))
				right := m.right(part.category, id)
				p.right = append(p.right, right)
				sum += right
			}
			p.names, p.cases, p.weight = append(p.names, part.category), append(p.cases, cases), append(p.weight, s.Weight)
			p.truth += s.Weight * sum / float64(len(cases))
		}
	}
	return p
}

// A way of drawing a sample: how cases are shared out over categories.
type way struct {
	name string
	n    int
	by   string
}

func bySize(p *population, k int) float64 { return float64(len(p.cases[k])) }

// byPrecision is by V4's published scatter; the first release has no such
// figures, and its samples are shared out by size.
func byPrecision(p *population, k int) float64 {
	if suite.Scale("multiple") > 0 && suite.Scale(p.names[k]) == 0 {
		return bySize(p, k)
	}
	return suite.Scale(p.names[k])
}

// scales are how cases are shared out, by name.
var scales = map[string]func(p *population, k int) float64{"size": bySize, "precision": byPrecision}

// order is that in which cases would be asked: a sample is its beginning.
func (p *population) order(by string, seed uint64) []int {
	key := fmt.Sprint(by, seed)
	if p.orders[key] == nil {
		strata := make([]suite.Stratum, len(p.names))
		for k := range p.names {
			strata[k] = suite.Stratum{Scale: scales[by](p, k), Cases: p.cases[k]}
		}
		p.orders[key] = suite.Order(strata, seed, func(i int) string { return p.ids[i] })
	}
	return p.orders[key]
}

// draw is a sample's cases by category.
func (w way) draw(p *population, seed uint64) [][]int {
	out := make([][]int, len(p.names))
	for _, i := range p.order(w.by, seed)[:w.n] {
		out[p.of[i]] = append(out[p.of[i]], i)
	}
	return out
}

// estimate is what a sample tells of the whole, as `bfcl score` says it.
func (p *population) estimate(drawn [][]int) stat.Estimate {
	strata := make([]stat.Drawn, len(drawn))
	for k, cases := range drawn {
		strata[k] = stat.Drawn{Weight: p.weight[k], All: len(p.cases[k])}
		for _, i := range cases {
			strata[k].Values = append(strata[k].Values, p.right[i])
		}
	}
	return stat.Whole(strata, stat.Z95)
}

// TestGoldenSamples: how far a sample's overall lies from that of all cases, on
// recorded runs, and how often its interval holds it.
func TestGoldenSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of samples are drawn of each run: not under -short")
	}
	t.Parallel()
	roots := recordedRoots(t)
	last, first := models(t, roots["V4"]...), models(t, roots["V1"]...)
	require.NotEmpty(t, last)
	require.NotEmpty(t, first)
	newest := drawnFrom(t, "V4", current(t), last)
	assert.Less(t, newest["500 by precision"].half, newest["500 by size"].half)
	drawnFrom(t, "V1", firstRelease(first[0]), first)
}

// A drawing adds up what samples told: how far off they were (19 of 20 times),
// half of their intervals, and the share of intervals that hold the truth.
type drawing struct{ off, half, holds float64 }

var ways = []way{
	{name: "500 by size", n: 500, by: "size"},
	{name: "500 by precision", n: 500, by: "precision"},
	{name: "1,000 by precision", n: 1000, by: "precision"},
}

func drawnFrom(t *testing.T, release string, f full, all []*model) map[string]drawing {
	seeds := 60
	if len(all) > 10 {
		seeds = testkit.Some(20, 60)
	}
	out := map[string]drawing{}
	populations := make([]*population, len(all))
	for k, m := range all {
		populations[k] = f.whole(m)
	}
	for _, w := range ways {
		var d drawing
		var each []string
		n := 0.0
		for _, p := range populations {
			if len(p.ids) < w.n*3/2 {
				continue
			}
			var squares float64
			for seed := range uint64(seeds) {
				i := p.estimate(w.draw(p, seed))
				squares += (i.Value - p.truth) * (i.Value - p.truth)
				d.half += (i.High - i.Low) / 2
				if i.Low <= p.truth && p.truth <= i.High {
					d.holds++
				}
			}
			n += float64(seeds)
			d.off += squares
			each = append(each, fmt.Sprintf("%s %.1f", p.name, 196*math.Sqrt(squares/float64(seeds))))
		}
		require.Positive(t, n, w.name)
		d = drawing{stat.Z95 * math.Sqrt(d.off/n), d.half / n, d.holds / n}
		t.Logf("%s, %d runs: %-37s off by ± %.1f points (19 of 20 times), interval ± %.1f, which holds %.1f%%", release, len(each), w.name, 100*d.off, 100*d.half, 100*d.holds)
		if len(each) < 20 {
			t.Logf("  off by, for each: %s", strings.Join(each, ", "))
		}
		assert.True(t, len(each) < 3 || d.holds >= 0.92, w.name)
		out[w.name] = d
	}
	return out
}
