package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// Caps on texts; longestNote has room for a suspect's evidence beside a run's name.
const (
	longestNote  = 800
	longestCell  = 100
	longestShort = 40
)

// How much of each the first screen shows.
const (
	mostReasons = 3
	mostBeware  = 4
)

// Difference prints a comparison on one screen: is B better or worse, is that real,
// where, why, and what to beware of. Changed is what was done to the answers of one
// model, "" if nothing is known, and next are commands.
func Difference(w io.Writer, on say.Screen, c *compare.Comparison, changed string, next ...string) error {
	p := &say.Page{Screen: on}
	writeDifference(p, c)
	why, also := c.Reasons()
	gone, did := "", "fixed"
	if c.Overall != nil && c.Overall.Value > 0 {
		why, also, gone, did = also, why, "fixed ", "broken"
	}
	_, _, unread := compare.Added(why)
	p.Row("why", append(append([]string{changed}, because(why, mostReasons, gone)...), unread)...)
	if points, cases, unread := compare.Added(also); cases > 0 {
		p.Row("also", fmt.Sprintf("%d %s%s", cases, did, unread)+say.Signed(" %+.2f: ", points)+strings.Join(because(also, mostReasons-1, ""), " · "))
	}
	p.Row("beware", beware(c)...)
	for i, line := range next { // commands are pasted: they are not wrapped
		fmt.Fprintf(p, "%-*s%s\n", say.Margin, []string{"next", ""}[min(i, 1)], line)
	}
	return p.Send(w)
}

// writeDifference writes the two runs, the difference, and the parts that it comes from.
func writeDifference(p *say.Page, c *compare.Comparison) {
	d, of := c.Whole(), "same %s, a part of %s"
	if c.Complete {
		of = "all %s of %s"
	}
	of = fmt.Sprintf(of, say.Cases(c.Cases), say.Printable(c.Dataset, longestCell))
	if c.Measure != (stat.Measure{}).String() {
		of += ", " + c.Measure
	}
	x, y := short(c.A.Name), short(c.B.Name)
	if x == y {
		x, y = short(c.A.Name+" "+c.A.Path), short(c.B.Name+" "+c.B.Path)
	}
	sides := []string{fmt.Sprintf("A %s  %s", x, percent(d.A)), fmt.Sprintf("B %s  %s", y, percent(d.B)), of}
	gap := "   "
	if utf8.RuneCountInString(strings.Join(sides, gap)) > p.Columns() {
		gap = "\n"
	}
	word := d.Word()
	if !d.Significant && d.OnlyA+d.OnlyB > 0 {
		word += "; " + say.Detects(100*d.Detectable)
	}
	p.Line(0, strings.Join(sides, gap))
	p.Line(styleOf(d), fmt.Sprintf("%s points (%s)  %s", compare.Points(d.Value), compare.Interval(d.Low, d.High), word))
	var parts []string
	for _, part := range c.Parts() {
		parts = append(parts, part.Title+say.Signed(" %+.2f", part.Points))
	}
	if parts != nil { // only what counts has parts
		p.Row("where", strings.Join(parts, " · "))
	}
}

// because says the costliest reasons, and of the others how many there are.
func because(reasons []compare.Because, most int, gone string) (out []string) {
	rest := reasons[min(most, len(reasons)):]
	for _, r := range reasons[:len(reasons)-len(rest)] {
		line := fmt.Sprintf("%s%d × %s", gone, len(r.Flips), r.Cause.Text()) + say.Signed(" %+.2f", r.Points)
		if r.Suspect != "" {
			line += " (" + r.Suspect + ")"
		}
		out = append(out, line)
	}
	if points, cases, _ := compare.Added(rest); cases > 0 {
		out = append(out, fmt.Sprintf("%s%d with %s", gone, cases, say.Count(len(rest), "other cause", "other causes"))+say.Signed(" %+.2f", points))
	}
	return out
}

