package number_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// newRun has so many right, wrong and errored cases of simple_python, a sample.
func newRun(right, wrong, errors int) *tally.Run {
	r := &tally.Run{Name: "m", Run: record.Run{Model: "m", Dataset: "v4", Digest: "d", Trials: 1, Sample: &record.Sample{}}}
	part := tally.Part{Category: categories.Find("simple_python")}
	for i := range right + wrong + errors {
		id := "simple_python_" + strconv.Itoa(i)
		result := eval.Result{Category: part.Category, Case: &eval.Case{ID: id, Entry: pyval.NewDict(0)}, Response: eval.Response{Latency: time.Second + time.Duration(i)*10*time.Millisecond, InputTokens: 1000, OutputTokens: 100}}
		switch {
		case i >= right+wrong:
			result.Status, result.ErrorType = eval.Error, "infrastructure:timeout"
		case i >= right:
			result.Status, result.ErrorType = eval.Fail, "value_error:string"
		}
		result.Level, result.Seen, result.Cause.Kind = cause.Ground, true, cause.KindOf(result.ErrorType)
		if result.Passed() {
			result.Level = cause.Values
		}
		if result.Status == eval.Fail {
			result.Level = cause.Types
		}
		part.Results = append(part.Results, result)
	}
	r.Parts = append(r.Parts, part)
	return r
}

func parse(t *testing.T, text string) *gate.Config {
	t.Helper()
	c, err := gate.Parse("gate.yaml", []byte(text))
	require.NoError(t, err, text)
	return c
}

// TestChosenCases: a rule is not decided over cases of a category that somebody
// chose, unless it says so or they were drawn at random; a whole category decides.
func TestChosenCases(t *testing.T) {
	const size = 400 // of simple_python in V4
	sampled := func(n int) *tally.Run { return newRun(n, 0, 0) }
	chosen := func(n int) *tally.Run {
		r := newRun(n, 0, 0)
		r.Sample = nil
		return r
	}
	twice := chosen(size)
	twice.Trials = 2
	errors := newRun(size-1, 0, 1)
	errors.Sample = nil
	for _, c := range []struct {
		name, rules string
		run, than   *tally.Run
		want        gate.Outcome
	}{
		{"a whole category", "floors: {simple_python: 90}", chosen(size), nil, gate.Passed},
		{"one that was not asked", "floors: {simple_python: 90}", chosen(size - 1), nil, gate.Undecided},
		{"a sample", "floors: {simple_python: 90}", sampled(100), nil, gate.Passed},
		{"said so", "partial: true\nfloors: {simple_python: 90, overall: 90}", chosen(100), nil, gate.Passed},
		{"trials of half of it", "floors: {simple_python: 90}", twice, nil, gate.Undecided},
		{"an error is no choice", "floors: {simple_python: 90}\nceilings: {errors: 1}", errors, nil, gate.Passed},
		{"a loss", "regressions: {simple_python: {detect: 1}}", chosen(100), chosen(100), gate.Undecided},
		{"a loss of all", "regressions: {simple_python: {detect: 1}}", chosen(size), chosen(size), gate.Passed},
		{"each category", "regressions: {categories: {significance: 0.05}}", chosen(100), chosen(100), gate.Undecided},
	} {
		d, err := gate.Decide(parse(t, c.rules), c.run, c.than)
		require.NoError(t, err, c.name)
		assert.Equalf(t, c.want, d.Outcome, "%s: %+v", c.name, d.Rules)
		if c.want == gate.Undecided {
			assert.Contains(t, d.Rules[0].Why, "of 400 cases of simple_python are in the run: run all, draw them with -sample, or set partial")
		}
	}
}

// agentRun is a run of an agent that solves 60 of 100 cases, each for so many
// dollars.
func agentRun(cost float64) *tally.Run {
	r := newRun(60, 40, 0)
	for i := range r.Parts[0].Results {
		r.Parts[0].Results[i].Effort = &eval.Effort{Calls: 4, Wall: 1500 * time.Millisecond, Cost: cost}
	}
	return r
}

