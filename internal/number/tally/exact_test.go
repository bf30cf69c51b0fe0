package tally_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestAttempted: trials are counted by case, errors only where they count.
func TestAttempted(t *testing.T) {
	r := attempted(3, map[string]string{"simple_python": "eeppppffp", "multiple": "eeefpe"})
	for i := range r.Parts {
		for k := range r.Parts[i].Results {
			result := &r.Parts[i].Results[k]
			result.InputTokens, result.OutputTokens = 10, 3
			result.Case = &eval.Case{ID: strings.NewReplacer("simple_python_2", "same", "multiple_0", "same").Replace(result.Case.ID)}
		}
	}
	for allow, want := range map[bool][]string{
		false: {"simple_python_0 1 1 13", "simple_python_1 3 3 39", "same 3 1 39", "same 0 0 0", "multiple_1 2 1 26"},
		true:  {"simple_python_0 3 1 39", "simple_python_1 3 3 39", "same 3 1 39", "same 3 0 39", "multiple_1 3 1 39"},
	} {
		var got []string
		for _, a := range r.Attempted(allow) {
			got = append(got, fmt.Sprint(a.Case.ID, " ", a.Answered, " ", a.Right, " ", a.Tokens))
		}
		assert.Equal(t, want, got, allow)
	}
	assert.Equal(t, 15, r.Len())
	seen := 0
	for range r.All() {
		if seen++; seen == 2 {
			break
		}
	}
	assert.Equal(t, 2, seen, "a loop may end early")
	assert.Equal(t, 6, r.Errors())
	assert.Equal(t, &r.Parts[0], r.Part(r.Parts[0].Category.Name))
	assert.Equal(t, &r.Parts[1], r.Part(r.Parts[1].Category.Name))
	assert.Nil(t, r.Part("none"))
}

// TestReportOf: the whole report of a run with each kind of result.
func TestReportOf(t *testing.T) {
	c := func(id string) *eval.Case { return &eval.Case{ID: id, File: "a.json", Line: 7} }
	r := runOf("multiple",
		eval.Result{Case: c("a"), Response: eval.Response{Latency: time.Second, TTFT: 500 * time.Millisecond, InputTokens: 5, OutputTokens: 6, Cost: eval.Money{Dollars: 7, Requests: 1}}, Seconds: 2},
		eval.Result{Case: c("a"), Trial: 1, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "value_error"}, Text: "value_error: no\nmore", Cause: cause.Cause{Kind: cause.WrongValue}},
		eval.Result{Case: c("b"), Verdict: eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:x"}, Response: eval.Response{Effort: &eval.Effort{Steps: 3}}, Text: "gone", Cause: cause.Cause{Kind: cause.Infrastructure}},
	)
	r.Trials, r.Digest, r.Started, r.Ended = 2, "d", time.Unix(5, 0), time.Unix(8, 0)
	r.Data = eval.Origin{State: eval.Official, Commit: "c"}
	p := func(pairs ...string) (out tally.JUnitProperties) {
		for pair := range slices.Chunk(pairs, 2) {
			out = append(out, tally.JUnitProperty{Name: pair[0], Value: pair[1]})
		}
		return out
	}
	title := cause.WrongValue.Title()
	answered := testkit.Must(r.Answered(false))(t)
	size := answered.Overall.Size
	assert.Greater(t, size, 1000)
	want := &tally.JUnitReport{
		Name: "bfcl", Time: r.Started, Wall: 3 * time.Second, Properties: p("model", "m", "dataset", "v4", "digest", "d", "origin", "official", "commit", "c", "part", fmt.Sprintf("1 of %d cases", size)),
		Suites: []tally.JUnitSuite{{Name: "multiple", File: "a.json", Cases: []tally.JUnitCase{
			{Name: "a_trial_1", Line: 7, Seconds: 2, Properties: p("latency", "1 0.5", "tokens", "5 6", "cost", "7.000000", "trial", "1")},
			{Name: "a_trial_2", Line: 7, Failure: &tally.JUnitReason{Type: "value_error", Message: title + ": no", Text: "value_error: no\nmore"}, Properties: p("error_type", "value_error", "trial", "2")},
			{
				Name: "b_trial_1", Line: 7, Error: &tally.JUnitReason{Type: "infrastructure:x", Message: cause.Infrastructure.Title() + ": gone", Text: "gone"},
				Properties: p("error_type", "infrastructure:x", "agent", (&eval.Effort{Steps: 3}).String(), "trial", "1"),
			},
		}}},
	}
	assert.Equal(t, want, r.Report())
	r.Trials = 1
	assert.Equal(t, "a", r.Report().Suites[0].Cases[0].Name)
	assert.Empty(t, r.Report().Suites[0].Cases[2].Properties[2:])

	whole := attempted(1, map[string]string{})
	for name, size := range score.V4.Sizes {
		whole.Parts = append(whole.Parts, attempted(1, map[string]string{name: strings.Repeat("p", size)}).Parts...)
	}
	assert.NotContains(t, fmt.Sprint(whole.Report().Properties), "part")

	path := filepath.Join(t.TempDir(), "report.xml")
	require.NoError(t, r.Report().Write(path))
	var b bytes.Buffer
	require.NoError(t, tally.WriteJUnit(&b, r.Report()))
	written := testkit.Must(os.ReadFile(path))(t)
	assert.Equal(t, b.String(), string(written))
	assert.ErrorContains(t, r.Report().Write(filepath.Join(path, "below")), "report: ")
}

