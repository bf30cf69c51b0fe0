package early

import "math"

// A game is a series of bets on the cases asked. Cases are drawn at random, so
// the next case's expected difference follows from the full set's, D: what D
// leaves to the cases not asked, divided by their weight. Each bet multiplies a
// stake by 1 + share * (came - expected), which is 1 on average if D is true;
// so the stake against the true D reaches 1/alpha in at most alpha of games,
// however long they are (Ville 1939). What came is reduced by what was
// predicted, whose sum over all cases is known, so that only surprises vary: a
// betting confidence sequence for sampling without replacement (Waudby-Smith
// and Ramdas 2024).
type game struct {
	steps []bet
	sign  float64 // 1 if it bets on more, -1 on less
	reach float64 // the least, or the most, that the full set can have
}

// A bet is on one case. known is the difference seen and predicted, and left
// the weight of the cases that are not.
type bet struct{ share, came, known, left float64 }

// stake is the logarithm of the stake against a difference.
func (g game) stake(difference float64) float64 {
	if g.sign*(g.reach-difference) > 1e-9 {
		return math.Inf(1) // it can no longer be reached, by more than rounding
	}
	sum := 0.0
	for _, b := range g.steps {
		gain := b.share * g.sign * (b.came - (difference-b.known)/b.left)
		sum += math.Log1p(max(gain, -1)) // no more than all can be lost
	}
	return sum
}

// limit returns the last difference that is not excluded.
func (g game) limit(goal, beyond, within float64) float64 {
	const halvings = 30
	for range halvings {
		if middle := (beyond + within) / 2; g.stake(middle) >= goal {
			beyond = middle
		} else {
			within = middle
		}
	}
	return within
}

// Of the share under which a stake grows most, a bet is a part, because what
// was learnt is uncertain; most is the share that it may lose.
const (
	part = 0.75
	most = 0.9
)

// game bets on the cases asked. Every share is computed from earlier cases.
func (w *Watch) game(sign float64) game {
	g := game{sign: sign, steps: make([]bet, w.asked)}
	left := 0.0
	for _, s := range w.strata {
		left += s.weight
	}
	w.begin()
	var l learnt
	var target float64
	next := 0
	for t, i := range w.order[:w.asked] {
		if t == next {
			next += 1 + t/10
			l = w.learn(sign)
			if lose, keep := w.bounds(l, together); sign > 0 {
				target = keep
			} else {
				target = lose
			}
		}
		weight, s := w.cases[i].Weight, &w.strata[w.of[i]]
		came := w.values[i] - w.cases[i].Base
		if math.IsNaN(came) {
			came = s.worst(sign)
		}
		known := g.reach + l.predicted
		g.steps[t] = bet{l.share(sign * (known - target) / left), came - s.mean, known, left}
		g.reach += weight * came
		left -= weight
		l.predicted -= weight * s.mean
		s.see(weight, came)
	}
	for _, s := range w.strata {
		g.reach += s.left * s.worst(sign)
	}
	return g
}

// share returns the share of the stake to bet, for each unit by which a case
// comes out better than a target expects, if the cases left are expected to do
// so by a gap (Kelly 1956).
func (l *learnt) share(gap float64) float64 {
	if gap <= 0 {
		return 0
	}
	return min(part*gap/(l.variance+gap*gap), most/max(0.05, l.widest-gap))
}
