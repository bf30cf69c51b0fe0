package number_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := testkit.Must(os.ReadFile(path))(t)
	assert.Equal(t, string(want), got, "see what changed, then run the test with -update")
}

// flipped is a run of n cases, 60% right, of which some right answers are lost,
// some wrong ones gained, and the last are errors.
func flipped(n, lost, gained, errors int) *tally.Run {
	r := newRun(n*6/10, n-n*6/10, 0)
	results := r.Parts[0].Results
	for i := range lost {
		results[i].Status, results[i].ErrorType = eval.Fail, "value_error:string"
	}
	for i := range gained {
		results[n*6/10+i].Status, results[n*6/10+i].ErrorType = eval.Pass, ""
	}
	for i := range errors {
		results[n-1-i].Status, results[n-1-i].ErrorType = eval.Error, "infrastructure:timeout"
	}
	return r
}

// TestTruthTable decides each kind of rule over losses and gains, with and
// without errors, over many cases and few, with the baseline and without. Two
// things hold whatever the rule: no gain closes the gate, and no error that is
// not allowed opens it.
func TestTruthTable(t *testing.T) {
	t.Parallel()
	rules := []string{
		"regressions: {simple_python: {points: 2, on: interval}}", "regressions: {simple_python: {significance: 0.05}}",
		"regressions: {simple_python: {detect: 12}}", "looks: 4\nregressions: {simple_python: {significance: 0.05}}", "regressions: {categories: {points: 2, on: interval}}",
		"regressions: {categories: {significance: 0.05}}", "partial: true\nregressions: {overall: {significance: 0.05}}", "floors: {simple_python: 60}", "floors: {simple_python: {min: 60, on: interval}}", "floors: {multiple: 60}",
		"regressions: {multiple: {detect: 2}}", "required: [simple_python_0]",
	}
	changes := []struct{ lost, gained int }{{12, 0}, {3, 0}, {2, 0}, {1, 1}, {0, 0}, {0, 2}, {0, 12}}
	var text strings.Builder
	for _, rule := range rules {
		fmt.Fprintf(&text, "\n%s\n", rule)
		for _, n := range []int{100, 20} {
			for _, change := range changes {
				lost, gained := min(change.lost, n*6/10), min(change.gained, n*4/10-1)
				for _, errors := range []string{"none", "one", "one allowed", "one forbidden", "no baseline"} {
					file, failed, than := rule, 0, flipped(n, 0, 0, 0)
					switch errors {
					case "one":
						failed = 1
					case "one allowed":
						failed, file = 1, rule+"\nceilings: {errors: 5%}"
					case "one forbidden":
						failed, file = 1, rule+"\nceilings: {errors: 0.1%}"
					case "no baseline":
						than = nil
					}
					d := testkit.Must(gate.Decide(parse(t, file), flipped(n, lost, gained, failed), than))(t)
					says := fmt.Sprintf("%d cases, -%d +%d, errors: %s", n, lost, gained, errors)
					if gained >= lost && strings.HasPrefix(rule, "regressions") {
						assert.NotEqual(t, gate.Failed, d.Outcome, "%s: %s", rule, says)
					}
					if errors == "one" || errors == "one forbidden" {
						assert.NotEqual(t, gate.Passed, d.Outcome, "%s: %s", rule, says)
					}
					fmt.Fprintf(&text, "  %s: %s\n", says, d.Outcome)
					if gained+lost != 2 || errors != "none" { // the words of some are enough
						continue
					}
					for _, c := range d.Rules {
						fmt.Fprintf(&text, "    %s %s: %s; %s; %s; %s; aside %v\n", c.Kind, c.Name, c.Outcome, c.Want, c.Got, c.Why, c.Aside)
					}
				}
			}
		}
	}
	golden(t, "truth_table.txt", text.String())
}

// several is a run of three categories, of which the last is small.
func several(lost int) *tally.Run {
	r := flipped(100, lost, 0, 0)
	for i, name := range []string{"multiple", "parallel"} {
		more := flipped(40-32*i, min(lost, 4*(1-i)), 0, 0).Parts[0]
		more.Category = categories.Find(name)
		for k := range more.Results {
			more.Results[k].Case = &eval.Case{ID: fmt.Sprint(name, "_", k), Entry: pyval.NewDict(0)}
		}
		r.Parts = append(r.Parts, more)
	}
	return r
}

