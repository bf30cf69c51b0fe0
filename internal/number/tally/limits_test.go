package tally

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestLongTexts: what others wrote is cut.
func TestLongTexts(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	long := x(2000)
	s := &source{path: "f", run: &record.Run{Model: "m"}}
	failed := &JUnitCase{Name: long, Failure: &JUnitReason{Text: long}, Properties: JUnitProperties{{"error_type", long}, {"ended", long}}}
	result := testkit.Must(s.result(failed))(t)
	failed.Failure = nil
	_, refused := s.result(failed)
	result.Case = &eval.Case{ID: "a"}
	result.Finish = eval.ShortPrompt + long
	result.ErrorType = ""
	short := &Run{Parts: []Part{{Category: categories.Find("multiple"), Results: []eval.Result{result}}}}
	named := &Run{Name: long, Run: record.Run{Model: "m"}, Parts: short.Parts}
	for text, most := range map[string]int{
		(&Incomplete{Missing: []string{long}}).Error():                                           120,
		result.Reason(reasonBytes):                                                               300,
		strings.ReplaceAll(refused.Error(), "passed but has", ""):                                200,
		strings.Join(saidOfServer(short), ""):                                                    197, // behind "a: "
		strings.Join(Warnings([]*Run{named, {}}, true), "\n"):                                    200,
		(&board{dataset: &fixtures.Dataset{Name: long}, unknown: []string{"a"}}).check().Error(): 200,
	} {
		assert.Contains(t, text, x(most))
		assert.NotContains(t, text, x(most+1))
	}
	failed.Error = &JUnitReason{}
	result = testkit.Must(s.result(failed))(t)
	assert.Equal(t, x(100)+"… (2000 bytes)", result.ErrorType)
	assert.Equal(t, x(100)+"…", result.Finish)
	five := []string{"a", "b", "c", "d", "e"}
	assert.Equal(t, "a, b, c, d, e", some(five))
	assert.Equal(t, "a, b, c, d, e and 1 more", some(append(five, "f")))
}

// TestWarnings: each warning once, and whose it is unless it is everybody's.
func TestWarnings(t *testing.T) {
	run := func(name string, malformed, short bool) *Run {
		result := eval.Result{Category: categories.Find("multiple"), Case: &eval.Case{ID: "a"}, Response: eval.Response{Malformed: malformed}}
		if short {
			result.Finish = eval.ShortPrompt + "why"
		}
		return &Run{Name: name, Parts: []Part{{Category: categories.Find("multiple"), Results: []eval.Result{result, {Category: categories.Find("multiple"), Case: &eval.Case{ID: "b"}, Verdict: eval.Verdict{Status: eval.Error}}}}}}
	}
	all := Warnings([]*Run{run("x", true, false), run("y", true, true), run("z", true, true)}, true)
	text := "\n" + strings.Join(all, "\n")
	assert.Equal(t, 1, strings.Count(text, "\nThe server reported an error for 1 of 1 answers"), "everybody's")
	assert.Equal(t, 1, strings.Count(text, "\ny, z: The prompts of 1 of 1 answers"))
	assert.Len(t, all, 2+len(Warnings([]*Run{run("x", false, false)}, true)))
}

