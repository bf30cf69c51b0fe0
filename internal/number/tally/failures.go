package tally

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Grouping selects the failures to group, and says how to group them.
type Grouping struct {
	By cause.By
	// Categories limits the failures to these categories; empty means all.
	Categories []string
	// Kinds limits the failures to these kinds; empty means all.
	Kinds []cause.Kind
}

// Examples is how many cases a group shows.
const Examples = 10

// Alike is a set of similar failures.
type Alike struct {
	// Cause has only the fields that the failures are grouped by. When grouped
	// by kind, it also has Got if that is the same for all.
	cause.Cause
	// Title is the kind in words.
	Title string `json:"title"`
	// ErrorTypes are upstream's, the most frequent first.
	ErrorTypes []string `json:"error_types"`
	// Count is the number of results, and Share their share of all failed
	// results.
	Count int     `json:"count"`
	Share float64 `json:"share"`
	// Lost is what the failures cost the run's overall, in percentage points; 0
	// if their categories do not count.
	Lost float64 `json:"lost"`
	// Categories counts the failures by category.
	Categories map[string]int `json:"categories"`
	// Examples are the ids of a few cases, drawn at random but the same each
	// time.
	Examples []string `json:"examples"`
	// Suspect says what evidence there is about the failures; nil for none.
	Suspect *Suspect `json:"suspect,omitempty"`

	ids   []string
	all   []*eval.Result
	types map[string]int
}

// Failures are a run's failures in groups.
type Failures struct {
	// Groups are ordered by cost, the most costly first.
	Groups []Alike `json:"groups"`
	// Failed of Total results did not pass; Errors of those have no answer.
	Failed int `json:"failed"`
	Total  int `json:"total"`
	Errors int `json:"errors"`
	// Free of the wrong answers are in categories that do not count.
	Free int `json:"free"`
	// Listed of the failed results are of cases that the list of errata names.
	Listed int `json:"listed"`
	// Lost is what all failures cost the overall, in percentage points. If only a
	// part was scored, it is the overall of what ran, and Ran says how much that
	// is.
	Lost float64        `json:"lost"`
	Ran  *score.Covered `json:"ran,omitempty"`
}

// String says how many answers were wrong, what they cost, and how many cases
// got no answer.
func (f *Failures) String() string {
	wrong := f.Failed - f.Errors
	text := say.Count(wrong, "wrong answer", "wrong answers")
	if f.Lost > 0 {
		text = fmt.Sprintf("%s cost %.2f points", say.Count(wrong-f.Free, "wrong answer", "wrong answers"), f.Lost)
		if f.Free > 0 {
			text += "; " + say.Unweighted(f.Free)
		}
	}
	if f.Errors > 0 {
		text += fmt.Sprintf("; %d got no answer", f.Errors)
	}
	return text
}

// Failures groups the failures of a run: why points were lost, and which cases
// to look at.
func (r *Run) Failures(o Grouping) (*Failures, error) {
	worth, err := r.Worth()
	if err != nil {
		return nil, err
	}
	out := &Failures{}
	if out.Ran, err = r.Ran(); err != nil {
		return nil, err
	}
	defects, err := r.Defects()
	if err != nil {
		return nil, err
	}
	groups := map[cause.Cause]*Alike{}
	for cat, result := range r.All() {
		if len(o.Categories) > 0 && !slices.Contains(o.Categories, cat.Name) {
			continue
		}
		out.Total++
		if result.Passed() || len(o.Kinds) > 0 && !slices.Contains(o.Kinds, result.Cause.Kind) {
			continue
		}
		out.Failed++
		if defects[result.Case.ID] != nil {
			out.Listed++
		}
		key := result.Cause.Key(o.By)
		g := groups[key]
		if g == nil {
			g = &Alike{Cause: key, Title: key.Kind.Title(), Categories: map[string]int{}, types: map[string]int{}}
			groups[key] = g
		}
		g.add(cat.Name, result)
		switch {
		case result.Status == eval.Error:
			out.Errors++
		default:
			g.Lost += worth[cat.Name]
			out.Lost += worth[cat.Name]
			if worth[cat.Name] == 0 {
				out.Free++
			}
		}
	}
	signs := r.signs()
	for _, g := range groups {
		g.close(out.Failed)
		g.Suspect = signs.suspect(g.all)
		out.Groups = append(out.Groups, *g)
	}
	slices.SortFunc(out.Groups, costlier)
	return out, nil
}

// costlier orders groups by cost, the most costly first.
func costlier(a, b Alike) int {
	return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Count, a.Count), strings.Compare(a.key(), b.key()))
}

func (g *Alike) key() string {
	return strings.Join([]string{string(g.Kind), g.Function, g.Parameter, g.Got}, "\x00")
}

func (g *Alike) add(category string, r *eval.Result) {
	g.Count++
	g.all = append(g.all, r)
	g.Categories[category]++
	g.types[r.ErrorType]++
	if n := len(g.ids); n == 0 || g.ids[n-1] != r.Case.ID { // trials of a case are adjacent
		g.ids = append(g.ids, r.Case.ID)
	}
}

// close draws the examples.
func (g *Alike) close(failed int) {
	g.Share = float64(g.Count) / float64(failed)
	g.ErrorTypes = say.Frequent(g.types)
	ids := slices.Clone(g.ids)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(drawn(a), drawn(b)) })
	g.Examples = ids[:min(Examples, len(ids))]
}

// drawn orders ids pseudo-randomly. The page's script computes the same order.
func drawn(id string) uint32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	const mix = 0x85ebca6b // spread ids that differ only in their last letter
	h := sum.Sum32()
	h = (h ^ h>>16) * mix
	return h ^ h>>13
}