// TestCutOffAt: the limit, and the context if all answers that were cut off end there.
func TestCutOffAt(t *testing.T) {
	cut := func(in, out int) eval.Result {
		return eval.Result{Response: eval.Response{CutOff: true, InputTokens: in, OutputTokens: out}}
	}
	broken := eval.Result{Verdict: eval.Verdict{Status: eval.Error}}
	for _, c := range []struct {
		results []eval.Result
		want    *score.CutOff
	}{
		{[]eval.Result{{}, broken}, nil},
		{[]eval.Result{cut(3, 5), {}, broken}, &score.CutOff{Answers: 1, Of: 2, Limit: 9}},
		{[]eval.Result{cut(3, 5), cut(2, 6), {}}, &score.CutOff{Answers: 2, Of: 3, Limit: 9, Context: 8}},
		{[]eval.Result{cut(1, 0), cut(1, 0)}, &score.CutOff{Answers: 2, Of: 2, Limit: 9, Context: 1}},
		{[]eval.Result{cut(3, 5), cut(2, 6), cut(1, 1)}, &score.CutOff{Answers: 3, Of: 3, Limit: 9}},
		{[]eval.Result{cut(0, 0), cut(0, 0)}, &score.CutOff{Answers: 2, Of: 2, Limit: 9}},
	} {
		r := runOf("multiple", c.results...)
		r.Parameters = map[string]string{"max_tokens": "9"}
		s := testkit.Must(r.Answered(false))(t)
		assert.Equal(t, c.want, s.CutOff)
	}
}

// TestAbout: how answers ended, and whether the answers were read.
func TestAbout(t *testing.T) {
	read := eval.Result{Case: &eval.Case{ID: "x", Scene: &eval.Scene{}}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: eval.HasRead}}
	r := runOf("multiple", eval.Result{Response: eval.Response{Finish: "length"}}, eval.Result{Response: eval.Response{Finish: "length"}}, eval.Result{Response: eval.Response{Finish: eval.ShortPrompt + "x"}}, eval.Result{}, read, read,
		eval.Result{Case: &eval.Case{ID: "y"}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "value_error"}})
	r.Parameters = map[string]string{"embedder": "e", "id": "m"}
	r.Server, r.Served = "s", []string{"m", "other"}
	s := testkit.Must(r.Answered(false))(t)
	assert.Equal(t, map[string]int{"length": 2}, s.Finishes)
	assert.Equal(t, []string{"x"}, s.ReadAnswers)
	assert.Contains(t, strings.Join(s.Warnings, "\n"), "The server answered as several models: m, other; m")
	assert.Contains(t, strings.Join(s.Warnings, "\n"), "has read the answers: it gave the wrong answers that are planted in x; no figure says how good it is")
	assert.Equal(t, []string{"e", "s"}, []string{s.Embedder, s.Server})
	r.Parts[0].Results = r.Parts[0].Results[:4]
	s = testkit.Must(r.Answered(false))(t)
	assert.Empty(t, s.ReadAnswers)
	assert.NotContains(t, strings.Join(s.Warnings, "\n"), "has read")
}

