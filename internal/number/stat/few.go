package stat

import "math"

// Few returns the interval, by quantile, of a weighted mean of which a part stands on few
// units, such as memory's scenarios: what the units add to the mean scatters
// around their categories' means, and Student's quantile has the freedom of
// both parts (Satterthwaite 1946). The blocks of few are keyed by unit, those
// of rest by cluster; interval is that of a Composite.
func Few(few, rest []Stratum, interval func(Composite, float64) Interval) func(z float64) Interval {
	all := Compose(append(append([]Stratum{}, few...), rest...))
	plain := func(z float64) Interval { return interval(all, z) }
	units := map[string]float64{}
	var keys []string
	var weight, other float64
	for _, s := range few {
		weight += s.Weight
		part := Summarize(s.Blocks)
		for _, b := range s.Blocks {
			if _, known := units[b.Key]; !known {
				keys = append(keys, b.Key)
			}
			units[b.Key] += float64(s.Weight * b.influence(part))
		}
	}
	for _, s := range rest {
		other += s.Weight
	}
	k := float64(len(units))
	if k < 2 {
		return plain
	}
	between := 0.0
	for _, key := range keys {
		between += k / (k - 1) * square(units[key]/(weight+other))
	}
	apart := square(interval(Compose(rest), Z95).StandardError() * other / (weight + other))
	if between == 0 {
		return plain
	}
	return func(z float64) Interval {
		i := plain(z)
		half := Student(z, square(between+apart)/(square(between)/(k-1))) * math.Sqrt(between+apart)
		return Interval{Estimate: i.Estimate, Low: min(i.Low, i.Estimate-half), High: max(i.High, i.Estimate+half)}
	}
}
