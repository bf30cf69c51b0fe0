package stat

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// A Stratum is a part of a weighted mean, such as a category of an overall.
type Stratum struct {
	// Weight is how much the stratum's mean counts. The weights of a mean add
	// up to 1.
	Weight float64
	// Known is the share of a finite stratum that the values are, if its own
	// mean is estimated; 0 if they stand for any number of others.
	Known float64
	// Blocks are the stratum's values by unit. Blocks of several strata with the
	// same key are one unit; blocks with an empty key are always different.
	Blocks []Block
	// Unit is what a unit is; "" for a case.
	Unit string
	// Alone is the number of values in no block, each a unit of its own:
	// Right of them are 1, the others 0.
	Alone, Right int
}

// A Composite says what strata tell about their weighted mean, expressed as the
// number of equally weighted, independent values that would scatter as much.
// For one stratum of independent values that is the stratum itself.
type Composite struct {
	// Mean is the weighted mean.
	Mean float64
	// N is the number of values, in K units of all Strata.
	N, K, Strata int
	// Unit is what a unit is; "unit" if the strata have several kinds.
	Unit string
	// Size is the effective number of values (Kish's): the number of equally
	// weighted values whose mean would be as certain if all values scattered
	// the same.
	Size float64
	// Square is the mean squared distance of a value to its stratum's mean,
	// each counted by its squared weight.
	Square float64
	// Effect is the design effect: the factor by which units increase the
	// variance of independent values; at least 1. Most is what it would be if
	// all values of a unit were equal.
	Effect, Most float64
	// Freedom is that of the variance, by Satterthwaite (1946) over the parts
	// that share no unit; infinite for one stratum of independent values.
	Freedom float64

	// even is the effect if a unit's values are as alike as is believed.
	even float64
}

// pseudo is how many values a stratum borrows from the whole: its mean is
// shrunk towards the composite's by as many. A few values of a stratum say
// little about their own scatter, and a single one nothing.
const pseudo = 2

// believed is how alike the values of a unit are if nothing else is known, and
// caseUnit the unit whose values are trials.
const (
	believed = 0.3
	caseUnit = "case"
)

// Compose combines strata. Strata without values do not count.
func Compose(strata []Stratum) Composite {
	c, blocks := composer{}, 0
	for _, s := range strata {
		n, sum := s.Alone, float64(s.Right)
		blocks += len(s.Blocks)
		for _, b := range s.Blocks {
			n += b.N
			sum += b.Sum
		}
		if n > 0 {
			c.strata = append(c.strata, stratum{Stratum: s, n: float64(n), mean: sum / float64(n)})
			c.weight += s.Weight
			c.N += n
		}
	}
	if c.N == 0 || !(c.weight > 0) {
		return Composite{}
	}
	c.at, c.units = make(map[string]int, blocks), make([]unit, 0, blocks+2*len(c.strata))
	for i := range c.strata {
		c.strata[i].share = c.strata[i].Weight / c.weight
		c.Mean += float64(c.strata[i].share * c.strata[i].mean)
	}
	for i := range c.strata {
		c.root = append(c.root, i)
		c.add(i)
		switch unit := cmp.Or(c.strata[i].Unit, caseUnit); c.Unit {
		case "", unit:
			c.Unit = unit
		default:
			c.Unit = "unit"
		}
	}
	c.conclude()
	return c.Composite
}

type stratum struct {
	Stratum
	n, mean, share float64
}

type composer struct {
	Composite
	strata []stratum
	weight float64
	at     map[string]int // of units, by key
	units  []unit
	root   []int // of each stratum, one that it shares units with
	// weights and squares are sums over values, of their squared weights and
	// squared weighted distances.
	weights, squares float64
	several          bool // some unit has several values
}

// A unit holds the sums of its values' weights and weighted distances, and of
// the squares of both; times is how many such units there are.
type unit struct {
	weight, distance, squares, values float64
	n, times, stratum                 int
}

