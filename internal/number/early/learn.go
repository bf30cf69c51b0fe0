package early

import (
	"cmp"
	"math"
	"slices"
)

// A stratum is the cases of a category that the baseline had right, or those
// that it had wrong.
type stratum struct {
	right  bool
	weight float64 // of all its cases
	square float64 // the sum of their square weights
	// low is the most that a case can lose, below 0, and high the most that it
	// can gain.
	low, high float64
	// left is the weight of the cases not seen, n the number of those seen, and
	// change the sum of their distances to the baseline.
	left, n, change float64
	// often is how far a case is from the baseline on average, and mean its
	// predicted difference.
	often, mean float64
}

// worst is the outcome of a case that goes most against a bet.
func (s *stratum) worst(sign float64) float64 {
	if sign > 0 {
		return s.low
	}
	return s.high
}

func (s *stratum) see(weight, came float64) {
	s.left -= weight
	s.n++
	s.change += math.Abs(came)
}

// A pair says how much two strata share clusters: the sum of the products of
// the weights of two of their cases in one cluster.
type pair struct {
	a, b    int
	product float64
}

func (w *Watch) stratify() {
	type name struct {
		category string
		right    bool
	}
	at, clusters := map[name]int{}, map[string]map[int]float64{}
	for i, c := range w.cases {
		key := name{c.Category, c.Base >= 0.5}
		k, known := at[key]
		if !known {
			k = len(w.strata)
			at[key], w.strata = k, append(w.strata, stratum{right: key.right})
		}
		w.of[i] = k
		s := &w.strata[k]
		s.weight += c.Weight
		s.square += c.Weight * c.Weight
		s.low, s.high = min(s.low, -c.Base), max(s.high, 1-c.Base)
		if clusters[c.Cluster] == nil {
			clusters[c.Cluster] = map[int]float64{}
		}
		clusters[c.Cluster][k] += c.Weight
	}
	sums := map[[2]int]float64{}
	for _, parts := range clusters {
		for a, x := range parts {
			for b, y := range parts {
				sums[[2]int{a, b}] += x * y
			}
		}
	}
	for key, sum := range sums {
		if key[0] == key[1] {
			sum -= w.strata[key[0]].square
		}
		w.pairs = append(w.pairs, pair{key[0], key[1], sum})
	}
	slices.SortFunc(w.pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
}

// What is believed before a case is seen: that one in twenty verdicts changes,
// which counts as much as ten cases; that a stratum is like the others with the
// same verdict of the baseline, which counts as much as four of its own; and
// that changes within a cluster correlate as between recorded models, which
// counts as much as thirty changes.
const (
	someChange, asCases = 0.5, 10
	likeOthers          = 4
	together, asChanges = 0.26, 30
)

// A learnt is what the cases so far say about the others.
type learnt struct {
	predicted float64 // the sum of the predictions over the cases left
	variance  float64 // of the next case around its prediction
	widest    float64 // the most by which a case can come out against a bet
	// apart and shared are the parts of the variance that the full set's
	// difference will have, from each case alone and, if cases of a cluster
	// always change alike, from two of a cluster.
	apart, shared float64
	changes       float64
}

// error is the standard error that the full set's difference will have.
func (l learnt) error(correlation float64) float64 {
	return math.Sqrt(l.apart + correlation*l.shared)
}

func (w *Watch) learn(sign float64) (l learnt) {
	pool := w.pools(1)
	left := 0.0
	for k := range w.strata {
		s := &w.strata[k]
		s.often = (s.change + likeOthers*pool[s.right]) / (s.n + likeOthers)
		if s.mean = s.often; s.right {
			s.mean = -s.often
		}
		left += s.left
		l.changes += s.change
		l.predicted += s.left * s.mean
		l.variance += s.left * s.often * max(0.05, 1-s.often)
		if s.left > 0 {
			l.widest = max(l.widest, math.Abs(s.worst(sign)-s.mean))
		}
		l.apart += s.square * s.often
	}
	l.variance /= max(left, 1e-12)
	for _, p := range w.pairs {
		l.shared += p.product * math.Sqrt(w.strata[p.a].often*w.strata[p.b].often)
	}
	return l
}

// pools returns how often verdicts changed, by the baseline's verdict, with a
// share of what is believed before.
func (w *Watch) pools(believed float64) map[bool]float64 {
	changed := map[bool]float64{true: believed * someChange, false: believed * someChange}
	n := map[bool]float64{true: believed*asCases + 1e-9, false: believed*asCases/2 + 1e-9}
	for _, s := range w.strata {
		changed[s.right] += s.change
		n[s.right] += s.n
	}
	return map[bool]float64{true: changed[true] / n[true], false: changed[false] / n[false]}
}

// begin forgets all cases.
func (w *Watch) begin() {
	for k := range w.strata {
		s := &w.strata[k]
		s.left, s.n, s.change = s.weight, 0, 0
	}
}

// sofar is what the verdicts so far say, the extrapolated difference, and how
// much changes within a cluster correlate.
func (w *Watch) sofar() (l learnt, difference, correlation float64) {
	w.begin()
	for _, i := range w.order[:w.asked] {
		if came := w.values[i] - w.cases[i].Base; !math.IsNaN(came) {
			w.strata[w.of[i]].see(w.cases[i].Weight, came)
			difference += w.cases[i].Weight * came
		}
	}
	pool := w.pools(0)
	for _, s := range w.strata {
		often := (s.change + likeOthers*pool[s.right]) / (s.n + likeOthers)
		if s.right {
			often = -often
		}
		difference += s.left * often
	}
	l = w.learn(1)
	return l, difference, w.correlation(l.changes)
}

// correlation estimates how much changes within a cluster correlate.
func (w *Watch) correlation(changes float64) float64 {
	type sums struct{ came, cames, often, oftens float64 }
	by := map[string]*sums{}
	var keys []string
	for _, i := range w.order[:w.asked] {
		c := w.cases[i]
		came, often := c.Weight*(w.values[i]-c.Base), c.Weight*math.Sqrt(w.strata[w.of[i]].often)
		if math.IsNaN(came) {
			continue
		}
		if by[c.Cluster] == nil {
			by[c.Cluster] = &sums{}
			keys = append(keys, c.Cluster)
		}
		s := by[c.Cluster]
		s.came, s.cames, s.often, s.oftens = s.came+came, s.cames+came*came, s.often+often, s.oftens+often*often
	}
	var products, most, each float64
	for _, key := range keys {
		s := by[key]
		products += s.came*s.came - s.cames
		most += s.often*s.often - s.oftens
		each += s.oftens
	}
	believed := asChanges * each / max(1, changes)
	return max(0, min(1, (products+together*believed)/max(most+believed, 1e-300)))
}
