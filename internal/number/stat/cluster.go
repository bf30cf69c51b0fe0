package stat

import "math"

// A Cluster counts cases that share something, such as a conversation or a
// base question, and so tend to go right or wrong together.
type Cluster struct {
	// Key names what is shared. Clusters of different categories with the
	// same key are one; an empty key is like no other.
	Key string
	// Correct of Total cases are right.
	Correct, Total int
}

// Block is the cluster as a sum of ones and zeros.
func (c Cluster) Block() Block {
	right := float64(c.Correct)
	return Block{Key: c.Key, N: c.Total, Sum: right, Squares: right}
}

// Blocks are the clusters' blocks.
func Blocks(clusters []Cluster) []Block {
	out := make([]Block, len(clusters))
	for i, c := range clusters {
		out[i] = c.Block()
	}
	return out
}

// ClusteredWilson is the score interval of a proportion over clusters (Rao and
// Scott): as many independent cases are assumed as would give the scatter that
// is seen between the clusters, never more than there are cases, and the
// quantile is Student's with as many degrees of freedom as the clusters leave.
// The clusters need not hold all cases; the effect seen in them is taken for
// all. Where each holds one case this is Wilson's interval.
func ClusteredWilson(correct, total int, clusters []Cluster, z float64) Interval {
	s := Summarize(Blocks(clusters))
	effect := s.Effect()
	return wilson(float64(correct)/effect, float64(total)/effect, s.quantile(z))
}

// DesignEffect is how many times the variance of the share of right cases is
// that of as many independent cases; at least 1.
func DesignEffect(clusters []Cluster) float64 { return Summarize(Blocks(clusters)).Effect() }

// A Block is the sum of some values that share something.
type Block struct {
	// Key is as a Cluster's.
	Key string
	// N values were added up, and their squares.
	N            int
	Sum, Squares float64
}

// Add adds a value.
func (b *Block) Add(x float64) {
	b.N++
	b.Sum += x
	b.Squares += float64(x * x)
}

// A Summary is what blocks tell of the values' mean.
type Summary struct {
	// N values stand in K blocks that are not empty.
	N, K int
	// Mean is the values'; 0 where there is none.
	Mean float64
	// SE is the mean's standard error as if all values were independent, and
	// ClusteredSE where only the blocks are (Liang and Zeger 1986; Miller 2024,
	// equation 4), with the factor K/(K-1) for few blocks.
	SE, ClusteredSE float64
}

// Summarize adds blocks up.
func Summarize(blocks []Block) Summary {
	var s Summary
	var sum, squares float64
	for _, b := range blocks {
		if b.N > 0 {
			s.K++
		}
		s.N += b.N
		sum += b.Sum
		squares += b.Squares
	}
	if s.N == 0 {
		return s
	}
	n := float64(s.N)
	s.Mean = sum / n
	s.SE = math.Sqrt(max(0, squares/n-square(s.Mean)) / n)
	if s.K < 2 {
		s.ClusteredSE = s.SE
		return s
	}
	var scatter float64
	for _, b := range blocks {
		scatter += square(b.influence(s))
	}
	k := float64(s.K)
	s.ClusteredSE = math.Sqrt(k / (k - 1) * scatter)
	return s
}

// influence is how much the block moves the mean away from what the others
// make it, to the first order.
func (b Block) influence(s Summary) float64 {
	return (b.Sum - float64(float64(b.N)*s.Mean)) / float64(s.N)
}

// clustered reports whether some block holds several values.
func (s Summary) clustered() bool { return s.K >= 2 && s.K < s.N }

// Effect is the design effect: the ratio of the mean's variance over blocks to
// that of independent values; at least 1.
func (s Summary) Effect() float64 {
	if !s.clustered() || !(s.SE > 0) {
		return 1
	}
	return max(1, square(s.ClusteredSE/s.SE))
}

// quantile is Student's for the probability that z stands for in the standard
// normal, where the values are clustered; else z.
func (s Summary) quantile(z float64) float64 {
	if !s.clustered() {
		return z
	}
	return Student(z, s.K-1)
}

// Mean95 is the interval of the mean: Student's over the blocks, whether they
// hold several values or one. It is for values without bounds, such as
// seconds; fewer than two blocks tell nothing, and the interval is infinite.
func (s Summary) Mean95() Interval {
	if s.K < 2 {
		return Interval{Estimate: s.Mean, Low: math.Inf(-1), High: math.Inf(1)}
	}
	half := Student(Z95, s.K-1) * s.ClusteredSE
	return Interval{Estimate: s.Mean, Low: s.Mean - half, High: s.Mean + half}
}

// Correlation holds the correlations between the means of several parts that
// share clusters: those with the same key. Parts without a common key are taken
// as independent.
func Correlation(parts [][]Block) [][]float64 {
	shares, spread := make([]influences, len(parts)), make([]float64, len(parts))
	for i, blocks := range parts {
		s := Summarize(blocks)
		shares[i].of = make(map[string]float64, len(blocks))
		for _, b := range blocks {
			if s.N == 0 {
				break
			}
			u := b.influence(s)
			spread[i] += square(u)
			shares[i].add(b.Key, u)
		}
	}
	out := make([][]float64, len(parts))
	for i := range parts {
		out[i] = make([]float64, len(parts))
		out[i][i] = 1
		for j := range i {
			out[i][j] = correlate(shares[i], shares[j], spread[i]*spread[j])
			out[j][i] = out[i][j]
		}
	}
	return out
}

// influences are what the clusters of a part contribute, by their keys. The
// keys keep their order: floating-point sums depend on it.
type influences struct {
	keys []string
	of   map[string]float64
}

func (f *influences) add(key string, u float64) {
	if key == "" {
		return
	}
	if _, known := f.of[key]; !known {
		f.keys = append(f.keys, key)
	}
	f.of[key] += u
}

func correlate(a, b influences, spreads float64) float64 {
	if !(spreads > 0) {
		return 0
	}
	var sum float64
	for _, key := range a.keys {
		sum += float64(a.of[key] * b.of[key])
	}
	return min(max(sum/math.Sqrt(spreads), -1), 1)
}
