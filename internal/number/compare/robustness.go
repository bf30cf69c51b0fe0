package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A Robustness holds what a run's variants show.
type Robustness struct {
	// Seed is the seed that the cases were varied with.
	Seed uint64 `json:"seed"`
	// Variants are the variants' figures, in the order in which the variants
	// were given.
	Variants []Variant `json:"variants"`
	// Unanswered are the variants without a pair that is free of infrastructure
	// errors.
	Unanswered []string `json:"unanswered,omitempty"`
	// Worst is the variant that lost most and Mean the mean difference, over
	// the Counted variants with enough pairs: the robustness figure.
	Worst   string  `json:"worst,omitempty"`
	Mean    float64 `json:"mean_difference"`
	Counted int     `json:"counted"`
	// LeftOut counts the cases that a variant could not be made of.
	LeftOut []variant.LeftOut `json:"left_out,omitempty"`
	// Signs are sentences that say what the differences are a sign of.
	Signs []string `json:"signs,omitempty"`
}

// A Variant compares a variant with the plain cases. Shares are between 0 and 1.
type Variant struct {
	Variant string `json:"variant"`
	// Cases is the number of pairs, and Errors the number of pairs left out
	// because of an infrastructure error.
	Cases    int `json:"cases"`
	Clusters int `json:"clusters"`
	Errors   int `json:"errors,omitempty"`
	// Plain and Varied are the accuracies of the same cases, each case
	// counting the same.
	Plain  float64 `json:"plain"`
	Varied float64 `json:"varied"`
	// Difference is Varied less Plain, with its 95% interval over clusters.
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// Lost cases are right as they are and wrong as varied; Gained cases are
	// the opposite.
	Lost   int `json:"lost"`
	Gained int `json:"gained"`
	// P is the larger of the two p values of a category's comparison. Adjusted
	// is the one that decides: P adjusted for the number of variants.
	P           float64 `json:"p"`
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
	// Place says, for the variant "order", where the right tools were when
	// verdicts changed; nil for other variants.
	Place *Place `json:"place,omitempty"`
	// Detectable is the smallest true difference that would be found in 80% of
	// such comparisons.
	Detectable float64 `json:"detectable"`
	// Causes are the reasons why lost cases failed, the most frequent first.
	Causes []Reason `json:"causes"`
	// Categories are the differences by category.
	Categories []Difference `json:"categories"`
}

// A Reason is a reason why lost cases failed.
type Reason struct {
	// Kind is the kind of failure in the ladder's taxonomy, such as
	// "wrong_function".
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Cases int    `json:"cases"`
}

// RobustnessOf returns the report of a run; nil if it has no variants.
func RobustnessOf(run *tally.Run, allowErrors bool) *Robustness {
	if len(run.Variants) == 0 {
		return nil
	}
	out := &Robustness{LeftOut: run.LeftOut, Seed: run.Seed}
	for _, v := range run.Variants {
		if f, ok := variantOf(run, v, allowErrors); ok {
			out.Variants = append(out.Variants, f)
		} else {
			out.Unanswered = append(out.Unanswered, v.Name)
		}
	}
	out.adjust()
	out.sum()
	out.Signs = signs(out)
	return out
}

// adjust adjusts the p values for the number of variants, and for the test of
// positions, which tests one of them again.
func (r *Robustness) adjust() {
	var ps []float64
	for _, f := range r.Variants {
		if ps = append(ps, f.P); f.Place != nil {
			ps = append(ps, f.Place.P)
		}
	}
	adjusted := stat.Holm(ps)
	next := func() (float64, bool) {
		p := adjusted[0]
		adjusted = adjusted[1:]
		return p, p < Significance
	}
	for i := range r.Variants {
		f := &r.Variants[i]
		if f.Adjusted, f.Significant = next(); f.Place != nil {
			f.Place.Adjusted, f.Place.Significant = next()
		}
	}
}

// LeastPairs is how many pairs a variant needs to count in the robustness
// figure; if no variant has as many, all count.
const LeastPairs = 30

