package tally

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/junit"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// TestSane: prices and figures that a file may state have bounds.
func TestSane(t *testing.T) {
	for _, c := range []struct {
		in, out float64
		want    bool
	}{{0, 0, true}, {0.5, 0.5, true}, {1e6, 1e6, true}, {1e6 + 0.5, 0, false}, {0, 1e6 + 0.5, false}, {-0.5, 0, false}, {0, -0.5, false}} {
		assert.Equal(t, c.want, sane(&record.Prices{Input: c.in, Output: c.out}) != nil, "%v", c)
	}
	assert.Nil(t, sane(nil))
	for text, want := range map[string]Figure{"0": "0", "0.5": "0.5", "-0.5": "", "1e12": "", "999999999999.5": "999999999999.5", "x": "", "NaN": "", "": ""} {
		assert.Equal(t, want, number(text), text)
	}
}

// TestLongTexts: what others wrote is cut.
func TestLongTexts(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	long := x(2000)
	s := &junitSource{said: claim{path: "f", run: &record.Run{Model: "m"}}}
	failed := junit.Case{Name: long, Outcome: junit.Failed, Output: long, Properties: map[string]string{"error_type": long, "finish": long}}
	result, err := s.result(failed)
	require.NoError(t, err)
	failed.Outcome = junit.Passed
	_, refused := s.result(failed)
	result.Case = &eval.Case{ID: "a"}
	result.Finish = eval.ShortPrompt + long
	result.ErrorType = ""
	short := &Run{Parts: []Part{{Category: categories.Find("multiple"), Results: []Result{result}}}}
	named := &Run{Name: long, Run: record.Run{Model: "m"}, Parts: short.Parts}
	for text, most := range map[string]int{
		(&Incomplete{Missing: []string{long}}).Error():            120,
		suites([]string{long}):                                    80,
		didNotBegin(junit.Case{Output: long}):                     1000,
		whySkipped(junit.Case{Output: long}):                      400,
		summary(&result):                                          300,
		strings.ReplaceAll(refused.Error(), "passed but has", ""): 200,
		s.said.differs(&record.Run{Model: long}):                  200,
		short.short():                                             197, // behind "a: "
		strings.Join(Warnings([]*Run{named, {}}), "\n"):           200,
		(&board{manifest: &manifest{dataset: &fixtures.Dataset{Name: long}}, unknown: []string{"a"}}).check().Error(): 200,
	} {
		assert.Contains(t, text, x(most))
		assert.NotContains(t, text, x(most+1))
	}
	failed.Outcome = junit.Failed
	result, err = s.result(failed)
	require.NoError(t, err)
	assert.Equal(t, x(100)+"… (2000 bytes)", result.ErrorType)
	assert.Equal(t, x(100)+"…", result.Finish)
	five := []string{"a", "b", "c", "d", "e"}
	assert.Equal(t, "a, b, c, d, e", some(five))
	assert.Equal(t, "a, b, c, d, e, …", some(append(five, "f")))
	assert.Equal(t, `"a", "b", "c", …`, suites(five))
	assert.Equal(t, `"a", "b", "c"`, suites(five[:3]))
}

