package score

import "github.com/gobfcl/bfcl/internal/number/stat"

// group computes the groups and the overall.
func (s *Score) group(l *Layout, tallies map[string]Tally) {
	g := grouping{score: s, layout: l, tallies: tallies, upstream: l.Evaluate(s.weighed())}
	s.Overall = g.part(l.Overall)
	delete(s.Groups, l.Overall.Name)
}

// A grouping computes parts from the bottom up.
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
	upstream := g.interval(n, func(name string) (int, bool) { return g.upstream[name].Total, true })
	all.set(upstream)
	all.Accuracy = g.upstream[n.Name].Value
	all.Low, all.High = min(all.Low, all.Accuracy), max(all.High, all.Accuracy) // whose sums round otherwise
	all.Ran = g.interval(n, func(name string) (int, bool) {
		p, ok := g.score.Categories[name]
		return p.Size, ok && !p.NA
	})
	return all
}

// interval returns the interval of a group's accuracy over the categories that
// count, from their scored cases and common clusters. A category that counts
// but was not run is 0 with certainty.
func (g grouping) interval(n *Node, size func(category string) (cases int, counts bool)) stat.Estimate {
	var strata []stat.Stratum
	var ran float64
	for _, share := range n.Shares(size) {
		if p, ok := g.score.Categories[share.Category]; ok && !p.NA {
			ran += share.Weight
			strata = append(strata, g.tallies[share.Category].stratum(share.Weight, p.Total))
		}
	}
	i := stat.Compose(strata).Share(stat.Z95)
	i.Value, i.Low, i.High = ran*i.Value, ran*i.Low, ran*i.High
	return i
}