// TestGroups: failures of a kind with their cases and error types; those that
// cost most come first, and the examples are the page's.
func TestGroups(t *testing.T) {
	fail := func(id string, trial int, kind cause.Kind, errorType string) eval.Result {
		return eval.Result{Case: &eval.Case{ID: id}, Trial: trial, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: errorType}, Cause: cause.Cause{Kind: kind}}
	}
	var results []eval.Result
	for i := range 12 {
		results = append(results, fail("multiple_"+string(rune('0'+i)), 0, cause.WrongValue, "value_error"), fail("multiple_"+string(rune('0'+i)), 1, cause.WrongValue, "value_error:list"))
	}
	results = append(results, fail("z", 0, cause.NoCall, "decode"), fail("z", 1, cause.NoCall, "decode"), eval.Result{Case: &eval.Case{ID: "ok"}}, fail("multiple_0", 2, cause.WrongValue, "value_error"))
	r := &Run{Run: record.Run{Dataset: "v4", Trials: 2}, Parts: []Part{
		{Category: categories.Find("sql"), Results: []eval.Result{fail("s", 0, cause.WrongCount, "count"), fail("s", 1, cause.WrongCount, "count")}},
		{Category: categories.Find("multiple"), Results: results},
	}}
	f := testkit.Must(r.Failures(Grouping{By: cause.ByKind}))(t)
	assert.Equal(t, []int{30, 29, 2, 0, 0}, []int{f.Total, f.Wrong, f.Aside, f.Errors, f.Listed})
	require.Len(t, f.Groups, 3)
	g := f.Groups[0]
	assert.Equal(t, []any{cause.WrongValue, 25, cause.WrongValue.Title()}, []any{g.Kind, g.Count, g.Title})
	assert.InDelta(t, 25.0/29, g.Share, 1e-12)
	assert.Equal(t, []string{"value_error", "value_error:list"}, g.ErrorTypes)
	assert.Equal(t, map[string]int{"multiple": 25}, g.Categories)
	assert.Len(t, g.Examples, Examples)
	assert.Equal(t, 10, Examples)
	ids := []string{g.Examples[0]}
	for _, id := range g.Examples[1:] {
		assert.LessOrEqual(t, drawn(ids[len(ids)-1]), drawn(id))
		ids = append(ids, id)
	}
	assert.Equal(t, []cause.Kind{cause.NoCall, cause.WrongCount}, []cause.Kind{f.Groups[1].Kind, f.Groups[2].Kind}, "what costs more, then by name")
	assert.Zero(t, f.Groups[2].Lost)
	assert.InDelta(t, f.Groups[0].Lost+f.Groups[1].Lost, f.Lost, 1e-9)
	f = testkit.Must(r.Failures(Grouping{Categories: []string{"multiple"}, Kinds: []cause.Kind{cause.NoCall}}))(t)
	assert.Equal(t, []int{28, 2, 1}, []int{f.Total, f.Wrong, len(f.Groups)})
	for id, want := range map[string]uint32{"": 0x5db4a501, "simple_python_0": 0x674b2897, "simple_python_1": 0xaaf5ad41} {
		assert.Equal(t, want, drawn(id), "as the page's script draws %q", id)
	}
}

// TestShownFile: a report holds no path of the machine that made it.
func TestShownFile(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.Abs(".")
	assert.NoError(t, err)
	for path, want := range map[string]string{
		"fixtures/starter/a.json":                    "fixtures/starter/a.json",
		filepath.Join(here, "suite", "a.json"):       "suite/a.json",
		filepath.Join(filepath.Dir(here), "a.json"):  "a.json",
		filepath.Join(here, "..", "other", "a.json"): "a.json",
		"": "",
	} {
		assert.Equal(t, want, shownFile(path), path)
	}
}

// TestTestName: an id is written as package testing writes the name of the
// case's subtest.
func TestTestName(t *testing.T) {
	for _, id := range []string{"simple_python_0", "a b\tc", "bell\a", "\u202eback", "é\u00a0ü", "broken \xff", "日本"} {
		t.Run(id, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(t.Name(), "TestTestName/"), testName(id), "%q", id)
		})
	}
}

// unreadPart is a category of the starter suite of which so many of the answers
// are what a function makes of the case, and could not be read.
func unreadPart(t *testing.T, category string, n int, say func(c *eval.Case) pyval.Value) Part {
	t.Helper()
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cat := categories.Find(category)
	cases := testkit.Must(d.Cases(cat))(t)
	p := Part{Category: cat}
	for i, c := range cases {
		r := eval.Result{Category: cat, Case: c}
		if i < n {
			r.Status, r.ErrorType, r.Result = eval.Fail, "ast_decoder:decoder_failed", say(c)
			why.Examine(&r, eval.SettingsFor(eval.FC))
		}
		p.Results = append(p.Results, r)
	}
	return p
}

// tagged calls the case's first function as Hermes does.
func tagged(c *eval.Case) pyval.Value {
	name, _ := c.Answer.Items[0].(*pyval.Dict).At(0)
	accepted := c.Answer.Items[0].(*pyval.Dict)
	args := ""
	for _, v := range accepted.All() {
		for key := range v.(*pyval.Dict).All() {
			args = fmt.Sprintf("%q: 1", pyval.Text(key))
			break
		}
	}
	return pyval.Str(fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": {%s}}\n</tool_call>", pyval.Text(name), args))
}

func talk(*eval.Case) pyval.Value { return pyval.Str("I cannot\x1b[2J; nothing fits.") }
func gone(*eval.Case) pyval.Value { return nil }