// TestWorth: a result is worth what the overall of what ran gains by it.
func TestWorth(t *testing.T) {
	outcomes := map[string]string{"simple_python": "pppp", "multiple": "ppff", "live_simple": "ffe", "web_search_base": "e", "sql": "pf"}
	r := attempted(1, outcomes)
	ran := func(r *tally.Run) float64 {
		s := testkit.Must(r.Answered(false))(t)
		return s.Overall.Ran.Value
	}
	worth := r.Worth()
	for name, letters := range map[string]string{"simple_python": "pppf", "multiple": "pppf", "live_simple": "pfe", "sql": "pp"} {
		was := outcomes[name]
		outcomes[name] = letters
		gained := ran(attempted(1, outcomes)) - ran(r)
		outcomes[name] = was
		if name == "simple_python" {
			gained = -gained
		}
		assert.InDelta(t, 100*gained, worth[name], 1e-9, name)
		assert.Equal(t, name != "sql", worth[name] > 0, name)
	}
	assert.NotContains(t, worth, "web_search_base", "it has no answer")
	failures := testkit.Must(r.Failures(tally.Grouping{}))(t)
	assert.Equal(t, 10, failures.Ran.Cases)
}

// TestTallies: errors count only where they are allowed, cases once, and a shard's
// empty categories not at all.
func TestTallies(t *testing.T) {
	r := attempted(2, map[string]string{"multiple": "eppfff", "irrelevance": "ee", "simple_python": ""})
	r.Parts = append([]tally.Part{{Category: categories.Find("parallel")}}, r.Parts...)
	for _, c := range []struct {
		allow                                                   bool
		correct, total, errors, cases, noCall, noCallErrs, size int
	}{{false, 2, 5, 1, 3, 0, 2, 200}, {true, 2, 6, 1, 3, 2, 2, 200}} {
		s := testkit.Must(r.Answered(c.allow))(t)
		p, i := s.Categories["multiple"], s.Categories["irrelevance"]
		assert.Equal(t, []int{c.correct, c.total, c.errors, c.cases, c.size}, []int{p.Correct, p.Total, p.Errors, p.Cases, p.Size})
		assert.Equal(t, []int{c.noCall, c.noCallErrs}, []int{i.Correct, i.Errors}, "no call is right where none is wanted")
		wide := stat.Compose([]stat.Stratum{{Weight: 1, Blocks: []stat.Block{{N: c.total - 4, Sum: 1, Squares: 1}, {N: 2, Sum: 1, Squares: 1}, {N: 2}}}}).Share(stat.Z95)
		assert.InDelta(t, wide.Low, p.Low, 1e-12, "trials of a case are a cluster")
	}
	r.Shard = "0/2"
	s := testkit.Must(r.Answered(false))(t)
	assert.Contains(t, s.Categories, "multiple", "behind an empty part")
	for _, result := range r.All() {
		switch {
		case result.Status == eval.Fail:
			result.ErrorType = "value_error"
		case result.Status == eval.Error:
			result.ErrorType = "infrastructure:" + result.Case.ID
		}
	}
	testkit.Fails(r.Score(false))(t, "wrong answers, ended 3 cases: infrastructure:irrelevance_0 (2, such as irrelevance_0), infrastructure:multiple_0 (1, such as multiple_0); ask again")
}

// TestSharedQuestions: two categories that ask the same questions, with the same
// outcomes, tell about as much as one of them.
func TestSharedQuestions(t *testing.T) {
	wide := func(shared bool, outcomes map[string]string) float64 {
		r := attempted(1, outcomes)
		for cat, result := range r.All() {
			_, number, _ := strings.Cut(result.Case.ID, "_")
			if !shared {
				number += cat.Name
			}
			result.Case.Turns = [][]eval.Message{{{Role: "user", Content: number}}}
		}
		s := testkit.Must(r.Score(false))(t)
		return s.Overall.Ran.High - s.Overall.Ran.Low
	}
	letters := strings.Repeat("ppfp", 25)
	one, two := map[string]string{"multiple": letters}, map[string]string{"multiple": letters, "parallel": letters}
	assert.InEpsilon(t, wide(true, one), wide(true, two), 0.05)
	assert.InEpsilon(t, wide(true, one)/math.Sqrt2, wide(false, two), 0.05)
}

// TestWholeOfAnswers: only answers count.
func TestWholeOfAnswers(t *testing.T) {
	sample := &record.Sample{Spec: "x", Seed: 7, Of: 600}
	errs := attempted(1, map[string]string{"multiple": "e" + strings.Repeat("pppf", 10)})
	errs.Sample = sample
	assert.Equal(t, 40, tally.WholeOf(errs, false).Cases)
	assert.Equal(t, 41, tally.WholeOf(errs, true).Cases)
	none := attempted(1, map[string]string{"multiple": "e", "sql": "p"})
	none.Sample = sample
	assert.Nil(t, tally.WholeOf(none, false), "nothing that counts was answered")
}

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
	got := tally.TrialsOf(r, false)
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
	assert.Regexp(t, `(?m)^ {2}multiple +90 +100\.00% `, b.String())
	assert.Nil(t, tally.TrialsOf(attempted(1, map[string]string{"multiple": "p"}), false))
}

