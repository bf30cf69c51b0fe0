package score

import "github.com/gobfcl/bfcl/internal/stat"

// group fills in the groups and the overall.
func (s *Score) group(l *Layout) {
	g := grouping{score: s, layout: l, upstream: l.Evaluate(s.Accuracies())}
	s.Overall = g.part(l.Overall)
	delete(s.Groups, l.Overall.Name)
}

// A grouping computes parts bottom up.
type grouping struct {
	score    *Score
	layout   *Layout
	upstream map[string]Accuracy
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
		p.NA = true
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
		all.NA = all.NA && p.NA
		all.Missing = append(all.Missing, p.Missing...)
	}
	if all.NA {
		return all
	}
	all.set(stat.Combine(g.weights(n, nil), intervals(parts)))
	all.Accuracy = g.upstream[n.Name].Value
	all.Ran = stat.Combine(g.weights(n, parts), ranIntervals(parts))
	all.Ran.Low, all.Ran.High = max(all.Ran.Low, 0), min(all.Ran.High, 1)
	return all
}

// weights are the parts' shares in the group, adding up to 1: of all parts or,
// where their results are given, of those that ran.
func (g grouping) weights(n *Node, ran []Part) []float64 {
	out := make([]float64, len(n.Parts))
	var sum float64
	for i, part := range n.Parts {
		switch {
		case ran != nil && ran[i].NA:
		case n.Rule == ByWeight:
			out[i] = n.Weights[i]
		case n.Rule == ByCase && ran != nil:
			out[i] = float64(ran[i].Total)
		case n.Rule == ByCase:
			out[i] = float64(g.upstream[part.Name].Total)
		default:
			out[i] = 1
		}
		sum += out[i]
	}
	for i := range out {
		out[i] = over(out[i], sum)
	}
	return out
}

func intervals(parts []Part) []stat.Interval {
	out := make([]stat.Interval, len(parts))
	for i, p := range parts {
		out[i] = p.interval()
	}
	return out
}

func ranIntervals(parts []Part) []stat.Interval {
	out := make([]stat.Interval, len(parts))
	for i, p := range parts {
		out[i] = p.Ran
	}
	return out
}
