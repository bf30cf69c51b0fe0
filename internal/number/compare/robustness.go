package compare

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
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
	// Worst is the variant that lost most.
	Worst string `json:"worst,omitempty"`
	// LeftOut counts the cases that a variant could not be made of.
	LeftOut []variant.LeftOut `json:"left_out,omitempty"`
	// Signs are sentences that say what the differences are a sign of.
	Signs []string `json:"signs,omitempty"`
}

// A Variant compares a variant with the plain cases, each case counting the
// same: B is the variant.
type Variant struct {
	Variant string `json:"variant"`
	Difference
	// Errors is the number of pairs left out because of an infrastructure error.
	Errors int `json:"errors,omitempty"`
}

// RobustnessOf returns the report of a run; nil if it has no variants.
func RobustnessOf(run *tally.Run, allowErrors bool) *Robustness {
	if len(run.Variants) == 0 {
		return nil
	}
	out := &Robustness{LeftOut: run.LeftOut, Seed: run.Seed}
	for _, v := range run.Variants {
		c, err := Pair(run, v.Run, Options{AllowErrors: allowErrors})
		if err != nil {
			out.Unanswered = append(out.Unanswered, v.Name)
			continue
		}
		out.Variants = append(out.Variants, Variant{v.Name, c.Pooled(), c.Errors})
	}
	var all []*Difference
	for i := range out.Variants {
		f := &out.Variants[i]
		all = append(all, &f.Difference)
		if out.Worst == "" || f.Value < out.find(out.Worst).Value {
			out.Worst = f.Variant
		}
	}
	adjust(all)
	for _, f := range out.Variants {
		if f.Significant && f.Value < 0 {
			out.Signs = append(out.Signs, fmt.Sprintf("%s: the accuracy falls by %.1f points (%.1f to %.1f; %s adjusted for %d variants): %s. This does not show what else changed with it.",
				f.Variant, -100*f.Value, -100*f.High, -100*f.Low, PValue(f.Adjusted), len(all), meanings[strings.TrimRight(f.Variant, "0123456789")]))
		}
	}
	return out
}

// meanings are what a loss with a variant may be a sign of.
var meanings = map[string]string{
	"order":       "a sign that it goes by the position of a tool or parameter",
	"opaque":      "a sign that it goes by names more than by descriptions, or knows the cases",
	"distractors": "a sign that it loses its way among more tools",
	"schema":      "a sign that it does not read schemas as frameworks write them, or that its server does not pass them on",
}

// Write prints the table of variants, and what the differences are a sign of.
func (r *Robustness) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\nVariants: the same cases put differently, not part of the score:\n\n")
	t := &say.Table{Head: []string{"variant", "cases", "plain", "varied", "points", "95% interval", "lost", "won", "adj. p"}}
	for _, f := range r.Variants {
		t.Add(f.Variant, strconv.Itoa(f.Cases), percent(f.A), percent(f.B), points(f.Value),
			interval(f.Low, f.High), strconv.Itoa(f.OnlyA), strconv.Itoa(f.OnlyB), Level(f.Adjusted))
	}
	t.Text(&b)
	for _, text := range append([]string{r.Figure(), r.leftOut()}, r.Signs...) {
		if text != "" {
			b.WriteString("\n" + strings.Join(say.Wrap(text, 78), "\n") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Figure names the variant that lost most; "" if none was answered.
func (r *Robustness) Figure() string {
	f := r.find(r.Worst)
	if f == nil {
		return ""
	}
	return fmt.Sprintf("Worst variant: %s, %s.", f.Variant, f.Sentence())
}

// find returns the figures of a variant; nil if there are none.
func (r *Robustness) find(name string) *Variant {
	at := slices.IndexFunc(r.Variants, func(f Variant) bool { return f.Variant == name })
	if at < 0 {
		return nil
	}
	return &r.Variants[at]
}

// leftOut says how many cases variants could not be made of.
func (r *Robustness) leftOut() string {
	counts := map[string]int{}
	for _, l := range r.LeftOut {
		counts[l.Variant] += l.Cases
	}
	said := make([]string, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		said = append(said, fmt.Sprintf("%s %d", name, counts[name]))
	}
	if len(said) == 0 {
		return ""
	}
	return "Cases left out because the answer could not be kept exactly or there was nothing to vary: " + strings.Join(said, ", ") + "."
}
