package compare

import (
	"fmt"
	"math"

	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// Significance is the level at which a difference is significant.
const Significance = 0.05

// A Side describes one of the two runs.
type Side struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	Path  string `json:"path,omitempty"`
}

func sideOf(r *tally.Run) Side { return Side{r.Name, r.Model, r.Path} }

// A Comparison compares two runs of the same cases. Differences are B less
// A.
type Comparison struct {
	A       Side   `json:"a"`
	B       Side   `json:"b"`
	Dataset string `json:"dataset"`
	Digest  string `json:"digest"`
	Layout  string `json:"layout"`
	// Measure is what was compared, usually "accuracy".
	Measure string `json:"measure"`
	// Cases is the number of cases compared. Errors more were left out because
	// one of the runs has an infrastructure error there.
	Cases  int `json:"cases"`
	Errors int `json:"errors"`
	// Overall, Groups and Categories are the differences in accuracy over the
	// cases compared. A category that was not run does not count.
	Overall    *Difference  `json:"overall"`
	Groups     []Difference `json:"groups"`
	Categories []Difference `json:"categories"`
	// Complete reports whether every case that counts was compared, so that the
	// overall is the benchmark's.
	Complete bool `json:"complete"`
	// Flips are the cases that differ, in the benchmark's order.
	Flips []Flip `json:"flips"`
	// Spend is the change in latency, tokens and cost.
	Spend Spend `json:"spend"`
	// Agents is what agents took per solved case; nil if one of the runs is of
	// a model.
	Agents *Agents `json:"agents,omitempty"`
	// Notes are remarks for the reader.
	Notes []string `json:"notes,omitempty"`

	shape  *score.Layout
	pooled Difference
	// evidence is what the failures of A and B show, by case; nil without Blame.
	evidence [2]map[string]string
}

// Pooled returns the difference over all cases compared. Each case counts the
// same, whatever its category's weight in the overall.
func (c *Comparison) Pooled() Difference { return c.pooled }

