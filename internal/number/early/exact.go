package early

import (
	"math"
	"slices"

	"github.com/gobfcl/bfcl/internal/run/sample"
)

// Alpha is the probability that the interval of an Exact misses the full set's
// difference at any look, half of it on either side.
const Alpha = 0.05

// Drawn returns the order to ask cases in for an Exact: each case is drawn from
// those left with a probability proportional to its weight.
func Drawn(cases []Case, seed uint64, id func(i int) string) []int {
	weights := make([]float64, len(cases))
	for i, c := range cases {
		weights[i] = c.Weight
	}
	return sample.Weighted(weights, seed, id)
}

// An Exact follows a run with an interval for the full set's difference that
// holds at all looks together, whatever the verdicts and however few: a betting
// confidence sequence for sampling without replacement (Waudby-Smith and Ramdas
// 2024), here with unequal weights. A bet against a true difference multiplies
// its stake by 40 in at most one of 40 games; a difference is excluded once a
// bet against it has done so.
type Exact struct {
	*Watch
	order []int
	asked int
}

// NewExact returns an Exact of a run whose cases are asked in an order that
// Drawn returned, or the beginning of one.
func NewExact(cases []Case, order []int, rule Rule) *Exact {
	return &Exact{Watch: New(cases, rule), order: order}
}

// Ask records that the first n cases of the order were asked. Cases without a
// verdict are assumed to have the one that goes most against the decision.
func (x *Exact) Ask(n int) { x.asked = n }

// most bounds a bet: a game loses at most nine tenths of its stake.
const most = 0.45

// A game is one side's bets: that the full set's difference is less than some
// value, or that it is more.
type game struct {
	steps []bet
	seen  float64 // what the cases asked add to the difference
	rest  float64 // the most, or the least, that the cases not asked can add
	less  bool
}

// A bet is on one case: a share of the stake for each unit by which the outcome
// is below, or above, the expected one.
type bet struct{ share, came, seen, left float64 }

// game bets on the cases asked. The stakes are computed from the earlier cases
// (the plug-in of section 3.2 of the paper).
func (x *Exact) game(less bool) game {
	g := game{less: less, steps: make([]bet, 0, min(x.asked, len(x.order)))}
	left := 0.0
	for _, i := range x.order {
		left += x.cases[i].Weight
	}
	squares, sum := 0.25, 0.0
	for t, i := range x.order {
		c := x.cases[i]
		if t >= x.asked {
			g.rest += c.Weight * x.reach(i, less)
			continue
		}
		came := x.values[i] - c.Base
		if math.IsNaN(came) {
			came = x.reach(i, less)
		}
		n := float64(t + 1)
		variance := squares / n
		share := min(most, math.Sqrt(2*math.Log(2/Alpha)/(variance*n*math.Log(1+n))))
		g.steps = append(g.steps, bet{share, came, g.seen, left})
		sum += came
		squares += (came - sum/n) * (came - sum/n)
		g.seen += c.Weight * came
		left -= c.Weight
	}
	return g
}

// reach returns the most that a case can add for or against a difference.
func (x *Exact) reach(i int, more bool) float64 {
	if more {
		return 1 - x.cases[i].Base
	}
	return -x.cases[i].Base
}

// excludes reports whether a difference over all cases is excluded, and with it
// all differences beyond it.
func (g game) excludes(difference float64) bool {
	if reach := g.seen + g.rest; g.less == (difference > reach) && difference != reach {
		return true // it can no longer be reached
	}
	stake := 0.0
	for _, b := range g.steps {
		expected := (difference - b.seen) / b.left
		switch {
		case g.less && expected > 1, !g.less && expected < -1:
			return true
		}
		expected = max(-1, min(1, expected))
		gain := b.came - expected
		if g.less {
			gain = -gain
		}
		stake += math.Log1p(b.share * gain)
	}
	return stake >= math.Log(2/Alpha)
}

// limit returns the last difference that is not excluded.
func (g game) limit(beyond, within float64) float64 {
	const halvings = 30
	for range halvings {
		if middle := (beyond + within) / 2; g.excludes(middle) {
			beyond = middle
		} else {
			within = middle
		}
	}
	return within
}

// Outcome returns the decision if the verdicts so far settle it, else Open.
func (x *Exact) Outcome() Outcome {
	bound := -x.rule.Points
	if x.rule.Level > 0 {
		bound = x.Watch.Estimate().Bound
	}
	switch {
	case x.game(true).excludes(bound):
		return Fail
	case x.game(false).excludes(bound):
		return Pass
	}
	return Open
}

// Estimate returns the difference with the exact interval.
func (x *Exact) Estimate() Estimate {
	e := x.Watch.Estimate()
	total := 0.0
	for _, i := range x.order {
		total += x.cases[i].Weight
	}
	e.High = x.game(true).limit(total, -total)
	e.Low = x.game(false).limit(-total, total)
	e.Difference = slices.Max([]float64{e.Low, min(e.High, e.Difference)})
	return e
}