func TestDoubts(t *testing.T) {
	t.Parallel()
	said := func(stated record.Run, parts ...Part) []string { return doubts(&Run{Run: stated, Parts: parts}) }
	fc := record.Run{Mode: eval.FC}
	total := len(unreadPart(t, "multiple", 0, talk).Results)
	require.Greater(t, total, 7)
	most := total/2 + 1

	assert.Empty(t, said(fc, unreadPart(t, "multiple", total/2, talk)), "half is not more than half")
	warnings := said(fc, unreadPart(t, "multiple", most, talk))
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], fmt.Sprintf("multiple: no call could be read from %d of %d answers in fc mode. The first, of multiple_0: I cannot\\x1b[2J", most, total))

	warnings = said(fc, unreadPart(t, "multiple", 3, tagged), unreadPart(t, "multiple", most, gone))
	require.Len(t, warnings, 2)
	assert.Contains(t, warnings[0], "In the dialect tool-call, 3 of 3 can be read: give -dialect=tool-call. ")
	assert.Contains(t, warnings[0], "The first, of multiple_0: <tool_call>")
	assert.Equal(t, "The same is true of multiple.", warnings[1])

	served := record.Run{Model: "mine", Mode: eval.FC, Flags: []string{"-model=openai:it's", "-dialect=hermes", "-read=server"}, Parameters: map[string]string{"adapter": "openai", "id": "qwen/qwen3-8b-fc"}}
	warnings = said(served, unreadPart(t, "multiple", 3, tagged))
	require.Len(t, warnings, 1)
	family := ownDialect(&Run{Run: served})
	require.NotEmpty(t, family)
	assert.Contains(t, warnings[0], "In the dialect "+family+", 3 of 3 can be read: `bfcl run '-model=openai:it'\\''s' -read=dialect -dialect="+family+"`. ")

	assert.Equal(t, []string{fmt.Sprintf("multiple: no call could be read from %d of %d answers. The first is multiple_0.", most, total)}, said(record.Run{}, unreadPart(t, "multiple", most, gone)))
	assert.Empty(t, said(fc))
}

// TestGateway: what answered instead of the model is counted by its signs, and
// from one in five answers on there is no score.
func TestGateway(t *testing.T) {
	t.Parallel()
	turn := func(text string) pyval.Value { return pyval.NewList(pyval.NewList(pyval.Str(text))) }
	for _, c := range []struct {
		answer  pyval.Value
		planted int // of 100 answers
		sign    string
		named   bool
		refused bool
	}{
		{pyval.Str("Error: 502 Bad Gateway: upstream request failed"), 37, why.AnErrorText, true, true},
		{pyval.Str("Error: 502 Bad Gateway: upstream request failed"), 19, why.AnErrorText, true, false},
		{pyval.Str("upstream connect error or disconnect/reset before headers"), 2, why.AnErrorText, false, false},
		{pyval.Str("HTTP/1.1 503 Service Unavailable"), 20, why.AnErrorText, true, true},
		{turn("Internal Server Error"), 10, why.AnErrorText, true, false},
		{pyval.Str("<!DOCTYPE html><html><body>Please wait</body></html>"), 5, why.AWebPage, true, false},
		{pyval.Str(" "), 30, why.NothingForTokens, true, true},
		{pyval.None, 30, why.NothingForTokens, true, true},
		{pyval.Str("I am sorry, I cannot help."), 60, "", false, false},
		{pyval.Str("[f(error=500)]"), 1, "", false, false},
		{pyval.Str("The error is 502 of 1000 values."), 2, "", false, false},
		{turn("I could not find the file."), 50, "", false, false},
		{pyval.NewList(), 50, "", false, false},
	} {
		r := &Run{}
		r.Parameters = map[string]string{"adapter": "openai"}
		for i := range 100 {
			cat := categories.Find([]string{"simple_python", "multiple", "irrelevance"}[i%3])
			result := eval.Result{Category: cat, Case: &eval.Case{ID: fmt.Sprint(cat.Name, "_", i)}}
			result.Status, result.OutputTokens, result.Entry = eval.Fail, 7, pyval.NewDict(0)
			if result.Result = pyval.Str(fmt.Sprint("I do not know ", i)); i < c.planted {
				result.Result = c.answer
			}
			why.Sign(&result)
			r.Parts = append(r.Parts, Part{Category: cat, Results: []eval.Result{result}})
		}
		name, g := pyval.Repr(c.answer), GatewayOf(r)
		if !c.named {
			assert.Nil(t, g, name)
			continue
		}
		require.NotNil(t, g, name)
		assert.Equal(t, map[string]int{c.sign: c.planted}, g.Signs, name)
		for _, allowed := range []bool{false, true} {
			r.AllowGateway = allowed
			_, err := r.Answered(false)
			assert.Equal(t, c.refused && !allowed, err != nil, name)
		}
		who, sign := signsOf(r).blame(&r.Parts[0].Results[0])
		assert.Equal(t, []string{say.Server, c.sign}, []string{who, sign}, name)
	}
}

