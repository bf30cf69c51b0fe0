package tally_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	answered, err := r.Answered(false)
	require.NoError(t, err)
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
	written, err := os.ReadFile(path)
	require.NoError(t, err)
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
		s, err := r.Answered(false)
		require.NoError(t, err)
		assert.Equal(t, c.want, s.CutOff)
	}
}

// TestAbout: how answers ended, and whether the answers were read.
func TestAbout(t *testing.T) {
	read := eval.Result{Case: &eval.Case{ID: "x", Scene: &eval.Scene{}}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: eval.HasRead}}
	r := runOf("multiple", eval.Result{Response: eval.Response{Finish: "length"}}, eval.Result{Response: eval.Response{Finish: "length"}}, eval.Result{Response: eval.Response{Finish: eval.ShortPrompt + "x"}}, eval.Result{}, read, read,
		eval.Result{Case: &eval.Case{ID: "y"}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "value_error"}})
	r.Parameters = map[string]string{"embedder": "e"}
	r.Server = "s"
	s, err := r.Answered(false)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"length": 2}, s.Finishes)
	assert.Equal(t, []string{"x"}, s.ReadAnswers)
	assert.Contains(t, strings.Join(s.Warnings, "\n"), "has read the answers: it gave the wrong answers that are planted in x; no figure says how good it is")
	assert.Equal(t, []string{"e", "s"}, []string{s.Embedder, s.Server})
	r.Parts[0].Results = r.Parts[0].Results[:4]
	s, err = r.Answered(false)
	require.NoError(t, err)
	assert.Empty(t, s.ReadAnswers)
	assert.NotContains(t, strings.Join(s.Warnings, "\n"), "has read")
}

// TestWorth: a result is worth what the overall of what ran gains by it.
func TestWorth(t *testing.T) {
	outcomes := map[string]string{"simple_python": "pppp", "multiple": "ppff", "live_simple": "ffe", "web_search_base": "e", "sql": "pf"}
	r := attempted(1, outcomes)
	ran := func(r *tally.Run) float64 {
		s, err := r.Answered(false)
		require.NoError(t, err)
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
	failures, err := r.Failures(tally.Grouping{})
	require.NoError(t, err)
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
		s, err := r.Answered(c.allow)
		require.NoError(t, err)
		p, i := s.Categories["multiple"], s.Categories["irrelevance"]
		assert.Equal(t, []int{c.correct, c.total, c.errors, c.cases, c.size}, []int{p.Correct, p.Total, p.Errors, p.Cases, p.Size})
		assert.Equal(t, []int{c.noCall, c.noCallErrs}, []int{i.Correct, i.Errors}, "no call is right where none is wanted")
		wide := stat.Compose([]stat.Stratum{{Weight: 1, Blocks: []stat.Block{{N: c.total - 4, Sum: 1, Squares: 1}, {N: 2, Sum: 1, Squares: 1}, {N: 2}}}}).Share(stat.Z95)
		assert.InDelta(t, wide.Low, p.Low, 1e-12, "trials of a case are a cluster")
	}
	r.Shard = "0/2"
	s, err := r.Answered(false)
	require.NoError(t, err)
	assert.Contains(t, s.Categories, "multiple", "behind an empty part")
	for _, result := range r.All() {
		switch {
		case result.Status == eval.Fail:
			result.ErrorType = "value_error"
		case result.Status == eval.Error:
			result.ErrorType = "infrastructure:" + result.Case.ID
		}
	}
	_, err = r.Score(false)
	assert.ErrorContains(t, err, "wrong answers, ended 3 cases: infrastructure:irrelevance_0 (2, such as irrelevance_0), infrastructure:multiple_0 (1, such as multiple_0); ask again")
}

// TestWholeOfSeveral: what several runs know is their mean, and only answers count.
func TestWholeOfSeveral(t *testing.T) {
	both := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 50), "simple_python": strings.Repeat("pf", 200)})
	one := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 50)})
	r := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 24) + "pppp", "simple_python": strings.Repeat("ppff", 50)})
	r.Sample = &record.Sample{Spec: "x", Seed: 7, Of: 600}
	want, got := tally.WholeOf(r, false, both), tally.WholeOf(r, false, both, one)
	assert.Equal(t, []int{1, 2, 300, 600}, []int{want.Others, got.Others, got.Cases, got.Of})
	assert.InDeltaSlice(t, []float64{want.Accuracy, want.Low, want.High, want.Narrower}, []float64{got.Accuracy, got.Low, got.High, got.Narrower}, 1e-12, "what one says twice")
	errs := attempted(1, map[string]string{"multiple": "e" + strings.Repeat("pppf", 10)})
	errs.Sample = r.Sample
	assert.Equal(t, 40, tally.WholeOf(errs, false).Cases)
	assert.Equal(t, 41, tally.WholeOf(errs, true).Cases)
	none := attempted(1, map[string]string{"multiple": "e", "sql": "p"})
	none.Sample = r.Sample
	assert.Nil(t, tally.WholeOf(none, false), "nothing that counts was answered")
	assert.Equal(t, tally.WholeOf(r, false), tally.WholeOf(r, false, none))
	all := attempted(1, map[string]string{"multiple": strings.Repeat("ppff", 50)})
	all.Sample = r.Sample
	assert.Zero(t, tally.WholeOf(all, false, one).Narrower, "an interval of no width becomes no narrower")
}
