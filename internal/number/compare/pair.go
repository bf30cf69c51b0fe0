// Package compare compares runs case by case: which of two models is better, by
// how much, how certain that is, and on which cases they differ. It also ranks
// several runs.
//
//	Align         runs to the same cases, or an error that names what differs
//	Pair          two runs: differences with intervals and tests, flips, spend
//	Rank          several runs: the ranks that the data leave open to each
//
// docs/statistics.md gives the formulas.
package compare

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
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
	// Notes are remarks that may change what the difference means, and Figures
	// others: on each run as a whole, and on what is left without listed cases.
	Notes   []string `json:"notes,omitempty"`
	Figures []string `json:"figures,omitempty"`

	matching *matching
	// evidence is what the failures of A and B show, by case; nil without Blame.
	evidence [2]map[string]string
}

// Among returns the difference overall of only some categories; nil if none of
// them counts.
func (c *Comparison) Among(categories []string) *Difference {
	only := *c.matching
	only.parts = map[string]*matched{}
	for _, name := range categories {
		if part := c.matching.parts[name]; part != nil {
			only.parts[name] = part
		}
	}
	shares := only.shares(only.layout.Overall)
	if len(shares) == 0 {
		return nil
	}
	d := only.difference(only.layout.Overall.Name, "", shares)
	return &d
}

// A Difference is the difference of two accuracies on the same cases, B less A.
// Shares are between 0 and 1.
type Difference struct {
	// Name is the name of the category or group, or "overall".
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Cases is the number of cases.
	Cases int `json:"cases"`
	// A and B are the accuracies.
	A float64 `json:"a"`
	B float64 `json:"b"`
	stat.Estimate
	// Points is what the difference adds to the overall's, in percentage points.
	Points float64 `json:"points"`
	// OnlyA and OnlyB count the cases on which A or B did better.
	OnlyA int `json:"only_a"`
	OnlyB int `json:"only_b"`
	// Significant reports whether the adjusted p value is below Significance, and
	// would be if right answers with a call that was not read were wrong.
	Significant bool `json:"significant"`
	// Overlooked reports whether it is below only because of such answers.
	Overlooked bool `json:"overlooked,omitempty"`
	// Detectable is the smallest true difference that 80% of such comparisons
	// would find.
	Detectable float64 `json:"detectable"`

	// Over is what the difference is computed of.
	Over stat.Composite `json:"-"`
}

// Pair compares two runs that Align has accepted.
func Pair(a, b *tally.Run, o Options) (*Comparison, error) {
	return pair(newSide(a, o), newSide(b, o))
}

// pair compares two sides, and again with the strict ones, which a difference
// must outlast to be significant.
func pair(a, b *side) (*Comparison, error) {
	c, err := pairOnce(a, b)
	if err != nil || a.strict == nil && b.strict == nil {
		return c, err
	}
	strict, err := pairOnce(cmp.Or(a.strict, a), cmp.Or(b.strict, b))
	if err != nil {
		return nil, err
	}
	for i, list := range [][]Difference{c.Categories, c.Groups} {
		for k := range list {
			list[k].outlast(&[][]Difference{strict.Categories, strict.Groups}[i][k])
		}
	}
	if c.Overall != nil {
		c.Overall.outlast(strict.Overall)
	}
	return c, nil
}

// outlast takes the significance from a difference whose strict one has none, or
// is in the other direction.
func (d *Difference) outlast(strict *Difference) {
	d.Overlooked = d.Significant && (!strict.Significant || d.Value*strict.Value < 0)
	d.Significant = d.Significant && !d.Overlooked
}

