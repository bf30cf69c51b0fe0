package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Screen is the writer that text goes to, and its properties.
type Screen struct {
	// Width is the number of columns.
	Width int
	// Colour asks for ANSI escapes.
	Colour bool
}

// Paint colours a text by the number of an ANSI style; 0 leaves it plain.
func (s Screen) Paint(style int, text string) string {
	if !s.Colour {
		return text
	}
	return say.Paint(style, text)
}

// write prints a table that fits the screen, and says what it left out.
func (s Screen) write(b *strings.Builder, t *say.Table) {
	if !s.Colour {
		t.Colour = nil
	}
	fitted, left := t.Fit(s.Width)
	fitted.Text(b)
	if len(left) > 0 {
		b.WriteString("\n")
		s.say(b, fmt.Sprintf("Not shown in %d columns: %s. A wider terminal, COLUMNS or --json has them.", s.Width, strings.Join(left, ", ")))
	}
}

// say writes remarks in lines that fit, each indented after its first.
func (s Screen) say(b *strings.Builder, remarks ...string) {
	for _, remark := range remarks {
		b.WriteString(strings.Join(say.Wrap(remark, cmp.Or(s.Width, 80)-2), "\n  ") + "\n")
	}
}

// Write prints the comparison for a terminal, with at most the given number of
// flips in each direction.
func (c *Comparison) Write(w io.Writer, flips int, screen Screen) error {
	var b strings.Builder
	c.first(&b, screen)
	b.WriteString("\n")
	screen.write(&b, c.table())
	b.WriteString("\n")
	screen.say(&b, c.remarks()...)
	width := cmp.Or(screen.Width, 80)
	lost, won := c.Reasons()
	c.writeFlips(&b, "Broken in B", lost, flips, width)
	c.writeFlips(&b, "Fixed in B, by why it failed in A", won, flips, width)
	for _, t := range c.took() {
		b.WriteString("\n")
		t.Text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// measured names the measure, unless it is the accuracy.
func (c *Comparison) measured() string {
	if c.Measure == (stat.Measure{}).String() {
		return ""
	}
	return ", " + c.Measure
}

// table lists the layout's groups with their categories, then the overall.
func (c *Comparison) table() *say.Table {
	t := &say.Table{
		Head:  []string{"", "cases", "A", "B", "change", "95% interval", "A only", "B only", "p", "adjusted"},
		Spare: []string{"p", "A only", "B only", "cases"},
	}
	var better []int // the style of each row
	t.Colour = func(row int) int { return better[row] }
	add := func(d *Difference, name string) {
		mark := map[bool]string{true: "*", false: " "}[d.Significant]
		t.Add(name, fmt.Sprint(d.Cases), percent(d.A), percent(d.B), points(d.Value), interval(d.Low, d.High),
			fmt.Sprint(d.OnlyA), fmt.Sprint(d.OnlyB), Level(d.P), Level(d.Adjusted)+mark)
		better = append(better, d.style())
	}
	c.Walk(func(d *Difference, n *score.Node, depth int, counts bool) {
		add(d, strings.Repeat("  ", depth)+label(n, counts))
	})
	if c.Overall != nil {
		name := "Overall"
		if !c.Complete {
			name = "Overall (cases run)"
		}
		add(c.Overall, name)
	}
	return t
}

// Walk visits the layout's groups and categories that were compared, and then the
// categories that are not in it.
func (c *Comparison) Walk(visit func(d *Difference, n *score.Node, depth int, counts bool)) {
	byName := map[string]*Difference{}
	for _, list := range [][]Difference{c.Groups, c.Categories} {
		for i := range list {
			byName[list[i].Name] = &list[i]
		}
	}
	c.matching.layout.Walk(func(n *score.Node, depth int, counts bool) {
		if d := byName[n.Name]; d != nil {
			delete(byName, n.Name)
			visit(d, n, depth, counts)
		}
	})
	for i := range c.Categories {
		if d := &c.Categories[i]; byName[d.Name] == d {
			visit(d, &score.Node{Name: d.Name}, 0, false)
		}
	}
}

func label(n *score.Node, counts bool) string {
	name := cmp.Or(n.Title, n.Name)
	if !counts {
		name = "(" + name + ")"
	}
	return name
}

// style returns green if B is significantly better and red if it is
// significantly worse.
func (d *Difference) style() int {
	const red, green = 31, 32
	switch {
	case !d.Significant:
		return 0
	case d.Value > 0:
		return green
	}
	return red
}

// remarks are the sentences below the table.
func (c *Comparison) remarks() []string {
	out := []string{"* differs at 5% by the adjusted p value, which accounts for the number of groups or categories compared (Holm). Differences are in percentage points."}
	aside := false
	c.Walk(func(_ *Difference, _ *score.Node, _ int, counts bool) { aside = aside || !counts })
	if aside {
		out = append(out, "Values in parentheses do not count in the overall.")
	}
	if d := c.Overall; d != nil {
		out = append(out, fmt.Sprintf("Overall this comparison %s: it would find so large a true difference in 80%% of such comparisons, smaller ones less often.", say.Detects(100*d.Detectable)), c.Intervals())
	} else {
		out = append(out, "No category that counts was compared, so there is no overall.")
	}
	if c.Errors > 0 {
		out = append(out, fmt.Sprintf("%s left out: infrastructure errors in one of the runs.", say.Count(c.Errors, "case is", "cases are")))
	}
	for _, note := range slices.Concat(c.Notes, c.Figures) {
		out = append(out, say.Printable(c.lettered(note), longestNote))
	}
	return out
}

// Intervals says what the intervals are about, and how few units the cases are.
func (c *Comparison) Intervals() string {
	seen, units := map[string]bool{}, map[string]int{}
	for _, share := range c.matching.shares(c.matching.layout.Overall) {
		part := c.matching.parts[share.Category]
		unit := part.unit
		if unit == "scenario" { // upstream has few: five
			unit = "memory scenario"
		}
		for _, b := range part.blocks {
			if b.Key == "" || !seen[b.Key] {
				seen[b.Key] = true
				units[unit]++
			}
		}
	}
	return say.Intervals(units)
}

// writeFlips lists flips by cause, what adds most to the difference first.
func (c *Comparison) writeFlips(b *strings.Builder, title string, reasons []Because, most, width int) {
	_, cases := Added(reasons)
	fmt.Fprintf(b, "\n%s: %d%s\n", title, cases, unreadOf(reasons))
	if cases == 0 || most == 0 {
		return
	}
	for _, r := range reasons {
		line := r.Cause.Text()
		if r.Suspect != "" {
			line += " (" + r.Suspect + ")"
		}
		b.WriteString(say.Signed("  %+6.2f", r.Points) + fmt.Sprintf("  %4d × %s\n", len(r.Flips), line))
	}
	left := most
	for _, r := range reasons {
		for _, f := range r.Flips[:min(left, len(r.Flips))] {
			line := fmt.Sprintf("    %s  %s", say.Printable(f.ID, longestCell), f.Cause.Text())
			if text := f.trials(); text != "" {
				line += "  " + text
			}
			b.WriteString(say.Printable(line, width-1) + "\n")
			left--
		}
	}
	if left := cases - most; left > 0 {
		fmt.Fprintf(b, "    … and %d more: --flips or --json shows them\n", left)
	}
}

// trials shows the shares if they are not all 0 or 1.
func (f Flip) trials() string {
	whole := func(x float64) bool { return x == 0 || x == 1 }
	if whole(f.A) && whole(f.B) {
		return ""
	}
	return fmt.Sprintf("%.0f%% → %.0f%% of trials", 100*f.A, 100*f.B)
}

// longestNote has room for a suspect's evidence beside a run's name.
const (
	longestNote = 800
	longestCell = 100
)

// groupsInText is the largest number of group columns that fit a terminal.
const groupsInText = 6

// Write prints the ranking for a terminal. The first release has too many
// groups for it: they are only in the JSON and the Markdown.
func (r *Ranking) Write(w io.Writer, screen Screen) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d runs, the same %s\n\n", say.Printable(r.Dataset, longestCell), len(r.Runs), say.Cases(r.Cases))
	whole := r.table(groupsInText)
	if _, left := whole.Fit(screen.Width); len(left) > len(spareFigures) { // groups too
		screen.write(&b, r.table(0))
		b.WriteString("\n")
		whole = r.groups(screen.Width)
	}
	screen.write(&b, whole)
	b.WriteString("\n")
	screen.say(&b, r.remarks()...)
	_, err := io.WriteString(w, b.String())
	return err
}

// spareFigures are left out before any group is.
var spareFigures = []string{"errors", "latency, s", "$ per 1,000"}

// groups has the groups' accuracies by run, for screens on which they do not fit
// beside the ranks. A long name is cut at its beginning, where many are alike.
func (r *Ranking) groups(width int) *say.Table {
	const least = 12
	t := &say.Table{Head: []string{"accuracy, %"}}
	room := width
	for _, n := range r.parts() {
		t.Head = append(t.Head, strings.ToLower(label(n, true)))
		room -= 2 + max(len("00.00"), utf8.RuneCountInString(label(n, true)))
	}
	for _, one := range r.Runs {
		name := []rune(say.Printable(one.Name, longestCell))
		if over := len(name) - max(least, room); over > 0 {
			name = append([]rune("…"), name[over+1:]...)
		}
		row := []string{string(name)}
		for _, n := range r.parts() {
			row = append(row, fmt.Sprintf("%.2f", 100*one.Groups[n.Name]))
		}
		t.Add(row...)
	}
	return t
}

func (r *Ranking) table(most int) *say.Table {
	parts := r.parts()
	if len(parts) > most {
		parts = nil
	}
	t := &say.Table{Head: []string{"rank", "model", "overall", "95% interval"}, Left: 2}
	for _, n := range parts {
		t.Head = append(t.Head, strings.ToLower(label(n, true)))
	}
	groups := slices.Clone(t.Head[len(t.Head)-len(parts):])
	t.Head = append(t.Head, "latency, s", "$ per 1,000", "errors")
	t.Spare = append(slices.Clone(spareFigures), groups...)
	for _, one := range r.Runs {
		row := []string{one.Ranks(), one.Name, percent(one.Overall.Value), fmt.Sprintf("%.2f to %.2f", 100*one.Overall.Low, 100*one.Overall.High)}
		for _, n := range parts {
			row = append(row, percent(one.Groups[n.Name]))
		}
		t.Add(append(row, known("%.2f", one.Latency), known("%.3f", one.Cost), fmt.Sprint(one.Errors))...)
	}
	return t
}

// parts returns the parts of the overall that were run.
func (r *Ranking) parts() (out []*score.Node) {
	for _, n := range r.shape.Overall.Parts {
		if _, ran := r.Runs[0].Groups[n.Name]; ran {
			out = append(out, n)
		}
	}
	return out
}

func known(format string, x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf(format, *x)
}

func (r *Ranking) remarks() []string {
	out := []string{"A rank is a range where the data leave it open: it begins after the runs that are significantly better and ends before those that are significantly worse (paired, 5%, adjusted for all pairs)."}
	if !r.Complete {
		out = append(out, "Not all categories that count were run: overall is over those that were.")
	}
	if r.Errors > 0 {
		out = append(out, fmt.Sprintf("%s left out: not every run answered them.", say.Count(r.Errors, "case is", "cases are")))
	}
	for _, note := range r.Notes {
		out = append(out, say.Printable(note, longestNote))
	}
	return out
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// points formats a difference in percentage points.
func points(x float64) string { return say.Signed("%+.2f", Rounded(100*x)) }

// Rounded rounds points to hundredths. What differs only by the order in which
// it was added up is rounded alike.
func Rounded(x float64) float64 {
	const fine, hundred = 1e6, 100
	return math.RoundToEven(math.Round(x*hundred*fine)/fine)/hundred + 0 // never -0
}

// Shown rounds points so that they add up to their rounded sum.
func Shown(points ...float64) []float64 {
	out, sum, before := make([]float64, len(points)), 0.0, 0.0
	for i, p := range points {
		sum += p
		now := Rounded(sum)
		out[i], before = Rounded(now-before), now
	}
	return out
}

func interval(low, high float64) string {
	return say.Signed("%+.1f to %+.1f", 100*low, 100*high)
}

// Level formats a p value, with no false precision below a thousandth of a
// percent.
func Level(p float64) string {
	switch {
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return fmt.Sprintf("%.5f", p)
	}
	return fmt.Sprintf("%.3f", p)
}

// PValue formats a p value for a sentence, such as "p = 0.02".
func PValue(p float64) string {
	if text := Level(p); text[0] == '<' {
		return "p < " + text[1:]
	}
	return "p = " + Level(p)
}
