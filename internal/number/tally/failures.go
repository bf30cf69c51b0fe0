package tally

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
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

	ids   []string
	blame Blame
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
	out := &Failures{Blame: &Blame{Parts: map[string]Share{}}}
	if whole.Partial() {
		out.Ran = &whole.Coverage.Covered
	}
	defects, err := r.Defects()
	if err != nil {
		return nil, err
	}
	groups, counts, signs := map[cause.Cause]*Alike{}, r.counting(), signsOf(r)
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
			g = &Alike{Cause: key, Title: key.Kind.Title(), Categories: map[string]int{}, types: map[string]int{}, blame: Blame{Parts: map[string]Share{}}}
			groups[key] = g
		}
		g.Count++
		signs.count(&g.blame, result, -worth[cat.Name])
		signs.count(out.Blame, result, -worth[cat.Name])
		g.Categories[cat.Name]++
		g.types[result.ErrorType]++
		if n := len(g.ids); n == 0 || g.ids[n-1] != result.Case.ID { // trials of a case are adjacent
			g.ids = append(g.ids, result.Case.ID)
		}
		if result.Status == eval.Error {
			out.Errors++
			continue
		}
		if !counts(cat) {
			out.Aside++
		}
		if defects[result.Case.ID] != nil {
			out.Listed++
		}
	}
	out.Wrong, out.Lost = out.Blame.cases, 0-out.Blame.Points // 0-: not a negative zero
	for _, g := range groups {
		g.Share, g.Lost = float64(g.blame.cases)/float64(max(1, out.Wrong)), 0-g.blame.Points
		g.ErrorTypes = say.Frequent(g.types)
		slices.SortStableFunc(g.ids, func(a, b string) int { return cmp.Compare(drawn(a), drawn(b)) })
		g.Examples = g.ids[:min(Examples, len(g.ids))]
		g.Suspect = signs.suspect(&g.blame)
		out.Groups = append(out.Groups, *g)
	}
	key := func(g *Alike) string {
		return strings.Join([]string{string(g.Kind), g.Function, g.Parameter, g.Got}, "\x00")
	}
	slices.SortFunc(out.Groups, func(a, b Alike) int {
		return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Count, a.Count), strings.Compare(key(&a), key(&b)))
	})
	return out, nil
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

// Findings are how far a run's answers got, and why results failed.
type Findings struct {
	// Ladder is nil if no case wants calls that are compared, or where
	// answers are not available.
	Ladder *Ladder `json:"ladder,omitempty"`
	// Taxonomy counts why results failed.
	Taxonomy Taxonomy `json:"taxonomy"`
	// Outside counts the results that did not pass in categories outside the
	// score, by category: the Taxonomy leaves them out.
	Outside map[string]int `json:"outside,omitempty"`
}

// A Ladder is how many answers reached each level.
type Ladder struct {
	Rungs
	// Categories are the categories whose cases want calls.
	Categories map[string]Rungs `json:"categories"`
}

// Rungs are the levels of some cases.
type Rungs struct {
	// Total is the number of cases, or of results if there are trials.
	Total int `json:"total"`
	// Levels are the levels, the lowest first.
	Levels []Rung `json:"levels"`
}

// A Rung is one level: how many answers reached it, and their share of all.
type Rung struct {
	Level   string  `json:"level"`
	Reached int     `json:"reached"`
	Rate    float64 `json:"rate"`
}

// A Taxonomy is the number of results of each kind that occurred.
type Taxonomy map[cause.Kind]int

// Kinds returns the kinds in the order of the taxonomy, which does not depend on
// the numbers.
func (t Taxonomy) Kinds() []cause.Kind {
	return slices.DeleteFunc(cause.Kinds(), func(k cause.Kind) bool { return t[k] == 0 })
}

// climbs counts the results of a category at each level.
type climbs [cause.Values + 1]int

func (c climbs) rungs() Rungs {
	out := Rungs{}
	for _, n := range c {
		out.Total += n
	}
	left := out.Total
	for level := cause.Call; level <= cause.Values; level++ {
		left -= c[level-1]
		rung := Rung{Level: level.String(), Reached: left}
		if out.Total > 0 {
			rung.Rate = float64(left) / float64(out.Total)
		}
		out.Levels = append(out.Levels, rung)
	}
	return out
}

// Findings returns how far the answers got, and why results failed.
// Infrastructure errors are no wrong answers, and on the ladder only if the score
// counts them. Categories that do not count are not in the sums, unless
// nothing else was run.
func (r *Run) Findings(allowErrors bool) *Findings {
	out := &Findings{Taxonomy: Taxonomy{}}
	var all climbs
	unseen := false
	byName, counts := map[string]Rungs{}, r.counting()
	for _, part := range r.Parts {
		name, sums := part.Category.Name, counts(part.Category)
		var own climbs
		for i := range part.Results {
			result := &part.Results[i]
			switch kind := result.Cause.Kind; {
			case result.Status != eval.Fail || kind == "": // an error is no wrong answer
			case sums:
				out.Taxonomy[kind]++
			default:
				if out.Outside == nil {
					out.Outside = map[string]int{}
				}
				out.Outside[name]++
			}
			if counted(result, allowErrors) && part.Category.Compares() {
				own[result.Level]++
				unseen = unseen || !result.Seen
			}
		}
		if rungs := own.rungs(); rungs.Total > 0 {
			byName[name] = rungs
		}
		if sums {
			for level, n := range own {
				all[level] += n
			}
		}
	}
	if len(byName) > 0 && !unseen {
		out.Ladder = &Ladder{Rungs: all.rungs(), Categories: byName}
	}
	return out
}

// Write prints the ladder and the taxonomy for a terminal, as far as there are any.
func (f *Findings) Write(w io.Writer) error {
	var b strings.Builder
	if f.Ladder != nil && f.Ladder.Total > 0 {
		fmt.Fprintf(&b, "\nWhere calls went wrong (%s; the share that reached each level):\n", say.Count(f.Ladder.Total, "answer", "answers"))
		for i, rung := range f.Ladder.Levels {
			const width = 24 // which only a share of 1 fills
			full := int(rung.Rate * width)
			bar := strings.Repeat("█", full) + strings.Repeat("░", width-full)
			fmt.Fprintf(&b, "  %-26s  %s  %6.2f%%  %d\n", (cause.Call + cause.Level(i)).Title(), bar, rung.Rate*100, rung.Reached)
		}
	}
	if len(f.Taxonomy) > 0 {
		sum := 0
		for _, n := range f.Taxonomy {
			sum += n
		}
		fmt.Fprintf(&b, "\nWhy %d failed:\n", sum)
		for _, kind := range say.Frequent(f.Taxonomy) {
			fmt.Fprintf(&b, "  %5d  %s\n", f.Taxonomy[kind], kind.Title())
		}
	}
	if len(f.Outside) > 0 {
		var names []string
		sum := 0
		for _, name := range slices.Sorted(maps.Keys(f.Outside)) {
			names = append(names, fmt.Sprintf("%s (%d)", say.Plain(name, 80), f.Outside[name]))
			sum += f.Outside[name]
		}
		if len(f.Taxonomy) == 0 {
			b.WriteString("\nNone failed in the categories that count. ")
		}
		fmt.Fprintf(&b, "%d more failed in categories that do not count: %s\n", sum, strings.Join(names, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
