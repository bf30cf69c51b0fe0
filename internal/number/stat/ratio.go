package stat

import "math"

// A Ratio is what a cluster adds to two sums, of which one is divided by the
// other: dollars by solved cases, say.
type Ratio struct{ Over, Under float64 }

// RatioChange is the ratio of b's sums less that of a's, with its 95% interval:
// Student's over clusters, of the ratios' linear approximation (Woodruff 1971).
// The i-th cluster of a and that of b hold the same cases. It is not known
// where either has fewer than two clusters with something below the line.
func RatioChange(a, b []Ratio) (change Interval, known bool) {
	sumA, sumB := sumOf(a), sumOf(b)
	k := float64(min(sumA.clusters, sumB.clusters))
	if len(a) != len(b) || k < 2 {
		return Interval{}, false
	}
	scatter := 0.0
	for i := range a {
		scatter += square(sumB.influence(b[i]) - sumA.influence(a[i]))
	}
	change.Estimate = sumB.ratio() - sumA.ratio()
	half := Student(Z95, k-1) * math.Sqrt(k/(k-1)*scatter)
	change.Low, change.High = change.Estimate-half, change.Estimate+half
	return change, true
}

// ratios are the sums over clusters, and how many have something below the
// line.
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

// influence is how much a cluster moves the ratio, to the first order.
func (s ratios) influence(r Ratio) float64 {
	return (r.Over - float64(r.Under*s.ratio())) / s.Under
}
