package stat

import (
	"math"

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
	// Blocks are the stratum's values by cluster. Blocks of several strata with
	// the same key are one cluster; blocks with an empty key are always
	// different.
	Blocks []Block
	// Alone is the number of values in no block, each a cluster of its own:
	// Right of them are 1, the others 0.
	Alone, Right int
}

// A Composite says what strata tell about their weighted mean, expressed as the
// number of equally weighted, independent values that would scatter as much.
// For one stratum of independent values that is the stratum itself.
type Composite struct {
	// Mean is the weighted mean.
	Mean float64
	// N is the number of values, in K clusters of all Strata.
	N, K, Strata int
	// Size is the effective number of values (Kish's): the number of equally
	// weighted values whose mean would be as certain if all values scattered
	// the same.
	Size float64
	// Square is the mean squared distance of a value to its stratum's mean,
	// each counted by its squared weight.
	Square float64
	// Effect is the design effect: the factor by which clusters increase the
	// variance of independent values; at least 1. Most is what it would be if
	// all values of a cluster were equal.
	Effect, Most float64
	// Freedom is one less than the effective number of clusters; infinite for
	// one stratum of independent values.
	Freedom float64
}

// pseudo is how many values a stratum borrows from the whole: its mean is
// shrunk towards the composite's by as many. A few values of a stratum say
// little about their own scatter, and a single one nothing.
const pseudo = 2

// Compose combines strata. Strata without values do not count.
func Compose(strata []Stratum) Composite {
	c := composer{at: map[string]int{}}
	for _, s := range strata {
		n, sum := s.Alone, float64(s.Right)
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
	for i := range c.strata {
		c.strata[i].share = c.strata[i].Weight / c.weight
		c.Mean += float64(c.strata[i].share * c.strata[i].mean)
	}
	for i := range c.strata {
		c.add(&c.strata[i])
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
	// clusters by key, and the sums over values of their squared weights and
	// squared weighted distances.
	at               map[string]int
	clusters         []cluster
	k                int // clusters, equal ones counted each
	weights, squares float64
	several          bool // some cluster has several values
}

// A cluster holds the sums of weights and of weighted distances of a cluster;
// times is how many such clusters there are.
type cluster struct {
	weight, distance float64
	n, times         int
}

// add adds a stratum's distances from its shrunk mean, scaled up for the
// degrees of freedom that estimating the mean used.
func (c *composer) add(s *stratum) {
	own := (1 - s.share) * s.n / (s.n + pseudo)
	mean := c.Mean + float64(own*(s.mean-c.Mean))
	scale := 1 / math.Sqrt(1-float64(own*(2-own))/s.n)
	value := s.share / s.n * math.Sqrt(1-min(s.Known, 1)) // known values do not scatter
	for _, b := range s.Blocks {
		if b.N == 0 {
			continue
		}
		n := float64(b.N)
		c.weights += float64(n * square(value))
		c.squares += float64(square(value*scale) * max(0, b.Squares-float64(2*mean*b.Sum)+float64(n*square(mean))))
		g := c.cluster(b.Key)
		g.n += b.N
		g.weight += float64(n * value)
		g.distance += float64(value * scale * (b.Sum - float64(n*mean)))
		c.several = c.several || g.n > 1
	}
	for _, alike := range [...]struct {
		value float64
		times int
	}{{1, s.Right}, {0, s.Alone - s.Right}} {
		if alike.times > 0 {
			n, distance := float64(alike.times), alike.value-mean
			c.weights += float64(n * square(value))
			c.squares += float64(n * square(value*scale*distance))
			c.k += alike.times
			c.clusters = append(c.clusters, cluster{weight: value, distance: float64(value * scale * distance), times: alike.times})
		}
	}
}

// cluster returns the cluster with a key, or a new one if the key is empty.
func (c *composer) cluster(key string) *cluster {
	k, known := c.at[key]
	if !known || key == "" {
		k = len(c.clusters)
		c.k++
		c.clusters = append(c.clusters, cluster{times: 1})
	}
	if key != "" {
		c.at[key] = k
	}
	return &c.clusters[k]
}

func (c *composer) conclude() {
	var weights, distances, sum float64
	for _, g := range c.clusters {
		n := float64(g.times)
		sum += float64(n * g.weight)
		weights += float64(n * square(g.weight))
		distances += float64(n * square(g.distance))
	}
	c.K, c.Strata = c.k, len(c.strata)
	c.Size = 1 / c.weights // infinite where all is known
	c.Square = c.squares * c.Size
	c.Effect, c.Most, c.Freedom = 1, max(1, weights/c.weights), math.Inf(1)
	if c.several || c.Strata > 1 {
		c.Freedom = square(sum)/weights - 1
	}
	if c.several {
		// One cluster that is all right and one that is all wrong are added: if
		// nothing varied, the clusters are the sample.
		spread := (square(1-math.Abs(c.Mean)) + square(c.Mean)) / float64(c.K)
		c.Effect = max(1, (distances+float64(spread*weights))/(c.squares+float64(spread*c.weights)))
	}
}

// effective returns the number of independent values for a quantile z. The
// effect is uncertain with few clusters, and the scatter with few values of
// several strata: Student's quantile accounts for it. In one stratum the effect
// is at most Most: clusters with all values equal are the sample.
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
func (c Composite) Share(z float64) Interval {
	switch {
	case c.N == 0:
		return Interval{High: 1}
	case math.IsInf(c.Size, 1):
		return Interval{Estimate: c.Mean, Low: c.Mean, High: c.Mean}
	}
	borrowed := z * z / 2
	total := c.Size + z*z
	centre := (float64(c.Size*c.Mean) + borrowed) / total
	scatter := (float64(c.Size*(c.Square+square(c.Mean-centre))) + float64(borrowed*(square(1-centre)+square(centre)))) / total
	n := c.effective(z) * centre * (1 - centre) / scatter
	return exactly(wilson(c.Mean*n, n, z), n, z)
}

// exactly widens a score interval to where an exact one-sided test still
// accepts at 0.7 of its level: at 95% no more than 3.5% is beyond either limit,
// so the interval covers at least 93% whatever the truth; Wilson's covers only
// 85% for 16 cases and a share of 99%. If a dozen cases are right and a dozen
// wrong, it changes almost nothing. Brown, Cai and DasGupta (2001, section
// 4.1.1) do the same for few right cases, with Poisson's distribution instead
// of the binomial.
func exactly(i Interval, n, z float64) Interval {
	const part = 0.7
	level := part * TwoSided(z)
	i.Low = min(i.Low, least(i.Estimate*n, n, level))
	i.High = max(i.High, 1-least((1-i.Estimate)*n, n, level))
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
// without clusters it is exactly theirs.
func (c Composite) Difference(z float64) Interval {
	switch {
	case c.N == 0:
		return Interval{Low: -1, High: 1}
	case math.IsInf(c.Size, 1):
		return Interval{Estimate: c.Mean, Low: c.Mean, High: c.Mean}
	}
	n := c.effective(z)
	pairs := 2 * c.Size / float64(c.N)
	centre := c.Mean * n / (n + pairs)
	variance := max(0, (float64(n*(c.Square+square(c.Mean)))+pairs)/(n+pairs)-square(centre)) / (n + pairs)
	half := z * math.Sqrt(variance)
	return Interval{
		Estimate: c.Mean,
		Low:      min(max(centre-half, -1), c.Mean),
		High:     max(min(centre+half, 1), c.Mean),
	}
}