// TestGuideOfAgents: the example of docs/gate.md is a gate file, with each
// figure of agents.
func TestGuideOfAgents(t *testing.T) {
	guide := testkit.Must(os.ReadFile(filepath.Join("..", "..", "docs", "gate.md")))(t)
	_, rest, _ := strings.Cut(string(guide), "### What an agent may take")
	_, rest, _ = strings.Cut(rest, "```yaml\n")
	example, _, _ := strings.Cut(rest, "```")
	var names, want []string
	for _, rule := range parse(t, example).Ceilings {
		names = append(names, rule.Target)
	}
	for _, f := range score.AgentFigures() {
		want = append(want, f.Name)
	}
	assert.Equal(t, want, names)
}

// TestOutcomes: each rule on runs that keep it, break it and cannot tell.
func TestOutcomes(t *testing.T) {
	aside := newRun(60, 40, 0)
	aside.Parts[0].Category = categories.Find("exec_simple")
	worthless, nan := newRun(60, 40, 0), math.NaN()
	worthless.Prices = &record.Prices{Input: nan, Output: nan}
	priced := newRun(60, 40, 0)
	in, out := 2.0, 10.0
	priced.Prices = &record.Prices{Input: in, Output: out} // 0.3 cents a case
	trials := newRun(2, 0, 0)
	trials.Trials = 2
	trials.Parts[0].Results[1].Case = trials.Parts[0].Results[0].Case
	trials.Parts[0].Results[1].Status = eval.Fail
	silent, unsolved := agentRun(0.01), newRun(0, 60, 0)
	silent.Parts[0].Results[99].Effort = &eval.Effort{}
	unsolved.Parts[0].Results[0].Effort = &eval.Effort{}
	for _, c := range []struct {
		name, rules   string
		run, baseline *tally.Run
		want          gate.Outcome
		why           string
	}{
		{"floor kept", "floors: {simple_python: 60}", newRun(60, 40, 0), nil, gate.Passed, "Gate passed: 1 rule."},
		{"floor broken", "floors: {simple_python: 60.5}", newRun(60, 40, 0), nil, gate.Failed, ""},
		{"of a group, partial", "partial: true\nfloors: {non_live: 60}", newRun(60, 40, 0), nil, gate.Passed, ""},
		{"of a group that misses parts", "floors: {non_live: 60}", newRun(60, 40, 0), nil, gate.Undecided, "5 categories that count are not in the run, such as simple_java"},
		{"overall, partial", "partial: true\nfloors: {overall: 61}", newRun(60, 40, 0), nil, gate.Failed, ""},
		{"not run", "floors: {multiple: 10}", newRun(60, 40, 0), nil, gate.Undecided, "it is not in the run"},
		{"interval keeps", "on: interval\nfloors: {simple_python: 50}", newRun(60, 40, 0), nil, gate.Passed, ""},
		{"interval breaks", "on: interval\nfloors: {simple_python: 70}", newRun(60, 40, 0), nil, gate.Failed, "the whole 95% interval is below the limit"},
		{"interval straddles", "floors: {simple_python: {min: 55, on: interval}}", newRun(60, 40, 0), nil, gate.Undecided, "includes 55"},
		{"tiny and all right", "floors: {simple_python: 90}", newRun(3, 0, 0), nil, gate.Undecided, "3 cases: min_cases is 30"},
		{"tiny and all wrong", "floors: {simple_python: 90}", newRun(0, 3, 0), nil, gate.Failed, "the whole 95% interval is below the limit"},
		{"tiny and enough", "floors: {simple_python: 20}", newRun(3, 0, 0), nil, gate.Passed, ""},
		{"tiny by choice", "min_cases: 3\nfloors: {simple_python: 90}", newRun(3, 0, 0), nil, gate.Passed, ""},
		{"trials are no cases", "floors: {simple_python: {min: 60, min_cases: 2}}", trials, nil, gate.Undecided, "1 case: min_cases is 2"},
		{"gain", "regressions: {simple_python: {detect: 1}}", newRun(61, 39, 0), newRun(60, 40, 0), gate.Passed, ""},
		{"loss by interval", "regressions: {simple_python: {points: 5, on: interval}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Undecided, "of the loss, −1.86 to 5.78, includes 5"},
		{"loss excluded", "regressions: {simple_python: {points: 15, on: interval}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Passed, ""},
		{"significant loss", "regressions: {simple_python: {significance: 0.05}}", newRun(50, 50, 0), newRun(60, 40, 0), gate.Failed, ""},
		{"chance", "regressions: {simple_python: {significance: 0.05}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Passed, ""},
		{"of a group", "partial: true\nregressions: {non_live: {significance: 0.05}, overall: {significance: 0.05}}", newRun(50, 50, 0), newRun(51, 49, 0), gate.Passed, "not significant, could detect 8.6 points"},
		{"each category", "regressions: {categories: {significance: 0.05}}", newRun(50, 50, 0), newRun(60, 40, 0), gate.Failed, ""},
		{"chance, but blind", "regressions: {simple_python: {significance: 0.05, detect: 1}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Undecided, "would often go unnoticed"},
		{"too few to be significant", "regressions: {simple_python: {significance: 0.05}}", newRun(0, 3, 0), newRun(3, 0, 0), gate.Undecided, "3 cases: min_cases is 30"},
		{"a loss that would be found", "regressions: {simple_python: {detect: 20}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Passed, "could detect"},
		{"a loss that would not", "regressions: {simple_python: {detect: 1}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Undecided, "would often go unnoticed"},
		{"few cases", "regressions: {simple_python: {detect: 1}}", newRun(58, 42, 0), newRun(60, 40, 0), gate.Undecided, "there are few cases, 100 of 400: ask more"},
		{"errors", "ceilings: {errors: 100}\nregressions: {simple_python: {detect: 1}}", newRun(58, 32, 10), newRun(60, 40, 0), gate.Undecided, "10 cases are left out because of infrastructure errors"},
		{"an accuracy of nothing that counts", "partial: true\nfloors: {overall: 10}", aside, nil, gate.Undecided, "it is not in the run"},
		{"a loss of nothing that counts", "partial: true\nregressions: {overall: {detect: 1}}", aside, aside, gate.Undecided, "it is not in the run"},
		{"a loss without an answer", "regressions: {simple_python: {detect: 1}}", newRun(0, 0, 5), newRun(5, 0, 0), gate.Undecided, "no case has an answer"},
		{"few errors", "regressions: {simple_python: {detect: 1}}", newRun(38, 42, 4), newRun(40, 44, 0), gate.Undecided, "there are few cases, 80 of 400: ask more"},
		{"too many errors", "regressions: {simple_python: {detect: 1}}", newRun(38, 40, 4), newRun(40, 42, 0), gate.Undecided, "4 cases are left out because of infrastructure errors"},
		{"many changes", "regressions: {simple_python: {detect: 1}}", newRun(198, 202, 0), newRun(200, 200, 0), gate.Undecided, "all cases were asked, and 0.5% of them changed"},
		{"a loss that is excluded, though few would be found", "regressions: {simple_python: {detect: 6}}", newRun(63, 37, 0), newRun(60, 40, 0), gate.Passed, "could detect"},
		{"found at one look", "regressions: {simple_python: {detect: 20}}", newRun(54, 46, 0), newRun(60, 40, 0), gate.Failed, ""},
		{"not at one of many", "looks: 20\nregressions: {simple_python: {detect: 20}}", newRun(54, 46, 0), newRun(60, 40, 0), gate.Passed, "no significant loss at 0.0025"},
		{"small categories aside", "floors: {simple_python: 60%}\nregressions: {categories: {significance: 0.05}}", newRun(3, 0, 0), newRun(3, 0, 0), gate.Undecided, "too small  1 other rule: simple_python"},
		{"only small categories", "ceilings: {errors: 0.5%}\nregressions: {categories: {significance: 0.05}}", newRun(3, 0, 0), newRun(3, 0, 0), gate.Passed, "1 rule; 1 category is too small to tell"},
		{"nothing but small categories", "regressions: {categories: {significance: 0.05}}", newRun(3, 0, 0), newRun(3, 0, 0), gate.Undecided, "undecided: no rule decided anything; 1 category is too small to tell."},
		{"all of two trials", "floors: {simple_python: {min: 60%, measure: pass^2, min_cases: 1}}", trials, nil, gate.Failed, "at least 60% in pass^2; 0.00%"},
		{"one of two trials", "floors: {simple_python: {min: 60%, measure: pass@2, min_cases: 1}}", trials, nil, gate.Passed, ""},
		{"a measure without errors", "ceilings: {errors: 10}\nfloors: {simple_python: {min: 50%, measure: pass^1}}", newRun(60, 30, 10), nil, gate.Passed, "in pass^1; 66.67% (56.42 to 75.61, 90 cases)"},
		{"too few trials", "floors: {simple_python: {min: 60%, measure: pass^3}}", trials, nil, gate.Undecided, "pass^3 needs 3 trials per case, but the run has 2"},
		{"a loss in pass^2", "regressions: {simple_python: {detect: 3, measure: pass^2, min_cases: 1}}", trials, trials, gate.Passed, "in pass^2; unchanged"},
		{"a loss in pass^3", "regressions: {simple_python: {detect: 3, measure: pass^3}}", trials, trials, gate.Undecided, "pass^3 needs 3 trials"},
		{"no baseline", "regressions: {simple_python: {detect: 1}}", newRun(60, 40, 0), nil, gate.Undecided, "give one with --baseline"},
		{"category without baseline", "regressions: {multiple: {detect: 1}}", newRun(60, 40, 0), newRun(60, 40, 0), gate.Undecided, "it is not in the run"},
		{"what neither has, of what ran", "partial: true\nregressions: {multiple: {detect: 1}, simple_python: {detect: 1}}", newRun(60, 40, 0), newRun(60, 40, 0), gate.Passed, "not run    1 other rule: multiple"},
		{"nothing but what neither has", "partial: true\nregressions: {multiple: {detect: 1}}", newRun(60, 40, 0), newRun(60, 40, 0), gate.Undecided, "no rule decided anything."},
		{"cost", "ceilings: {cost: 0.3}", priced, nil, gate.Passed, ""},
		{"too dear", "ceilings: {cost: 0.29}", priced, nil, gate.Failed, ""},
		{"a cost that is no number", "ceilings: {cost: 5}", worthless, nil, gate.Undecided, "prices are not known"},
		{"cost of 1,000", "ceilings: {cost_per_1000: 2.9}", priced, nil, gate.Failed, ""},
		{"price unknown", "ceilings: {cost: 5}", newRun(60, 40, 0), nil, gate.Undecided, "prices are not known"},
		{"quick", "ceilings: {latency_p95: 1.95}", newRun(60, 40, 0), nil, gate.Passed, ""},
		{"slow", "ceilings: {latency_mean: 1.49}", newRun(60, 40, 0), nil, gate.Failed, ""},
		{"quick on average", "ceilings: {latency_mean: 1.95}", newRun(60, 40, 0), nil, gate.Passed, "at most 1.95 s; 1.500 s"},
		{"three latencies", "ceilings: {latency_p95: 5}", newRun(3, 0, 0), nil, gate.Undecided, "3 answers: min_cases is 30"},
		{"errors allowed", "ceilings: {errors: 2}\nfloors: {simple_python: 60}", newRun(60, 40, 2), nil, gate.Passed, "Gate passed: all 2 rules."},
		{"errors refused", "ceilings: {errors: 1}\nfloors: {simple_python: 60}", newRun(60, 40, 2), nil, gate.Undecided, "infrastructure errors are not answers"},
		{"errors beside a broken rule", "ceilings: {errors: 1}\nfloors: {simple_python: 70}", newRun(60, 40, 2), nil, gate.Failed, "infrastructure errors are not answers"},
		{"errors beside a rule that they could mend", "floors: {simple_python: 60.5}", newRun(60, 40, 2), nil, gate.Undecided, "1 failed on the answers that are known"},
		{"errors beside a broken rule, not spoken of", "floors: {simple_python: 70}", newRun(60, 40, 2), nil, gate.Failed, "infrastructure errors are not answers"},
		{"allowed errors beside a broken rule", "ceilings: {errors: 2}\nfloors: {simple_python: 70}", newRun(60, 40, 2), nil, gate.Failed, ""},
		{"errors not spoken of", "floors: {simple_python: 60}", newRun(60, 40, 2), nil, gate.Undecided, "infrastructure errors are not answers"},
		{"all errors", "floors: {simple_python: 60}", newRun(0, 0, 5), newRun(5, 0, 0), gate.Undecided, "all of its cases ended in infrastructure errors"},
		{"an only case, with an error", "floors: {simple_python: 60}", newRun(0, 0, 1), nil, gate.Undecided, "all of its cases ended in infrastructure errors"},
		{"required", "required: [simple_python_0]", newRun(1, 1, 0), nil, gate.Passed, ""},
		{"required wrong", "required: [simple_python_0, simple_python_1]", newRun(1, 1, 0), nil, gate.Failed, ""},
		{"required errored", "required: [simple_python_0]\nceilings: {errors: 100}", newRun(0, 0, 1), nil, gate.Undecided, "no answer"},
		{"required missing", "required: [simple_python_9]", newRun(1, 1, 0), nil, gate.Undecided, "no such case"},
		{"required in all trials", "required: [simple_python_0]", trials, nil, gate.Failed, ""},
		{"broken before undecided", "floors: {simple_python: 99, multiple: 10}", newRun(60, 40, 0), nil, gate.Failed, ""},
		{"an agent's calls", "ceilings: {calls_per_solved: 4}", agentRun(0), nil, gate.Passed, "at most 4; 4.00"},
		{"an agent's calls, too many", "ceilings: {calls_per_solved: 3.99}", agentRun(0), nil, gate.Failed, ""},
		{"an agent's time", "ceilings: {seconds_per_solved: 1.5}", agentRun(0), nil, gate.Passed, "at most 1.5 s; 1.50 s"},
		{"an agent's cost", "ceilings: {cost_per_solved: 0.02}", agentRun(0.01), nil, gate.Passed, "at most $0.02; $0.0167"},
		{"an agent's cost, too high", "ceilings: {cost_per_solved: 0.016}", agentRun(0.01), nil, gate.Failed, ""},
		{"an agent that says no cost", "ceilings: {cost_per_solved: 5}", agentRun(0), nil, gate.Undecided, "the agent does not report it"},
		{"an agent that says some costs", "ceilings: {cost_per_solved: 5}", silent, nil, gate.Undecided, "does not fully report what 1 case took"},
		{"the same of the run", "ceilings: {cost: 5}", silent, nil, gate.Undecided, "does not fully report what 1 case took"},
		{"some are too much", "ceilings: {cost: 0.5}", silent, nil, gate.Failed, ""},
		{"an agent's tokens", "ceilings: {input_tokens_per_solved: 1666.7}", agentRun(0), nil, gate.Passed, ""},
		{"few solved", "ceilings: {calls_per_solved: {max: 9, min_cases: 61}}", agentRun(0), nil, gate.Undecided, "60 solved cases: min_cases is 61"},
		{"none solved", "ceilings: {calls_per_solved: 9}", unsolved, nil, gate.Undecided, "the agent solved no case"},
		{"one of one", "floors: {multiple: 10}", newRun(60, 40, 0), nil, gate.Undecided, "Gate undecided: 1 of 1 rules undecided, none failed."},
		{"of a model", "ceilings: {calls_per_solved: 9}", newRun(60, 40, 0), nil, gate.Undecided, "only agents have it"},
	} {
		d, err := gate.Decide(parse(t, c.rules), c.run, c.baseline)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, d.Outcome, "%s: %+v", c.name, d.Rules)
		if c.why != "" {
			var text bytes.Buffer
			require.NoError(t, export.Decision(&text, say.Screen{Width: 1000}, d))
			assert.Contains(t, text.String(), c.why, c.name)
		}
	}
	assert.ErrorContains(t, testkit.Err(gate.Decide(parse(t, "floors: {overall: 10}"), &tally.Run{Name: "x", Run: record.Run{Dataset: "v4"}}, nil)), "x has no cases")
}

// TestExample: the file that --init prints has a rule for every part, and the
// defaults of a file hold wherever in it they stand.
func TestExample(t *testing.T) {
	text := testkit.Must(gate.Template("starter", "", "all", 0))(t)
	c := parse(t, text)
	assert.True(t, c.Partial)
	var targets []string
	for _, r := range c.Regressions {
		targets = append(targets, r.Target)
		assert.InDelta(t, 0.03, r.Significance, 1e-9, "five rules share the false alarms")
	}
	assert.Equal(t, []string{"overall", gate.ButMemory, "memory", gate.EachGroup, gate.Each}, targets)
	assert.Positive(t, c.Regressions[0].Detect)
	late := parse(t, "floors: {live: 10, overall: {min: 20%, on: estimate}}\non: interval\nmin_cases: 7")
	assert.Equal(t, gate.Rule{Target: "live", Limit: 10, On: gate.Interval, MinCases: 7, Line: 1}, late.Floors[0])
	assert.Equal(t, gate.Estimate, late.Floors[1].On)
}

// TestHostile: names of models and files, and ids, break out of nothing.
func TestHostile(t *testing.T) {
	hostile := "x\n::error::forged\x1b[31m\u202e|<img src=x>%0A"
	run := newRun(60, 40, 0)
	run.Name, run.Dataset = hostile, hostile
	rules := parse(t, fmt.Sprintf("floors: {simple_python: 99}\nrequired: [%q]", hostile))
	d := testkit.Must(gate.Decide(rules, run, newRun(60, 40, 0)))(t)
	var text, markdown, notes bytes.Buffer
	require.NoError(t, export.Decision(&text, say.Screen{Width: 1000}, d))
	require.NoError(t, export.Decision(&markdown, say.Screen{Markdown: true}, d))
	require.NoError(t, export.Annotate(&notes, d, hostile))
	for name, b := range map[string]string{"text": text.String(), "markdown": markdown.String(), "annotations": notes.String()} {
		for _, line := range strings.Split(b, "\n") {
			assert.False(t, strings.HasPrefix(line, "::error::forged"), "%s: %s", name, line)
			for _, char := range line {
				assert.True(t, unicode.IsPrint(char), "%s: %q", name, char)
			}
		}
	}
	assert.NotContains(t, markdown.String(), "<img")
	assert.Len(t, strings.Split(strings.TrimSpace(notes.String()), "\n"), 2)
	assert.Regexp(t, `^::error file=x\\n%3A%3Aerror%3A%3Aforged.*,line=1,title=bfcl gate%3A floor simple_python::at least 99%25; 60\.00%25`, notes.String())
	assert.NoError(t, testkit.Err(json.Marshal(d)))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("partial: true\nregressions: {overall: {detect: 9}, groups: {significance: 0.05}}\nceilings: {errors: 0.5%}"))
	f.Add([]byte("floors: {overall: {min: 1e999, on: [x]}}\nrequired: [1, ~, {}]"))
	f.Add([]byte("a: &a [*a]\nfloors: !!binary x"))
	f.Add([]byte("? {a: b}\n: c\n<<: {floors: {live: 3}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := gate.Parse("gate.yaml", text)
		if err == nil {
			assert.NoError(t, testkit.Err(gate.Decide(c, newRun(3, 2, 1), newRun(3, 3, 0))))
		}
	})
}
