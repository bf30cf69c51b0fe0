package number_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/plan"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// asked is a run of a model that is right with a chance, on the draws that two
// runs share in half of the cases.
func asked(sel *suite.Selection, name string, chance float64, draw func(id string) float64) *tally.Run {
	r := &tally.Run{Name: name, Run: record.Run{Model: name, Dataset: sel.Dataset.Name, Digest: "d", Trials: 1}}
	for _, part := range sel.Parts {
		results := make([]eval.Result, len(part.Cases))
		for i, c := range part.Cases {
			results[i].Case = c
			if draw(c.ID) >= chance {
				results[i].Status, results[i].ErrorType = eval.Fail, "value_error:string"
			}
		}
		r.Parts = append(r.Parts, tally.Part{Category: part.Category, Results: results})
	}
	return r
}

// TestCoverageOfExample: the file that --init prints is passed by a model that
// equals its baseline, and broken by one that loses much.
func TestCoverageOfExample(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	for _, c := range []struct {
		dataset     string
		repetitions int
		lost        float64
	}{{"starter", testkit.Some(14, 40), 0.2}, {"v4", testkit.Some(1, 3), 0.08}} {
		t.Run(c.dataset, func(t *testing.T) {
			data := ""
			if c.dataset != "starter" {
				data = testkit.Shared(t, "bfcl")
			}
			n := c.repetitions
			if more, err := strconv.Atoi(os.Getenv("BFCL_COVERAGE")); err == nil {
				n = max(n, more/10)
			}
			dataset, err := fixtures.Open(c.dataset, data)
			require.NoError(t, err)
			sel, err := suite.Select(dataset, "all", "")
			require.NoError(t, err)
			rules := parse(t, gate.Example(c.dataset, plan.Of(sel)))
			random := rand.New(rand.NewPCG(4, 2))
			count := func(lost float64) map[gate.Outcome]int {
				outcomes := map[gate.Outcome]int{}
				for range n {
					shared := map[string]float64{}
					base := asked(sel, "a", 0.8, func(id string) float64 { shared[id] = random.Float64(); return shared[id] })
					run := asked(sel, "b", 0.8-lost, func(id string) float64 {
						if random.Float64() < 0.5 {
							return random.Float64()
						}
						return shared[id]
					})
					d, err := gate.Decide(rules, run, base)
					require.NoError(t, err)
					outcomes[d.Outcome]++
				}
				return outcomes
			}
			equal, worse := count(0), count(c.lost)
			t.Logf("%s: equal models %v, %.0f points lost %v of %d", c.dataset, equal, 100*c.lost, worse, n)
			assert.Zero(t, equal[gate.Undecided], c.dataset)
			allowed := n / 20
			if n >= 40 { // of few none: two of three would be no test
				allowed += 2
			}
			assert.LessOrEqual(t, equal[gate.Failed], allowed, "%s: false alarms", c.dataset)
			assert.GreaterOrEqual(t, worse[gate.Failed], n*9/10, "%s: losses found", c.dataset)
		})
	}
}
