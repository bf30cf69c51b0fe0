package score

import "fmt"

// A Rule says how a group's accuracy is computed from its parts.
type Rule int

// The rules of upstream's releases.
const (
	// ByPart counts every part the same.
	ByPart Rule = iota
	// ByCase counts every case the same.
	ByCase
	// ByWeight counts each part by its weight.
	ByWeight
)

// A Node is a category or, if it has parts, a group.
type Node struct {
	// Name is the category's name, or the group's: unique in its layout.
	Name string
	// Title is what a reader sees; empty for a category, which is shown by its
	// name.
	Title string
	// Rule says how a group's accuracy is computed from its parts.
	Rule Rule
	// Weights are the weights of the parts, for ByWeight.
	Weights []float64
	// Parts are the groups or categories that count.
	Parts []*Node
	// Aside are categories that are shown here but do not count.
	Aside []*Node
}

// A Layout is how one release of the benchmark groups its categories.
type Layout struct {
	// Name is the name of the release, such as "v4".
	Name string
	// Overall is the root of all groups.
	Overall *Node
	// Sizes are the numbers of cases per category: the weights in a score in
	// which every case counts the same.
	Sizes map[string]int
	// DropsMissing reports whether a missing category has weight 0 if every
	// case counts the same, as in upstream's first release, rather than its
	// size.
	DropsMissing bool
}

// Layouts returns the known layouts, the newest first.
var Layouts = []*Layout{V4, V3, V2, V1}

// LayoutOf returns the layout of a dataset by its name. A user's own dataset is
// scored like the newest release.
func LayoutOf(dataset string) *Layout {
	for _, l := range Layouts {
		if l.Name == dataset {
			return l
		}
	}
	return V4
}

// OwnName is the name of the layouts of users' own suites.
const OwnName = "own"

// A Weighted is a category of a user's own suite with its weight in the
// overall.
type Weighted struct {
	Category string
	Weight   float64
}

// Own returns the layout of a user's own suite: the overall is the weighted
// mean of its categories. A category with weight 0 does not count.
func Own(list []Weighted) *Layout {
	overall := &Node{Name: "overall", Title: "Overall", Rule: ByWeight}
	for _, w := range list {
		node := category(w.Category)
		if w.Weight <= 0 {
			overall.Aside = append(overall.Aside, node)
			continue
		}
		overall.Parts = append(overall.Parts, node)
		overall.Weights = append(overall.Weights, w.Weight)
	}
	return &Layout{Name: OwnName, Overall: overall}
}

// Evaluate computes every category's and group's accuracy by name. A category
// that is not in the table is missing: 0 and N/A, with its size.
func (l *Layout) Evaluate(table map[string]Accuracy) map[string]Accuracy {
	out := map[string]Accuracy{}
	l.evaluate(l.Overall, table, out)
	return out
}

func (l *Layout) evaluate(n *Node, table, out map[string]Accuracy) Accuracy {
	for _, aside := range n.Aside {
		l.evaluate(aside, table, out)
	}
	parts := make([]Accuracy, len(n.Parts))
	for i, part := range n.Parts {
		parts[i] = l.evaluate(part, table, out)
	}
	a, known := table[n.Name]
	switch {
	case len(parts) == 0 && !known: // as upstream's get_category_score
		if a.NA = true; !l.DropsMissing {
			a.Total = l.Sizes[n.Name]
		}
	case len(parts) == 0:
	case n.Rule == ByCase:
		a = WeightedMean(parts...)
	case n.Rule == ByWeight:
		a = PercentMean(n.Weights, parts...)
	default:
		a = Mean(parts...)
	}
	out[n.Name] = a
	return a
}

// A Share is how much a category counts in a group's accuracy.
type Share struct {
	Category string
	// Weight is the category's weight; those of a group's categories add up to
	// 1.
	Weight float64
}

// Shares returns the shares of the categories below a node, in order. size
// returns a category's number of cases, and whether it counts; if nothing
// counts, there are no shares.
func (n *Node) Shares(size func(category string) (cases int, counts bool)) []Share {
	shares, _ := n.shares(size)
	return shares
}

