package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A mind is a model in a dataset like V4: a fifth of the overall are 155
// questions about five scenarios in three memories, and some models are better
// at some scenarios.
type mind struct{ chances [5]float64 }

func newMind(random *rand.Rand, p, part float64) (m mind) {
	for k := range m.chances {
		m.chances[k] = min(1, max(0, p+math.Sqrt(part*p*(1-p))*random.NormFloat64()))
	}
	return m
}

const scenes, questions, others = 5, 31, 655

// answers are the verdicts on memory's questions, the easy ones alike for all
// models, and on the others.
func (m mind) answers(random *rand.Rand, ease []float64, p float64) (out []float64) {
	for i, e := range ease {
		chance := p
		if i < 3*scenes*questions {
			chance = m.chances[i/questions%scenes]
		}
		right := 0.0
		if e < 0.5 && random.Float64() < chance || e >= 0.5 && (e-0.5)*2 < chance {
			right = 1
		}
		out = append(out, right)
	}
	return out
}

// strata are memory's by scenario and by question, and the others'.
func strataOf(values []float64) (byScenario, byQuestion, rest []stat.Stratum) {
	for k := range 3 {
		units, single := make([]stat.Block, scenes), make([]stat.Block, 0, scenes*questions)
		for i := range scenes * questions {
			x := values[k*scenes*questions+i]
			unit := &units[i/questions]
			unit.Key = fmt.Sprint("scenario", i/questions)
			unit.Add(x)
			b := stat.Block{Key: fmt.Sprint("question", i)}
			b.Add(x)
			single = append(single, b)
		}
		byScenario = append(byScenario, stat.Stratum{Weight: 0.2 / 3, Blocks: units})
		byQuestion = append(byQuestion, stat.Stratum{Weight: 0.2 / 3, Blocks: single})
	}
	all := stat.Stratum{Weight: 0.8}
	for _, x := range values[3*scenes*questions:] {
		b := stat.Block{}
		b.Add(x)
		all.Blocks = append(all.Blocks, b)
	}
	return byScenario, byQuestion, []stat.Stratum{all}
}

// TestCoverageOfScenarios: what scenarios as units make of the overall's
// coverage, and of how often equally good models are told apart.
func TestCoverageOfScenarios(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	n := repetitions(t, 100, 250)
	const p = 0.6
	for _, part := range []float64{0, 0.02, 0.056, 0.1} {
		var plain, wide, apart, apartWide float64
		for range n {
			ease := make([]float64, 3*scenes*questions+others)
			for i := range ease {
				ease[i] = random.Float64()
			}
			a := newMind(random, p, part).answers(random, ease, p)
			b := newMind(random, p, part).answers(random, ease, p)
			few, single, rest := strataOf(a)
			if holds(stat.Compose(append(single, rest...)).Share(stat.Z95), p) {
				plain++
			}
			if holds(stat.Few(few, rest, stat.Composite.Share)(stat.Z95), p) {
				wide++
			}
			for i := range a {
				a[i] -= b[i]
			}
			few, single, rest = strataOf(a)
			if !holds(stat.Compose(append(single, rest...)).Difference(stat.Z95), 0) {
				apart++
			}
			if !holds(stat.Few(few, rest, stat.Composite.Difference)(stat.Z95), 0) {
				apartWide++
			}
		}
		count := float64(n)
		t.Logf("scenarios are %.1f%% of the variance: the overall's interval holds %.1f%%, with scenarios as units %.1f%%; equal models are told apart in %.1f%%, and in %.1f%%",
			100*part, 100*plain/count, 100*wide/count, 100*apart/count, 100*apartWide/count)
		within(t, wide/count, 0.925, 1, n, "coverage")
		within(t, apartWide/count, 0, 0.06, n, "told apart")
	}
	few, _, rest := strataOf(make([]float64, 3*scenes*questions+others))
	assert.Equal(t, stat.Compose(append(few, rest...)).Share(stat.Z95), stat.Few(few, rest, stat.Composite.Share)(stat.Z95), "nothing varies")
}