// TestMeasureOfAccuracy: the accuracy as a measure is the score's.
func TestMeasureOfAccuracy(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "ppppfpppfp", "live_simple": "pfpf", "simple_java": "fff"})
	s := testkit.Must(r.Score(false))(t)
	got := r.Measure(stat.Measure{}, false)
	for name, want := range map[string]stat.Estimate{"overall": s.Overall.Ran, "non_live": s.Groups["non_live"].Ran, "multiple": s.Categories["multiple"].Ran} {
		i, _, ok := got.Of(name)
		require.True(t, ok)
		assert.InDeltaSlice(t, []float64{want.Value, want.Low, want.High}, []float64{i.Value, i.Low, i.High}, 1e-12, name)
	}
	_, _, ok := got.Of("agentic")
	assert.False(t, ok)
}

// TestWhole: what a sample says of the whole dataset is more certain the more of
// it was asked, and certain where all was.
func TestWhole(t *testing.T) {
	at := func(cases int) *tally.Whole {
		r := attempted(1, map[string]string{"multiple": strings.Repeat("pppf", cases/4)})
		assert.Nil(t, tally.WholeOf(r, false), "no sample")
		r.Sample = &record.Sample{Spec: "x", Seed: 7, Of: 200}
		return tally.WholeOf(r, false)
	}
	few, most, all := at(40), at(160), at(200)
	assert.Equal(t, []int{40, 200}, []int{few.Cases, few.Of})
	assert.InDelta(t, 0.75, few.Accuracy, 1e-12)
	assert.InDelta(t, math.Sqrt(4*0.8/0.2), (few.High-few.Low)/(most.High-most.Low), 0.5, "n and the finite population")
	assert.Equal(t, []float64{0.75, 0.75}, []float64{all.Low, all.High})
	assert.Contains(t, few.String(), "a sample of 40 cases (seed 7). All 200 would give an overall of 75.0%")
}

// TestWithout: cases are left out with all their trials, and the run itself
// stays as it is.
func TestWithout(t *testing.T) {
	result := func(id string, trial int, status eval.Status) eval.Result {
		return eval.Result{Case: &eval.Case{ID: id}, Trial: trial, Verdict: eval.Verdict{Status: status}}
	}
	run := &tally.Run{Run: record.Run{Dataset: "v4", Trials: 2}, Parts: []tally.Part{{Category: categories.Find("simple_python"), Results: []eval.Result{
		result("a", 0, eval.Pass), result("a", 1, eval.Pass), result("b", 0, eval.Fail), result("b", 1, eval.Fail),
	}}}}
	rest, left := run.Without([]string{"b", "c"})
	assert.Equal(t, []string{"b"}, left)
	s := testkit.Must(rest.Score(false))(t)
	assert.Equal(t, 2, s.Categories["simple_python"].Total)
	assert.InDelta(t, 1, s.Categories["simple_python"].Accuracy, 0)
	assert.Equal(t, score.Covered{Cases: 1, Of: 399}, s.Coverage.Categories["simple_python"], "of two trials, and less one that is wrong")
	s = testkit.Must(run.Score(false))(t)
	assert.Equal(t, 4, s.Categories["simple_python"].Total)
}

// runOf is a run with these results of one category.
func runOf(category string, results ...eval.Result) *tally.Run {
	cat := categories.Find(category)
	for i := range results {
		results[i].Category = cat
		if results[i].Case == nil {
			results[i].Case = &eval.Case{ID: category + "_" + string(rune('0'+i))}
		}
	}
	return &tally.Run{Run: record.Run{Model: "m", Dataset: "v4"}, Parts: []tally.Part{{Category: cat, Results: results}}}
}

func took(latency, ttft float64, in, out int) eval.Result {
	seconds := func(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }
	return eval.Result{Response: eval.Response{Latency: seconds(latency), TTFT: seconds(ttft), InputTokens: in, OutputTokens: out}}
}

func with(r eval.Result, change func(*eval.Result)) eval.Result {
	change(&r)
	return r
}

