package score

import "github.com/gobfcl/bfcl/internal/number/stat"

// group fills in the groups and the overall.
func (s *Score) group(l *Layout, tallies map[string]Tally) {
	g := grouping{score: s, layout: l, tallies: tallies, upstream: l.Evaluate(s.weighed())}
	s.Overall = g.part(l.Overall)
	delete(s.Groups, l.Overall.Name)
}

// A grouping computes parts bottom up.
type grouping struct {
	score    *Score
	layout   *Layout
	upstream map[string]Accuracy
	tallies  map[string]Tally
}

func (g grouping) part(n *Node) Part {
	if len(n.Parts) == 0 {
		return g.category(n.Name)
	}
	parts := make([]Part, len(n.Parts))
	for i, sub := range n.Parts {
		parts[i] = g.part(sub)
	}
	p := g.combine(n, parts)
	if !p.NA || p.Errors > 0 {
		g.score.Groups[n.Name] = p
	}
	return p
}

func (g grouping) category(name string) Part {
	p, ok := g.score.Categories[name]
	if !ok {
		p.NA, p.Size = true, g.layout.Sizes[name]
	}
	if p.NA {
		p.Missing = []string{name}
	}
	return p
}

func (g grouping) combine(n *Node, parts []Part) Part {
	all := Part{NA: true}
	for _, p := range parts {
		all.Correct += p.Correct
		all.Total += p.Total
		all.Errors += p.Errors
		all.Cases += p.Cases
		all.Size += p.Size
		all.NA = all.NA && p.NA
		all.Missing = append(all.Missing, p.Missing...)
	}
	if all.NA {
		return all
	}
	all.set(g.interval(n, func(name string) (Part, int) { return g.score.Categories[name], g.upstream[name].Total }))
	all.Accuracy = g.upstream[n.Name].Value
	all.Ran = g.interval(n, func(name string) (Part, int) {
		p, ok := g.score.Categories[name]
		if !ok || p.NA {
			return p, notCounted
		}
		return Part{Accuracy: p.Ran.Estimate, Low: p.Ran.Low, High: p.Ran.High}, p.Size
	})
	all.Ran.Low, all.Ran.High = max(all.Ran.Low, 0), min(all.Ran.High, 1)
	return all
}

// notCounted is the size of a category that is left out.
const notCounted = -1

// interval is that of a group's accuracy, from those of its categories and the
// clusters they share.
func (g grouping) interval(n *Node, of func(category string) (p Part, cases int)) stat.Interval {
	shares := n.Shares(func(name string) (int, bool) {
		_, cases := of(name)
		return cases, cases != notCounted
	})
	var weights []float64
	var parts []stat.Interval
	var blocks [][]stat.Block
	for _, share := range shares {
		p, _ := of(share.Category)
		weights = append(weights, share.Weight)
		parts = append(parts, p.interval())
		blocks = append(blocks, stat.Blocks(g.tallies[share.Category].Clusters))
	}
	return stat.Combine(weights, parts, stat.Correlation(blocks))
}
