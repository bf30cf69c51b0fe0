package gate

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/say"
)

// Marker is the first line of a comment, by which a workflow finds its earlier
// comment.
const Marker = "<!-- bfcl gate -->"

const longestName = 200

// word returns the result of a check as a word.
func (c Check) word() string {
	switch {
	case c.absent:
		return "not run"
	case c.Aside:
		return "too small"
	}
	return string(c.Outcome)
}

// Verdict returns the decision in a sentence.
func (d *Decision) Verdict() string {
	number := map[Outcome]int{}
	for _, c := range d.Rules {
		if !c.Aside {
			number[c.Outcome]++
		}
	}
	aside, tiny := d.aside()
	rules, small := len(d.Rules)-aside, "."
	if tiny > 0 {
		small = "; " + say.Count(tiny, "category is", "categories are") + " too small to tell."
	}
	of := fmt.Sprintf("of %d rules", rules)
	switch d.Outcome {
	case Failed:
		open := ""
		if n := number[Undecided]; n > 0 {
			open = fmt.Sprintf(", %d undecided", n)
		}
		return fmt.Sprintf("DO NOT MERGE: %d %s failed%s.", number[Failed], of, open)
	case Undecided:
		if rules == 0 {
			return "Gate undecided: no rule decided anything" + small
		}
		broken := "none failed"
		if n := number[Failed]; n > 0 {
			broken = fmt.Sprintf("%d failed on the answers that are known", n)
		}
		return fmt.Sprintf("Gate undecided: %d %s undecided, %s.", number[Undecided], of, broken)
	}
	if rules == 1 {
		return "Gate passed: 1 rule" + small
	}
	return fmt.Sprintf("Gate passed: all %d rules", rules) + small
}

// aside returns how many checks decide nothing, and how many of them because of
// categories that are too small.
func (d *Decision) aside() (n, tiny int) {
	for _, c := range d.Rules {
		if c.Aside {
			n++
			if !c.absent {
				tiny++
			}
		}
	}
	return n, tiny
}

// mostRows is how many rules a table of a comment shows: GitHub limits a
// comment's size.
const mostRows = 100

// tables returns the rules that were not kept, the broken ones first, and the
// others.
func (d *Decision) tables() (open, kept []Check) {
	for _, want := range []Outcome{Failed, Undecided, Passed} {
		for _, c := range d.Rules {
			switch {
			case c.Outcome != want:
			case c.Aside || c.Outcome == Passed:
				kept = append(kept, c)
			default:
				open = append(open, c)
			}
		}
	}
	return open, kept
}

// rows writes rules as a table.
func rows(b *strings.Builder, checks []Check) {
	t := &say.Table{Head: []string{"", "kind", "name", "want", "got", ""}, Left: 6}
	for _, c := range checks[:min(mostRows, len(checks))] {
		t.Add(c.word(), c.kind(), c.Name, c.Want, c.Got, c.Why)
	}
	t.Markdown(b)
	if left := len(checks) - mostRows; left > 0 {
		fmt.Fprintf(b, "%d more rules are in the log.\n\n", left)
	}
}

// styles are the ANSI styles of outcomes.
var styles = map[Outcome]int{Passed: 32, Failed: 31, Undecided: 33}

// unseen says which falls the rules that were kept may not have seen, the largest
// first; "" without rules about losses.
func unseen(checks []Check) string {
	const shown = 5
	most, names := map[string]float64{}, []string(nil)
	for _, c := range checks {
		if c.Outcome != Failed && c.Unseen > 0 && (c.Outcome == Passed || c.Aside) {
			if _, known := most[c.Name]; !known {
				names = append(names, c.Name)
			}
			most[c.Name] = max(most[c.Name], c.Unseen)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(most[b], most[a]) })
	var falls []string
	for _, name := range names[:min(shown, len(names))] {
		falls = append(falls, fmt.Sprintf("%.1f points (%s)", most[name], say.Printable(name, longestName)))
	}
	text := "Falls that would not be seen: of up to " + strings.Join(falls, ", ")
	if left := names[len(falls):]; len(left) > 0 {
		text += fmt.Sprintf("; of up to %.1f in %s", most[left[0]], say.Count(len(left), "other", "others"))
	}
	return text + "."
}

// mostShown is how many broken and how many undecided rules, and how many notes, a
// terminal shows.
const (
	mostShown = 16
	mostNotes = 3
)

