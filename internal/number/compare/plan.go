package compare

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A Category is a category that counts, with what is assumed of its verdicts.
type Category struct {
	Name string `json:"category"`
	// Weight is how much the category counts in the overall; all weights add up
	// to 1.
	Weight float64 `json:"weight"`
	// Cases is the number of the dataset's cases.
	Cases int `json:"cases"`
	// Scatter is the expected variance of a verdict between questions, and
	// Within the variance between trials of one question.
	Scatter float64 `json:"scatter"`
	Within  float64 `json:"within"`
	// Differ is the expected mean squared difference of two runs' verdicts on a
	// case.
	Differ float64 `json:"differ"`
	// Unit is what is drawn together, such as "scenario".
	Unit string `json:"unit"`
	// Shared is, by category, the share of pairs of a question of this one and
	// another of that one that have a common base.
	Shared map[string]float64 `json:"shared,omitempty"`
}

// scenario is the unit of memory's questions.
const scenario = "scenario"

// A Benchmark is the set of a dataset's categories that count.
type Benchmark []Category

// Assumptions about unknown quantities. TestGoldenAssumptions of package early prints what recorded models
// show: 0.3 to 0.4 for Together, less than a model and its next version would;
// 0.11 to 0.24 for Base; 0.41 to 0.61 for Variant. No recording shows Flaky.
const (
	// Usual is the accuracy of a category without published figures.
	Usual = 0.75
	// Together is the correlation of two models' verdicts on a question.
	Together = 0.5
	// Base is the correlation of the verdicts on two questions of a category
	// with a common base, and of how they differ between two runs.
	Base = 0.2
	// Variant is the correlation of the verdicts on two questions with a common
	// base in two categories, such as the variants of a conversation, and
	// Changes that of how they differ between two runs.
	VariantPlan = 0.5
	Changes     = 0.3
	// Scene is the correlation of the verdicts on two questions about one
	// scenario, with what the interval adds because scenarios are few.
	Scene = 0.42
	// Flaky is the part of the scatter that is between trials of one question.
	Flaky = 0.1
)

// Of returns the benchmark of the selected cases of a dataset.
func Of(sel *suite.Selection) Benchmark {
	clusters, cases, units := Clusters(sel), map[string][]*eval.Case{}, map[string]string{}
	for _, part := range sel.Parts {
		units[part.Category.Name] = eval.Unit(part.Category)
		cases[part.Category.Name] = part.Cases
	}
	layout := tally.LayoutOf(sel.Dataset)
	var out Benchmark
	for _, s := range layout.Overall.Shares(func(name string) (int, bool) { return len(cases[name]), len(cases[name]) > 0 }) {
		spread := Scatter(s.Category)
		out = append(out, Category{
			Name: s.Category, Weight: s.Weight, Unit: units[s.Category], Cases: len(cases[s.Category]),
			Scatter: spread * (1 - Flaky), Within: spread * Flaky, Differ: 2 * spread * (1 - Together),
			Shared: map[string]float64{},
		})
	}
	out.share(cases, clusters)
	return out
}

// share sets which pairs of questions have a common base.
func (b Benchmark) share(cases map[string][]*eval.Case, clusters *eval.Clusters) {
	sizes := map[string]map[int]float64{} // by base and category
	for k, c := range b {
		for _, one := range cases[c.Name] {
			base := clusters.Of(one)
			if sizes[base] == nil {
				sizes[base] = map[int]float64{}
			}
			sizes[base][k]++
		}
	}
	for _, size := range sizes {
		for k, n := range size {
			for j, m := range size {
				pairs := n * m
				if k == j {
					pairs -= n
				}
				if pairs > 0 {
					b[k].Shared[b[j].Name] += pairs / float64(b[k].Cases*b[j].Cases)
				}
			}
		}
	}
}

// together returns how much common bases add to the variance of a weighted
// mean, for values with the given variances by category, which correlate as in
// Base and, between categories, by across.
func (b Benchmark) together(weights, variances []float64, across float64) (sum float64) {
	for k, c := range b {
		for j, other := range b {
			correlation := across
			switch {
			case c.Unit == scenario && other.Unit == scenario:
				correlation = Scene
			case k == j:
				correlation = Base
			}
			sum += correlation * c.Shared[other.Name] * weights[k] * weights[j] * math.Sqrt(variances[k]*variances[j])
		}
	}
	return sum
}

