package tally

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Variant has the results of a run's cases put differently.
type Variant struct {
	// Name is the variant's, such as "opaque" or "distractors8".
	Name string
	// Run has the verdicts under the categories and cases that were varied, so
	// that it can be compared with the run that it is part of.
	Run *Run
}

// add adds the results of a category to the run, or to its variant.
func (r *Run) add(cat *eval.Category, results []eval.Result) {
	if cat.Variant == "" {
		r.Parts = append(r.Parts, Part{Category: cat, Results: results})
		return
	}
	for i := range results {
		results[i].Varied, results[i].Case = results[i].Case, results[i].Case.Plain()
	}
	at := slices.IndexFunc(r.Variants, func(v Variant) bool { return v.Name == cat.Variant })
	if at < 0 {
		at = len(r.Variants)
		r.Variants = append(r.Variants, Variant{Name: cat.Variant, Run: &Run{}})
	}
	run := r.Variants[at].Run
	run.Parts = append(run.Parts, Part{Category: cat.Unvaried(), Results: results})
}

// settleVariants copies to the variants what they share with their run.
func (r *Run) settleVariants() {
	order := strings.Split(r.Run.Variants, ",")
	slices.SortStableFunc(r.Variants, func(a, b Variant) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	for _, v := range r.Variants {
		shared := *r
		shared.Parts, shared.Variants, shared.LeftOut = v.Run.Parts, nil, nil
		shared.Name = r.Name + "~" + v.Name
		*v.Run = shared
	}
}

// variantErrors counts the variants' results that are infrastructure errors.
func (r *Run) variantErrors() (n int) {
	for _, v := range r.Variants {
		n += v.Run.Errors()
	}
	return n
}