func (n *Node) shares(size func(string) (int, bool)) (shares []Share, cases int) {
	if len(n.Parts) == 0 {
		cases, counts := size(n.Name)
		if !counts {
			return nil, 0
		}
		return []Share{{n.Name, 1}}, cases
	}
	var sum float64
	for i, part := range n.Parts {
		below, count := part.shares(size)
		weight := 1.0
		switch n.Rule {
		case ByCase:
			weight = float64(count)
		case ByWeight:
			weight = n.Weights[i]
		}
		for _, s := range below {
			shares = append(shares, Share{s.Category, s.Weight * weight})
		}
		if len(below) > 0 {
			sum += weight
		}
		cases += count
	}
	for i := range shares {
		shares[i].Weight = over(shares[i].Weight, sum)
	}
	return shares, cases
}

// Walk calls f for each node below the overall, depth first, a group before its
// parts. depth counts from 0; counts is false for categories that do not count.
func (l *Layout) Walk(f func(n *Node, depth int, counts bool)) {
	for _, part := range l.Overall.Parts {
		part.walk(f, 0, true)
	}
	for _, aside := range l.Overall.Aside {
		aside.walk(f, 0, false)
	}
}

func (n *Node) walk(f func(*Node, int, bool), depth int, counts bool) {
	f(n, depth, counts)
	for _, part := range n.Parts {
		part.walk(f, depth+1, counts)
	}
	for _, aside := range n.Aside {
		aside.walk(f, depth+1, false)
	}
}

// Below returns the node with a name: the overall, a group or a category. A
// name that is not in the layout is taken as a category.
func (l *Layout) Below(name string) *Node {
	if name == l.Overall.Name {
		return l.Overall
	}
	found := &Node{Name: name}
	l.Walk(func(n *Node, _ int, _ bool) {
		if n.Name == name {
			found = n
		}
	})
	return found
}

func mean(name, title string, parts ...*Node) *Node {
	return &Node{Name: name, Title: title, Parts: parts}
}

func pooled(name, title string, parts ...*Node) *Node {
	return &Node{Name: name, Title: title, Rule: ByCase, Parts: parts}
}

func categories(names ...string) []*Node {
	nodes := make([]*Node, len(names))
	for i, name := range names {
		nodes[i] = &Node{Name: name}
	}
	return nodes
}

func category(name string) *Node { return &Node{Name: name} }

// An Accuracy is the share of right answers in a category or group, with what
// upstream stores with it.
type Accuracy struct {
	// Value is the share, 0 to 1. A missing part counts as 0.
	Value float64
	// Total is the number of cases: those judged, or those the category
	// would have had.
	Total int
	// NA reports whether a part is missing, so that upstream's tables print
	// N/A.
	NA bool
}

// String returns the accuracy as upstream's tables show it: in percent, or N/A.
func (a Accuracy) String() string {
	if a.NA {
		return "N/A"
	}
	return a.Percent()
}

// Percent returns the accuracy as a number even if a part is missing, for the
// columns in which upstream's display_na_if_category_missing is off.
func (a Accuracy) Percent() string { return fmt.Sprintf("%.2f%%", a.Value*100) }

// Mean is upstream's calculate_unweighted_accuracy: every part counts the same.
func Mean(parts ...Accuracy) Accuracy {
	var sum float64
	for _, p := range parts {
		sum += p.Value
	}
	return whole(parts, over(sum, float64(len(parts))))
}

// WeightedMean is upstream's calculate_weighted_accuracy: every case counts the
// same.
func WeightedMean(parts ...Accuracy) Accuracy {
	var sum float64
	var cases int
	for _, p := range parts {
		sum += float64(p.Value * float64(p.Total))
		cases += p.Total
	}
	return whole(parts, over(sum, float64(cases)))
}

// PercentMean is upstream's calculate_percentage_weighted_accuracy: each part
// counts by its weight; the weights need not add up to 1. A part without a
// weight does not count.
func PercentMean(weights []float64, parts ...Accuracy) Accuracy {
	var sum, weight float64
	for _, w := range weights {
		weight += w
	}
	for i, p := range parts[:min(len(parts), len(weights))] {
		sum += float64(p.Value * over(weights[i], weight))
	}
	return whole(parts, sum)
}

func whole(parts []Accuracy, value float64) Accuracy {
	all := Accuracy{Value: value}
	for _, p := range parts {
		all.Total += p.Total
		all.NA = all.NA || p.NA
	}
	return all
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
