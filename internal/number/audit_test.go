package number_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// listed is the id of a case in the list, of kind rule, with an answer that it
// should accept.
const listed = "simple_python_87"

// auditedRun is a run on the official data: cases that are right or wrong, and
// the listed one, which is wrong, with an answer.
func auditedRun(t *testing.T, answer string, right, wrong int) *tally.Run {
	t.Helper()
	_, digest := eval.Named("v4")
	fields := func(text string) *pyval.Dict {
		v := testkit.Must(pyval.ParseJSON(text))(t)
		return v.(*pyval.Dict)
	}
	answers, ok := fields(`{"a": [{"array_sort": {"list": [[5.0, 3.0]], "order": ["ascending"]}}]}`).GetStr("a")
	require.True(t, ok)
	part := tally.Part{Category: categories.Find("simple_python"), Results: []eval.Result{{
		Case: &eval.Case{
			ID: listed, Category: "simple_python", Answer: answers.(*pyval.List),
			Tools: []*pyval.Dict{fields(`{"name": "array_sort", "parameters": {"type": "dict", "properties": {"list": {"type": "array", "items": {"type": "float"}}, "order": {"type": "string"}}, "required": ["list"]}}`)},
		},
		Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "type_error:nested"}, Cause: cause.Cause{Kind: cause.WrongCount},
	}}}
	if first := &part.Results[0]; answer != "" {
		list := testkit.Must(errata.Of("v4"))(t)
		first.Result = pyval.Str(answer)
		first.Amended = testkit.Must(list.Find(listed).Accept(part.Category, first.Case, first.Result, eval.Settings{Mode: eval.Prompt}))(t)
	}
	for i := range right + wrong {
		r := eval.Result{Case: &eval.Case{ID: fmt.Sprintf("simple_python_9%03d", i), Category: "simple_python"}, Verdict: eval.Verdict{Status: eval.Pass}}
		if i >= right {
			r.Status, r.ErrorType = eval.Fail, "value_error:string"
		}
		part.Results = append(part.Results, r)
	}
	return &tally.Run{
		Name: "m", Parts: []tally.Part{part},
		Run: record.Run{
			Model: "m", Dataset: "v4", Digest: digest, Trials: 1, Mode: eval.Prompt,
			Data: eval.Origin{State: eval.Official, Release: "v4"},
		},
	}
}

// TestErrorsHaveNoEvidence: an error is no wrong answer, so that what failures shows
// of its groups adds up to what score says of the run, also where the case is listed.
func TestErrorsHaveNoEvidence(t *testing.T) {
	r := auditedRun(t, "", 1, 1)
	first := &r.Parts[0].Results[0]
	first.Status, first.ErrorType, first.Cause = eval.Error, "infrastructure:timeout", cause.Cause{Kind: cause.Infrastructure}
	failures := testkit.Must(r.Failures(tally.Grouping{By: cause.ByKind}))(t)
	require.Len(t, failures.Groups, 2)
	for _, g := range failures.Groups {
		assert.Nil(t, g.Suspect, g.Title)
	}
	assert.Equal(t, r.Blame().Parts, failures.Blame.Parts)
	assert.Equal(t, 1, failures.Blame.Parts[say.Unexplained].Cases)
	assert.Empty(t, failures.Blame.Parts[say.Listed])
}

