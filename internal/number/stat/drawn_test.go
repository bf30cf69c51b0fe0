package stat_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestSlopes: values that follow what is known beside them are known with it,
// and a category that goes its own way has a slope of its own.
func TestSlopes(t *testing.T) {
	s := []stat.Drawn{{Weight: 1, All: 100, Values: []float64{0.1, 0.3, 0.5}, Beside: []float64{-0.5, 0.5, 1.5}}}
	assert.InDelta(t, 0.2, stat.Slopes(s)[0], 1e-12)
	assert.InDelta(t, 0.2, stat.Whole(s, stat.Slopes(s), stat.Z95).Value, 1e-12, "0.3 less a fifth of 0.5")
	assert.InDelta(t, 0.3, stat.Whole(s, nil, stat.Z95).Value, 1e-12)
	own := stat.Drawn{Weight: 1, All: 1000}
	for i := range 100 {
		x := float64(i%2) - 0.5
		own.Values, own.Beside = append(own.Values, 0.5-x), append(own.Beside, x)
	}
	slopes := stat.Slopes([]stat.Drawn{s[0], own})
	assert.Less(t, slopes[1], -0.5)
	assert.Greater(t, slopes[0], slopes[1])
	s[0].Beside = []float64{0, 0, 0}
	assert.Equal(t, []float64{0}, stat.Slopes(s))
}

// TestCoverageOfWhole: of finite populations whose verdicts go with something
// that is known, the regression's intervals hold as many as they say, and are
// narrower.
func TestCoverageOfWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
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
			slopes      []float64
			held, width *float64
		}{{stat.Slopes(strata), &held, &width}, {nil, &heldPlain, &widthPlain}} {
			i := stat.Whole(strata, c.slopes, stat.Z95)
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
