package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// Suite is the name of the tests of a gate's rules.
const Suite = "TestGate"

// Complete is the name of the test that each answer came, and Decided of the one
// that each rule was decided, which only a report has.
const (
	Complete = "complete"
	Decided  = "decided"
)

// A Test is a rule as a test or, below a broken rule, a case that broke it.
type Test struct {
	// Path is the name, such as floor, overall.
	Path    []string
	Outcome Outcome
	// Place is the rule's line in the gate file or the case's in its dataset
	// file; "" if there is none.
	Place string
	// Text says in its first line why.
	Text string
	// Cases are the cases that broke the rule, if it is the narrowest of its
	// kind that they broke.
	Cases []Test
}

// Tests returns the rules of a decision on a run as tests, and before them one
// that fails if infrastructure kept cases from being answered.
func (g *Gate) Tests(d *Decision, run *tally.Run) []Test {
	if g.Rules.Audited {
		if defects, err := run.Defects(); err == nil {
			run, _ = run.Without(slices.Collect(maps.Keys(defects)))
		}
	}
	out := []Test{completeness(d, run)}
	broke := g.broke(d, run)
	for i, c := range d.Rules {
		t := Test{Path: append(strings.Fields(c.kind()), c.Name), Outcome: c.Outcome, Text: c.Text()}
		if c.Outcome == Undecided { // a skip stands without its name in some lists
			t.Text = c.Title() + ": " + t.Text
		}
		if c.Aside {
			t.Outcome, t.Text = Undecided, c.Word()+": "+t.Text
		}
		if c.Line > 0 {
			t.Place = fmt.Sprintf("%s:%d", g.file, c.Line)
		}
		b := broke[i]
		for _, cause := range b.causes {
			t.Text += "\n  " + cause
		}
		if b.elsewhere > 0 {
			t.Text += fmt.Sprintf("\n  %s below a narrower rule", say.Count(b.elsewhere, "case that broke it is", "cases that broke it are"))
		}
		if left := len(b.results) - MostCases; left > 0 {
			t.Text += fmt.Sprintf("\n  %d of %s that broke it are below", MostCases, say.Cases(len(b.results)))
		}
		for _, r := range b.results[:min(MostCases, len(b.results))] {
			one := Test{Path: append(slices.Clone(t.Path), r.Case.ID), Outcome: Failed, Place: why.Place(r.Case), Text: r.Text}
			if had := b.won[r.Case.Category+"/"+r.Case.ID]; had != nil && had.Result != nil {
				one.Text += "\n  baseline  " + say.Quote(pyval.Text(had.Result), 700)
			}
			t.Cases = append(t.Cases, one)
		}
		out = append(out, t)
	}
	return out
}

// Undecided lists the rules that were not decided, with what would decide them.
func (d *Decision) Undecided() (out []string) {
	for _, c := range d.Rules {
		if c.Outcome == Undecided && !c.Aside {
			out = append(out, c.Title()+": "+say.Printable(c.Text(), 3*longestName))
		}
	}
	return out
}

// OfDecision is the test of an undecided gate that a report has, which readers of
// skipped tests would take for green; nil for another outcome.
func OfDecision(d *Decision) []Test {
	if d.Outcome != Undecided {
		return nil
	}
	return []Test{{Path: []string{Decided}, Outcome: Failed, Text: strings.Join(append([]string{d.Verdict()}, d.Undecided()...), "\n  ")}}
}

// completeness is the test that all answers came. A share of errors that the
// gate allows does not fail it.
func completeness(d *Decision, run *tally.Run) Test {
	t := Test{Path: []string{Complete}, Outcome: Passed, Text: fmt.Sprintf("%d of %d answered", run.Len()-run.Errors(), run.Len())}
	allowed := slices.ContainsFunc(d.Rules, func(c Check) bool { return c.Name == "errors" && c.Outcome == Passed })
	if run.Errors() > 0 && !allowed {
		t.Outcome = Failed
		t.Text += ": infrastructure errors are not answers: " + run.Again()
	}
	return t
}

// A breach is what broke a rule.
type breach struct {
	results   []*eval.Result
	elsewhere int                     // cases that broke a narrower rule, too
	causes    []string                // the three costliest
	won       map[string]*eval.Result // the baseline's, by case
}

