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

// A Summary is what blocks say about the values' mean.
type Summary struct {
	// N values stand in K blocks that are not empty.
	N, K int
	// Mean is the values'; 0 if there is none.
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

// Mean95 returns the interval of the mean: Student's over the blocks, whether
// they hold several values or one. It is for values without bounds, such as
// seconds; for fewer than two blocks the interval is infinite.
func (s Summary) Mean95() Interval {
	if s.K < 2 {
		return Interval{Estimate: s.Mean, Low: math.Inf(-1), High: math.Inf(1)}
	}
	half := Student(Z95, float64(s.K-1)) * s.ClusteredSE
	return Interval{Estimate: s.Mean, Low: s.Mean - half, High: s.Mean + half}
}