// A Difference is the difference of two accuracies on the same cases. Shares
// are between 0 and 1.
type Difference struct {
	// Name is the name of the category or group, or "overall".
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Cases is the number of cases, in Clusters that may go right or wrong
	// together.
	Cases    int `json:"cases"`
	Clusters int `json:"clusters"`
	// A and B are the accuracies.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// Difference is B less A, with its 95% interval over clusters. Points is what
	// it adds to the overall's difference, in percentage points.
	Difference float64 `json:"difference"`
	Points     float64 `json:"points"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// OnlyA and OnlyB count the cases on which A or B did better.
	OnlyA int `json:"only_a"`
	OnlyB int `json:"only_b"`
	// McNemar is the p value of the exact test over the cases that differ, each
	// counting the same. It is nil if one run answered a case more often than
	// the other: more trials make shares of 0 and 1 rarer, so equal models
	// would differ more often in one direction. P is the level at which the
	// interval would touch 0.
	McNemar *float64 `json:"mcnemar_p"`
	P       float64  `json:"p"`
	// Adjusted is the p value that decides, adjusted for the number of
	// comparisons: from P for groups and the overall, from the larger of P and
	// McNemar for categories.
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
	// Detectable is the smallest true difference that 80% of such comparisons
	// would find.
	Detectable float64 `json:"detectable"`
	// Scenarios is what becomes of the interval and of P if memory's questions
	// of one scenario are one unit; nil if there are none.
	Scenarios *ByScenario `json:"by_scenario,omitempty"`
}

// Pair compares two runs that Align has accepted.
func Pair(a, b *tally.Run, o Options) (*Comparison, error) {
	return pair(newSide(a, o), newSide(b, o), false)
}

// pair compares two runs. Brief leaves out how groups and categories would do by
// scenario, which takes most of the time.
func pair(a, b *side, brief bool) (*Comparison, error) {
	layout := a.run.Layout()
	c := &Comparison{
		A: sideOf(a.run), B: sideOf(b.run), Dataset: a.run.Dataset, Digest: a.run.Digest, Layout: layout.Name, shape: layout, Measure: a.measure.String(),
		Groups: []Difference{}, Categories: []Difference{}, Flips: []Flip{},
	}
	m := &matching{layout: layout, sizes: a.run.Sizes(), parts: map[string]*matched{}, brief: brief}
	for _, part := range a.run.Parts {
		m.match(c, part.Category.Name, a, b)
	}
	if c.Cases == 0 {
		return nil, a.nothing(b, c.Errors)
	}
	c.Categories = m.categories()
	c.Groups, c.Overall = m.groups()
	adjust(c.Categories)
	adjust(c.Groups)
	if c.Overall != nil {
		one := []Difference{*c.Overall}
		adjust(one)
		c.Overall = &one[0]
	}
	m.decompose(c)
	c.pooled = m.pooled(c.Cases)
	c.Complete = m.complete()
	c.Spend, c.Agents = m.spend(), m.agents()
	return c, nil
}

// nothing returns an error that says why two runs have nothing to compare.
func (s *side) nothing(other *side, left int) error {
	if k := s.measure.K; k > min(s.run.Trials, other.run.Trials) {
		return misuse.Errorf("%s needs %d trials per case: %s has %d, %s has %d", s.measure, k, named(s.run), s.run.Trials, named(other.run), other.run.Trials)
	}
	return fmt.Errorf("%s and %s have no case that both answered: %s left out because of infrastructure errors", named(s.run), named(other.run), count.Of(left, "case is", "cases are"))
}

// adjust adjusts the p values that decide, and sets which differences are
// significant.
func adjust(all []Difference) {
	ps := make([]float64, len(all))
	for i := range all {
		ps[i] = all[i].Adjusted
	}
	for i, p := range stat.Holm(ps) {
		all[i].Adjusted = p
		all[i].Significant = p < Significance
	}
}

// A matching holds the paired cases of two runs.
type matching struct {
	layout *score.Layout
	sizes  map[string]int // of the dataset's categories
	order  []string
	parts  map[string]*matched
	brief  bool
}

// A matched category.
type matched struct {
	pairs  []pairing
	blocks []stat.Block // of the differences, by cluster
	scenes []stat.Block // the same by scenario, of memory's questions
}

type pairing struct{ a, b *unit }

func (m *matching) match(c *Comparison, category string, a, b *side) {
	part := &matched{}
	at, scenes := map[string]int{}, map[string]int{}
	for _, u := range a.parts[category] {
		v := b.at[category][u.id]
		if v == nil {
			continue
		}
		if !u.ok || !v.ok {
			c.Errors++
			continue
		}
		part.pairs = append(part.pairs, pairing{u, v})
		part.blocks = stat.AddTo(part.blocks, at, u.cluster, v.value-u.value)
		if u.scenario != "" {
			part.scenes = stat.AddTo(part.scenes, scenes, u.scenario, v.value-u.value)
		}
		if u.value != v.value {
			c.Flips = append(c.Flips, flip(category, u, v))
		}
	}
	c.Cases += len(part.pairs)
	if len(part.pairs) > 0 {
		m.order = append(m.order, category)
		m.parts[category] = part
	}
}

func (m *matching) categories() []Difference {
	out := []Difference{}
	for _, name := range m.order {
		part := m.parts[name]
		d := m.count(name, []score.Share{{Category: name, Weight: 1}})
		d.decide(stat.Compose([]stat.Stratum{{Weight: 1, Blocks: part.blocks}}))
		d.Adjusted = d.Unadjusted()
		if !m.brief {
			d.Scenarios = m.byScenario([]score.Share{{Category: name, Weight: 1}})
		}
		out = append(out, d)
	}
	return out
}

// groups returns the differences of the layout's groups with compared cases,
// and of the overall; nil if no case that counts was compared.
func (m *matching) groups() ([]Difference, *Difference) {
	out := []Difference{}
	m.layout.Walk(func(n *score.Node, _ int, _ bool) {
		if d, ok := m.group(n); ok && len(n.Parts) > 0 {
			out = append(out, d)
		}
	})
	all, ok := m.group(m.layout.Overall)
	if !ok {
		return out, nil
	}
	return out, &all
}

func (m *matching) group(n *score.Node) (Difference, bool) {
	shares := m.shares(n)
	if len(shares) == 0 {
		return Difference{}, false
	}
	d := m.count(n.Name, shares)
	d.Title = n.Title
	strata := make([]stat.Stratum, len(shares))
	for i, s := range shares {
		strata[i] = stat.Stratum{Weight: s.Weight, Blocks: m.parts[s.Category].blocks}
	}
	d.decide(stat.Compose(strata))
	d.Adjusted = d.P
	if !m.brief || n == m.layout.Overall {
		d.Scenarios = m.byScenario(shares)
	}
	return d, true
}

// pooled returns the difference over so many pairs in one stratum.
func (m *matching) pooled(cases int) Difference {
	var shares []score.Share
	var blocks []stat.Block
	for _, name := range m.order {
		part := m.parts[name]
		shares = append(shares, score.Share{Category: name, Weight: float64(len(part.pairs)) / float64(cases)})
		blocks = append(blocks, part.blocks...)
	}
	d := m.count("cases", shares)
	d.decide(stat.Compose([]stat.Stratum{{Weight: 1, Blocks: blocks}}))
	d.Adjusted = d.Unadjusted()
	return d
}

// count adds up the counts of a group's categories.
func (m *matching) count(name string, shares []score.Share) Difference {
	d := Difference{Name: name}
	clusters, equal := map[string]bool{}, true
	for _, s := range shares {
		part := m.parts[s.Category]
		var a, b float64
		for _, p := range part.pairs {
			clusters[p.a.cluster] = true
			equal = equal && p.a.answered == p.b.answered
			x, y := p.a.value, p.b.value
			a, b = a+x, b+y
			switch {
			case x > y:
				d.OnlyA++
			case y > x:
				d.OnlyB++
			}
		}
		n := float64(len(part.pairs))
		d.A += float64(s.Weight * a / n)
		d.B += float64(s.Weight * b / n)
		d.Cases += len(part.pairs)
	}
	d.Clusters = len(clusters)
	if equal {
		p := stat.McNemar(d.OnlyA, d.OnlyB)
		d.McNemar = &p
	}
	return d
}

// Unadjusted returns the p value of a category by itself: the larger of P and
// McNemar.
func (d *Difference) Unadjusted() float64 {
	if d.McNemar == nil {
		return d.P
	}
	return max(d.P, *d.McNemar)
}

// decide fills in the difference, its interval and its p value.
func (d *Difference) decide(c stat.Composite) {
	i := c.Difference(stat.Z95)
	d.Difference, d.Low, d.High = i.Estimate, i.Low, i.High
	d.P = stat.Level(c.Difference)
	d.Detectable = min(1, stat.Detectable(i.StandardError()))
	if math.Abs(d.Difference) < 1e-12 {
		d.Difference, d.P = 0, 1
	}
}

// complete reports whether every case that counts was compared.
func (m *matching) complete() bool {
	for _, s := range m.layout.Overall.Shares(func(string) (int, bool) { return 1, true }) {
		if part := m.parts[s.Category]; part == nil || len(part.pairs) < m.sizes[s.Category] {
			return false
		}
	}
	return true
}