// TestNewJUnit: what a file states of its run, and what no file of a run states.
func TestNewJUnit(t *testing.T) {
	attrs := map[string]string{
		"model": "m", "digest": "d", "dataset": "starter", "trials": "1000", "categories": "c", "selection": "i", "shard": "1/2", "variants": "names",
		"variant_seed": "18446744073709551615", "embedder": "e", "skipped": "rest KEY", "prices": "1 2",
	}
	read := func(name, value string) (*junitSource, error) {
		with := map[string]string{}
		for k, v := range attrs {
			with[k] = v
		}
		with[name] = value
		return newJUnit(&junit.File{Path: "f", Cases: []junit.Case{{Class: "p", Name: root, Properties: with}}})
	}
	s, err := read("model", "m")
	require.NoError(t, err)
	assert.Equal(t, &record.Run{
		Model: "m", Dataset: "starter", Digest: "d", Trials: 1000, Variants: "names", Seed: 1<<64 - 1, Shard: "1/2",
		Skipped: map[string][]string{"rest": {"KEY"}}, Parameters: map[string]string{"embedder": "e"}, Prices: &record.Prices{Input: 1, Output: 2},
	}, s.said.run)
	assert.Equal(t, []string{"f", "c", "i", "p"}, []string{s.said.path, s.said.categories, s.said.ids, s.class})
	for _, c := range []struct{ name, value, want string }{
		{"model", "", "did not begin"}, {"digest", "", "did not begin"}, {"trials", "0", "trials"}, {"trials", "1001", "trials"}, {"trials", "", "trials"},
		{"shard", "2", "shard"}, {"variant_seed", "x", `variants but not a valid variant_seed: "x"`}, {"variant_seed", "18446744073709551616", "variant_seed"},
	} {
		_, err := read(c.name, c.value)
		assert.ErrorContains(t, err, c.want, c)
	}
	s, err = read("embedder", "")
	require.NoError(t, err)
	assert.Nil(t, s.said.run.Parameters)
	s, err = read("variants", "")
	require.NoError(t, err)
	assert.Zero(t, s.said.run.Seed)
}

// TestFindRoot: JUnit of something else is told from a report of this suite's.
func TestFindRoot(t *testing.T) {
	const enriched = "this looks like an enriched report"
	test := func(class, name string) []junit.Case { return []junit.Case{{Class: class, Name: name}} }
	for _, c := range []struct {
		suites []string
		cases  []junit.Case
		want   string
	}{
		{nil, nil, "its test suites: none"},
		{nil, test("", "a"), "its test suites: none"},
		{[]string{"p"}, nil, `its test suites: "p"`},
		{[]string{""}, test("", "a"), `its test suites: ""`},
		{[]string{"p"}, test("p", "a"), enriched},
		{[]string{"p", "q"}, append(test("p", "a"), test("q", "TestB")...), enriched},
		{[]string{"p"}, test("p", "TestA"), `its test suites: "p"`},
		{[]string{"p"}, test("q", "a"), `its test suites: "p"`},
		{[]string{"p"}, append(test("p", root), test("p", root)...), "it holds 2 runs"},
	} {
		_, err := findRoot(&junit.File{Suites: c.suites, Cases: c.cases})
		assert.ErrorContains(t, err, c.want, "%v", c)
		assert.Equal(t, strings.Contains(c.want, "its test"), errors.Is(err, ErrNotSuite), "%v", c)
	}
	top, err := findRoot(&junit.File{Cases: append(test("p", "a"), test("q", root)...)})
	require.NoError(t, err)
	assert.Equal(t, "q", top.Class)
}

// TestRemedy: what to do about unread answers is the run's own command with another
// way of reading, and is known without its flags by the model alone.
func TestRemedy(t *testing.T) {
	flags := []string{"-model=x", "-dialect=hermes", "-read=server", "-trials=2"}
	for _, c := range []struct {
		run   Run
		own   string
		words string
	}{
		{Run{Run: record.Run{Model: "qwen3-8b"}}, "tool-call", ""},
		{Run{Run: record.Run{Model: "m", Flags: flags, Mode: eval.FC, Parameters: map[string]string{"adapter": "openai", "id": "qwen3-8b"}}}, "tool-call", "bfcl run -model=x -trials=2 -read=dialect"},
		{Run{Run: record.Run{Model: "m", Flags: flags, Mode: eval.Prompt, Parameters: map[string]string{"adapter": "openai"}}}, "", "bfcl run -model=x -trials=2"},
		{Run{Run: record.Run{Model: "m", Flags: flags, Mode: eval.FC}}, "", "bfcl run -model=x -trials=2"},
		{Run{again: &ladder.Remedy{Own: "o"}}, "o", ""},
	} {
		got := c.run.remedy()
		assert.Equal(t, c.own, got.Own)
		assert.Equal(t, c.words, strings.Join(got.Command, " "))
		assert.Equal(t, c.run.again == nil, got.Flag == "-dialect=")
	}
}

