package number_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// TestGoldenAssumptions: two models' verdicts on a question go together on recorded
// runs about as much as simulations assume.
func TestGoldenAssumptions(t *testing.T) {
	t.Parallel()
	roots := recordedRoots(t)
	last, first := models(t, roots["V4"]...), models(t, roots["V1"]...)
	for _, release := range []struct {
		name string
		full full
		all  []*model
	}{{"V4", current(t), last}, {"V1", firstRelease(first[0]), first}} {
		var shared, own, pairs float64
		for i, a := range release.all {
			for _, b := range release.all[:i] {
				s, o := goTogether(release.full, a, b)
				shared, own, pairs = shared+s, own+o, pairs+1
			}
		}
		t.Logf("%s: two models' verdicts on a question go together by %.2f (%.0f pairs; assumed %.2f)", release.name, shared/own, pairs, gate.Together)
		assert.InDelta(t, gate.Together, shared/own, 0.25, release.name)
	}
}

// goTogether are the sums of covariances and of variances of two models'
// verdicts within categories.
func goTogether(f full, a, b *model) (covariance, variance float64) {
	for _, p := range f.parts {
		if a.wrong[p.category] == nil || b.wrong[p.category] == nil {
			continue
		}
		var x, y []float64
		for _, id := range p.ids {
			x, y = append(x, a.right(p.category, id)), append(y, b.right(p.category, id))
		}
		covariance += covarianceOf(x, y)
		variance += (covarianceOf(x, x) + covarianceOf(y, y)) / 2
	}
	return covariance, variance
}

func covarianceOf(x, y []float64) (sum float64) {
	mx, _ := stat.Mean(x)
	my, _ := stat.Mean(y)
	for i := range x {
		sum += (x[i] - mx) * (y[i] - my)
	}
	return sum
}

// TestScales: what package sample knows of V4 is what the layout and the
// published figures say.
func TestScales(t *testing.T) {
	seen := 0
	for _, s := range score.V4.Overall.Shares(func(name string) (int, bool) { return score.V4.Sizes[name], true }) {
		assert.InEpsilon(t, s.Weight*math.Sqrt(gate.Scatter(s.Category)), suite.Scale(s.Category), 1e-3, s.Category)
		seen++
	}
	assert.Equal(t, 21, seen)
	assert.Zero(t, suite.Scale("live_relevance"), "it does not count")
}
