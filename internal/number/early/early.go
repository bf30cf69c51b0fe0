// Package early says, before the last case is asked, what a gate will decide
// over all cases. The run is compared with a baseline whose verdicts are all
// known, so only the cases not asked yet are left to chance.
//
//	Order   the cases of a run in the order to ask them
//	Watch   the verdicts so far, and whether they settle the decision
package early

import (
	"math"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Case is one case of the full set.
type Case struct {
	// Category is the case's category, and Weight how much the case counts in
	// the overall; the weights of all cases add up to 1.
	Category string
	Weight   float64
	// Base is the baseline's share of right trials.
	Base float64
	// Cluster is the same for cases that are not independent.
	Cluster string
}

// A Rule is the rule to decide over the full set.
type Rule struct {
	// Level, if above 0, is the level at which a significant loss breaks the
	// rule; it is kept once a loss of Points, a share, is excluded. If Level is
	// 0, a loss of more than Points breaks the rule, and none other.
	Level  float64
	Points float64
}

// An Outcome says whether the decision is known, and what it is.
type Outcome int

// The outcomes.
const (
	Open Outcome = iota
	Pass
	Fail
)

// String returns the outcome as a word.
func (o Outcome) String() string { return [...]string{"open", "pass", "fail"}[o] }

// A Watch follows a run whose cases are asked in an order that Order returned.
type Watch struct {
	rule   Rule
	cases  []Case
	order  []int
	values []float64 // NaN if not seen
	asked  int
	strata []stratum
	of     []int // the stratum, by case
	pairs  []pair
	// up bets that the difference is above a value, and down that it is below.
	up, down game
}

// New returns a Watch of a run of the given cases.
func New(cases []Case, order []int, rule Rule) *Watch {
	w := &Watch{rule: rule, cases: cases, order: order, of: make([]int, len(cases)), values: make([]float64, len(cases))}
	for i := range w.values {
		w.values[i] = math.NaN()
	}
	w.stratify()
	return w
}

// See records the share of right trials of a case.
func (w *Watch) See(i int, value float64) {
	if math.IsNaN(w.values[i]) {
		w.values[i] = value
	}
}

// Ask records that the first n cases of the order were asked. Cases without a
// verdict are assumed to have the one that goes most against the decision.
func (w *Watch) Ask(n int) {
	w.asked = min(n, len(w.order))
	w.up, w.down = w.game(1), w.game(-1)
}

// Alpha is the probability that a bet against the truth succeeds, on either
// side, if the rule states no level.
const Alpha = 0.025

func (w *Watch) alpha() float64 {
	if w.rule.Level > 0 {
		return w.rule.Level / 2
	}
	return Alpha
}

// Outcome returns the decision if the verdicts so far settle it, else Open.
func (w *Watch) Outcome() Outcome {
	l, _, correlation := w.sofar()
	lose, keep := w.bounds(l, correlation)
	switch goal := -math.Log(w.alpha()); {
	case w.down.stake(lose) >= goal:
		return Fail
	case w.up.stake(keep) >= goal:
		return Pass
	}
	return Open
}

// An Estimate estimates the full set from the verdicts so far.
type Estimate struct {
	// Difference is the expected difference to the baseline over the full set,
	// with the interval that holds at all looks together.
	Difference, Low, High float64
	// Lose is the difference below which the rule is broken, and Keep that
	// above which it is kept.
	Lose, Keep float64
	// Error is the standard error that the full set's difference will have.
	Error float64
}

// Estimate extrapolates to the full set.
func (w *Watch) Estimate() Estimate {
	l, difference, correlation := w.sofar()
	goal := -math.Log(w.alpha())
	e := Estimate{Low: w.up.limit(goal, -1, 1), High: w.down.limit(goal, 1, -1), Error: l.error(correlation)}
	e.Lose, e.Keep = w.bounds(l, correlation)
	e.Difference = max(e.Low, min(e.High, difference))
	return e
}

// bounds returns the difference below which the rule is broken and that above
// which it is kept. What all cases would show to be significant is an estimate,
// from which both keep a distance. A version that is worse by the rule's points
// reaches the bound above in at most 20% of datasets like this one.
func (w *Watch) bounds(l learnt, correlation float64) (lose, keep float64) {
	if w.rule.Level == 0 {
		return -w.rule.Points, -w.rule.Points
	}
	significant := stat.Quantile(w.rule.Level) * l.error(correlation)
	doubt := 0.5 / math.Sqrt(l.changes+1)
	return -significant * (1 + doubt), -max(w.rule.Points-stat.Power80*l.error(correlation), significant*(1-doubt))
}
