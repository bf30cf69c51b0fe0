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

// in reports whether a category is selected, and has whether a result of one is a
// failure that is.
func (o Grouping) in(cat *eval.Category) bool {
	return len(o.Categories) == 0 || slices.Contains(o.Categories, cat.Name)
}

func (o Grouping) has(r *eval.Result) bool {
	return !r.Passed() && (len(o.Kinds) == 0 || slices.Contains(o.Kinds, r.Cause.Kind))
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
	// Count is the number of results, and Share their share of all wrong answers; 0
	// for errors.
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

	wrong int
	ids   []string
	all   []*eval.Result
	types map[string]int
}

// Failures are a run's failures in groups.
type Failures struct {
	// Groups are ordered by cost, the most costly first.
	Groups []Alike `json:"groups"`
	// Wrong of Total results are wrong answers, and Errors have no answer, which
	// says nothing of the model.
	Wrong  int `json:"wrong"`
	Total  int `json:"total"`
	Errors int `json:"errors"`
	// Aside of the wrong answers are in categories that do not count.
	Aside int `json:"wrong_aside"`
	// Listed of the wrong answers are of cases that the list of errata names.
	Listed int `json:"listed"`
	// Lost is what all failures cost the overall, in percentage points. If only a
	// part was scored, it is the overall of what ran, and Ran says how much that
	// is.
	Lost float64        `json:"lost"`
	Ran  *score.Covered `json:"ran,omitempty"`
	// Blame says what evidence there is about these failures.
	Blame *Blame `json:"blame,omitempty"`
}

// String says how many answers were wrong, what they cost, and how many cases
// got no answer.
func (f *Failures) String() string {
	text := say.Count(f.Wrong, "wrong answer", "wrong answers")
	if f.Lost > 0 {
		text = fmt.Sprintf("%s cost %.2f points", say.Count(f.Wrong-f.Aside, "wrong answer", "wrong answers"), f.Lost)
		if f.Aside > 0 {
			text += "; " + say.Unweighted(f.Aside)
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
	worth := r.Worth()
	whole, err := score.New(score.Run{Dataset: r.Dataset}, r.tallies(false), score.Options{Layout: r.layout, Sizes: r.sizes})
	if err != nil {
		return nil, err
	}
	out := &Failures{}
	if whole.Partial() {
		out.Ran = &whole.Coverage.Covered
	}
	defects, err := r.Defects()
	if err != nil {
		return nil, err
	}
	groups, counts := map[cause.Cause]*Alike{}, r.counting()
	for cat, result := range r.All() {
		if !o.in(cat) {
			continue
		}
		out.Total++
		if !o.has(result) {
			continue
		}
		key := result.Cause.Key(o.By)
		g := groups[key]
		if g == nil {
			g = &Alike{Cause: key, Title: key.Kind.Title(), Categories: map[string]int{}, types: map[string]int{}}
			groups[key] = g
		}
		g.add(cat.Name, result)
		if result.Status == eval.Error {
			out.Errors++
			continue
		}
		g.wrong++
		g.Lost += worth[cat.Name]
		if out.Lost, out.Wrong = out.Lost+worth[cat.Name], out.Wrong+1; !counts(cat) {
			out.Aside++
		}
		if defects[result.Case.ID] != nil {
			out.Listed++
		}
	}
	signs := signsOf(r)
	for _, g := range groups {
		g.Share = float64(g.wrong) / float64(max(1, out.Wrong))
		g.ErrorTypes = say.Frequent(g.types)
		slices.SortStableFunc(g.ids, func(a, b string) int { return cmp.Compare(drawn(a), drawn(b)) })
		g.Examples = g.ids[:min(Examples, len(g.ids))]
		g.Suspect = signs.suspect(g.all)
		out.Groups = append(out.Groups, *g)
	}
	key := func(g *Alike) string {
		return strings.Join([]string{string(g.Kind), g.Function, g.Parameter, g.Got}, "\x00")
	}
	slices.SortFunc(out.Groups, func(a, b Alike) int {
		return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Count, a.Count), strings.Compare(key(&a), key(&b)))
	})
	out.Blame = signs.blamed(func(yield func(*eval.Category, *eval.Result) bool) {
		for cat, result := range r.All() {
			if o.in(cat) && o.has(result) && !yield(cat, result) {
				return
			}
		}
	}, worth)
	return out, nil
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

// drawn orders ids pseudo-randomly. The page's script computes the same order.
func drawn(id string) uint32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	const mix = 0x85ebca6b // spread ids that differ only in their last letter
	h := sum.Sum32()
	h = (h ^ h>>16) * mix
	return h ^ h>>13
}
