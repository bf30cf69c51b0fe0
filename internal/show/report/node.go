package report

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// A node is a column of the leaderboard: the overall, a group or a category.
type node struct {
	*score.Node
	// Title is the name for people.
	Title string
	// Group is the outermost group it belongs to; "" for the overall.
	Group string
	// Top marks the overall and its own parts.
	Top bool
	// Counts reports whether it enters the overall.
	Counts bool
	depth  int
}

// nodesOf returns the layout's nodes for which any entry has results, the
// overall first; categories that the layout does not have come last.
func (r *Report) nodesOf() []node {
	all := []node{{Node: r.Layout.Overall, Title: "Overall", Top: true, Counts: true}}
	known := map[string]bool{}
	group := ""
	r.Layout.Walk(func(n *score.Node, depth int, counts bool) {
		known[n.Name] = true
		if depth == 0 {
			group = n.Name
		}
		has := func(e *Entry) bool { p, ok := e.part(n); return ok && !p.NA }
		if r.any(has) {
			all = append(all, node{Node: n, Title: titleOf(n), Group: group, Top: depth == 0, Counts: counts, depth: depth + 1})
		}
	})
	var others []string
	for _, e := range r.Entries {
		for name := range e.Score.Categories {
			if !known[name] && !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
	}
	slices.Sort(others)
	for _, name := range others {
		all = append(all, node{Node: &score.Node{Name: name}, Title: say.Printable(name, 80), Group: name, Top: true, depth: 1})
	}
	return all
}

func titleOf(n *score.Node) string {
	if n.Title != "" {
		return n.Title
	}
	return n.Name
}

// part returns an entry's result in a node; false if it has none.
func (e *Entry) part(n *score.Node) (score.Part, bool) {
	if n.Name == "overall" {
		return e.Score.Overall, !e.Score.Overall.NA
	}
	p, ok := e.Score.Groups[n.Name]
	if len(n.Parts) == 0 {
		p, ok = e.Score.Categories[n.Name]
	}
	return p, ok && !p.NA
}

// of returns a run's accuracy in a node. If categories or cases are missing,
// it is the accuracy over what ran, because a zero would be read as the
// model's fault; whole is then false.
func (e *Entry) of(n *score.Node) (i stat.Estimate, whole, ok bool) {
	p, ok := e.part(n)
	if !ok {
		return stat.Estimate{}, false, false
	}
	if !p.Whole() {
		return p.Ran, false, true
	}
	return stat.Estimate{Value: p.Accuracy, Low: p.Low, High: p.High}, true, true
}

func (e *Entry) overall() stat.Estimate {
	i, _, _ := e.of(&score.Node{Name: "overall"})
	return i
}