func pairOnce(a, b *side) (*Comparison, error) {
	layout := a.run.Layout()
	c := &Comparison{
		A: sideOf(a.run), B: sideOf(b.run), Dataset: a.run.Dataset, Digest: a.run.Digest, Layout: layout.Name, Measure: a.options.Measure.String(),
		Groups: []Difference{}, Categories: []Difference{}, Flips: []Flip{},
	}
	m := &matching{options: a.options, layout: layout, sizes: a.run.Sizes(), parts: map[string]*matched{}}
	for _, part := range a.run.Parts {
		m.match(c, part.Category, a, b)
	}
	if c.Cases == 0 {
		return nil, a.nothing(b, c.Errors)
	}
	for _, name := range m.order {
		c.Categories = append(c.Categories, m.difference(name, "", []score.Share{{Category: name, Weight: 1}}))
	}
	layout.Walk(func(n *score.Node, _ int, _ bool) {
		if shares := m.shares(n); len(shares) > 0 && len(n.Parts) > 0 {
			c.Groups = append(c.Groups, m.difference(n.Name, n.Title, shares))
		}
	})
	if shares := m.shares(layout.Overall); len(shares) > 0 {
		d := m.difference(layout.Overall.Name, layout.Overall.Title, shares)
		c.Overall = &d
	}
	adjust(c.Categories)
	adjust(c.Groups)
	c.matching = m
	m.decompose(c)
	c.Complete = m.complete()
	c.Spend, c.Agents = m.spend(), m.agents()
	return c, nil
}

// ErrNothing is the error for runs without a case that all of them answered.
var ErrNothing = errors.New("have no answered case in common")

// nothing returns an error that says why runs have nothing to compare.
func (s *side) nothing(other *side, left int) error {
	if k := s.options.Measure.K; k > min(s.run.Trials, other.run.Trials) {
		return option.Misuse("%s needs %d trials per case: %s has %d, %s has %d", s.options.Measure, k, named(s.run), s.run.Trials, named(other.run), other.run.Trials)
	}
	return fmt.Errorf("%s and %s %w: %s left out because of infrastructure errors", named(s.run), named(other.run), ErrNothing, say.Count(left, "case is", "cases are"))
}

// adjust adjusts p values for their number, and sets which differences are
// significant.
func adjust(all []Difference) {
	stat.Holm(len(all), func(i int) *stat.Estimate { return &all[i].Estimate })
	for i := range all {
		all[i].Significant = all[i].Adjusted < Significance
	}
}

// A matching holds the paired cases of two runs.
type matching struct {
	options Options
	layout  *score.Layout
	sizes   map[string]int // of the dataset's categories
	order   []string
	parts   map[string]*matched
}

// A matched category, with the differences by unit.
type matched struct {
	pairs  []pairing
	blocks []stat.Block
	unit   string
}

type pairing struct{ a, b *unit }

func (m *matching) match(c *Comparison, category *eval.Category, a, b *side) {
	part, at := &matched{unit: eval.Unit(category)}, map[string]int{}
	for _, u := range a.parts[category.Name] {
		v := b.at[category.Name][u.id]
		if v == nil {
			continue
		}
		if !u.ok || !v.ok {
			c.Errors++
			continue
		}
		part.pairs = append(part.pairs, pairing{u, v})
		part.blocks = stat.AddTo(part.blocks, at, u.cluster, v.value-u.value)
		if u.value != v.value {
			f := Flip{Category: category.Name, ID: u.id, A: u.value, B: v.value, ErrorA: u.errorType, ErrorB: v.errorType, Cause: u.cause, Overlooked: v.overlooked}
			if f.Lost() {
				f.Cause, f.Overlooked = v.cause, u.overlooked
			}
			c.Flips = append(c.Flips, f)
		}
	}
	c.Cases += len(part.pairs)
	if len(part.pairs) > 0 {
		m.order = append(m.order, category.Name)
		m.parts[category.Name] = part
	}
}

// Whole returns the difference overall or, if nothing that counts was compared, that
// over all cases, each of which counts the same.
func (c *Comparison) Whole() *Difference {
	if c.Overall != nil {
		return c.Overall
	}
	var shares []score.Share
	for _, name := range c.matching.order {
		shares = append(shares, score.Share{Category: name, Weight: float64(len(c.matching.parts[name].pairs)) / float64(c.Cases)})
	}
	d := c.matching.difference("cases", "", shares)
	return &d
}

// difference compares the categories with some weights.
func (m *matching) difference(name, title string, shares []score.Share) Difference {
	d := Difference{Name: name, Title: title}
	strata := make([]stat.Stratum, len(shares))
	for i, s := range shares {
		part := m.parts[s.Category]
		strata[i] = stat.Stratum{Weight: s.Weight, Blocks: part.blocks, Unit: part.unit}
		var a, b float64
		for _, p := range part.pairs {
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
	d.Over = stat.Compose(strata)
	d.Estimate = d.Over.Tested()
	d.Significant = d.Adjusted < Significance
	d.Detectable = d.Over.Finds(Significance)
	return d
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