// TestWordsOfDecisions: what a gate says on the terminal, in a page of CI, and
// beside the lines of its file.
func TestWordsOfDecisions(t *testing.T) {
	t.Parallel()
	const rules = "partial: true\nfloors: {simple_python: 55%, multiple: {min: 60%, on: interval}}\nregressions:\n  categories: {significance: 0.05}\n  overall: {points: 1, on: interval}\nceilings: {latency_p95: 1.2, cost: 3, errors: 1}\nrequired: [simple_python_0, simple_python_99]\n"
	var text strings.Builder
	for _, lost := range []int{2, 15} {
		d := testkit.Must(gate.Decide(parse(t, rules), several(lost), several(0)))(t)
		d.Notes = append(d.Notes, "a note")
		var terminal, page, beside bytes.Buffer
		require.NoError(t, export.Decision(&terminal, say.Screen{Width: 1000}, d))
		require.NoError(t, export.Decision(&page, say.Screen{Markdown: true}, d))
		require.NoError(t, export.Annotate(&beside, d, "gate.yaml"))
		fmt.Fprintf(&text, "== %d lost\n%s-- page\n%s-- annotations\n%s", lost, &terminal, &page, &beside)
	}
	golden(t, "decisions.txt", text.String())
}

// TestOwnBaseline: a run is not its own baseline by another name of its folder,
// or as a copy;
// two folders are two runs, and so is a run that has taken another's folder.
func TestOwnBaseline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) *tally.Run {
		r := newRun(10, 0, 0)
		r.Path = filepath.Join(dir, name)
		return r
	}
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "link")))
	later := at("a")
	later.Started = later.Started.Add(time.Hour)
	id := func(r *tally.Run, id string) *tally.Run {
		r.ID = id
		return r
	}
	for _, c := range []struct {
		name          string
		run, baseline *tally.Run
		one           bool
	}{
		{"the same path", at("a"), at("a"), true},
		{"a link to it", at("link"), at("a"), true},
		{"another folder", at("b"), at("a"), false},
		{"a folder that is gone", at("gone"), at("a"), false},
		{"two that are gone", at("gone"), at("gone too"), false},
		{"one path that is gone", at("gone"), at("gone"), true},
		{"begun later", later, at("a"), false},
		{"no path", newRun(10, 0, 0), newRun(10, 0, 0), false},
		{"a copy", id(at("a"), "x"), id(at("b"), "x"), true},
		{"a shared shard", id(at("a"), "x+y"), id(at("b"), "y+z"), true},
		{"another id in its place", id(at("a"), "x"), id(at("a"), "y"), false},
	} {
		g := &gate.Gate{Rules: parse(t, "regressions: {simple_python: {detect: 2}}"), Baseline: c.baseline}
		_, err := g.Decide(c.run)
		if !c.one {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorContains(t, err, "is its own baseline", c.name)
	}
}

// TestCertain: a rule that is broken whatever the missing answers breaks the gate;
// one that they could mend leaves it undecided.
func TestCertain(t *testing.T) {
	t.Parallel()
	run := flipped(100, 0, 0, 0)
	missing := flipped(40, 0, 0, 5).Parts[0]
	missing.Category = categories.Find("multiple")
	run.Parts = append(run.Parts, missing)
	for rules, want := range map[string]gate.Outcome{
		"floors: {simple_python: 90}":                        gate.Failed,
		"floors: {multiple: 90}":                             gate.Failed,
		"floors: {multiple: 72}":                             gate.Undecided,
		"partial: true\nfloors: {overall: 90}":               gate.Failed,
		"partial: true\nfloors: {overall: 65}":               gate.Undecided,
		"floors: {simple_python: 90, multiple: 10}":          gate.Failed,
		"floors: {simple_python: 10, multiple: 10}":          gate.Undecided,
		"required: [simple_python_99]":                       gate.Failed,
		"ceilings: {latency_p95: 0.1}":                       gate.Undecided,
		"ceilings: {errors: 1}\nfloors: {simple_python: 90}": gate.Failed,
		"ceilings: {errors: 1}\nfloors: {multiple: 72}":      gate.Undecided,
		"ceilings: {errors: 50}\nfloors: {multiple: 90}":     gate.Failed,
	} {
		d := testkit.Must(gate.Decide(parse(t, rules), run, nil))(t)
		assert.Equal(t, want, d.Outcome, "%s: %+v", rules, d.Rules)
	}
}