// beware are the notes that may change what the difference means.
func beware(c *compare.Comparison) []string {
	out := leftOut(c.Errors, "infrastructure errors in one of the runs")
	for _, note := range c.Notes {
		out = append(out, lettered(c, note))
	}
	return firstNotes(out, mostBeware, "-v")
}

// leftOut says how many cases are left out, and why; nothing if none are.
func leftOut(n int, why string) []string {
	if n == 0 {
		return nil
	}
	return []string{say.Count(n, "case is", "cases are") + " left out: " + why}
}

// lettered returns a note with A or B for the name of a run that it begins with. A
// short name stands in many words.
func lettered(c *compare.Comparison, note string) string {
	for _, name := range [][2]string{{c.A.Name + ": ", "A: "}, {c.B.Name + ": ", "B: "}, {c.A.Name + " and " + c.B.Name + " ", "A and B "}} {
		if rest, ok := strings.CutPrefix(note, name[0]); ok {
			return name[1] + rest
		}
	}
	return note
}

// firstNotes returns the first sentences of the first notes, as far as two lines hold
// them, and says how many more there are, and where.
func firstNotes(notes []string, most int, where string) (out []string) {
	for _, note := range notes[:min(most, len(notes))] {
		note, _, _ = strings.Cut(say.Printable(note, longestNote), ". ")
		if lines := say.Wrap(note, 2*(80-say.Margin)); len(lines) > 1 {
			note = lines[0] + " …"
		}
		out = append(out, note)
	}
	if more := len(notes) - most; more > 0 {
		out = append(out, "and "+say.Count(more, "more note", "more notes")+": "+where)
	}
	return out
}

// short is the end of a long name, where many are alike at the beginning.
func short(name string) string {
	name = say.Printable(strings.TrimSpace(name), 2*longestCell)
	if !strings.ContainsAny(name, " (") {
		name = name[strings.LastIndex(name, "/")+1:]
	}
	if runes := []rune(name); len(runes) > longestShort {
		return "…" + string(runes[len(runes)-longestShort+1:])
	}
	return name
}

// Comparison prints all of a comparison, with at most so many of the cases that
// differ in each direction.
func Comparison(w io.Writer, on say.Screen, c *compare.Comparison, flips int) error {
	p := &say.Page{Screen: on}
	writeComparison(p, c, flips)
	return p.Send(w)
}

func writeComparison(p *say.Page, c *compare.Comparison, flips int) {
	writeDifference(p, c)
	p.WriteString("\n")
	p.Table(differences(c))
	p.Notes(remarks(c)...)
	lost, won := c.Reasons()
	writeFlips(p, "Broken in B", lost, flips)
	writeFlips(p, "Fixed in B, by why it failed in A", won, flips)
	if rows := c.Spend.Rows(); len(rows) > 0 {
		p.Table(&say.Table{Head: []string{"per case", "cases", "A", "B", "change", "95% interval"}, Rows: rows})
	}
	if c.Agents != nil {
		p.Table(took(c.Agents))
	}
}

// differences lists the layout's groups with their categories, then the overall.
func differences(c *compare.Comparison) *say.Table {
	t := &say.Table{
		Head:  []string{"", "cases", "A", "B", "change", "95% interval", "A only", "B only", "p", "adjusted"},
		Spare: []string{"p", "A only", "B only", "cases"},
	}
	var styles []int // of each row
	t.Colour = func(row int) int { return styles[row] }
	add := func(d *compare.Difference, name string) {
		mark := map[bool]string{true: "*", false: " "}[d.Significant]
		t.Add(name, fmt.Sprint(d.Cases), percent(d.A), percent(d.B), compare.Points(d.Value), compare.Interval(d.Low, d.High),
			fmt.Sprint(d.OnlyA), fmt.Sprint(d.OnlyB), compare.Level(d.P), compare.Level(d.Adjusted)+mark)
		styles = append(styles, styleOf(d))
	}
	c.Walk(func(d *compare.Difference, n *score.Node, depth int, counts bool) {
		add(d, strings.Repeat("  ", depth)+label(n, counts))
	})
	if c.Overall != nil {
		add(c.Overall, map[bool]string{true: "Overall", false: "Overall (cases run)"}[c.Complete])
	}
	return t
}

