package early_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/early"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A trial is a run that is looked at while it goes on.
type trial struct {
	cases  []early.Case
	ids    []string
	values []float64
	detect float64
}

// decided is what comes of it: the share of cases, of tokens and turns that
// these cost, and the outcomes early and over the full set.
type decided struct {
	cases, cost float64
	early, full early.Outcome
	difference  float64
	detectable  float64
	finds       float64 // what all cases were expected to find when the run ended
}

func (tr *trial) run(seed uint64) decided {
	order := early.Order(tr.cases, seed, func(i int) string { return tr.ids[i] })
	w := early.New(tr.cases, order, early.Rule{Level: gate.Level, Points: tr.detect})
	d := decided{cases: 1, cost: 1}
	d.full, d.difference, d.detectable = tr.full()
	d.early, d.finds = d.full, d.detectable
	var spent, all float64
	asked := 0
	for i := range tr.cases {
		all += costOf(tr.cases[i].Category)
	}
	for _, n := range early.Looks(len(order)) {
		for ; asked < n; asked++ {
			i := order[asked]
			w.See(i, tr.values[i])
			spent += costOf(tr.cases[i].Category)
		}
		w.Ask(asked)
		if outcome := w.Outcome(); outcome != early.Open {
			d.early, d.cases, d.cost = outcome, float64(asked)/float64(len(order)), spent/all
			d.finds = stat.Detectable(w.Estimate().Error)
			break
		}
	}
	return d
}

// costOf is a case's in requests: a conversation takes about a dozen.
func costOf(category string) float64 {
	if strings.HasPrefix(category, "multi_turn") {
		return 12
	}
	return 1
}

// full decides as a gate does that has all verdicts.
func (tr *trial) full() (early.Outcome, float64, float64) {
	strata, at := map[string]*stat.Stratum{}, map[string]int{}
	var order []string
	for i, c := range tr.cases {
		s := strata[c.Category]
		if s == nil {
			s = &stat.Stratum{}
			strata[c.Category], order = s, append(order, c.Category)
		}
		s.Weight += c.Weight
		key := c.Category + c.Cluster
		k, known := at[key]
		if !known {
			k = len(s.Blocks)
			at[key], s.Blocks = k, append(s.Blocks, stat.Block{Key: c.Cluster})
		}
		s.Blocks[k].Add(tr.values[i] - c.Base)
	}
	var list []stat.Stratum
	for _, name := range order {
		list = append(list, *strata[name])
	}
	i := stat.Compose(list).Difference(stat.Z95)
	outcome := early.Pass
	if i.High < 0 {
		outcome = early.Fail
	}
	return outcome, i.Estimate, stat.Detectable(i.StandardError())
}

// pair is a trial of b against a on what both were asked.
func (f full) pair(a, b *model) *trial {
	tr := &trial{}
	shares := f.layout.Overall.Shares(func(name string) (int, bool) {
		return f.cases(name), a.wrong[name] != nil && b.wrong[name] != nil
	})
	for _, s := range shares {
		for _, p := range f.parts {
			if p.category != s.Category {
				continue
			}
			for i, id := range p.ids {
				tr.cases = append(tr.cases, early.Case{Category: p.category, Weight: s.Weight / float64(len(p.ids)), Base: a.right(p.category, id), Cluster: p.clusters[i]})
				tr.ids, tr.values = append(tr.ids, p.category+"/"+id), append(tr.values, b.right(p.category, id))
			}
		}
	}
	return tr
}

func (f full) cases(name string) int {
	for _, p := range f.parts {
		if p.category == name {
			return len(p.ids)
		}
	}
	return 0
}

// equal exchanges the verdicts of both models on a case at random, cluster by
// cluster: then neither is better.
func (tr *trial) equal(random *rand.Rand) *trial {
	out := &trial{ids: tr.ids, detect: tr.detect}
	side := map[string]bool{}
	for i, c := range tr.cases {
		swap, known := side[c.Cluster]
		if !known {
			swap = random.IntN(2) == 0
			side[c.Cluster] = swap
		}
		v := tr.values[i]
		if swap {
			c.Base, v = v, c.Base
		}
		out.cases, out.values = append(out.cases, c), append(out.values, v)
	}
	return out
}

// A summary adds up what came of trials.
type summary struct {
	n                        int
	cases, cost              float64
	agree, earlyFail, fulled int
}

func (s *summary) add(d decided) {
	s.n++
	s.cases += d.cases
	s.cost += d.cost
	if d.early == d.full {
		s.agree++
	}
	if d.early == early.Fail {
		s.earlyFail++
	}
	if d.full == early.Fail {
		s.fulled++
	}
}

func (s *summary) log(t *testing.T, name string) {
	t.Helper()
	n := float64(max(s.n, 1))
	t.Logf("%-62s %5d pairs: %5.1f%% of the cases, %5.1f%% of the requests; agrees in %5.1f%%; fails %5.1f%%, full set %5.1f%%",
		name, s.n, 100*s.cases/n, 100*s.cost/n, 100*float64(s.agree)/n, 100*float64(s.earlyFail)/n, 100*float64(s.fulled)/n)
}

// TestGoldenStopping: on pairs of recorded models, how much of a run is asked
// until the gate's decision is known, and how often it is the full set's.
func TestGoldenStopping(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of runs are led again: not under -short")
	}
	t.Parallel()
	roots := recordedRoots(t)
	first, last := models(t, roots["V1"]...), models(t, roots["V4"]...)
	require.NotEmpty(t, first)
	require.NotEmpty(t, last)
	study(t, "V1", firstRelease(first[0]), first)
	study(t, "V4", current(t), last)
}

func study(t *testing.T, name string, f full, all []*model) {
	for _, detect := range []float64{0, 0.03} {
		var every, near, gains, losses, equal summary
		random := rand.New(rand.NewPCG(9, 9))
		for i, a := range all {
			for k, b := range all {
				if i == k || len(all) > 10 && (i+k)%testkit.Some(9, 1) > 0 {
					continue
				}
				tr := f.pair(a, b)
				tr.detect = detect
				d := tr.run(uint64(i*len(all) + k))
				every.add(d)
				if math.Abs(d.difference) < 0.05 {
					near.add(d)
				}
				if d.difference >= 0.03 {
					gains.add(d)
				}
				if d.difference < 0 {
					losses.add(d)
				}
				equal.add(tr.equal(random).run(uint64(i*len(all) + k)))
			}
		}
		name := fmt.Sprintf("%s, significance: 0.05", name)
		if detect > 0 {
			name = strings.Replace(name, "significance: 0.05", "detect: 3", 1)
		}
		every.log(t, name+", all")
		near.log(t, name+", less than five points apart")
		gains.log(t, name+", gains of three points or more")
		losses.log(t, name+", losses")
		equal.log(t, name+", equal (verdicts exchanged)")
		for _, s := range []summary{every, equal} {
			assert.GreaterOrEqual(t, float64(s.agree)/float64(s.n), 0.9, name)
			assert.LessOrEqual(t, s.earlyFail, s.fulled+s.n/40, name)
		}
	}
}