// TestAudit: the official score stays, and beside it stands what is left without
// the listed case, and with its amended key.
func TestAudit(t *testing.T) {
	list := testkit.Must(errata.Of("v4"))(t)
	accepted := list.Find(listed).Accepts[0]
	for _, test := range []struct {
		answer, amended string
		righted         int
	}{
		{accepted, "75.00%", 1}, {`[array_sort(list=[1], order="x")]`, "50.00%", 0}, {"", "not known", 0},
	} {
		run := auditedRun(t, test.answer, 2, 1)
		official := testkit.Must(run.Answered(false))(t)
		a := testkit.Must(run.Audit(false))(t)
		require.NotNil(t, a)
		assert.Equal(t, []string{listed}, a.LeftOut)
		assert.Equal(t, map[errata.Kind]int{errata.Rule: 1}, a.Listed)
		assert.Equal(t, 1, a.Failed)
		assert.Len(t, a.Righted, test.righted)
		assert.InDelta(t, 2.0/3, a.Telling.Categories["simple_python"].Accuracy, 1e-12)
		assert.InDelta(t, 0.5, official.Categories["simple_python"].Accuracy, 1e-12)
		var out bytes.Buffer
		require.NoError(t, a.Write(&out, official))
		assert.Contains(t, out.String(), "Audited: 1 case is listed as defective (1 rule; `bfcl errata`), and 1 of them\nfailed.")
		assert.Regexp(t, `(?m)^overall +50.00% +66.67% +[0-9.]+ to [0-9.]+ +3 +`+test.amended+`$`, out.String())
		failures := testkit.Must(run.Failures(tally.Grouping{By: cause.ByKind}))(t)
		assert.Equal(t, 1, failures.Listed)
	}
	own := auditedRun(t, accepted, 2, 1)
	own.Digest = "0"
	a := testkit.Must(own.Audit(false))(t)
	assert.Nil(t, a, "of other data nothing is known")
}

// TestAuditText: beside the official overall stands what the listed cases
// leave; a case that has no amended key is left out there, too.
func TestAuditText(t *testing.T) {
	list := testkit.Must(errata.Of("v4"))(t)
	var keyless string
	for _, item := range list.Items {
		if item.Defect() && !item.Amends() && item.Concerns(eval.Prompt) && item.Kind == errata.Wrong {
			keyless = item.ID
		}
	}
	require.NotEmpty(t, keyless)
	run := auditedRun(t, list.Find(listed).Accepts[0], 2, 1)
	part := &run.Parts[0]
	again := part.Results[0]
	again.Trial = 1
	open := eval.Result{Case: &eval.Case{ID: keyless}, Verdict: eval.Verdict{Status: eval.Pass}}
	part.Results = append(part.Results[1:], part.Results[0], again, open)
	multiple := tally.Part{Category: categories.Find("multiple"), Results: []eval.Result{{Case: &eval.Case{ID: "m"}}, {Case: &eval.Case{ID: "n"}, Verdict: eval.Verdict{Status: eval.Fail}}}}
	run.Parts = append(run.Parts, multiple)
	official := testkit.Must(run.Answered(false))(t)
	a := testkit.Must(run.Audit(false))(t)
	assert.Equal(t, []string{listed, keyless}, a.LeftOut)
	assert.Equal(t, map[errata.Kind]int{errata.Rule: 1, errata.Wrong: 1}, a.Listed)
	assert.Equal(t, 1, a.Failed, "a case with two trials")
	assert.Equal(t, []string{listed, listed}, a.Righted)
	assert.InDelta(t, 4.0/5, a.Amended.Categories["simple_python"].Accuracy, 1e-12, "two of three, and the two trials")
	assert.Equal(t, eval.Fail, run.Parts[0].Results[3].Status, "the run stays")
	said := func() string {
		var b bytes.Buffer
		require.NoError(t, a.Write(&b, official))
		return b.String()
	}
	const begin = `
Audited: 2 cases are listed as defective (1 wrong, 1 rule; ` + "`bfcl errata`" + `), and
1 of them failed.

`
	const short = `         official  audited  95% interval  cases  amended
overall    50.00%   58.33%  0.1 to 100.0      5   65.00%
`
	const end = `
audited: without listed defects; amended: with the keys that these should have.
Over half of such a gain comes of leaving out hard cases, defective or not. The
official score stays as it is.
`
	assert.Equal(t, begin+short+end, said())
	a.Amended = nil
	assert.Contains(t, said(), "  not known\n")
	part.Results[3].Result = nil
	a = testkit.Must(run.Audit(false))(t)
	assert.Nil(t, a.Amended, "an answer is missing")
	part.Results[3], part.Results[4] = eval.Result{Case: part.Results[3].Case}, eval.Result{Case: part.Results[3].Case, Trial: 1}
	a = testkit.Must(run.Audit(false))(t)
	assert.NotNil(t, a.Amended, "what passed needs no answer")
	assert.Zero(t, a.Failed)
	run.Parts = run.Parts[1:]
	a = testkit.Must(run.Audit(false))(t)
	assert.Nil(t, a, "nothing is listed")
}