// TestResultOf: an error took nothing that is known, a pass says nothing.
func TestResultOf(t *testing.T) {
	c := &eval.Case{ID: "a"}
	out := engine.Outcome{
		InputTokens: 5, OutputTokens: 6, Latency: 1500 * time.Millisecond, TTFT: 1, CutOff: true, Malformed: true, Finish: "f", Effort: &eval.Effort{Steps: 1},
	}
	want := Result{
		Case: c, CutOff: true, Malformed: true, Finish: "f", Effort: out.Effort,
		Took: Took{Seconds: 1.5, Latency: "1.5", TTFT: "0.000000001", InputTokens: "5", OutputTokens: "6"},
	}
	assert.Equal(t, want, ResultOf(c, out))
	out.TTFT, want.TTFT = 0, ""
	out.Status, want.Status, out.ErrorType, want.ErrorType = eval.Fail, eval.Fail, "value_error", "value_error"
	got := ResultOf(c, out)
	assert.Contains(t, got.Text, "value_error")
	want.Text = got.Text
	assert.Equal(t, want, got)
	got = ResultOf(c, engine.Failed(eval.Infra("timeout", "gone")))
	assert.Equal(t, Took{}, got.Took)
	assert.Contains(t, got.Text, "gone")
}

// TestSettleVariants: variants come in the order in which they were asked, and share
// what their run states, but not what was left out.
func TestSettleVariants(t *testing.T) {
	r := &Run{Name: "m", Run: record.Run{Model: "m", Variants: "none,b,a,c"}, LeftOut: []variant.LeftOut{{}}}
	plain, varied := categories.Find("multiple"), *categories.Find("multiple")
	r.add(plain, []Result{{Case: &eval.Case{ID: "x"}}})
	for _, name := range []string{"a", "b", "c", "a"} {
		varied.Variant = name
		cat := varied
		r.add(&cat, []Result{{Case: &eval.Case{ID: name}, Status: eval.Error}})
	}
	r.settleVariants()
	require.Len(t, r.Parts, 1)
	var names []string
	for _, v := range r.Variants {
		names = append(names, v.Name+" "+v.Run.Name)
		assert.Equal(t, "m", v.Run.Model)
		assert.Empty(t, v.Run.Variants)
		assert.Empty(t, v.Run.LeftOut)
		for _, result := range v.Run.Parts[0].Results {
			assert.Equal(t, v.Name, result.Asked().ID)
		}
	}
	assert.Equal(t, []string{"b m~b", "a m~a", "c m~c"}, names)
	assert.Len(t, r.Variants[1].Run.Parts, 2)
	assert.Len(t, r.LeftOut, 1)
	assert.Equal(t, 4, r.variantErrors())
	_, err := r.Score(false)
	require.ErrorContains(t, err, "ended 4 cases of variants")
	_, err = r.Score(true)
	require.NoError(t, err)
	r.Parts[0].Results[0].Status = eval.Error
	_, err = r.Score(false)
	require.ErrorContains(t, err, "to count them as upstream does", "the run's own errors are said first")
	r.Variants = r.Variants[:1]
	r.Parts[0].Results[0].Status = eval.Pass
	_, err = r.Score(false)
	require.ErrorContains(t, err, "ended 1 case of variants")
	r.Variants = nil
	_, err = r.Score(false)
	require.NoError(t, err)
}

// TestLayoutOf: a release's data is grouped as the release, data of a user's own by
// its weights.
func TestLayoutOf(t *testing.T) {
	starter, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	assert.Equal(t, "v4", LayoutOf(starter).Name)
	sizes, err := Sizes(starter, fixtures.Starter)
	require.NoError(t, err)
	n := 0
	for _, cat := range starter.Categories().All() {
		if starter.Has(cat) {
			cases, err := starter.Cases(cat)
			require.NoError(t, err)
			assert.Equal(t, len(cases), sizes[cat.Name], cat.Name)
			n++
		}
	}
	assert.Len(t, sizes, n)
	sizes, err = Sizes(starter, score.V4.Name)
	require.NoError(t, err)
	assert.Nil(t, sizes)
}
