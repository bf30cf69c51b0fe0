package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Contrast is a comparison of two means: their places in a list, and how far
// apart they are in the normal distribution's quantiles.
type Contrast struct {
	A, B int
	Z    float64
}

// repetitions is how often Together draws the greatest of all contrasts.
const repetitions = 1000

// Together adjusts the p values of comparisons of several means over the same
// clusters for their number: to the probability that any of those not yet
// found would be so far apart by chance, step by step (Romano and Wolf 2005).
// Comparisons of the same means go together, so this is less than Holm's p
// value, which is an upper limit here; the comparison's own p value is a lower
// one. What differs in every cluster alike does not vary, so that draws say
// nothing: it gets Holm's p value. influences has, by cluster, what it adds
// to each mean, with its distance only. The draws weigh clusters by random
// signs.
func Together(influences [][]float64, contrasts []Contrast) []float64 {
	plain := make([]float64, len(contrasts))
	scale := make([]float64, len(contrasts))
	order := make([]int, len(contrasts))
	for i, c := range contrasts {
		plain[i], order[i] = TwoSided(c.Z), i
		for _, g := range influences {
			scale[i] += square(g[c.A] - g[c.B])
		}
		scale[i] = math.Sqrt(scale[i])
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if contrasts[i].Z < contrasts[j].Z {
			return -1
		}
		return 1
	})
	above := make([]float64, len(contrasts))
	random := rand.New(rand.NewPCG(uint64(len(influences)), uint64(len(contrasts))))
	for range repetitions {
		means := drawSigns(random, influences)
		most := 0.0
		for _, i := range order { // from the least apart on
			if c := contrasts[i]; scale[i] > 0 {
				most = max(most, math.Abs(means[c.A]-means[c.B])/scale[i])
			}
			if most >= contrasts[i].Z {
				above[i]++
			}
		}
	}
	out := Holm(plain)
	least := 0.0
	for _, i := range slices.Backward(order) {
		least = max(least, plain[i], (above[i]+1)/(repetitions+1))
		if scale[i] > 0 {
			out[i] = min(out[i], least)
		}
	}
	return out
}

// drawSigns adds up the influences, each with a random sign.
func drawSigns(random *rand.Rand, influences [][]float64) []float64 {
	if len(influences) == 0 {
		return nil
	}
	out := make([]float64, len(influences[0]))
	var bits uint64
	for k, g := range influences {
		if k%64 == 0 {
			bits = random.Uint64()
		}
		sign := float64(int(bits&1)*2 - 1)
		bits >>= 1
		for j, x := range g {
			out[j] += float64(sign * x)
		}
	}
	return out
}
