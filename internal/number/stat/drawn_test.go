package stat_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestSlope: values that follow what is known beside them are known with it.
func TestSlope(t *testing.T) {
	s := []stat.Drawn{{Weight: 1, All: 100, Values: []float64{0.1, 0.3, 0.5}, Beside: []float64{-0.5, 0.5, 1.5}}}
	assert.InDelta(t, 0.2, stat.Slope(s), 1e-12)
	assert.InDelta(t, 0.2, stat.Whole(s, 0.2, stat.Z95).Estimate, 1e-12, "0.3 less a fifth of 0.5")
	assert.InDelta(t, 0.3, stat.Whole(s, 0, stat.Z95).Estimate, 1e-12)
	s[0].Beside = []float64{0, 0, 0}
	assert.Zero(t, stat.Slope(s))
}

// TestCoverageOfWhole: of finite populations whose verdicts go with something
// that is known, the regression's intervals hold as many as they say, and are
// narrower.
func TestCoverageOfWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 3))
	const repetitions, all, n = 1500, 400, 100
	var held, heldPlain, width, widthPlain float64
	for range repetitions {
		var value, beside [all]float64
		var truth, mean float64
		for i := range value {
			hard := random.Float64()
			beside[i] = hard
			if random.Float64() < 0.9*hard {
				value[i] = 1
			}
			truth += value[i] / all
			mean += hard / all
		}
		s := stat.Drawn{Weight: 1, All: all}
		for _, i := range random.Perm(all)[:n] {
			s.Values, s.Beside = append(s.Values, value[i]), append(s.Beside, beside[i]-mean)
		}
		strata := []stat.Drawn{s}
		for _, c := range []struct {
			slope       float64
			held, width *float64
		}{{stat.Slope(strata), &held, &width}, {0, &heldPlain, &widthPlain}} {
			i := stat.Whole(strata, c.slope, stat.Z95)
			*c.width += (i.High - i.Low) / repetitions
			if i.Low <= truth && truth <= i.High {
				*c.held += 1.0 / repetitions
			}
		}
	}
	t.Logf("100 of 400: holds %.1f%%, %.1f points wide; without what is known beside %.1f%%, %.1f points", 100*held, 100*width, 100*heldPlain, 100*widthPlain)
	assert.InDelta(t, 0.95, held, 0.02)
	assert.InDelta(t, 0.95, heldPlain, 0.02)
	assert.Less(t, width, 0.9*widthPlain)
}