// TestSpend: what a run's answers took and cost, and what that is reckoned by.
func TestSpend(t *testing.T) {
	t.Parallel()
	prices := &record.Prices{Input: 2, Output: 10}
	agent := func(cost float64, exceeded bool) func(*eval.Result) {
		return func(r *eval.Result) { r.Effort = &eval.Effort{Cost: cost, Exceeded: exceeded} }
	}
	for _, c := range []struct {
		name             string
		prices           *record.Prices
		results          []eval.Result
		basis            string
		cost             float64 // below 0: none
		in, out          int64
		answers, lacking int
	}{
		{"tokens", prices, []eval.Result{took(1, 0, 1000, 500), took(2, 0, 1000, 500)}, "tokens", 0.014, 2000, 1000, 2, 0},
		{"an answer without numbers is none", prices, []eval.Result{took(1, 0, 1000, 500), took(0, 0, 0, 0)}, "tokens", 0.007, 1000, 500, 1, 0},
		{"one that states no tokens", prices, []eval.Result{took(1, 0, 1000, 500), took(1, 0, 0, 0)}, "tokens", 0.007, 1000, 500, 2, 1},
		{"none states tokens", prices, []eval.Result{took(1, 0, 0, 0)}, "tokens", 0, 0, 0, 1, 1},
		{"only input", prices, []eval.Result{took(0, 0, 1000, 0)}, "tokens", 0.002, 1000, 0, 1, 0},
		{"only output", prices, []eval.Result{took(0, 0, 0, 500)}, "tokens", 0.005, 0, 500, 1, 1},
		{"no answer at all", prices, []eval.Result{took(0, 0, 0, 0)}, "", -1, 0, 0, 0, 0},
		{"by time", nil, []eval.Result{took(1, 0, 5, 0), took(2, 0, 5, 0)}, "time", -2, 10, 0, 2, 0},
		{"computed in process", nil, []eval.Result{took(0.001, 0, 0, 0), took(0.002, 0, 0, 0)}, "", -1, 0, 0, 2, 0},
		{"an agent", prices, []eval.Result{with(took(1, 0, 0, 0), agent(0.25, false)), with(took(1, 0, 0, 0), agent(0.5, false))}, "agent", 0.75, 0, 0, 2, 0},
		{"an agent that says less", prices, []eval.Result{with(took(1, 0, 0, 0), agent(0.25, true)), with(took(1, 0, 0, 0), agent(0, false))}, "agent", 0.25, 0, 0, 2, 2},
		{"an agent that says nothing", prices, []eval.Result{with(took(1, 0, 9, 0), agent(0, false))}, "agent", -1, 9, 0, 1, 0},
	} {
		r := runOf("irrelevance", c.results...)
		r.Prices = c.prices
		s := r.Spend()
		assert.Equal(t, c.basis, s.Basis, c.name)
		assert.Equal(t, []int64{c.in, c.out}, []int64{s.InputTokens, s.OutputTokens}, c.name)
		assert.Equal(t, c.answers, s.Answers, c.name)
		if c.lacking == 0 {
			assert.Empty(t, s.Lacks, c.name)
		} else if s.Cost != nil {
			assert.Contains(t, s.Lacks[0], fmt.Sprint(c.lacking), c.name)
		}
		switch {
		case c.cost == -1:
			assert.Nil(t, s.Cost, c.name)
			assert.Nil(t, s.CostPer1000, c.name)
		case c.cost == -2:
			require.NotNil(t, s.Cost, c.name)
			assert.InDelta(t, 1000**s.Cost/2, *s.CostPer1000, 1e-12, c.name)
		default:
			require.NotNil(t, s.Cost, c.name)
			assert.InDelta(t, c.cost, *s.Cost, 1e-12, c.name)
			assert.InDelta(t, 1000*c.cost/float64(c.answers), *s.CostPer1000, 1e-9, c.name)
		}
	}
	s := runOf("irrelevance", took(1, 0.25, 1, 0), took(3, 0.75, 1, 0), took(0, 0, 0, 0)).Spend()
	assert.InDelta(t, 2, *s.LatencyMean, 1e-12)
	assert.InDelta(t, 0.5, *s.TTFTMean, 1e-12)
	assert.Greater(t, *s.TTFTP95, *s.TTFTMean)
	s = runOf("irrelevance", took(1, 0, 1, 0)).Spend()
	assert.Nil(t, s.TTFTMean)
	least := 0.005
	assert.True(t, tally.Spend{LatencyMean: &least}.Asked(), "two decimals show it")
}