// Clusters returns the clusters of the selected cases.
func Clusters(sel *suite.Selection) *eval.Clusters {
	all := eval.New()
	for _, part := range sel.Parts {
		for _, c := range part.Cases {
			all.Add(part.Category, c)
		}
	}
	return all
}

// Open returns the benchmark of a dataset's categories.
func Open(dataset, data, categories string) (Benchmark, error) {
	d, err := fixtures.Open(dataset, data)
	if err != nil {
		return nil, err
	}
	sel, err := suite.Select(d, categories, "")
	if err != nil {
		return nil, err
	}
	b := Of(sel)
	if len(b) == 0 {
		return nil, fmt.Errorf("none of the categories %q counts in the overall of %s", categories, dataset)
	}
	return b, nil
}

// Scatter returns the variance of a category's verdicts: the mean over the
// published models, or the usual one.
func Scatter(category string) float64 {
	var sum float64
	var n int
	for _, m := range leaderboard.All() {
		if p, ok := m.Score.Categories[category]; ok && !p.NA {
			sum += p.Accuracy * (1 - p.Accuracy)
			n++
		}
	}
	if n == 0 {
		return Usual * (1 - Usual)
	}
	return sum / float64(n)
}

// All returns the number of cases of each category.
func (b Benchmark) All() []int {
	out := make([]int, len(b))
	for i, c := range b {
		out[i] = c.Cases
	}
	return out
}

// Cases returns the number of cases of all categories.
func (b Benchmark) Cases() (n int) {
	for _, c := range b {
		n += c.Cases
	}
	return n
}

// Error returns the standard error of the overall for the given number of cases
// of each category and trials of each case: as an estimate of the overall of
// the whole dataset, or of other questions like these.
func (b Benchmark) Error(cases []int, trials int, whole bool) float64 {
	var variance float64
	weights, scatter := make([]float64, len(b)), make([]float64, len(b))
	for i, c := range b {
		n := float64(cases[i])
		weights[i], scatter[i] = c.Weight, c.Scatter
		between := c.Scatter
		if whole {
			between *= 1 - n/float64(c.Cases) // of cases drawn independently
		}
		variance += c.Weight * c.Weight * (between + c.Within/float64(trials)) / n
	}
	if !whole {
		variance += b.together(weights, scatter, VariantPlan)
	}
	return math.Sqrt(variance)
}

// Difference returns the standard error of the difference to a baseline on the
// same cases. Trials reduce the flaky part in both runs.
func (b Benchmark) Difference(cases []int, trials int) float64 {
	var variance float64
	weights, differ := make([]float64, len(b)), make([]float64, len(b))
	for i, c := range b {
		flaky := min(2*c.Within, c.Differ)
		weights[i], differ[i] = c.Weight, c.Differ-flaky*(1-1/float64(trials))
		variance += c.Weight * c.Weight * differ[i] / float64(cases[i])
	}
	return math.Sqrt(variance + b.together(weights, differ, Changes))
}

// Power returns how often a two-sided test at the given level finds a true
// loss, for a difference with the given standard error.
func Power(loss, standardError, level float64) float64 {
	return normal(loss/standardError - stat.Quantile(level))
}

// Detectable returns the loss that such a test finds with the given power.
func Detectable(standardError, level, power float64) float64 {
	return (stat.Quantile(level) + stat.Quantile(2*(1-power))) * standardError
}

func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// Differ returns the expected share of cases on which two runs differ, weighted
// as in the overall.
func (b Benchmark) Differ() (share float64) {
	for _, c := range b {
		share += c.Weight * c.Differ
	}
	return share
}

// Allocate distributes a number of cases over the categories so that the
// overall is most certain, at least one to each category.
func (b Benchmark) Allocate(n int) []int {
	strata := make([]suite.Stratum, len(b))
	at := 0
	of := make([]int, 0, b.Cases())
	for k, c := range b {
		strata[k].Scale = c.scale()
		for range c.Cases {
			strata[k].Cases, of = append(strata[k].Cases, at), append(of, k)
			at++
		}
	}
	out := make([]int, len(b))
	for _, i := range suite.Order(strata, 1, strconv.Itoa)[:min(n, at)] {
		out[of[i]]++
	}
	return out
}

// scale returns how much an estimate of the overall gains from the cases.
func (c Category) scale() float64 { return c.Weight * math.Sqrt(c.Scatter+c.Within) }
