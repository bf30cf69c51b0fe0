// Package early predicts, before the last case is asked, what a gate will
// decide over all cases. The run is compared with a baseline whose verdicts are
// all known, so only the cases not asked yet are left to chance.
//
//	Order   the cases of a run in the order to ask them
//	Watch   the verdicts so far, and whether they settle the decision
//	Exact   the same with a guarantee for any number of cases
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
	// rule. Otherwise a loss of more than Points, a share, breaks it.
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

// Looks is how often a run may be looked at. Limit is the normal quantile at
// which twenty looks together err as often as one look at the full set does at
// 1.96; pairs of recorded models confirm it, see docs/statistics.md. The first
// look is skipped: a twentieth of the cases says too little about a category.
const (
	Looks = 20
	First = 2
	Limit = 2.28
)

// A Watcher follows a run: it is given the verdicts, in any order, and the
// number of cases asked.
type Watcher interface {
	See(i int, value float64)
	Ask(n int)
	Outcome() Outcome
	Estimate() Estimate
}

// A stratum is the cases of a category that the baseline had right, or those
// that it had wrong.
type stratum struct {
	right  bool
	cases  []int
	weight float64 // of all its cases
	square float64 // the sum of their square weights
	// changed of seen cases have a verdict that differs from the baseline's.
	seen    int
	changed float64
}

// A Watch is a Watcher that extrapolates from the verdicts so far.
type Watch struct {
	rule   Rule
	limit  float64
	cases  []Case
	strata []*stratum
	of     []*stratum // by case
	values []float64  // NaN if not seen
	seen   int
}

// New returns a Watch of a run of the given cases.
func New(cases []Case, rule Rule) *Watch {
	w := &Watch{rule: rule, limit: Limit, cases: cases, of: make([]*stratum, len(cases)), values: make([]float64, len(cases))}
	for i := range w.values {
		w.values[i] = math.NaN()
	}
	w.strata = stratify(cases)
	for _, s := range w.strata {
		for _, i := range s.cases {
			w.of[i] = s
		}
	}
	return w
}

func stratify(cases []Case) []*stratum {
	type name struct {
		category string
		right    bool
	}
	at := map[name]*stratum{}
	var out []*stratum
	for i, c := range cases {
		key := name{c.Category, c.Base >= 0.5}
		s := at[key]
		if s == nil {
			s = &stratum{right: key.right}
			at[key], out = s, append(out, s)
		}
		s.cases = append(s.cases, i)
		s.weight += c.Weight
		s.square += c.Weight * c.Weight
	}
	return out
}

// See records the share of right trials of a case.
func (w *Watch) See(i int, value float64) {
	if !math.IsNaN(w.values[i]) {
		return
	}
	w.values[i] = value
	w.seen++
	w.of[i].seen++
	w.of[i].changed += math.Abs(value - w.cases[i].Base)
}

// Seen returns the number of cases seen.
func (w *Watch) Seen() int { return w.seen }

// An Estimate estimates the full set from the verdicts so far.
type Estimate struct {
	// Difference is the expected difference to the baseline over the full set,
	// with its interval.
	Difference, Low, High float64
	// Bound is the difference below which the rule is broken.
	Bound float64
	// Error is the standard error that the full set's difference will have.
	Error float64
}

// borrowed is how many cases a stratum borrows from all cases with the same
// baseline verdict, because few cases say little about how often verdicts
// change.
const borrowed = 2

// Estimate extrapolates to the full set.
func (w *Watch) Estimate() Estimate {
	var e Estimate
	var variance float64
	pool := w.pools()
	for _, s := range w.strata {
		p := pool[s.right]
		n, all := float64(s.seen), float64(len(s.cases))
		mean := p
		if s.seen > 0 {
			mean = s.changed / n
		}
		likely := (s.changed + borrowed*p + 0.5) / (n + borrowed + 1) // shrunk towards a half, so that nothing is certain
		scatter := likely * (1 - likely)
		left := (all - n) / all
		if s.right {
			mean = -mean
		}
		e.Difference += s.weight * mean
		variance += s.weight * s.weight * scatter * left / max(n, 0.5)
	}
	e.Error, e.Bound = w.full(pool)
	half := w.limit * math.Sqrt(variance)
	e.Low, e.High = max(-1, e.Difference-half), min(1, e.Difference+half)
	return e
}

// pools returns how often verdicts changed, by the baseline's verdict.
func (w *Watch) pools() map[bool]float64 {
	changed, n := map[bool]float64{true: 0.5, false: 0.5}, map[bool]float64{true: 5, false: 2}
	for _, s := range w.strata {
		changed[s.right] += s.changed
		n[s.right] += float64(s.seen)
	}
	return map[bool]float64{true: changed[true] / n[true], false: changed[false] / n[false]}
}

// full returns the standard error that the full set's difference will have, and
// the difference that breaks the rule there.
func (w *Watch) full(pool map[bool]float64) (standardError, bound float64) {
	var squares float64
	byCategory := map[string][2]float64{} // weight, difference
	for _, s := range w.strata {
		likely := (s.changed + borrowed*pool[s.right]) / (float64(s.seen) + borrowed)
		squares += s.square * likely
		c := byCategory[w.cases[s.cases[0]].Category]
		c[0] += s.weight
		if s.right {
			likely = -likely
		}
		c[1] += s.weight * likely
		byCategory[w.cases[s.cases[0]].Category] = c
	}
	standardError = math.Sqrt(squares * w.effect())
	if w.rule.Level > 0 {
		return standardError, -stat.Quantile(w.rule.Level) * standardError
	}
	return standardError, -w.rule.Points
}

// effect returns the design effect of the cases seen.
func (w *Watch) effect() float64 {
	at := map[string]int{}
	strata := map[string]*stat.Stratum{}
	var order []string
	for i, v := range w.values {
		if math.IsNaN(v) {
			continue
		}
		c := w.cases[i]
		s := strata[c.Category]
		if s == nil {
			s = &stat.Stratum{}
			strata[c.Category], order = s, append(order, c.Category)
		}
		s.Weight += c.Weight
		key := c.Category + "\x00" + c.Cluster
		k, known := at[key]
		if !known {
			k = len(s.Blocks)
			at[key], s.Blocks = k, append(s.Blocks, stat.Block{Key: c.Cluster})
		}
		s.Blocks[k].Add(v - c.Base)
	}
	list := make([]stat.Stratum, len(order))
	for i, name := range order {
		list[i] = *strata[name]
	}
	return max(1, stat.Compose(list).Effect)
}

// Outcome returns the decision if the verdicts so far settle it, else Open.
func (w *Watch) Outcome() Outcome {
	e := w.Estimate()
	switch {
	case e.High < e.Bound:
		return Fail
	case e.Low > e.Bound:
		return Pass
	}
	return Open
}

// Ask does nothing: a Watch extrapolates from the verdicts it has.
func (w *Watch) Ask(int) {}
