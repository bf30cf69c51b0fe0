package compare

import (
	"fmt"
	"math"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
)

// Walk visits the layout's groups and categories that were compared, and then the
// categories that are not in it.
func (c *Comparison) Walk(visit func(d *Difference, n *score.Node, depth int, counts bool)) {
	byName := map[string]*Difference{}
	for _, list := range [][]Difference{c.Groups, c.Categories} {
		for i := range list {
			byName[list[i].Name] = &list[i]
		}
	}
	c.matching.layout.Walk(func(n *score.Node, depth int, counts bool) {
		if d := byName[n.Name]; d != nil {
			delete(byName, n.Name)
			visit(d, n, depth, counts)
		}
	})
	for i := range c.Categories {
		if d := &c.Categories[i]; byName[d.Name] == d {
			visit(d, &score.Node{Name: d.Name}, 0, false)
		}
	}
}

// Intervals says what the intervals are about, and how few units the cases are.
func (c *Comparison) Intervals() string {
	seen, units := map[string]bool{}, map[string]int{}
	for _, share := range c.matching.shares(c.matching.layout.Overall) {
		part := c.matching.parts[share.Category]
		unit := part.unit
		if unit == "scenario" { // upstream has few: five
			unit = "memory scenario"
		}
		for _, b := range part.blocks {
			if b.Key == "" || !seen[b.Key] {
				seen[b.Key] = true
				units[unit]++
			}
		}
	}
	return say.Intervals(units)
}

// Points formats a share as signed percentage points.
func Points(x float64) string { return say.Signed("%+.2f", Rounded(100*x)) }

// Rounded rounds points to hundredths. What differs only by the order in which
// it was added up is rounded alike.
func Rounded(x float64) float64 {
	const fine, hundred = 1e6, 100
	return math.RoundToEven(math.Round(x*hundred*fine)/fine)/hundred + 0 // never -0
}

// Shown rounds points so that they add up to their rounded sum.
func Shown(points ...float64) []float64 {
	out, sum, before := make([]float64, len(points)), 0.0, 0.0
	for i, p := range points {
		sum += p
		now := Rounded(sum)
		out[i], before = Rounded(now-before), now
	}
	return out
}

// Interval formats a difference's interval in percentage points.
func Interval(low, high float64) string {
	return say.Signed("%+.1f to %+.1f", 100*low, 100*high)
}

// Level formats a p value, with no false precision below a thousandth of a
// percent.
func Level(p float64) string {
	switch {
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return fmt.Sprintf("%.5f", p)
	}
	return fmt.Sprintf("%.3f", p)
}

// PValue formats a p value for a sentence, such as "p = 0.02".
func PValue(p float64) string {
	if text := Level(p); text[0] == '<' {
		return "p < " + text[1:]
	}
	return "p = " + Level(p)
}
