package catalog

import (
	"slices"
	"strings"
)

// nearMost is the number of names that a suggestion holds at most.
const nearMost = 3

// nearest are the names most like one that is unknown, best first; none where
// nothing is alike.
func nearest(name string, names []string) []string {
	type scored struct {
		name     string
		distance int
	}
	runes := []rune(strings.ToLower(name))
	if len(runes) > 100 {
		runes = runes[:100]
	}
	var near []scored
	for _, n := range names {
		other := []rune(strings.ToLower(n))
		d := distance(runes, other)
		if len(runes) > 2 && strings.Contains(string(other), string(runes)) {
			d = min(d, 1) // a part of the name, such as its family
		}
		if d <= max(len(runes), len(other))/3+1 {
			near = append(near, scored{n, d})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range near[:min(len(near), nearMost)] {
		out = append(out, s.name)
	}
	return out
}

// distance is Levenshtein's.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for k, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[k+1]
			row[k+1] = min(cost, row[k+1]+1, row[k]+1)
		}
	}
	return row[len(b)]
}

// suggestion is the end of a sentence that names what is near.
func suggestion(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
