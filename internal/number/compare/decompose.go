package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// This file says where the difference overall comes from. What the overall's
// parts add makes the difference, and so does what the cases that differ add.

// decompose fills in what categories, groups and flips add to the overall's
// difference.
func (m *matching) decompose(c *Comparison) {
	weight := map[string]float64{}
	for _, s := range m.shares(m.layout.Overall) {
		weight[s.Category] += s.Weight
	}
	const all = 100
	adds := map[string]float64{}
	for i := range c.Categories {
		d := &c.Categories[i]
		d.Points = all * weight[d.Name] * (d.B - d.A)
		adds[d.Name] = d.Points
	}
	for i := range c.Groups {
		for _, s := range m.shares(m.layout.Below(c.Groups[i].Name)) {
			c.Groups[i].Points += adds[s.Category]
		}
	}
	if c.Overall != nil {
		c.Overall.Points = all * (c.Overall.B - c.Overall.A)
	}
	for i := range c.Flips {
		f := &c.Flips[i]
		f.Points = all * weight[f.Category] * (f.B - f.A) / float64(len(m.parts[f.Category].pairs))
	}
}

// Parts returns the differences of the overall's parts, what adds most to the
// overall's difference first. Their points are as they are shown.
func (c *Comparison) Parts() (out []Difference) {
	for _, n := range c.matching.layout.Overall.Parts {
		for _, list := range [][]Difference{c.Groups, c.Categories} {
			at := slices.IndexFunc(list, func(d Difference) bool { return d.Name == n.Name })
			if at >= 0 {
				one := list[at]
				one.Title = cmp.Or(n.Title, n.Name)
				out = append(out, one)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)) })
	points := make([]float64, len(out))
	for i := range out {
		points[i] = out[i].Points
	}
	for i, x := range Shown(points...) {
		out[i].Points = x
	}
	return out
}

// Word says in a word whether the difference is more than chance.
func (d *Difference) Word() string {
	switch {
	case d.Significant && d.Value < 0:
		return "real, worse"
	case d.Significant:
		return "real, better"
	case d.Overlooked:
		return "rests on calls that were not read"
	case d.OnlyA+d.OnlyB == 0:
		return "no difference"
	}
	return "could be chance"
}

// A Flip is a case on which the runs differ.
type Flip struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	// A and B are the runs' measures, usually the shares of right trials: 0 or
	// 1 with one trial.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// ErrorA and ErrorB are the error types of the first wrong trials; "" if no
	// trial was wrong.
	ErrorA string `json:"error_a,omitempty"`
	ErrorB string `json:"error_b,omitempty"`
	// Cause is why the run that did worse failed.
	Cause cause.Cause `json:"cause"`
	// Overlooked reports whether the run that did better has a right answer that
	// holds a call which was not read.
	Overlooked bool `json:"overlooked,omitempty"`
	// Points is what the case adds to the overall's difference.
	Points float64 `json:"points"`
}

// Lost reports whether B did worse.
func (f Flip) Lost() bool { return f.B < f.A }

// Lost returns the cases on which B did worse.
func (c *Comparison) Lost() []Flip {
	return slices.DeleteFunc(slices.Clone(c.Flips), func(f Flip) bool { return !f.Lost() })
}

// Won returns the cases on which B did better.
func (c *Comparison) Won() []Flip { return slices.DeleteFunc(slices.Clone(c.Flips), Flip.Lost) }

// A Because is the flips in one direction with the same kind of cause, in the run
// that did worse.
type Because struct {
	Cause cause.Cause
	// Points is what they add to the overall's difference.
	Points float64
	Flips  []Flip
	// Suspect says for how many of them there is evidence; "" for none.
	Suspect string
}

// Reasons groups the cases newly failed and newly passed by cause, what adds
// most first. Their points are as they are shown.
func (c *Comparison) Reasons() (lost, won []Because) {
	lost, won = byCause(c.Lost()), byCause(c.Won())
	var points []float64
	for _, r := range append(slices.Clip(lost), won...) {
		points = append(points, r.Points)
	}
	for i, x := range Shown(points...) {
		if k := i - len(lost); k < 0 {
			lost[i].Points, lost[i].Suspect = x, split(lost[i].Flips, c.evidence[1])
		} else {
			won[k].Points, won[k].Suspect = x, split(won[k].Flips, c.evidence[0])
		}
	}
	return lost, won
}

func byCause(flips []Flip) (out []Because) {
	at := map[cause.Cause]int{}
	for _, f := range flips {
		key := f.Cause.Key(cause.ByKind)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, Because{Cause: key})
		}
		out[i].Points += f.Points
		out[i].Flips = append(out[i].Flips, f)
	}
	slices.SortStableFunc(out, func(a, b Because) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(len(b.Flips), len(a.Flips)), strings.Compare(a.Cause.Text(), b.Cause.Text()))
	})
	return out
}

// Added returns what reasons add to the overall's difference, by how many cases, and
// how many of these only went over because a call was not read; "" for none.
func Added(reasons []Because) (points float64, cases int, unread string) {
	n := 0
	for _, r := range reasons {
		points, cases = points+r.Points, cases+len(r.Flips)
		for _, f := range r.Flips {
			if f.Overlooked {
				n++
			}
		}
	}
	if n > 0 {
		unread = fmt.Sprintf(" (%d only because a call was not read)", n)
	}
	return Rounded(points), cases, unread
}

// shares returns the shares of what was compared below a node.
func (m *matching) shares(n *score.Node) []score.Share {
	return n.Shares(func(name string) (int, bool) {
		part := m.parts[name]
		if part == nil {
			return 0, false
		}
		return max(m.sizes[name], len(part.pairs)), true
	})
}
