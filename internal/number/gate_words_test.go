package number_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// remembering is a run of 60 questions to a memory about so many scenarios, of
// which so many are wrong, each step from the one before.
func remembering(scenarios, wrong, step int) *tally.Run {
	r := newRun(60, 0, 0)
	r.Parts[0].Category = categories.Find("memory_kv")
	for i := range r.Parts[0].Results {
		result := &r.Parts[0].Results[i]
		result.Case.ID = "memory_kv_" + strconv.Itoa(i)
		result.Case.Scene = &eval.Scene{Scenario: "s" + strconv.Itoa(i*scenarios/60)}
		if i%step == 0 && i < wrong*step {
			result.Status, result.ErrorType = eval.Fail, "agentic:answer_not_found"
		}
	}
	return r
}

// TestScenariosInDecisions: losses of memory are decided with scenarios as units.
func TestScenariosInDecisions(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, rule := range []string{"{significance: 0.05}", "{detect: 8}", "{detect: 20}", "{detect: 60}", "{detect: 1}"} {
		rules := parse(t, "partial: true\nregressions: {memory_kv: "+rule+", overall: "+rule+"}")
		for _, c := range []struct{ scenarios, wrong, step int }{{1, 2, 1}, {3, 0, 1}, {3, 2, 1}, {3, 2, 30}, {3, 12, 1}, {3, 12, 5}, {5, 6, 1}} {
			d := testkit.Must(gate.Decide(rules, remembering(c.scenarios, c.wrong, c.step), remembering(c.scenarios, 0, 1)))(t)
			fmt.Fprintf(&text, "%s, %+v: %s; %s; %s\n", rule, c, d.Rules[0].Outcome, d.Rules[0].Got, d.Rules[0].Why)
		}
	}
	golden(t, "scenarios.txt", text.String())
}