// Write prints the decision for a terminal: what was decided, the broken rules, the
// undecided ones with what would decide them, and how many others there are.
func (d *Decision) Write(w io.Writer, screen compare.Screen) error {
	var b strings.Builder
	width := cmp.Or(screen.Width, 80)
	b.WriteString(screen.Paint(styles[d.Outcome], strings.Join(say.Wrap(d.Verdict(), width), "\n")) + "\n")
	against := ""
	if d.Comparison != nil {
		against = " against " + say.Printable(d.Comparison.A.Name, longestName)
	}
	b.WriteString(strings.Join(say.Wrap(say.Printable(d.Model, longestName)+" on "+say.Printable(d.Dataset, longestName)+against, width), "\n") + "\n\n")
	shown, rest, names := map[Outcome]int{}, map[string]int{}, map[string][]string{}
	open, kept := d.tables()
	for _, c := range append(open, kept...) {
		alone := c.Outcome == Passed && (c.several || d.Outcome != Passed)
		if shown[c.Outcome]++; c.Aside || alone || shown[c.Outcome] > mostShown {
			rest[c.word()]++
			names[c.word()] = append(names[c.word()], say.Printable(c.Name, longestName))
			continue
		}
		c.write(&b, screen, width)
	}
	for _, word := range []string{string(Failed), string(Undecided), string(Passed), "not run", "too small"} {
		if n := rest[word]; n > 0 {
			line := say.Count(n, "other rule", "other rules")
			if word != string(Passed) {
				line += ": " + strings.Join(names[word], ", ")
			}
			b.WriteString(fmt.Sprintf("%-*s", indent, word) + strings.Join(say.Wrap(line, width-indent), "\n"+strings.Repeat(" ", indent)) + "\n")
		}
	}
	if falls := unseen(d.Rules); falls != "" {
		b.WriteString(strings.Join(say.Wrap(falls, width), "\n") + "\n")
	}
	for _, note := range compare.First(d.Notes, mostNotes, "--json or --comment") {
		b.WriteString(strings.Join(say.Wrap("note: "+note, width-6), "\n      ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// indent is how far rules stand from their outcomes.
const indent = 11

func (c Check) write(b *strings.Builder, screen compare.Screen, width int) {
	lines := say.Wrap(c.title()+": "+c.figures(), width-indent)
	if c.Why != "" && (c.Unseen == 0 || c.Outcome != Passed) { // what none saw is said below
		lines = append(lines, say.Wrap(say.Printable(c.Why, 3*longestName), width-indent)...)
	}
	b.WriteString(screen.Paint(styles[c.Outcome], fmt.Sprintf("%-*s", indent, c.word())) + strings.Join(lines, "\n"+strings.Repeat(" ", indent)) + "\n")
}

// Markdown writes the decision for a pull request or a step's summary: the
// rules that were not kept are shown and the rest folded, with at most the
// given number of the cases that differ from the baseline.
func (d *Decision) Markdown(w io.Writer, flips int) error {
	var b strings.Builder
	mark := map[Outcome]string{Passed: "✅", Failed: "❌", Undecided: "❔"}[d.Outcome]
	fmt.Fprintf(&b, "%s\n### %s BFCL: %s\n\n%s on %s\n\n", Marker, mark, d.Verdict(), say.Markdown(d.Model, longestName), say.Markdown(d.Dataset, longestName))
	open, kept := d.tables()
	if len(open) > 0 {
		rows(&b, open)
	}
	if falls := unseen(d.Rules); falls != "" {
		b.WriteString(say.Markdown(falls, 5*longestName) + "\n\n")
	}
	for _, note := range d.Notes {
		b.WriteString(say.Markdown(note, 2*longestName) + "\n\n")
	}
	if len(kept) > 0 {
		aside, tiny := d.aside()
		summary := fmt.Sprintf("Rules that passed: %d", len(kept)-aside)
		if tiny > 0 {
			summary += fmt.Sprintf("; categories that are too small to tell: %d", tiny)
		}
		fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", summary)
		rows(&b, kept)
		b.WriteString("</details>\n\n")
	}
	for _, with := range []struct {
		title string
		*compare.Comparison
	}{{"Against the baseline (A)", d.Comparison}, {"Against the release (A)", d.Release}} {
		if with.Comparison != nil {
			fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", with.title)
			_ = with.Markdown(&b, flips) // a Builder takes everything
			b.WriteString("</details>\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Annotate writes a GitHub workflow command for each rule that was not kept:
// errors for broken ones, warnings for undecided ones. File is the gate file.
func (d *Decision) Annotate(w io.Writer, file string) error {
	var b strings.Builder
	for _, c := range d.Rules {
		level := map[Outcome]string{Failed: "error", Undecided: "warning"}[c.Outcome]
		if level == "" || c.Aside {
			continue
		}
		place := ""
		if c.Line > 0 {
			place = fmt.Sprintf("file=%s,line=%d,", property(file), c.Line)
		}
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", level, place, property("bfcl gate: "+c.kind()+" "+c.Name), message(c.Text()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// message and property escape the message and a property's value of a workflow
// command, as GitHub's toolkit does.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(say.Printable(s, 3*longestName))
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(s))
}