// broke finds the cases that broke each rule. A case is below the narrowest
// broken rule of a kind only.
func (g *Gate) broke(d *Decision, run *tally.Run) map[int]breach {
	out := map[int]breach{}
	narrowest := map[string]int{} // by kind, baseline and category, the rule
	var broken []int
	for i, c := range d.Rules {
		if c.Outcome == Failed && !c.Aside && slices.Contains([]string{"floor", "regression", "required"}, c.Kind) {
			broken = append(broken, i)
		}
	}
	below := func(i int) []string { return categoriesOf(run.Layout(), d.Rules[i].Name) }
	slices.SortStableFunc(broken, func(a, b int) int { return len(below(b)) - len(below(a)) })
	key := func(c Check, category string) string { return c.Kind + "\x00" + c.Baseline + "\x00" + category }
	for _, i := range broken { // the narrowest last
		for _, category := range below(i) {
			narrowest[key(d.Rules[i], category)] = i
		}
	}
	wrong := wrongAnswers(run)
	for _, i := range broken {
		c, b := d.Rules[i], breach{}
		if c.Kind == "floor" {
			b.causes = causes(run, below(i))
		}
		lost := map[string]bool{}
		with, base := d.Comparison, g.Baseline
		if c.Baseline == Release {
			with, base = d.Release, g.Release
		}
		if c.Kind == "regression" && with != nil {
			for _, f := range with.Lost() {
				lost[f.Category+"/"+f.ID] = true
			}
			b.won = rightAnswers(base)
		}
		for _, r := range wrong {
			switch {
			case c.Kind == "required":
				if r.Case.ID == c.Name {
					b.results = append(b.results, r)
				}
			case !slices.Contains(below(i), r.Case.Category), c.Kind == "regression" && !lost[r.Case.Category+"/"+r.Case.ID]:
			case narrowest[key(c, r.Case.Category)] != i:
				b.elsewhere++
			default:
				b.results = append(b.results, r)
			}
		}
		out[i] = b
	}
	return out
}

// wrongAnswers returns the wrong answers of a run, one a case, those of the
// costliest causes first.
func wrongAnswers(run *tally.Run) (out []*eval.Result) {
	rank := map[cause.Cause]int{}
	by := cause.ByKind
	if f, err := run.Failures(tally.Grouping{By: by}); err == nil {
		for i, g := range f.Groups {
			rank[g.Cause] = i
		}
	}
	seen := map[*eval.Case]bool{}
	for _, r := range run.All() {
		if r.Status == eval.Fail && !seen[r.Case] {
			seen[r.Case] = true
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *eval.Result) int { return rank[a.Cause.Key(by)] - rank[b.Cause.Key(by)] })
	return out
}

// rightAnswers returns the right answers of a run by case.
func rightAnswers(run *tally.Run) map[string]*eval.Result {
	out := map[string]*eval.Result{}
	for _, r := range run.All() {
		if r.Passed() {
			out[r.Case.Category+"/"+r.Case.ID] = r
		}
	}
	return out
}

// causes names the three costliest causes of wrong answers in categories.
func causes(run *tally.Run, categories []string) (out []string) {
	const most = 3
	f, err := run.Failures(tally.Grouping{By: cause.ByKind, Categories: categories})
	if err != nil {
		return nil
	}
	for _, g := range f.Groups[:min(most, len(f.Groups))] {
		out = append(out, fmt.Sprintf("%d × %s", g.Count, g.Title))
	}
	return out
}

// Report returns the tests as JUnit: the rules as one suite, and the cases that
// broke a rule as a suite of its name, so that each is counted as what it is. An
// undecided rule is skipped.
func Report(tests []Test) []tally.JUnitSuite {
	out := []tally.JUnitSuite{{Name: Suite}}
	for _, t := range tests {
		out[0].Cases = append(out[0].Cases, t.entry(strings.Join(t.Path, "/")))
		if len(t.Cases) == 0 {
			continue
		}
		broke := tally.JUnitSuite{Name: Suite + "/" + strings.Join(t.Path, "/")}
		for _, c := range t.Cases {
			broke.Cases = append(broke.Cases, c.entry(c.Path[len(c.Path)-1]))
		}
		out = append(out, broke)
	}
	return out
}

// entry returns the test as a test case of JUnit.
func (t *Test) entry(name string) tally.JUnitCase {
	c, reason := tally.JUnitCase{Name: name}, &tally.JUnitReason{Type: t.Path[0], Text: t.Text}
	reason.Message, _, _ = strings.Cut(t.Text, "\n")
	if t.Place != "" {
		reason.Text = t.Place + ": " + t.Text
	}
	switch t.Outcome {
	case Failed:
		c.Failure = reason
	case Undecided:
		c.Skipped = reason
	}
	return c
}
