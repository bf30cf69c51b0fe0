package stat

import "math"

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