// sum computes the robustness figure.
func (r *Robustness) sum() {
	least := LeastPairs
	if !slices.ContainsFunc(r.Variants, func(f Variant) bool { return f.Cases >= least }) {
		least = 0
	}
	worst := math.Inf(1)
	for _, f := range r.Variants {
		if f.Cases < least {
			continue
		}
		r.Counted++
		r.Mean += f.Difference
		if f.Difference < worst {
			worst, r.Worst = f.Difference, f.Variant
		}
	}
	r.Mean /= float64(max(1, r.Counted))
}

// Find returns the figure of a variant; nil if there is none.
func (r *Robustness) Find(name string) *Variant {
	at := slices.IndexFunc(r.Variants, func(f Variant) bool { return f.Variant == name })
	if at < 0 {
		return nil
	}
	return &r.Variants[at]
}

// variantOf returns false if infrastructure errors left no pair.
func variantOf(run *tally.Run, v tally.Variant, allowErrors bool) (Variant, bool) {
	c, err := Pair(run, v.Run, Options{AllowErrors: allowErrors})
	if err != nil {
		return Variant{}, false
	}
	d := c.Pooled()
	return Variant{
		Variant: v.Name, Cases: d.Cases, Clusters: d.Clusters, Errors: c.Errors, Plain: d.A, Varied: d.B,
		Difference: d.Difference, Low: d.Low, High: d.High, Lost: d.OnlyA, Gained: d.OnlyB,
		P: d.Unadjusted(), Detectable: d.Detectable, Categories: c.Categories, Causes: reasons(run, v.Run), Place: place(run, v),
	}, true
}

// causes returns why answers failed in cases that are right as they are and
// wrong as varied.
func reasons(plain, varied *tally.Run) []Reason {
	right := map[string]bool{}
	for cat, r := range plain.All() {
		right[key(cat.Name, r)] = r.Passed()
	}
	counts := map[ladder.Kind]int{}
	for cat, r := range varied.All() {
		if !r.Passed() && right[key(cat.Name, r)] && r.Grade.Kind != "" {
			counts[r.Grade.Kind]++
		}
	}
	out := []Reason{}
	for _, kind := range count.Frequent(counts) {
		out = append(out, Reason{string(kind), kind.Title(), counts[kind]})
	}
	return out
}

func key(category string, r *tally.Result) string {
	return fmt.Sprintf("%s/%s/%d", category, r.Case.ID, r.Trial)
}

// meanings are what a loss with a variant may be a sign of.
var meanings = map[string]string{
	"order":       "a sign that it goes by the position of a tool or parameter",
	"names":       "a sign that it knows the cases, or goes by names more than by descriptions",
	"opaque":      "a sign that it goes by names more than by descriptions",
	"distractors": "a sign that it loses its way among more tools",
	"schema":      "a sign that it does not read schemas as frameworks write them, or that its server does not pass them on",
	"terse":       "a sign that it needs longer descriptions, or knows these by heart",
	"verbose":     "a sign that empty words mislead it",
	"noise":       "a sign that text around a question misleads it, or that it knows the question by heart",
	"language":    "a sign that it needs the question in the dataset's language",
	"late":        "a sign that it looks for tools in the first message only",
	"twice":       "a sign that it does not answer a repeated question again",
}

// signs says what each significant loss may be a sign of.
func signs(r *Robustness) []string {
	var out []string
	for _, f := range r.Variants {
		if f.Place != nil && f.Place.Significant {
			out = append(out, f.Place.String())
		}
		if !f.Significant || f.Difference >= 0 {
			continue
		}
		name := strings.TrimRight(f.Variant, "0123456789")
		out = append(out, fmt.Sprintf("%s: the accuracy falls by %.1f points (between %.1f and %.1f; %s adjusted for %d variants): %s. This does not show what else changed with it.",
			f.Variant, -100*f.Difference, -100*f.High, -100*f.Low, PValue(f.Adjusted), len(r.Variants), meanings[name]))
	}
	return out
}