// TestLongNames: names and reasons of any length are cut, each at its own place,
// so that no page is a page of them.
func TestLongNames(t *testing.T) {
	t.Parallel()
	long := func(letter string) string { return strings.Repeat(letter, 3000) }
	run, than := newRun(60, 40, 0), newRun(50, 50, 0)
	run.Name, run.Dataset, than.Name = long("m"), long("d"), long("b")
	rules := parse(t, "floors: {simple_python: 99}\nrequired: ["+long("r")+"]")
	d := testkit.Must(gate.Decide(rules, run, than))(t)
	d.Notes = append(d.Notes, long("n"))
	d.Rules = append(d.Rules, gate.Check{Kind: "x", Outcome: gate.Failed, Why: long("w"), Want: "y", Got: long("g")})
	var text strings.Builder
	for name, write := range map[string]func(b *bytes.Buffer) error{
		"terminal":    func(b *bytes.Buffer) error { return export.Decision(b, say.Screen{Width: 5000}, d) },
		"page":        func(b *bytes.Buffer) error { return export.Decision(b, say.Screen{Markdown: true}, d) },
		"annotations": func(b *bytes.Buffer) error { return export.Annotate(b, d, long("f")) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		counts := map[string]int{}
		for _, letter := range []string{"mm", "dd", "bb", "rr", "nn", "ww", "gg", "ff"} {
			counts[letter] = strings.Count(b.String(), letter)
		}
		fmt.Fprint(&text, name, " ", counts, "\n")
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	assert.ElementsMatch(t, []string{
		"page map[bb:119 dd:150 ff:3 gg:50 mm:123 nn:200 rr:45 ww:50]", // a cell of a table has 100
		"annotations map[bb:0 dd:0 ff:300 gg:298 mm:0 nn:0 rr:102 ww:0]",
		"terminal map[bb:100 dd:150 ff:0 gg:1500 mm:101 nn:0 rr:100 ww:300]",
	}, lines)
	_, err := gate.Decide(rules, &tally.Run{Name: long("m")}, nil)
	assert.Equal(t, 200, strings.Count(err.Error(), "m"))
	run.Path, run.Digest = long("Z"), ""
	_, err = (&gate.Gate{Rules: rules, Baseline: run}).Decide(run)
	assert.Equal(t, 500, strings.Count(err.Error(), "Z"))
	rules.Audited, run.Dataset = true, long("Z")
	_, err = gate.Decide(rules, run, nil)
	assert.Equal(t, 100, strings.Count(err.Error(), "Z"))
}

// TestWidths: a decision is as wide as the screen, or 80 columns where that has
// none, and is coloured where that is asked for.
func TestWidths(t *testing.T) {
	t.Parallel()
	d := testkit.Must(gate.Decide(parse(t, "floors: {simple_python: 99, multiple: 2, overall: {min: 10}}\npartial: true\nregressions: {categories: {significance: 0.05}}"), newRun(6, 4, 0), newRun(6, 4, 0)))(t)
	d.Notes = append(d.Notes, strings.Repeat("note ", 40))
	var text strings.Builder
	for _, screen := range []say.Screen{{}, {Width: 60}, {Width: 120, Colour: true}} {
		fmt.Fprintf(&text, "== %+v\n", screen)
		require.NoError(t, export.Decision(&text, screen, d))
	}
	golden(t, "widths.txt", text.String())
}

// TestFaultsOfFiles: the whole text of each fault, and its line.
func TestFaultsOfFiles(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, rules := range []string{
		"ceilings: {cost: -1}", "ceilings: {errors: 101}", "ceilings: {errors: 101%}", "ceilings: {errors: 0.5}", "ceilings: {errors: 100%}", "ceilings: {latency_p95: 1e9}",
		"floors: {live: 0.12345678}", "floors: {live: 100}", "floors: {live: 1.01}", "floors: {live: 1}", "floors: {live: 0}", "floors: {live: 0%}", "floors: {live: -1%}", "floors: {live: [80%]}", "floors: {live: 'a%'}",
		"looks: 1\nfloors: {live: 2}", "looks: 2147483647\nfloors: {live: 2}", "looks: 2147483648\nfloors: {live: 2}", "looks: 1.5", "looks: '3'", "min_cases: 1\nfloors: {live: 2}",
		"regressions: {overall: {detect: 100}}", "regressions: {overall: {detect: 101}}", "regressions: {overall: {detect: 0}}", "regressions: {overall: {detect: 100}}", "regressions: {overall: {significance: 0.5}}",
		"regressions: {overall: {significance: 0.51}}", "regressions: {overall: {points: 1, on: interval}}", "regressions: {overall: {significance: 0.05, on: interval}}", "regressions: {overall: {on: interval}}",
		"regressions: {overall: {significance: 0.01, detect: 3}}", "regressions: {overall: {min_cases: 5}}", "regressions: {overall: {detect: 2, significance: 0}}",
		"data: audited\nfloors: {live: 2}", "data: official\nfloors: {live: 2}", "data: other\nfloors: {live: 2}", "partial: yes\nfloors: {live: 2}", "on: [interval]",
		"floors: {live: }", "ceilings: {cost: ~}", "floors: {live: 0.111111111111111111111111111111111111111111111111111111111111}",
		"floors: {live: {min: 3, measure: [a]}}", "floors: {live: {min: 3, measure: pass@2}}", "required: [a, ' ', a]", "required: [' a ']", "required: a",
		"partial: true", "[]", "a: [", "floors: {overall: 10}\n---\nx: 1", "florrs: {}", "\nfloors:\n  liv: 3", "ceilings: {p95: 3}", "ladder: {call: 90}", "regressions: {overall: {points: 1}}", "floors: {live: 101}",
		"floors: {live: -1}", "floors: {live: .nan}", "floors: {live: '80'}", "floors: {live: 0.8}", "floors: {live: 180%}", "floors: {live: x%}", "floors: {live: {min: 60, measure: pass^}}", "looks: 0",
		"regressions: {overall: {detect: 3, on: interval}}", "floors: {live: {on: interval}}", "floors: {live: {min: 3, minimum: 3}}", "floors: {live: 10, live: 20}", "on: low", "min_cases: 0", "partial: 1",
		"regressions: {overall: {}}", "regressions: {overall: {points: 1, significance: 0.05}}", "regressions: {overall: {significance: 0}}", "regressions: {overall: {points: 1, detect: 3}}", "regressions: {overall: 3}",
		"required: {a: b}", "required: [a, a]", "required: [[a]]", "floors: {\"a\\e[31m\": 1}", "ceilings: {cost: {max: 1, min_cases: 5}}", "ceilings: {cost: {max: 1, on: interval}}",
		"ceilings: {cost: {max: 1, measure: pass^2}}", "floors: {simple_python: {min: 50, on: interval, measure: pass^2}}", "floors: {simple_python: {on: interval}}",
		"regressions: {simple_python: {points: 1, measure: pass^2, on: nope}}", "regressions: {overall: {detect: 3, against: release}}", "baselines: {last: [a]}\nregressions: {overall: {detect: 3, against: tag}}",
		"required: [" + strings.Repeat("x", 200) + ", " + strings.Repeat("x", 200) + "]",
	} {
		c, err := gate.Parse("gate.yaml", []byte(rules))
		fmt.Fprintf(&text, "%s\n  %+v %v\n", strings.ReplaceAll(rules, "\n", " | "), c, err)
	}
	golden(t, "faults.txt", text.String())
	bomb := "floors: &a {live: {min: 1, on: &b {c: 1}}}\nceilings: *a\nrequired: [" + strings.Repeat("*b, ", 1000) + "x]\n"
	testkit.Fails(gate.Parse("gate.yaml", []byte(bomb)))(t, "required: want case ids")
	assert.ErrorContains(t, testkit.Err(gate.Parse("gate.yaml", []byte(strings.Repeat("# x\n", 1<<18)+"floors: {overall: 10}"))), "larger than")
	testkit.Fails(gate.Open("nothing.yaml", ""))(t, "gate file: ")
}

// TestEachRuleIsDecided: a rule that cannot be decided does not keep the next from
// being decided.
func TestEachRuleIsDecided(t *testing.T) {
	t.Parallel()
	const rules = "floors: {multiple: 10, simple_python: 99}\nregressions: {multiple: {detect: 1}, simple_python: {detect: 1, measure: pass^3}, non_live: {detect: 1}, categories: {significance: 0.05}}\n" +
		"ceilings: {cost: 1, latency_mean: 1, calls_per_solved: 4, latency_p95: 9}\nrequired: [x, simple_python_99]"
	for _, than := range []*tally.Run{newRun(80, 20, 0), nil} {
		run, config := newRun(60, 0, 0), parse(t, "partial: true\n"+rules)
		run.Parts[0].Results = append(run.Parts[0].Results, newRun(60, 40, 0).Parts[0].Results[60:]...)
		d := testkit.Must(gate.Decide(config, run, than))(t)
		var got []string
		for _, c := range d.Rules {
			got = append(got, fmt.Sprintf("%s %s %s", c.Kind, c.Name, c.Outcome))
		}
		losses := []string{"regression multiple undecided", "regression simple_python undecided", "regression non_live failed", "regression simple_python failed"}
		if than == nil {
			losses = []string{"regression multiple undecided", "regression simple_python undecided", "regression non_live undecided", "regression categories undecided"}
		}
		want := append([]string{"floor multiple undecided", "floor simple_python failed"}, losses...)
		assert.Equal(t, append(want, "ceiling cost undecided", "ceiling latency_mean failed",
			"ceiling calls_per_solved undecided", "ceiling latency_p95 passed", "required x undecided", "required simple_python_99 failed"), got)
	}
}

// TestEnoughCases: min_cases cases are enough, and one less is too few.
func TestEnoughCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule        string
		enough, few gate.Outcome
		aside       bool
	}{
		{"floors: {simple_python: 60}", gate.Passed, gate.Undecided, false},
		{"regressions: {simple_python: {significance: 0.05}}", gate.Passed, gate.Undecided, false},
		{"regressions: {categories: {significance: 0.05}}", gate.Passed, gate.Undecided, true},
		{"regressions: {categories: {points: 10, on: interval}}", gate.Undecided, gate.Undecided, true},
		{"ceilings: {latency_p95: 9}", gate.Passed, gate.Undecided, false},
	} {
		for n, want := range map[int]gate.Outcome{30: c.enough, 29: c.few} {
			d := testkit.Must(gate.Decide(parse(t, c.rule), newRun(n*6/10+1, n-n*6/10-1, 0), newRun(n*6/10+2, n-n*6/10-2, 0)))(t)
			assert.Equal(t, want, d.Rules[0].Outcome, "%s with %d", c.rule, n)
			assert.Equal(t, c.aside && n < 30, d.Rules[0].Aside, "%s with %d", c.rule, n)
		}
	}
}

