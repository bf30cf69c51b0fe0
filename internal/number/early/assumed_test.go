package early_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/plan"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestGoldenAssumptions prints what `bfcl plan` assumes beside what recorded
// runs show: how much two models' verdicts on a question go together, and how
// much the verdicts on two questions with one base.
func TestGoldenAssumptions(t *testing.T) {
	t.Parallel()
	roots := recordedRoots(t)
	last, first := models(t, roots["V4"]...), models(t, roots["V1"]...)
	for _, release := range []struct {
		name string
		full full
		all  []*model
	}{{"V4", current(t), last}, {"V1", firstRelease(first[0]), first}} {
		var shared, own, pairs, together, apart float64
		for i, a := range release.all {
			for _, b := range release.all[:i] {
				s, o := goTogether(release.full, a, b)
				shared, own, pairs = shared+s, own+o, pairs+1
			}
			s, o := withinBases(release.full, a)
			together, apart = together+s, apart+o
		}
		alike, base := shared/own, 0.0
		if apart > 0 {
			base = together / apart
		}
		t.Logf("%s: two models' verdicts on a question go together by %.2f (%.0f pairs; assumed %.2f), one model's on questions with one base by %.2f (assumed %.2f)",
			release.name, alike, pairs, plan.Together, base, plan.Base)
		assert.InDelta(t, plan.Together, alike, 0.25, release.name)
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

// withinBases are the sum of products of distances of a model's verdicts on two
// questions with one base, and that of the squares that they would be if they
// were alike.
func withinBases(f full, m *model) (products, squares float64) {
	for _, p := range f.parts {
		if m.wrong[p.category] == nil {
			continue
		}
		var all []float64
		byBase := map[string][]float64{}
		for i, id := range p.ids {
			all = append(all, m.right(p.category, id))
			byBase[p.clusters[i]] = append(byBase[p.clusters[i]], m.right(p.category, id))
		}
		mean, _ := stat.Mean(all)
		variance := covarianceOf(all, all) / float64(len(all))
		for _, list := range byBase {
			for i, x := range list {
				for _, y := range list[:i] {
					products += (x - mean) * (y - mean)
					squares += variance
				}
			}
		}
	}
	return products, squares
}
