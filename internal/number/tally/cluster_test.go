package tally_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A resampling computes an overall from clusters that are drawn anew. Its
// strata are the clusters that touch the same categories.
type resampling struct {
	layout *score.Layout
	strata [][]map[string]stat.Block // stratum, cluster, category
}

func newResampling(r *tally.Run) *resampling {
	byKey, clusters := map[string]map[string]stat.Block{}, r.Clusters()
	for _, part := range r.Parts {
		for i := range part.Results {
			result := &part.Results[i]
			key := clusters.Of(result.Case)
			if byKey[key] == nil {
				byKey[key] = map[string]stat.Block{}
			}
			c := byKey[key][part.Category.Name]
			c.Add(0)
			if result.Right() {
				c.Sum++
			}
			byKey[key][part.Category.Name] = c
		}
	}
	var keys []string
	for key := range byKey {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	s := &resampling{layout: score.LayoutOf(r.Dataset)}
	at := map[string]int{}
	for _, key := range keys {
		var names []string
		for name := range byKey[key] {
			names = append(names, name)
		}
		slices.Sort(names)
		signature := strings.Join(names, ",")
		if _, known := at[signature]; !known {
			at[signature] = len(s.strata)
			s.strata = append(s.strata, nil)
		}
		s.strata[at[signature]] = append(s.strata[at[signature]], byKey[key])
	}
	return s
}

func (s *resampling) sizes() (out []int) {
	for _, stratum := range s.strata {
		out = append(out, len(stratum))
	}
	return out
}

func (s *resampling) overall(draws [][]int) float64 {
	sums := map[string]stat.Block{}
	for i, stratum := range draws {
		for _, k := range stratum {
			for name, c := range s.strata[i][k] {
				sum := sums[name]
				sum.N, sum.Sum = sum.N+c.N, sum.Sum+c.Sum
				sums[name] = sum
			}
		}
	}
	table := map[string]score.Accuracy{}
	for name, c := range sums {
		table[name] = score.Accuracy{Value: c.Sum / float64(c.N), Total: c.N}
	}
	return s.layout.Evaluate(table)["overall"].Value
}

// bootstrap returns the percentile interval of a figure over resampled clusters
// (Cameron, Gelbach and Miller 2008). In each repetition every stratum draws as
// many of its clusters as it has, with replacement, and figure is computed from
// the draws. The same seed gives the same interval.
func bootstrap(seed uint64, repetitions int, strata []int, figure func(draws [][]int) float64) stat.Estimate {
	random := rand.New(rand.NewPCG(seed, uint64(len(strata))))
	draws := make([][]int, len(strata))
	for i, n := range strata {
		draws[i] = make([]int, n)
		for k := range draws[i] {
			draws[i][k] = k
		}
	}
	out := stat.Estimate{Value: figure(draws)}
	figures := make([]float64, repetitions)
	for r := range figures {
		for i, n := range strata {
			for k := range draws[i] {
				draws[i][k] = random.IntN(n)
			}
		}
		figures[r] = figure(draws)
	}
	out.Low, _ = stat.Percentile(figures, 2.5)
	out.High, _ = stat.Percentile(figures, 97.5)
	return out
}

// TestGoldenOverallInterval: the interval of the overall by propagation through
// the formula is that of a bootstrap over clusters. Wilson's intervals lean
// towards a half where the bootstrap's leans to neither side, so the limits may
// lie some tenths of a point apart; the widths agree.
func TestGoldenOverallInterval(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	data := testkit.Shared(t, "bfcl")
	replay := []string{testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")}
	runs, err := tally.ReadAll([]string{
		testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), testkit.Shared(t, "recorded", "v1", "gpt-4o-2024-05-13"),
		testkit.Shared(t, "recorded", "v1", "google_gemma-7b-it"),
	},
		tally.Options{Data: data, Replay: replay})
	require.NoError(t, err)
	for _, r := range runs {
		s, err := r.Score(true)
		require.NoError(t, err)
		again := newResampling(r)
		got := bootstrap(1, 1000, again.sizes(), again.overall)
		assert.InDelta(t, s.Overall.Accuracy, got.Value, 1e-12, r.Name)
		width, want := s.Overall.High-s.Overall.Low, got.High-got.Low
		assert.InEpsilon(t, want, width, 0.15, "%s: width of the interval", r.Name) // parallel shares of 0 are certain to a bootstrap
		assert.InDelta(t, got.Low, s.Overall.Low, 0.005, r.Name)
		assert.InDelta(t, got.High, s.Overall.High, 0.005, r.Name)
		t.Logf("%-42s %.2f to %.2f, bootstrap %.2f to %.2f", r.Name, 100*s.Overall.Low, 100*s.Overall.High, 100*got.Low, 100*got.High)
	}
}