// add adds a stratum's distances from its shrunk mean, scaled up for the
// degrees of freedom that estimating the mean used: those of values, or of
// units.
func (c *composer) add(at int) {
	s := &c.strata[at]
	own := (1 - s.share) * s.n / (s.n + pseudo)
	mean := c.Mean + float64(own*(s.mean-c.Mean))
	blocks := s.Alone
	for _, b := range s.Blocks {
		blocks += min(b.N, 1)
	}
	used := float64(own * (2 - own))
	scale, apart := 1/math.Sqrt(1-used/s.n), 1/math.Sqrt(1-used/float64(blocks))
	value := s.share / s.n * math.Sqrt(1-min(s.Known, 1)) // known values do not scatter
	for _, b := range s.Blocks {
		if b.N == 0 {
			continue
		}
		n := float64(b.N)
		squares := float64(square(value*scale) * max(0, b.Squares-float64(2*mean*b.Sum)+float64(n*square(mean))))
		c.weights += float64(n * square(value))
		c.squares += squares
		g := c.unit(b.Key, at)
		g.n += b.N
		g.weight += float64(n * value)
		g.distance += float64(value * apart * (b.Sum - float64(n*mean)))
		g.squares += squares
		g.values += float64(n * square(value))
		c.several = c.several || g.n > 1
	}
	for _, alike := range [...]struct {
		value float64
		times int
	}{{1, s.Right}, {0, s.Alone - s.Right}} {
		if alike.times > 0 {
			n, distance := float64(alike.times), float64(value*(alike.value-mean))
			c.weights += float64(n * square(value))
			c.squares += float64(n * square(scale*distance))
			c.units = append(c.units, unit{weight: value, distance: apart * distance, squares: square(scale * distance), values: square(value), times: alike.times, stratum: at})
		}
	}
}

// unit returns the unit with a key, or a new one if the key is empty. Strata
// with a unit in common are one part.
func (c *composer) unit(key string, stratum int) *unit {
	k, known := c.at[key]
	if !known || key == "" {
		k = len(c.units)
		c.units = append(c.units, unit{times: 1, stratum: stratum})
		if key != "" {
			c.at[key] = k
		}
	}
	if a, b := c.part(c.units[k].stratum), c.part(stratum); a != b {
		c.root[b] = a
	}
	return &c.units[k]
}

// part returns the stratum that a part goes by.
func (c *composer) part(stratum int) int {
	for c.root[stratum] != stratum {
		stratum = c.root[stratum]
	}
	return stratum
}

func (c *composer) conclude() {
	type sums struct{ k, sum, weights, values, distances, squares float64 }
	parts, weights := map[int]*sums{}, 0.0
	for _, g := range c.units {
		p := parts[c.part(g.stratum)]
		if p == nil {
			p = &sums{}
			parts[c.part(g.stratum)] = p
		}
		n := float64(g.times)
		p.k += n
		p.sum += float64(n * g.weight)
		p.weights += float64(n * square(g.weight))
		p.values += float64(n * g.values)
		p.distances += float64(n * square(g.distance))
		p.squares += float64(n * g.squares)
		weights += float64(n * square(g.weight))
		c.K += g.times
	}
	c.Strata = len(c.strata)
	c.Size = 1 / c.weights // infinite where all is known
	c.Square = c.squares * c.Size
	c.Effect, c.Most, c.Freedom = 1, max(1, weights/c.weights), math.Inf(1)
	c.even = 1 + float64(believed*(c.Most-1))
	if !c.several && c.Strata == 1 {
		return
	}
	// Two units are added, because few units say little about how alike a unit's
	// values are: one all right and one all wrong if units are cases with trials,
	// so that cases are the sample if nothing varied; otherwise two that scatter
	// as the whole does, with values as alike as is believed.
	spread, together := square(1-math.Abs(c.Mean))+square(c.Mean), 1.0
	if c.Unit != caseUnit {
		n := float64(c.N)
		spread, together = 2*(float64(n*c.Square)+spread)/(n+2), believed
	}
	var variance, scatter, independent float64
	for _, at := range slices.Sorted(maps.Keys(parts)) { // sums must not depend on a map's order
		p := parts[at]
		v := max(p.distances, p.squares) + float64(spread/p.k*(p.values+float64(together*(p.weights-p.values))))
		independent += p.squares + float64(spread/p.k*p.values)
		variance += v
		scatter += square(v) / max(1, square(p.sum)/p.weights-1) // as many units of one size
	}
	c.Freedom = square(variance) / scatter
	if c.several {
		c.Effect = max(1, variance/independent)
	}
}

// effective returns the number of independent values for a quantile z. The
// effect is uncertain with few units, and the scatter with few values of
// several strata: Student's quantile accounts for it. In one stratum the effect
// is at most Most: units with all values equal are the sample.
func (c Composite) effective(z float64) float64 {
	if math.IsInf(c.Freedom, 1) || !(z > 0) {
		return c.Size / c.Effect
	}
	uncertain := square(Student(z, c.Freedom) / z)
	if c.Strata == 1 {
		return c.Size / min(c.Effect*uncertain, c.Most)
	}
	return c.Size / (c.Effect * uncertain)
}

