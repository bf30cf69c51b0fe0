package tally

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// Overlooked counts the right answers that hold a call which was not read; nil if
// there are none.
func (r *Run) Overlooked() *score.Overlooked {
	o := &score.Overlooked{Categories: map[string]int{}}
	for cat, result := range r.All() {
		if !result.Passed() || !abstains(cat, result.Case) {
			continue
		}
		if o.Of++; len(result.Overlooked) == 0 {
			continue
		}
		if o.Answers++; o.Answers == 1 {
			o.First = result.Case.ID
		}
		o.Categories[cat.Name]++
	}
	if o.Answers == 0 {
		return nil
	}
	worth := r.Worth()
	for _, name := range slices.Sorted(maps.Keys(o.Categories)) { // a sum depends on its order
		o.Points += worth[name] * float64(o.Categories[name])
	}
	return o
}

// abstains reports whether a case wants no call, or none in one of its turns.
func abstains(cat *eval.Category, c *eval.Case) bool {
	return cat.Rule == eval.Irrelevance || cat.Rule == eval.MultiTurn && c.Answer != nil &&
		slices.ContainsFunc(c.Answer.Items, func(turn pyval.Value) bool { n, ok := pyval.Len(turn); return ok && n == 0 })
}

// overlooked says in a sentence how many right answers hold a call, and how it
// is read.
func (r *Run) overlooked(o *score.Overlooked) string {
	var all []unread
	for cat, result := range r.All() {
		for _, value := range result.Overlooked {
			all = append(all, unread{cat, result.Case, value})
		}
	}
	return fmt.Sprintf("A call that was not read stands in %d of %d right answers where nothing may be called: %.2f points of the overall. Upstream counts them as abstentions, and so does this score.%s The first, of %s: %s",
		o.Answers, o.Of, o.Points, r.likely(all), say.Plain(o.First, 100), say.Printable(pyval.Text(all[0].value), 160))
}

// Strict returns the run in which right answers that hold a call which was not
// read are wrong; nil if there are none.
func (r *Run) Strict() *Run {
	return r.changed(func(x *eval.Result) bool { return len(x.Overlooked) > 0 }, func(x *eval.Result) {
		x.Status, x.Overlooked = eval.Fail, nil
	})
}

// Hoped returns the run in which every missing answer is right; nil if none is
// missing.
func (r *Run) Hoped() *Run {
	return r.changed(func(x *eval.Result) bool { return x.Status == eval.Error }, func(x *eval.Result) {
		x.Status, x.ErrorType = eval.Pass, ""
	})
}

// changed returns the run with other results; nil if none is to be changed.
func (r *Run) changed(is func(*eval.Result) bool, change func(*eval.Result)) *Run {
	out := *r
	out.Parts = slices.Clone(r.Parts)
	found := false
	for i := range out.Parts {
		results := slices.Clone(out.Parts[i].Results)
		for k := range results {
			if is(&results[k]) {
				change(&results[k])
				found = true
			}
		}
		out.Parts[i].Results = results
	}
	if !found {
		return nil
	}
	return &out
}
