package main

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/number/early"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A watched rule is one whose outcome over all cases may be known before all
// are asked.
type watched struct {
	*early.Watch
	rule   *gate.Rule
	target string
	floor  bool
	at     map[string]int // index of each of the watch's cases, by id
	places []int          // of the watch's cases in the order of all cases
	base   float64        // the baseline's accuracy
	// aside reports whether the rule is about each category, so that one that
	// is too small or not known yet does not keep the decision open.
	aside bool
	// few reports whether there are fewer cases than the gate decides on, so
	// that the rule stays open.
	few   bool
	known early.Outcome
	last  early.Estimate
}

// watch adds the gate's rules. It refuses a rule that some of the cases cannot
// settle: they are not a random sample, since the baseline's verdicts choose
// them.
func (s *stopping) watch(rules *gate.Config) error {
	for i := range rules.Floors {
		r := &rules.Floors[i]
		r.Settled = nil
		if r.On != gate.Estimate || r.Measure != (stat.Measure{}) {
			return unwatchable("floor", r)
		}
		if err := s.add(r, r.Target, true, 0); err != nil {
			return err
		}
	}
	for i := range rules.Regressions {
		r := &rules.Regressions[i]
		r.Settled = nil
		if r.Significance == 0 && r.On != gate.Estimate || r.Measure != (stat.Measure{}) {
			return unwatchable("regression", r)
		}
		targets := []string{r.Target}
		if r.Target == gate.Each {
			targets = s.categories()
		}
		level := r.Significance / float64(max(1, rules.Looks)*len(targets))
		for _, target := range targets {
			if err := s.add(r, target, false, level); err != nil {
				return err
			}
		}
	}
	if len(rules.Ladder) > 0 {
		return unwatchable("ladder", &rules.Ladder[0])
	}
	if len(rules.Variants) > 0 {
		return unwatchable("variants", &rules.Variants[0])
	}
	for _, w := range s.watched {
		if !w.aside {
			return nil
		}
	}
	return misuse.Errorf("-stop-early needs a floor in the gate file, or a regression rule on the overall, a group or a category, such as overall: {detect: 3}")
}

func unwatchable(kind string, r *gate.Rule) error {
	return misuse.Errorf("-stop-early cannot decide the %s rule on %s (line %d of the gate file) before all cases are asked: it watches floors and losses of the accuracy, by the estimate or by significance; leave the rule out, or run without -stop-early", kind, r.Target, r.Line)
}

// categories are the categories whose cases count.
func (s *stopping) categories() (names []string) {
	seen := map[string]bool{}
	for _, c := range s.cases {
		if !seen[c.Category] {
			seen[c.Category] = true
			names = append(names, c.Category)
		}
	}
	return names
}

// add watches a rule on a category, a group or the overall.
func (s *stopping) add(r *gate.Rule, target string, floor bool, level float64) error {
	cases, ids, err := s.casesOf(target)
	if err != nil {
		return err
	}
	w := &watched{rule: r, target: target, floor: floor, at: map[string]int{}, aside: r.Target == gate.Each}
	for i, id := range ids {
		w.at[id] = i
		w.base += cases[i].Weight * cases[i].Base
	}
	var order []int
	for place, i := range s.order {
		if own, ok := w.at[s.ids[i]]; ok {
			order, w.places = append(order, own), append(w.places, place)
		}
	}
	if len(order) == 0 || len(order) < len(cases) {
		return misuse.Errorf("-stop-early cannot decide the rule on %s (line %d of the gate file): some of its cases do not count in the overall and are not asked", target, r.Line)
	}
	if lacking := s.notRun(target); lacking != "" && !s.gate.held.Rules.Partial {
		return misuse.Errorf("the rule on %s (line %d of the gate file) cannot be decided: %s counts but is not among the -categories; set partial to decide on the categories that are run", target, r.Line, lacking)
	}
	rule := early.Rule{Level: level, Points: (r.Limit + r.Detect) / 100} // a rule has one of both
	if floor {
		rule = early.Rule{Points: w.base - r.Limit/100}
	}
	w.Watch, w.few = early.New(cases, order, rule), len(cases) < r.MinCases
	s.watched = append(s.watched, w)
	return nil
}

