package number_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
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
			text, err := gate.Template(c.dataset, data, "all", 0)
			require.NoError(t, err)
			rules := parse(t, text)
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

// TestDrift: chains of versions that each lose a little are seen against the
// first one, and hardly ever against the one before. BFCL_COVERAGE runs as
// many as docs/gate.md counts.
func TestDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	dataset, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	sel, err := suite.Select(dataset, "all_scoring", "")
	require.NoError(t, err)
	chains, every := 2, 10 // the last version, and one on the way
	if os.Getenv("BFCL_COVERAGE") != "" {
		chains, every = 12, 1
	}
	const versions = 20
	random := rand.New(rand.NewPCG(4, 7))
	failed, first := map[string]int{}, []float64{}
	for range chains {
		shared := map[string]float64{}
		lost, version := 0.0, func(name string, lost float64) *tally.Run {
			return asked(sel, name, 0.8-lost, func(id string) float64 {
				if _, known := shared[id]; !known {
					shared[id] = random.Float64()
				}
				if random.Float64() < 0.3 { // two versions' verdicts correlate by a half
					return random.Float64()
				}
				return shared[id]
			})
		}
		g := gate.Gate{Rules: parse(t, "baselines: {release: r}\nregressions: {overall: [{detect: 5}, {detect: 5, against: release}]}"), Release: version("release", 0)}
		g.Baseline = g.Release
		seen := false
		for i := range versions {
			lost += 0.003 + 0.002*random.Float64()
			run := version(strconv.Itoa(i+1), lost)
			run.Path = run.Name
			if (i+1)%every == 0 {
				d, err := g.Decide(run)
				require.NoError(t, err)
				for _, c := range d.Rules {
					if c.Outcome != gate.Failed {
						continue
					}
					failed[c.Baseline]++
					if c.Baseline == gate.Release && !seen {
						seen, first = true, append(first, 100*lost)
					}
				}
			}
			g.Baseline = run
		}
	}
	slices.Sort(first)
	t.Logf("of %d gates failed against the last version %d, against the release %d; it failed first at a loss of %.1f points in %d of %d chains",
		chains*versions/every, failed[""], failed[gate.Release], first, len(first), chains)
	assert.Len(t, first, chains, "every chain is seen against the release")
	assert.Greater(t, failed[gate.Release], failed[""])
}