func label(n *score.Node, counts bool) string {
	name := cmp.Or(n.Title, n.Name)
	if !counts {
		name = "(" + name + ")"
	}
	return name
}

// styleOf returns green if B is significantly better and red if it is significantly
// worse.
func styleOf(d *compare.Difference) int {
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
func remarks(c *compare.Comparison) []string {
	out := []string{"* differs at 5% by the adjusted p value, which accounts for the number of groups or categories compared (Holm). Differences are in percentage points."}
	aside := false
	c.Walk(func(_ *compare.Difference, _ *score.Node, _ int, counts bool) { aside = aside || !counts })
	if aside {
		out = append(out, "Values in parentheses do not count in the overall.")
	}
	if d := c.Overall; d != nil {
		out = append(out, fmt.Sprintf("Overall this comparison %s: it would find so large a true difference in 80%% of such comparisons, smaller ones less often.", say.Detects(100*d.Detectable)), c.Intervals())
	} else {
		out = append(out, "No category that counts was compared, so there is no overall.")
	}
	out = append(out, leftOut(c.Errors, "infrastructure errors in one of the runs.")...)
	for _, note := range slices.Concat(c.Notes, c.Figures) {
		out = append(out, say.Printable(lettered(c, note), longestNote))
	}
	return out
}

// writeFlips lists flips by cause, what adds most to the difference first.
func writeFlips(p *say.Page, title string, reasons []compare.Because, most int) {
	points, cases, unread := compare.Added(reasons)
	if title += fmt.Sprintf(": %d%s", cases, unread); cases == 0 || most == 0 {
		p.Notes(title)
		return
	}
	p.Fold(title+say.Signed(", %+.2f points", points), func() {
		why, each := &say.Table{Head: []string{"points", "cases", "cause"}, Left: 3, Width: p.Columns()}, &say.Table{Head: []string{"case", "cause", ""}, Left: 3, Width: p.Columns()}
		for _, r := range reasons {
			why.Add(say.Signed("%+.2f", r.Points), fmt.Sprint(len(r.Flips)), strings.TrimSuffix(r.Cause.Text()+" ("+r.Suspect+")", " ()"))
			for _, f := range r.Flips[:min(most-len(each.Rows), len(r.Flips))] {
				each.Add(f.ID, f.Cause.Text(), trialsOf(f))
			}
		}
		p.Table(why)
		p.Table(each)
		if left := cases - most; left > 0 {
			p.Notes(fmt.Sprintf("… and %d more: --flips or --json shows them", left))
		}
	})
}

// trialsOf shows the shares if they are not all 0 or 1.
func trialsOf(f compare.Flip) string {
	whole := func(x float64) bool { return x == 0 || x == 1 }
	if whole(f.A) && whole(f.B) {
		return ""
	}
	return fmt.Sprintf("%.0f%% → %.0f%% of trials", 100*f.A, 100*f.B)
}

// took shows the known figures of agents.
func took(a *compare.Agents) *say.Table {
	t := &say.Table{Head: []string{"per solved case, " + score.Direction, "A", "B", "change", "95% interval"}}
	t.Add("solved", fmt.Sprint(a.SolvedA), fmt.Sprint(a.SolvedB), say.Signed("%+d", a.SolvedB-a.SolvedA), "")
	for i := range a.Figures {
		c := &a.Figures[i]
		text := func(v *score.AgentValue) string {
			if v == nil {
				return "–"
			}
			return v.Text(&c.Figure)
		}
		difference, interval := "", ""
		if c.Difference != nil {
			difference = c.Figure.Signed(c.Difference.Value)
			interval = c.Figure.Signed(c.Difference.Low) + " to " + c.Figure.Signed(c.Difference.High)
		}
		t.Add(c.Figure.Title, text(c.A), text(c.B), difference, interval)
	}
	return t
}

// groupsInText is the largest number of group columns that fit a terminal.
const groupsInText = 6

// Ranking prints a ranking. The first release has too many groups for a terminal:
// they are only in the JSON and the Markdown.
func Ranking(w io.Writer, on say.Screen, r *compare.Ranking) error {
	p := &say.Page{Screen: on}
	p.Line(0, fmt.Sprintf("%s, %d runs, the same %s", say.Printable(r.Dataset, longestCell), len(r.Runs), say.Cases(r.Cases)))
	p.WriteString("\n")
	parts := r.Parts()
	if len(parts) > groupsInText && !p.Markdown {
		parts = nil
	}
	whole := ranks(r, parts)
	if _, left := whole.Fit(p.Width); !p.Markdown && len(left) > len(spareFigures) { // groups too
		p.Table(ranks(r, nil))
		whole = groups(r, p.Width)
	}
	p.Table(whole)
	out := []string{"A rank is a range where the data leave it open: it begins after the runs that are significantly better and ends before those that are significantly worse (paired, 5%, adjusted for all pairs)."}
	if !r.Complete {
		out = append(out, "Not all categories that count were run: overall is over those that were.")
	}
	out = append(out, leftOut(r.Errors, "not every run answered them.")...)
	for _, note := range r.Notes {
		out = append(out, say.Printable(note, longestNote))
	}
	p.Notes(out...)
	return p.Send(w)
}

// spareFigures are left out before any group is.
var spareFigures = []string{"errors", "latency, s", "$ per 1,000"}

// groups has the groups' accuracies by run, for screens on which they do not fit
// beside the ranks. A long name is cut at its beginning, where many are alike.
func groups(r *compare.Ranking, width int) *say.Table {
	const least = 12
	t, room := &say.Table{Head: []string{"accuracy, %"}}, width
	for _, n := range r.Parts() {
		t.Head = append(t.Head, strings.ToLower(label(n, true)))
		room -= 2 + max(len("00.00"), utf8.RuneCountInString(label(n, true)))
	}
	for _, one := range r.Runs {
		name := []rune(say.Printable(one.Name, longestCell))
		if over := len(name) - max(least, room); over > 0 {
			name = append([]rune("…"), name[over+1:]...)
		}
		row := []string{string(name)}
		for _, n := range r.Parts() {
			row = append(row, fmt.Sprintf("%.2f", 100*one.Groups[n.Name]))
		}
		t.Add(row...)
	}
	return t
}

func ranks(r *compare.Ranking, parts []*score.Node) *say.Table {
	t := &say.Table{Head: []string{"rank", "model", "overall", "95% interval"}, Left: 2, Spare: slices.Clone(spareFigures)}
	for _, n := range parts {
		name := strings.ToLower(label(n, true))
		t.Head, t.Spare = append(t.Head, name), append(t.Spare, name)
	}
	t.Head = append(t.Head, "latency, s", "$ per 1,000", "errors")
	known := func(format string, x *float64) string {
		if x == nil {
			return ""
		}
		return fmt.Sprintf(format, *x)
	}
	for _, one := range r.Runs {
		row := []string{one.Ranks(), one.Name, percent(one.Overall.Value), fmt.Sprintf("%.2f to %.2f", 100*one.Overall.Low, 100*one.Overall.High)}
		for _, n := range parts {
			row = append(row, percent(one.Groups[n.Name]))
		}
		t.Add(append(row, known("%.2f", one.Latency), known("%.3f", one.Cost), fmt.Sprint(one.Errors))...)
	}
	return t
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }
