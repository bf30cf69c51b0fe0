package compare_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestScales: what package sample knows of V4 is what the layout and the
// published figures say.
func TestScales(t *testing.T) {
	seen := 0
	for _, s := range score.V4.Overall.Shares(func(name string) (int, bool) { return score.V4.Sizes[name], true }) {
		assert.InEpsilon(t, s.Weight*math.Sqrt(compare.Scatter(s.Category)), suite.Scale(s.Category), 1e-3, s.Category)
		seen++
	}
	assert.Equal(t, 21, seen)
	assert.Zero(t, suite.Scale("live_relevance"), "it does not count")
}

// A stratum is a category with what the table of docs/statistics.md assumes of
// its verdicts.
type stratum struct {
	weight, size, scatter, differ float64
	scenario                      bool
	// shared is the share of pairs of its questions and another's with one base.
	shared []float64
}

// flaky is the part of the scatter that is between trials of a question.
const flaky = 0.1

// strata are the selected categories that count.
func strata(sel *suite.Selection) (out []stratum, sampled []suite.Stratum) {
	clusters, parts := compare.Clusters(sel), map[string]suite.Part{}
	for _, part := range sel.Parts {
		parts[part.Category.Name] = part
	}
	shares := score.V4.Overall.Shares(func(name string) (int, bool) { return len(parts[name].Cases), len(parts[name].Cases) > 0 })
	bases, at := map[string][]float64{}, 0
	for k, s := range shares {
		part, scatter := parts[s.Category], compare.Scatter(s.Category)
		out = append(out, stratum{s.Weight, float64(len(part.Cases)), scatter * (1 - flaky), 2 * scatter * (1 - compare.Together), eval.Unit(part.Category) == "scenario", make([]float64, len(shares))})
		own := suite.Stratum{Scale: s.Weight * math.Sqrt(scatter)}
		for _, c := range part.Cases {
			base := clusters.Of(c)
			if bases[base] == nil {
				bases[base] = make([]float64, len(shares))
			}
			bases[base][k]++
			own.Cases, at = append(own.Cases, at), at+1
		}
		sampled = append(sampled, own)
	}
	for _, sizes := range bases {
		for k, n := range sizes {
			for j, m := range sizes {
				if k == j {
					m--
				}
				out[k].shared[j] += max(0, n*m) / (out[k].size * out[j].size)
			}
		}
	}
	return out, sampled
}

// TestGoldenCases: the table of docs/statistics.md, in points: the error of a
// sample, and the loss that is found in four of five comparisons.
func TestGoldenCases(t *testing.T) {
	dataset, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	sel, err := suite.Select(dataset, "all_scoring", "")
	require.NoError(t, err)
	all, sampled := strata(sel)
	var of []int
	for k := range sampled {
		for range sampled[k].Cases {
			of = append(of, k)
		}
	}
	for n, want := range map[int][2]float64{100: {7.0, 11.9}, 200: {4.8, 9.4}, 500: {2.9, 7.6}, 872: {2.0, 7.0}, 1000: {1.8, 6.9}, 5090: {0, 6.4}} {
		cases := make([]float64, len(all))
		for _, i := range suite.Order(sampled, 1, strconv.Itoa)[:n] {
			cases[of[i]]++
		}
		var sample, difference float64
		for k, c := range all {
			sample += c.weight * c.weight * (c.scatter*(1-cases[k]/c.size) + c.scatter*flaky/(1-flaky)) / cases[k]
			difference += c.weight * c.weight * c.differ / cases[k]
			for j, other := range all {
				correlation := 0.3
				switch {
				case c.scenario && other.scenario:
					correlation = 0.42
				case k == j:
					correlation = compare.Base
				}
				difference += correlation * c.shared[j] * c.weight * other.weight * math.Sqrt(c.differ*other.differ)
			}
		}
		if n < len(of) {
			assert.InDelta(t, want[0], 196*math.Sqrt(sample), 0.05, n)
		}
		assert.InDelta(t, want[1], 100*(stat.Quantile(.05)+stat.Quantile(.4))*math.Sqrt(difference), 0.05, n)
	}
}
