package stat

import "math"

// A Cluster counts cases that share something, such as a conversation or a base
// question, and so tend to be right or wrong together.
type Cluster struct {
	// Key names what is shared. Clusters of different categories with the same
	// key are one; clusters with an empty key are always different.
	Key string
	// Correct is the number of right cases, of Total.
	Correct, Total int
}

// Block returns the cluster as a sum of ones and zeros.
func (c Cluster) Block() Block {
	right := float64(c.Correct)
	return Block{Key: c.Key, N: c.Total, Sum: right, Squares: right}
}

// Blocks returns the clusters' blocks.
func Blocks(clusters []Cluster) []Block {
	out := make([]Block, len(clusters))
	for i, c := range clusters {
		out[i] = c.Block()
	}
	return out
}

// A Block is the sum of some values that share something.
type Block struct {
	// Key is as in a Cluster.
	Key string
	// N is the number of values added up, Sum their sum and Squares the sum of
	// their squares.
	N            int
	Sum, Squares float64
}

// Add adds a value.
func (b *Block) Add(x float64) {
	b.N++
	b.Sum += x
	b.Squares += float64(x * x)
}

// AddTo adds a value to the block with a key, of which at has the position, or
// to a new one.
func AddTo(blocks []Block, at map[string]int, key string, x float64) []Block {
	k, known := at[key]
	if !known {
		k = len(blocks)
		at[key], blocks = k, append(blocks, Block{Key: key})
	}
	blocks[k].Add(x)
	return blocks
}

// A Summary says what blocks tell about the mean of their values.
type Summary struct {
	// N is the number of values, in K blocks that are not empty.
	N, K int
	// Mean is the mean of the values; 0 if there are none.
	Mean float64
	// SE is the mean's standard error if all values are independent, and
	// ClusteredSE if only the blocks are (Liang and Zeger 1986; Miller 2024,
	// equation 4), with the factor K/(K-1) for few blocks.
	SE, ClusteredSE float64
}

// Summarize adds up blocks.
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

// influence returns how much the block moves the mean away from that of the
// other blocks, to first order.
func (b Block) influence(s Summary) float64 {
	return (b.Sum - float64(float64(b.N)*s.Mean)) / float64(s.N)
}

// Mean95 returns the 95% interval of the mean: Student's over the blocks,
// whether they have one value or several. It is for unbounded values, such as
// seconds; for fewer than two blocks the interval is infinite.
func (s Summary) Mean95() Estimate {
	if s.K < 2 {
		return Estimate{Value: s.Mean, Low: math.Inf(-1), High: math.Inf(1)}
	}
	half := Student(Z95, float64(s.K-1)) * s.ClusteredSE
	return Estimate{Value: s.Mean, Low: s.Mean - half, High: s.Mean + half}
}

// A Ratio is what a cluster adds to the two sums of a ratio, such as dollars
// per solved case.
type Ratio struct{ Over, Under float64 }

// RatioChange returns the ratio of b's sums less the ratio of a's, with its 95%
// interval: Student's over clusters, from the ratios' linear approximation
// (Woodruff 1971). The i-th clusters of a and b have the same cases. The change
// is not known if either has fewer than two clusters with a nonzero
// denominator.
func RatioChange(a, b []Ratio) (change Estimate, known bool) {
	sumA, sumB := sumOf(a), sumOf(b)
	k := float64(min(sumA.clusters, sumB.clusters))
	if len(a) != len(b) || k < 2 {
		return Estimate{}, false
	}
	scatter := 0.0
	for i := range a {
		scatter += square(sumB.influence(b[i]) - sumA.influence(a[i]))
	}
	change.Value = sumB.ratio() - sumA.ratio()
	half := Student(Z95, k-1) * math.Sqrt(k/(k-1)*scatter)
	change.Low, change.High = change.Value-half, change.Value+half
	return change, true
}

// ratios holds the sums over clusters, and the number of clusters with a
// nonzero denominator.
type ratios struct {
	Ratio
	clusters int
}

func sumOf(all []Ratio) (s ratios) {
	for _, r := range all {
		s.Over += r.Over
		s.Under += r.Under
		if r.Under > 0 {
			s.clusters++
		}
	}
	return s
}

func (s ratios) ratio() float64 { return s.Over / s.Under }

// influence returns how much a cluster moves the ratio, to first order.
func (s ratios) influence(r Ratio) float64 {
	return (r.Over - float64(r.Under*s.ratio())) / s.Under
}
