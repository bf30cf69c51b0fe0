package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/say"
)

// This file is the first screen of a comparison: is B better or worse, is that
// real, where, why, and what to beware of.

// How much of each the first screen shows.
const (
	mostReasons = 3
	mostBeware  = 4
	longestName = 40
)

// Brief prints the comparison on one screen. Changed is what was done to the
// answers of one model, "" if nothing is known, and next are commands.
func (c *Comparison) Brief(w io.Writer, screen Screen, changed string, next ...string) error {
	var b strings.Builder
	lost, won := c.first(&b, screen)
	why, also, gone := lost, won, ""
	if c.Overall != nil && c.Overall.Value > 0 {
		why, also, gone = won, lost, "fixed "
	}
	screen.row(&b, "why", append(append([]string{changed}, because(why, mostReasons, gone)...), unreadOf(why))...)
	if points, cases := Added(also); cases > 0 {
		did := map[bool]string{true: "broken", false: "fixed"}[gone != ""]
		screen.row(&b, "also", fmt.Sprintf("%d %s%s", cases, did, unreadOf(also))+say.Signed(" %+.2f: ", points)+strings.Join(because(also, mostReasons-1, ""), " · "))
	}
	screen.row(&b, "beware", c.beware()...)
	for i, line := range next { // commands are pasted: they are not wrapped
		fmt.Fprintf(&b, "%-*s%s\n", margin, []string{"next", ""}[min(i, 1)], line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// first writes the two runs, the difference, and the parts that it comes from. It
// returns the reasons of both directions.
func (c *Comparison) first(b *strings.Builder, screen Screen) (lost, won []Because) {
	d, of := c.whole(), fmt.Sprintf("same %s, a part of %s", say.Cases(c.Cases), say.Printable(c.Dataset, longestCell))
	if c.Complete {
		of = fmt.Sprintf("all %s of %s", say.Cases(c.Cases), say.Printable(c.Dataset, longestCell))
	}
	of += c.measured()
	x, y := short(c.A.Name), short(c.B.Name)
	if x == y {
		x, y = short(c.A.Name+" "+c.A.Path), short(c.B.Name+" "+c.B.Path)
	}
	sides := []string{fmt.Sprintf("A %s  %s", x, percent(d.A)), fmt.Sprintf("B %s  %s", y, percent(d.B)), of}
	gap := "   "
	if utf8.RuneCountInString(strings.Join(sides, gap)) > cmp.Or(screen.Width, 80) {
		gap = "\n"
	}
	word := d.Word()
	if !d.Significant && d.OnlyA+d.OnlyB > 0 {
		word += "; " + say.Detects(100*d.Detectable)
	}
	b.WriteString(strings.Join(sides, gap) + "\n")
	b.WriteString(screen.Paint(d.style(), fmt.Sprintf("%s points (%s)  %s", points(d.Value), interval(d.Low, d.High), word)) + "\n")
	var parts []string
	for _, part := range c.Parts() {
		parts = append(parts, part.Title+say.Signed(" %+.2f", part.Points))
	}
	screen.row(b, "where", strings.Join(parts, " · "))
	return c.Reasons()
}

// margin is how far the rows of the first screen stand from their heads.
const margin = 7

// row writes texts below each other beside a head; nothing if there are none.
func (s Screen) row(b *strings.Builder, head string, texts ...string) {
	for _, text := range texts {
		for _, line := range say.Wrap(text, cmp.Or(s.Width, 80)-margin) {
			if line != "" {
				fmt.Fprintf(b, "%-*s%s\n", margin, head, line)
				head = ""
			}
		}
	}
}

// because says the costliest reasons, and of the others how many there are.
func because(reasons []Because, most int, gone string) (out []string) {
	rest := reasons[min(most, len(reasons)):]
	for _, r := range reasons[:len(reasons)-len(rest)] {
		line := fmt.Sprintf("%s%d × %s", gone, len(r.Flips), r.Cause.Text()) + say.Signed(" %+.2f", r.Points)
		if r.Suspect != "" {
			line += " (" + r.Suspect + ")"
		}
		out = append(out, line)
	}
	if points, cases := Added(rest); cases > 0 {
		out = append(out, fmt.Sprintf("%s%d with %s", gone, cases, say.Count(len(rest), "other cause", "other causes"))+say.Signed(" %+.2f", points))
	}
	return out
}

// beware are the notes that may change what the difference means.
func (c *Comparison) beware() (out []string) {
	if c.Errors > 0 {
		out = append(out, fmt.Sprintf("%s left out: infrastructure errors in one of the runs", say.Count(c.Errors, "case is", "cases are")))
	}
	for _, note := range c.Notes {
		out = append(out, c.lettered(note))
	}
	return First(out, mostBeware, "-v")
}

// lettered returns a note with A or B for the name of a run that it begins with. A
// short name stands in many words.
func (c *Comparison) lettered(note string) string {
	for _, name := range [][2]string{{c.A.Name + ": ", "A: "}, {c.B.Name + ": ", "B: "}, {c.A.Name + " and " + c.B.Name + " ", "A and B "}} {
		if rest, ok := strings.CutPrefix(note, name[0]); ok {
			return name[1] + rest
		}
	}
	return note
}

// First returns the first sentences of the first notes, as far as two lines hold
// them, and says how many more there are, and where.
func First(notes []string, most int, where string) (out []string) {
	for _, note := range notes[:min(most, len(notes))] {
		note, _, _ = strings.Cut(say.Printable(note, longestNote), ". ")
		if lines := say.Wrap(note, 2*(80-margin)); len(lines) > 1 {
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
	if runes := []rune(name); len(runes) > longestName {
		return "…" + string(runes[len(runes)-longestName+1:])
	}
	return name
}