// TestRequiredSays: what came of a required case, in one trial or several.
func TestRequiredSays(t *testing.T) {
	t.Parallel()
	for outcomes, want := range map[string]string{"p": "right", "f": "wrong", "e": "an infrastructure error", "pp": "right", "pf": "wrong in 1 of 2 trials", "ff": "wrong in 2 of 2 trials", "pe": "an infrastructure error", "fe": "wrong in 1 of 2 trials"} {
		r := newRun(len(outcomes), 0, 0)
		r.Trials = len(outcomes)
		for i, letter := range outcomes {
			result := &r.Parts[0].Results[i]
			result.Case, result.Status = r.Parts[0].Results[0].Case, map[rune]eval.Status{'p': eval.Pass, 'f': eval.Fail, 'e': eval.Error}[letter]
		}
		d := testkit.Must(gate.Decide(parse(t, "required: [simple_python_0]\nceilings: {errors: 100}"), r, nil))(t)
		last := d.Rules[len(d.Rules)-1]
		assert.Equal(t, want, last.Got, outcomes)
		none := testkit.Must(gate.Decide(parse(t, "required: [other_0]"), r, nil))(t)
		assert.Empty(t, none.Rules[0].Got, "there is no such case")
		assert.Equal(t, map[byte]gate.Outcome{'r': gate.Passed, 'w': gate.Failed, 'a': gate.Undecided}[want[0]], last.Outcome, outcomes)
	}
}

