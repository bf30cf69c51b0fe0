package compare

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/table"
)

// Write prints the table of variants, what the differences are a sign of, and
// what they do not show.
func (r *Robustness) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\nVariants: the same cases put differently, not part of the score:\n\n")
	t := &table.Table{Head: []string{"variant", "cases", "plain", "varied", "points", "95% interval", "lost", "won", "adj. p"}}
	for _, f := range r.Variants {
		t.Add(f.Variant, strconv.Itoa(f.Cases), fmt.Sprintf("%.1f%%", 100*f.Plain), fmt.Sprintf("%.1f%%", 100*f.Varied), tenths(f.Difference),
			tenths(f.Low)+" to "+tenths(f.High), strconv.Itoa(f.Lost), strconv.Itoa(f.Gained), Level(f.Adjusted))
	}
	t.Text(&b)
	b.WriteString("\n" + r.Figure() + "\n")
	for _, f := range r.Variants {
		if line := f.where(); line != "" {
			b.WriteString("  " + line + "\n")
		}
	}
	for _, sign := range r.Signs {
		b.WriteString(indented(sign))
	}
	if left := r.leftOut(); left != "" {
		b.WriteString(indented(left))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Figure returns the robustness figure in a sentence.
func (r *Robustness) Figure() string {
	f := r.Find(r.Worst)
	if f == nil {
		return ""
	}
	certain := "not significant"
	if f.Significant {
		certain = PValue(f.Adjusted)
	}
	few := ""
	if n := len(r.Variants) - r.Counted; n > 0 {
		few = fmt.Sprintf(" (%d with fewer than %d cases do not count)", n, LeastPairs)
	}
	return fmt.Sprintf("Robustness: worst variant %s %s points (%s), mean of %d %s%s.", f.Variant, tenths(f.Difference), certain, r.Counted, tenths(r.Mean), few)
}

// where says in which categories cases were significantly lost, and why they
// failed.
func (f *Variant) where() string {
	if !f.Significant || f.Difference >= 0 {
		return ""
	}
	const most = 3
	worst := slices.Clone(f.Categories)
	slices.SortStableFunc(worst, func(a, b Difference) int { return (b.OnlyA - b.OnlyB) - (a.OnlyA - a.OnlyB) })
	var in, over []string
	for _, c := range worst[:min(most, len(worst))] {
		if c.OnlyA > c.OnlyB {
			in = append(in, fmt.Sprintf("%s %s", c.Name, tenths(c.Difference)))
		}
	}
	for _, c := range f.Causes[:min(most, len(f.Causes))] {
		over = append(over, fmt.Sprintf("%s (%d)", c.Title, c.Cases))
	}
	text := fmt.Sprintf("%s lost in %s", f.Variant, strings.Join(in, ", "))
	if len(over) > 0 {
		text += "; over " + strings.Join(over, ", ")
	}
	return text
}

// leftOut says how many cases variants could not be made of.
func (r *Robustness) leftOut() string {
	counts := map[string]int{}
	for _, l := range r.LeftOut {
		counts[l.Variant] += l.Cases
	}
	var said []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		said = append(said, fmt.Sprintf("%s %d", name, counts[name]))
	}
	if len(said) == 0 {
		return ""
	}
	return "Cases left out because the answer could not be kept exactly or there was nothing to vary: " + strings.Join(said, ", ") + "."
}

// tenths formats a difference in percentage points with one decimal.
func tenths(x float64) string { return fmt.Sprintf("%+.1f", 100*x) }

// indented breaks a sentence into indented lines of at most 78 characters.
func indented(text string) string {
	return "  " + strings.Join(table.Wrap(text, 76), "\n  ") + "\n"
}
