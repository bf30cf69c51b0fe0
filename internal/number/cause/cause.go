// Package cause groups a run's similar failures, the most costly first: why
// points were lost, and which cases to look at.
package cause

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// By is how fine groups are.
type By string

// The groupings: by the kind of cause only; by kind and function; by kind,
// function, parameter and what was answered.
const (
	Kind      By = "cause"
	Function  By = "function"
	Parameter By = "parameter"
)

// Groupings lists the groupings, the coarsest first.
var Groupings = []By{Kind, Function, Parameter}

// Options select the failures to group, and how to group them.
type Options struct {
	By By
	// Categories limits the failures to these categories; empty means all.
	Categories []string
	// Kinds limits the failures to these kinds; empty means all.
	Kinds []ladder.Kind
}

// Examples is how many cases a group shows.
const Examples = 10

// A Group is a set of similar failures.
type Group struct {
	// Cause has only the fields that the failures are grouped by. When grouped
	// by kind, it also has Got if that is the same for all.
	ladder.Cause
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

	ids   []string
	types map[string]int
}

// A Report is a run's failures in groups.
type Report struct {
	// Groups are ordered by cost, the most costly first.
	Groups []Group `json:"groups"`
	// Failed of Total results did not pass; Errors of those have no answer.
	Failed int `json:"failed"`
	Total  int `json:"total"`
	Errors int `json:"errors"`
	// Lost is what all failures cost the overall, in percentage points.
	Lost float64 `json:"lost"`
}

// Of groups the failures of a run.
func Of(run *tally.Run, o Options) (*Report, error) {
	worth, err := run.Worth()
	if err != nil {
		return nil, err
	}
	r := &Report{}
	groups := map[ladder.Cause]*Group{}
	for _, part := range run.Parts {
		name := part.Category.Name
		if len(o.Categories) > 0 && !slices.Contains(o.Categories, name) {
			continue
		}
		for i := range part.Results {
			result := &part.Results[i]
			r.Total++
			if result.Passed() || len(o.Kinds) > 0 && !slices.Contains(o.Kinds, result.Cause.Kind) {
				continue
			}
			r.Failed++
			key := KeyOf(result.Cause, o.By)
			g := groups[key]
			if g == nil {
				g = &Group{Cause: key, Title: key.Kind.Title(), Categories: map[string]int{}, types: map[string]int{}}
				groups[key] = g
			}
			g.add(name, result)
			if result.Status == eval.Error {
				r.Errors++
				continue
			}
			if result.Varied != nil { // variants do not count in an overall
				continue
			}
			g.Lost += worth[name]
			r.Lost += worth[name]
		}
	}
	for _, g := range groups {
		g.close(r.Failed)
		r.Groups = append(r.Groups, *g)
	}
	slices.SortFunc(r.Groups, compare)
	return r, nil
}

// compare orders groups by cost, the most costly first.
func compare(a, b Group) int {
	return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Count, a.Count), strings.Compare(a.key(), b.key()))
}

func (g *Group) key() string {
	return strings.Join([]string{string(g.Kind), g.Function, g.Parameter, g.Got}, "\x00")
}

// KeyOf returns what the failures of a group share: the fields of their causes
// that they are grouped by.
func KeyOf(c ladder.Cause, by By) ladder.Cause {
	switch by {
	case Parameter:
		return c
	case Function:
		return ladder.Cause{Kind: c.Kind, Function: c.Function}
	}
	key := ladder.Cause{Kind: c.Kind}
	if c.Kind == ladder.WrongCount {
		key.Got = c.Got
	}
	return key
}

func (g *Group) add(category string, r *tally.Result) {
	g.Count++
	g.Categories[category]++
	g.types[r.ErrorType]++
	if n := len(g.ids); n == 0 || g.ids[n-1] != r.Asked().ID { // trials of a case are adjacent
		g.ids = append(g.ids, r.Asked().ID)
	}
}

// close draws the examples.
func (g *Group) close(failed int) {
	g.Share = float64(g.Count) / float64(failed)
	g.ErrorTypes = slices.SortedFunc(maps.Keys(g.types), func(a, b string) int {
		return cmp.Or(cmp.Compare(g.types[b], g.types[a]), strings.Compare(a, b))
	})
	ids := slices.Clone(g.ids)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(draw(a), draw(b)) })
	g.Examples = ids[:min(Examples, len(ids))]
}

// draw orders ids pseudo-randomly. The page's script computes the same order.
func draw(id string) uint32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	const mix = 0x85ebca6b // spread ids that differ only in their last letter
	h := sum.Sum32()
	h = (h ^ h>>16) * mix
	return h ^ h>>13
}

// Detail returns what the group's failures share beyond the kind, in words; ""
// if that is all.
func (g *Group) Detail() string { return Detail(g.Cause) }

// Detail returns what a cause says beyond its kind, in words; "" if that is
// all.
func Detail(c ladder.Cause) string {
	words := []string{c.Function}
	if c.Parameter != "" {
		words = append(words, c.Parameter)
	}
	if c.Got != "" {
		got := c.Got
		if c.Parameter != "" || c.Kind == ladder.WrongFunction {
			got = "got " + got
		}
		words = append(words, got)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}