// TestTables: a page has a table of what was not kept and one of what was, if
// there is any, and of a hundred rules it says no more than they are.
func TestTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		checks       []gate.Outcome
		tables, fold int
	}{{[]gate.Outcome{gate.Passed}, 1, 1}, {[]gate.Outcome{gate.Failed}, 1, 0}, {[]gate.Outcome{gate.Passed, gate.Undecided}, 2, 1}, {nil, 0, 0}} {
		d := gate.Decision{Outcome: gate.Passed}
		for _, outcome := range c.checks {
			d.Rules = append(d.Rules, gate.Check{Outcome: outcome, Kind: "floor", Name: "live"})
		}
		var page bytes.Buffer
		require.NoError(t, export.Decision(&page, say.Screen{Markdown: true}, &d))
		assert.Equal(t, c.tables, strings.Count(page.String(), "| rule |"), c.checks)
		assert.Equal(t, c.fold, strings.Count(page.String(), "<details>"), c.checks)
		assert.NotContains(t, page.String(), "too small")
	}
	for n, says := range map[int]bool{99: false, 100: false, 101: true} {
		d := gate.Decision{Outcome: gate.Failed, Rules: make([]gate.Check, n)}
		for i := range d.Rules {
			d.Rules[i].Outcome = gate.Failed
		}
		var page bytes.Buffer
		require.NoError(t, export.Decision(&page, say.Screen{Markdown: true}, &d))
		assert.Equal(t, says, strings.Contains(page.String(), "more rules are in the log"), n)
	}
}

// TestOnlyLosses: a first run with rules about losses alone has nothing to keep.
func TestOnlyLosses(t *testing.T) {
	t.Parallel()
	g := testkit.Must(gate.Open(written(t, "gate.yaml", "regressions: {simple_python: {detect: 2}}"), gate.None))(t)
	d := testkit.Must(g.Decide(newRun(60, 40, 0)))(t)
	assert.Equal(t, gate.Passed, d.Outcome)
	assert.Empty(t, d.Rules)
}

// TestReadAnswers: one planted wrong answer that was given closes the gate,
// whatever its rules say; each case counts once, and its id is cut.
func TestReadAnswers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "", 1: "1 case", 2: "2 cases"} {
		r := newRun(98, 2, 0)
		for i := range n {
			r.Parts[0].Results[98+i].ErrorType = eval.HasRead
			r.Parts[0].Results[98+i].Case.ID = strconv.Itoa(i) + strings.Repeat("x", 300)
		}
		d := testkit.Must(gate.Decide(parse(t, "floors: {simple_python: 50}"), r, nil))(t)
		if n == 0 {
			assert.Equal(t, gate.Passed, d.Outcome)
			continue
		}
		assert.Equal(t, gate.Failed, d.Outcome)
		assert.Equal(t, gate.Failed, d.Rules[0].Outcome)
		assert.Equal(t, want, d.Rules[0].Got)
		assert.Equal(t, 99, strings.Count(d.Rules[0].Name, "x"))
	}
}