const unreadCall = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"

// answeredPart is a category of the starter suite with what a function makes of
// each case's right answer, judged and examined.
func answeredPart(t *testing.T, category string, say func(at int, c *eval.Case, right pyval.Value) pyval.Value) Part {
	t.Helper()
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cat := categories.Find(category)
	cases := testkit.Must(d.Cases(cat))(t)
	p := Part{Category: cat}
	for i, c := range cases {
		r := eval.Result{Category: cat, Case: c}
		r.Result = say(i, c, oracle.Answer(c, eval.FC))
		_, r.Verdict = cat.Verdict(c, r.Result, eval.SettingsFor(eval.FC))
		why.Examine(&r, eval.SettingsFor(eval.FC))
		p.Results = append(p.Results, r)
	}
	return p
}

// TestOverlooked: right answers that hold a call are counted where nothing may be
// called, also in a turn of a conversation, and nowhere else.
func TestOverlooked(t *testing.T) {
	t.Parallel()
	irrelevance := answeredPart(t, "irrelevance", func(at int, _ *eval.Case, right pyval.Value) pyval.Value {
		switch at {
		case 0, 1:
			return pyval.Str(unreadCall)
		case 2:
			return pyval.Str("Nothing fits.")
		case 3:
			return parsed(t, `[{"f": "{}"}]`) // read, and wrong
		case 4:
			return parsed(t, `[{"": ""}]`)
		}
		return right
	})
	turns := answeredPart(t, "multi_turn_miss_param", func(at int, c *eval.Case, right pyval.Value) pyval.Value {
		for i, want := range c.Answer.Items {
			turn := right.(*pyval.List).Items[i].(*pyval.List)
			if nothing := len(want.(*pyval.List).Items) == 0; nothing && at < 2 || !nothing && at == 2 {
				turn.Items = append(turn.Items, pyval.Str(unreadCall))
			}
		}
		return right
	})
	calls := answeredPart(t, "simple_python", func(int, *eval.Case, pyval.Value) pyval.Value { return pyval.Str(unreadCall) })
	require.Equal(t, len(turns.Results), turns.Correct())
	r := &Run{Parts: []Part{irrelevance, turns, calls}}
	r.Model, r.Dataset, r.Trials = "m", fixtures.Starter, 1
	o := r.Overlooked()
	require.NotNil(t, o)
	assert.Equal(t, map[string]int{"irrelevance": 3, "multi_turn_miss_param": 2}, o.Categories)
	assert.Equal(t, []any{5, irrelevance.Correct() + len(turns.Results), "irrelevance_0"}, []any{o.Answers, o.Of, o.First})
	worth := r.Worth()
	assert.InDelta(t, 3*worth["irrelevance"]+2*worth["multi_turn_miss_param"], o.Points, 1e-9)

	strict := r.Strict()
	assert.Equal(t, []int{irrelevance.Correct() - 3, len(turns.Results) - 2, 0}, []int{strict.Parts[0].Correct(), strict.Parts[1].Correct(), strict.Parts[2].Correct()})
	assert.Equal(t, len(turns.Results), r.Parts[1].Correct(), "the run itself stays")
	assert.Nil(t, strict.Strict())
	assert.Nil(t, strict.Overlooked())

	s := testkit.Must(r.Answered(false))(t)
	assert.Equal(t, o, s.Overlooked)
	assert.Regexp(t, `^A call that was not read stands in 5 of \d+ right answers where nothing may be called: \d+\.\d\d points of the overall\. .* The first, of irrelevance_0: <tool_call>`, s.Warnings[0])

	clean := &Run{Parts: []Part{answeredPart(t, "irrelevance", func(_ int, _ *eval.Case, right pyval.Value) pyval.Value { return right })}}
	assert.Nil(t, clean.Overlooked())
	assert.Nil(t, clean.Strict())
}

func parsed(t *testing.T, text string) pyval.Value {
	return testkit.Must(pyval.ParseJSON(text))(t)
}
