package tally_test

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// attempted is a run with a letter a trial, p(ass), f(ail) or e(rror), by
// category; trials of a case stand together.
func attempted(trials int, outcomes map[string]string) *tally.Run {
	r := &tally.Run{Name: "run", Run: record.Run{Dataset: "v4", Trials: trials}}
	for _, cat := range categories.All() {
		letters, ok := outcomes[cat.Name]
		if !ok {
			continue
		}
		part := tally.Part{Category: cat}
		for from := 0; from < len(letters); from += trials {
			c := &eval.Case{ID: cat.Name + "_" + strconv.Itoa(from/trials)}
			for trial := range trials {
				status := map[byte]eval.Status{'p': eval.Pass, 'f': eval.Fail, 'e': eval.Error}[letters[from+trial]]
				part.Results = append(part.Results, eval.Result{Category: cat, Case: c, Trial: trial, Verdict: eval.Verdict{Status: status}})
			}
		}
		r.Parts = append(r.Parts, part)
	}
	return r
}

// TestTrialsAreWeighted: pass@k and pass^k weight categories as the benchmark
// does, however many cases each has.
func TestTrialsAreWeighted(t *testing.T) {
	r := attempted(2, map[string]string{
		"multiple":        strings.Repeat("pp", 90),        // a tenth of the overall
		"web_search_base": strings.Repeat("pf", 10) + "ee", // four tenths
	})
	got := r.TrialsOf(false)
	require.Len(t, got.Pass, 2)
	assert.Equal(t, 101, got.Cases)
	assert.Len(t, got.Flaky, 10)
	assert.InDelta(t, 0.2*1+0.8*0.5, got.Pass[0].Hat, 1e-12)
	assert.InDelta(t, 0.2*1+0.8*0, got.Pass[1].Hat, 1e-12, "90% of the cases, 20% of the weight")
	assert.InDelta(t, 1, got.Pass[1].At, 1e-12)
	assert.Equal(t, 100, got.Pass[1].Cases, "a case without answers tells nothing")
	assert.Less(t, got.Pass[1].HatLow, 0.2)
	assert.Greater(t, got.Pass[1].HatHigh, 0.25)
	var names []string
	for _, p := range got.Parts {
		names = append(names, p.Name)
	}
	assert.Equal(t, []string{"non_live", "multiple", "agentic", "web_search", "web_search_base"}, names)
	var b bytes.Buffer
	require.NoError(t, got.Write(&b))
	assert.Regexp(t, `(?m)^2 +100 +100\.00% .* 20\.00% +`, b.String())
	assert.Regexp(t, `(?m)^ +multiple +90 +100\.00% `, b.String())
	assert.Nil(t, attempted(1, map[string]string{"multiple": "p"}).TrialsOf(false))
}

// TestMeasureOfAccuracy: the accuracy as a measure is the score's.
func TestMeasureOfAccuracy(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "ppppfpppfp", "live_simple": "pfpf", "simple_java": "fff"})
	s, err := r.Score(false)
	require.NoError(t, err)
	got := r.Measure(stat.Measure{}, false)
	for name, want := range map[string]stat.Estimate{"overall": s.Overall.Ran, "non_live": s.Groups["non_live"].Ran, "multiple": s.Categories["multiple"].Ran} {
		i, _, ok := got.Of(name)
		require.True(t, ok)
		assert.InDeltaSlice(t, []float64{want.Value, want.Low, want.High}, []float64{i.Value, i.Low, i.High}, 1e-12, name)
	}
	_, _, ok := got.Of("agentic")
	assert.False(t, ok)
}

// TestWholeWithOthers: runs of all cases tell how hard those of a sample are;
// runs of some of them do not.
func TestWholeWithOthers(t *testing.T) {
	all := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 50)})
	r := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 24) + "pppp"})
	r.Sample = &record.Sample{Spec: "x", Seed: 7, Of: 200}
	plain, aided := r.Whole(false), r.Whole(false, all)
	assert.InDelta(t, 0.52, plain.Accuracy, 1e-12)
	assert.InDelta(t, 0.52, aided.Accuracy, 0.011, "two of a hundred cases went otherwise")
	assert.Less(t, aided.High-aided.Low, (plain.High-plain.Low)/2)
	assert.InDelta(t, aided.Narrower, 1-(aided.High-aided.Low)/(plain.High-plain.Low), 1e-12)
	assert.Contains(t, aided.String(), "learnt from another run on all of them: the interval is")
	assert.Contains(t, r.Whole(false, all, all).String(), "from 2 other runs")
	assert.Equal(t, plain, r.Whole(false, attempted(1, map[string]string{"multiple": "pp"})), "it knows too few cases")
	none := r.Whole(false, attempted(1, map[string]string{"multiple": strings.Repeat("p", 200)}))
	assert.InDeltaSlice(t, []float64{plain.Accuracy, plain.Low, plain.High}, []float64{none.Accuracy, none.Low, none.High}, 1e-12, "all alike tells nothing")
}

// TestWholeIsOne: thirds add up alike each time.
func TestWholeIsOne(t *testing.T) {
	all := attempted(3, map[string]string{"multiple": strings.Repeat("pppppfpffpppfffppf", 40)})
	r := attempted(3, map[string]string{"multiple": strings.Repeat("pppppfpffpppfffppf", 20)})
	r.Sample = &record.Sample{Spec: "x", Seed: 7, Of: 240}
	want := r.Whole(false, all)
	for range 200 {
		require.Equal(t, want, r.Whole(false, all))
	}
}

// TestWhole: what a sample says of the whole dataset is more certain the more of
// it was asked, and certain where all was.
func TestWhole(t *testing.T) {
	at := func(cases int) *tally.Whole {
		r := attempted(1, map[string]string{"multiple": strings.Repeat("pppf", cases/4)})
		assert.Nil(t, r.Whole(false), "no sample")
		r.Sample = &record.Sample{Spec: "x", Seed: 7, Of: 200}
		return r.Whole(false)
	}
	few, most, all := at(40), at(160), at(200)
	assert.Equal(t, []int{40, 200}, []int{few.Cases, few.Of})
	assert.InDelta(t, 0.75, few.Accuracy, 1e-12)
	assert.InDelta(t, math.Sqrt(4*0.8/0.2), (few.High-few.Low)/(most.High-most.Low), 0.5, "n and the finite population")
	assert.Equal(t, []float64{0.75, 0.75}, []float64{all.Low, all.High})
	assert.Contains(t, few.String(), "a sample of 40 cases (seed 7). All 200 would give an overall of 75.0%")
}