// notRun is a category that counts in a target but is not selected; "" if there
// is none.
func (s *stopping) notRun(target string) string {
	selected := s.categories()
	for _, share := range tally.LayoutOf(s.selection.Dataset).Below(target).Shares(func(string) (int, bool) { return 1, true }) {
		if !slices.Contains(selected, share.Category) {
			return share.Category
		}
	}
	return ""
}

// look takes the verdicts so far, without infrastructure errors. It reports
// whether the gate's decision is known: one rule is broken, or all are kept.
func (s *stopping) look(run *tally.Run, n int) bool {
	for _, a := range run.Attempted(false) {
		if a.Answered == 0 {
			continue
		}
		id := a.Category.Name + "/" + a.Case.ID
		if place, counts := s.place[id]; !counts || place >= n {
			continue // asked only because the gate requires it
		}
		for _, w := range s.watched {
			if i, ok := w.at[id]; ok {
				w.See(i, float64(a.Right)/float64(a.Answered))
			}
		}
	}
	broken, open := false, false
	for _, w := range s.watched {
		w.look(n)
		broken = broken || w.known == early.Fail
		open = open || w.known == early.Open && !w.aside
		if !s.quiet && (!w.aside || w.known == early.Fail) {
			fmt.Fprintf(s.err, "bfcl: %s (from %d of %d cases)\n", w.said(), n, len(s.order))
		}
	}
	return broken || !open
}

func (w *watched) look(n int) {
	asked := 0
	for asked < len(w.places) && w.places[asked] < n {
		asked++
	}
	w.Ask(asked)
	if w.last = w.Estimate(); !w.few {
		w.known = w.Outcome()
	}
}

// said is a sentence with what is known of the rule.
func (w *watched) said() string {
	const all = 100
	state := map[early.Outcome]string{early.Open: "not known yet", early.Pass: "kept", early.Fail: "broken"}[w.known]
	if w.floor {
		return fmt.Sprintf("%s %s; the floor is %g: %s", w.target, w.figure(), w.rule.Limit, state)
	}
	return fmt.Sprintf("%s %s; broken below %+.2f, kept above %+.2f: %s", w.target, w.figure(), all*w.last.Lose, all*w.last.Keep, state)
}

// figure is the estimate over all cases.
func (w *watched) figure() string {
	const all = 100
	e := w.last
	if w.floor {
		return fmt.Sprintf("%.2f%% over all cases (%.2f to %.2f)", all*(w.base+e.Difference), all*(w.base+e.Low), all*(w.base+e.High))
	}
	return fmt.Sprintf("%+.2f points over all cases (%+.2f to %+.2f)", all*e.Difference, all*e.Low, all*e.High)
}

// settle sets the rule's outcome to what is known.
func (w *watched) settle(why string) {
	const all = 100
	known := gate.Settled{Got: w.figure(), Why: why, Outcome: map[early.Outcome]gate.Outcome{
		early.Open: gate.Undecided, early.Pass: gate.Pass, early.Fail: gate.Fail,
	}[w.known]}
	if !w.floor {
		known.Got += fmt.Sprintf("; all would find a loss of %.1f", all*stat.Detectable(w.last.Error))
	}
	switch {
	case w.known == early.Open && w.aside:
		known.Why, known.Aside = "", true
	case w.known == early.Open:
		known.Why = "the run ended before enough cases were asked"
	case w.known == early.Pass && w.rule.Detect > 0 && all*stat.Detectable(w.last.Error) > w.rule.Detect:
		known.Outcome = gate.Undecided
		known.Why += fmt.Sprintf("; even over all cases, a loss of %g points would often go unnoticed", w.rule.Detect)
	case w.known == early.Pass && w.rule.Detect > 0:
		known.Why += fmt.Sprintf(": a loss of %g points is excluded", w.rule.Detect)
	}
	if w.rule.Settled == nil {
		w.rule.Settled = map[string]gate.Settled{}
	}
	w.rule.Settled[w.target] = known
}