// TestAuditedGate: data: audited decides over the cases that can tell, for run
// and baseline, and refuses other data. Single cases stay whole.
func TestAuditedGate(t *testing.T) {
	const floor = "floors:\n  simple_python: {min: 60, min_cases: 1}\n"
	for _, test := range []struct {
		text string
		want gate.Outcome
	}{
		{"partial: true\n" + floor, gate.Failed},
		{"partial: true\ndata: official\n" + floor, gate.Failed},
		{"partial: true\ndata: audited\n" + floor, gate.Passed},
		{"partial: true\ndata: audited\n" + floor + "required: [" + listed + "]\n", gate.Failed},
	} {
		d := testkit.Must(gate.Decide(parse(t, test.text), auditedRun(t, "", 2, 1), nil))(t)
		assert.Equal(t, test.want, d.Outcome, test.text)
	}
	rules := parse(t, "partial: true\ndata: audited\nregressions:\n  simple_python: {detect: 50, min_cases: 1}\n")
	d := testkit.Must(gate.Decide(rules, auditedRun(t, "", 2, 1), auditedRun(t, "", 1, 2)))(t)
	assert.Equal(t, 3, d.Comparison.Cases)
	assert.Contains(t, d.Notes, "data: audited: accuracies are without listed defects: over 3 cases; `bfcl errata` lists the other 1")
	twice := auditedRun(t, "", 2, 1)
	twice.Trials, twice.Parts[0].Results = 2, slices.Repeat(twice.Parts[0].Results, 2)
	for i := range 4 {
		twice.Parts[0].Results[4+i].Trial = 1
	}
	d = testkit.Must(gate.Decide(parse(t, "partial: true\ndata: audited\n"+floor), twice, nil))(t)
	assert.Contains(t, d.Notes[0], "over 3 cases; `bfcl errata` lists the other 1", "trials are no cases")
	other := auditedRun(t, "", 2, 1)
	other.Digest = "0"
	testkit.Fails(gate.Decide(rules, other, nil))(t, "data: audited needs upstream's data")
	testkit.Fails(gate.Decide(rules, auditedRun(t, "", 0, 0), nil))(t, "leaves no case to decide on")
	testkit.Fails(gate.Parse("g.yaml", []byte("data: mine\n"+floor)))(t, "g.yaml:1: data: want official, or audited")
}

// TestAuditedWeights: the categories of an audited group weigh by the cases that
// can tell, in the baseline too.
func TestAuditedWeights(t *testing.T) {
	list := testkit.Must(errata.Of("v4"))(t)
	at := slices.IndexFunc(list.Items, func(i errata.Item) bool {
		return i.Defect() && i.Concerns(eval.Prompt) && strings.HasPrefix(i.ID, "live_simple_")
	})
	require.GreaterOrEqual(t, at, 0)
	live := func(simple, multiple eval.Status) *tally.Run {
		run := auditedRun(t, "", 0, 0)
		run.Parts = nil
		for name, ids := range map[string][]string{"live_simple": {list.Items[at].ID, "live_simple_x"}, "live_multiple": {"live_multiple_x"}} {
			part := tally.Part{Category: categories.Find(name)}
			for _, id := range ids {
				part.Results = append(part.Results, eval.Result{Case: &eval.Case{ID: id, Category: name}, Verdict: eval.Verdict{Status: map[string]eval.Status{"live_simple": simple, "live_multiple": multiple}[name]}})
			}
			run.Parts = append(run.Parts, part)
		}
		return run
	}
	baseline, run := live(eval.Pass, eval.Pass), live(eval.Fail, eval.Pass)
	d := testkit.Must(gate.Decide(parse(t, "partial: true\ndata: audited\nregressions:\n  live: {detect: 90, min_cases: 1}\n"), run, baseline))(t)
	rest, left := baseline.Without([]string{list.Items[at].ID})
	require.Len(t, left, 1)
	sizes := rest.Sizes()
	simple, multiple := float64(sizes["live_simple"]), float64(sizes["live_multiple"])
	require.Len(t, d.Comparison.Groups, 1)
	assert.InDelta(t, -simple/(simple+multiple), d.Comparison.Groups[0].Value, 1e-12)
}
