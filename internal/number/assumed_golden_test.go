package number_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// TestGoldenAssumptions prints what simulations assume beside what recorded
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
		var shared, own, pairs float64
		var within, across, changes, changesAcross []float64
		add := func(list *[]float64, a alike) {
			if a.squares > 20 {
				*list = append(*list, math.Round(100*a.share())/100)
			}
		}
		for i, a := range release.all {
			for _, b := range release.all[:i] {
				s, o := goTogether(release.full, a, b)
				shared, own, pairs = shared+s, own+o, pairs+1
			}
			one, two := release.full.bases(func(category, id string) (float64, bool) {
				return a.right(category, id), a.wrong[category] != nil
			})
			add(&within, one)
			add(&across, two)
			for _, b := range release.all[:i] {
				one, two := release.full.bases(func(category, id string) (float64, bool) {
					return a.right(category, id) - b.right(category, id), a.wrong[category] != nil && b.wrong[category] != nil
				})
				add(&changes, one)
				add(&changesAcross, two)
			}
		}
		t.Logf("%s: two models' verdicts on a question go together by %.2f (%.0f pairs; assumed %.2f)", release.name, shared/own, pairs, compare.Together)
		t.Logf("  one model's on questions with one base, in one category %v, in two %v; two models' differences %v, %v", within, across, changes, changesAcross)
		assert.InDelta(t, compare.Together, shared/own, 0.25, release.name)
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

// A together is how much the values of two questions with one base go together:
// the sum of the products of their distances to their categories' means, and
// what it would be if they were alike.
type alike struct{ products, squares float64 }

func (a alike) share() float64 { return a.products / a.squares }

// bases returns it for questions of one category, and of two.
func (f full) bases(value func(category, id string) (float64, bool)) (within, across alike) {
	type question struct {
		category     int
		off, scatter float64
	}
	byBase := map[string][]question{}
	for k, p := range f.parts {
		var all []float64
		for _, id := range p.ids {
			if x, ok := value(p.category, id); ok {
				all = append(all, x)
			}
		}
		if len(all) < len(p.ids) {
			continue
		}
		mean, _ := stat.Mean(all)
		scatter := math.Sqrt(covarianceOf(all, all) / float64(len(all)))
		for i, x := range all {
			byBase[p.clusters[i]] = append(byBase[p.clusters[i]], question{k, x - mean, scatter})
		}
	}
	for _, list := range byBase {
		for i, x := range list {
			for _, y := range list[:i] {
				sum := &across
				if x.category == y.category {
					sum = &within
				} else if !strings.HasPrefix(f.parts[x.category].category, "multi_turn") {
					continue
				}
				sum.products += x.off * y.off
				sum.squares += x.scatter * y.scatter
			}
		}
	}
	return within, across
}
