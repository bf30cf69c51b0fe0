package compare

import "math"

// A Worse is a model that is worse than its baseline, before a gate that no
// significant loss passes.
type Worse struct {
	// Loss is how much worse it is, in points.
	Loss float64 `json:"loss"`
	// Passes is how often it passes.
	Passes float64 `json:"passes"`
	// Cases is how many cases fail it in 80 of 100 comparisons; if the dataset
	// has fewer, that many of the same kinds.
	Cases int `json:"cases"`
}

// Worse returns how a gate over n cases decides on models that are 2, 3, 5 and
// 10 points worse, and the smallest loss that it finds in 80 of 100 comparisons.
func (b Benchmark) Worse(n int, level float64) (out []Worse, smallest float64) {
	const power, points = 0.8, 100
	for _, loss := range []float64{2, 3, 5, 10} {
		least, most := len(b), b.Cases()
		if found := points * Detectable(b.among(most), level, power); found > loss {
			least = int(math.Ceil(float64(most) * (found / loss) * (found / loss)))
			most = least
		}
		for least < most {
			if mid := (least + most) / 2; points*Detectable(b.among(mid), level, power) <= loss {
				most = mid
			} else {
				least = mid + 1
			}
		}
		out = append(out, Worse{loss, 1 - Power(loss/points, b.among(n), level), least})
	}
	return out, points * Detectable(b.among(n), level, power)
}

// among returns the standard error of the difference to a baseline over n cases,
// which may be more than the dataset has, of the same kinds.
func (b Benchmark) among(n int) float64 {
	all := b.Cases()
	if n < all {
		return b.Difference(b.Allocate(n), 1)
	}
	return b.Difference(b.All(), 1) * math.Sqrt(float64(all)/float64(n))
}