// Share returns the score interval of a mean of values between 0 and 1. For one
// stratum of independent verdicts it is Wilson's, except near 0 and 1: see
// exactly.
func (c Composite) Share(z float64) Estimate {
	switch {
	case c.N == 0:
		return Estimate{High: 1}
	case math.IsInf(c.Size, 1):
		return c.of(Estimate{Value: c.Mean, Low: c.Mean, High: c.Mean})
	}
	borrowed := z * z / 2
	total := c.Size + z*z
	centre := (float64(c.Size*c.Mean) + borrowed) / total
	scatter := (float64(c.Size*(c.Square+square(c.Mean-centre))) + float64(borrowed*(square(1-centre)+square(centre)))) / total
	n := c.effective(z) * centre * (1 - centre) / scatter
	return c.of(exactly(wilson(c.Mean*n, n, z), n, z))
}

// exactly widens a score interval to where an exact one-sided test still
// accepts at 0.7 of its level: at 95% no more than 3.5% is beyond either limit,
// so the interval covers at least 93% whatever the truth; Wilson's covers only
// 85% for 16 cases and a share of 99%. If a dozen cases are right and a dozen
// wrong, it changes almost nothing. Brown, Cai and DasGupta (2001, section
// 4.1.1) do the same for few right cases, with Poisson's distribution instead
// of the binomial.
func exactly(i Estimate, n, z float64) Estimate {
	const part = 0.7
	level := part * TwoSided(z)
	i.Low = min(i.Low, least(i.Value*n, n, level))
	i.High = max(i.High, 1-least((1-i.Value)*n, n, level))
	return i
}

// least returns the share at which so many right or more have a given
// probability (Clopper and Pearson 1934).
func least(right, n, level float64) float64 {
	if !(right > 0) {
		return 0
	}
	return mathext.InvRegIncBeta(right, max(0, n-right)+1, level)
}

// Difference returns the interval of a mean of paired differences, each between
// -1 and 1: Bonett and Price's adjusted interval (2012), which adds one pair in
// favour of each side, once for the whole. For one stratum of pairs of verdicts
// without units of several it is exactly theirs.
func (c Composite) Difference(z float64) Estimate {
	switch {
	case c.N == 0:
		return Estimate{Low: -1, High: 1}
	case math.IsInf(c.Size, 1):
		return c.of(Estimate{Value: c.Mean, Low: c.Mean, High: c.Mean})
	}
	return c.difference(z, c.effective(z))
}

// difference is Difference with the effective number of values.
func (c Composite) difference(z, n float64) Estimate {
	pairs := 2 * c.Size / float64(c.N)
	centre := c.Mean * n / (n + pairs)
	variance := max(0, (float64(n*(c.Square+square(c.Mean)))+pairs)/(n+pairs)-square(centre)) / (n + pairs)
	half := z * math.Sqrt(variance)
	return c.of(Estimate{Value: c.Mean, Low: min(max(centre-half, -1), c.Mean), High: max(min(centre+half, 1), c.Mean)})
}

// Even returns the composite if it were known that a unit's values are as alike
// as is believed, however few the units, and whatever happened in them.
func (c Composite) Even() Composite {
	c.Effect, c.Freedom = c.even, math.Inf(1)
	return c
}

// Finds returns the smallest true loss that the interval of a two-sided level
// tells from none in 80% of samples like this one; 1 if it tells none. Values
// scatter as they do here, and at least as such a loss makes them.
func (c Composite) Finds(level float64) float64 {
	if c.N == 0 {
		return 1
	}
	z, moment := Quantile(level), c.Square+square(c.Mean)
	n := c.effective(z)
	found := func(loss float64) bool {
		after := c
		second := max(moment, loss)
		spread := math.Sqrt(max(0, second-square(loss)) * c.Effect / c.Size)
		after.Mean = float64(Power80*spread) - loss
		after.Square = max(0, second-square(after.Mean))
		return after.Mean < 0 && after.difference(z, n).High < 0
	}
	const steps = 20
	return fewest(0, 1, steps, found)
}

// Needs returns how many units like these, about, would do: the fewest for which
// done is true; 0 if Most would not do.
func (c Composite) Needs(done func(c Composite) bool) int {
	like := func(units int) Composite {
		times, more := float64(units)/float64(c.K), c
		more.K, more.N, more.Size, more.Freedom = units, int(times*float64(c.N)), times*c.Size, times*c.Freedom
		return more
	}
	if c.K == 0 || !done(like(Most)) {
		return 0
	}
	return c.K + sort.Search(Most-c.K, func(i int) bool { return done(like(c.K + i)) })
}

// of states what an estimate stands on.
func (c Composite) of(e Estimate) Estimate {
	e.Value, e.N, e.Unit = c.Mean, c.K, c.Unit
	return e
}

// Tested returns the difference's 95% interval with its p value.
func (c Composite) Tested() Estimate {
	e := c.Difference(Z95)
	if e.P = Level(c.Difference); math.Abs(e.Value) < 1e-12 {
		e.Value, e.P = 0, 1
	}
	e.Adjusted = e.P
	return e
}
