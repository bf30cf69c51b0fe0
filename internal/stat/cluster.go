package stat

// A Cluster counts cases that share something, such as a conversation or a
// base question, and so tend to go right or wrong together.
type Cluster struct {
	// Correct of Total cases are right.
	Correct, Total int
}

// ClusteredWilson is the score interval of a proportion over clusters (Rao and
// Scott): as many independent cases are assumed as would give the scatter that
// is seen between the clusters, never more than there are cases. The clusters
// need not hold all cases; the effect seen in them is taken for all.
func ClusteredWilson(correct, total int, clusters []Cluster, z float64) Interval {
	effect := DesignEffect(clusters)
	return wilson(float64(correct)/effect, float64(total)/effect, z)
}

// DesignEffect is how many times the variance of the share of right cases is
// that of as many independent cases; at least 1.
func DesignEffect(clusters []Cluster) float64 {
	var k, correct, total float64
	for _, c := range clusters {
		if c.Total > 0 {
			k++
		}
		correct += float64(c.Correct)
		total += float64(c.Total)
	}
	p := correct / total
	if k < 2 || !(p > 0 && p < 1) {
		return 1
	}
	var scatter float64
	for _, c := range clusters {
		scatter += square(float64(c.Correct) - float64(p*float64(c.Total)))
	}
	return max(1, k/(k-1)*scatter/(total*p*(1-p)))
}
