package stat

import "math"

// A Block is the sum of some values that share something, such as the verdicts on
// the cases of a conversation, and so tend to be alike.
type Block struct {
	// Key names what is shared. Blocks of different strata with the same key are
	// one unit; blocks with an empty key are always different.
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

// A Ratio is what a cluster adds to the two sums of a ratio, such as dollars
// per solved case.
type Ratio struct{ Over, Under float64 }

// Add adds to both sums.
func (r *Ratio) Add(other Ratio) {
	r.Over += other.Over
	r.Under += other.Under
}

// RatioChange returns the ratio of b's sums less the ratio of a's, with its 95%
// interval: Student's over clusters, from the ratios' linear approximation
// (Woodruff 1971). The i-th clusters of a and b have the same cases. The change
// is not known if either has fewer than two clusters with a nonzero
// denominator.
func RatioChange(a, b []Ratio) (change Estimate, known bool) {
	ratioA, influenceA, clustersA := ratioOf(a)
	ratioB, influenceB, clustersB := ratioOf(b)
	k := float64(min(clustersA, clustersB))
	if len(a) != len(b) || k < 2 {
		return Estimate{}, false
	}
	scatter := 0.0
	for i := range a {
		scatter += square(influenceB(b[i]) - influenceA(a[i]))
	}
	change.Value = ratioB - ratioA
	half := Student(Z95, k-1) * math.Sqrt(k/(k-1)*scatter)
	change.Low, change.High = change.Value-half, change.Value+half
	return change, true
}

// ratioOf returns the ratio of the sums, how much a cluster moves it, to first
// order, and the number of clusters with a nonzero denominator.
func ratioOf(all []Ratio) (ratio float64, influence func(Ratio) float64, clusters int) {
	var sum Ratio
	for _, r := range all {
		sum.Add(r)
		if r.Under > 0 {
			clusters++
		}
	}
	ratio = sum.Over / sum.Under
	return ratio, func(r Ratio) float64 { return (r.Over - float64(r.Under*ratio)) / sum.Under }, clusters
}
