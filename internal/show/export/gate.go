package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/say"
)

// Marker is the first line of a comment, by which a workflow finds its earlier
// comment.
const Marker = "<!-- bfcl gate -->"

// How much of a decision is shown: broken and undecided rules, and notes, on a
// terminal; rules of a table, whose size GitHub limits, and cases in each direction
// in a comment.
const (
	mostRules     = 16
	mostGateNotes = 3
	mostRows      = 100
	mostFlips     = 50
	longestName   = 200
)

// styles are the ANSI styles of outcomes, and marks their signs in a comment.
var (
	styles = map[gate.Outcome]int{gate.Passed: 32, gate.Failed: 31, gate.Undecided: 33}
	marks  = map[gate.Outcome]string{gate.Passed: "✅", gate.Failed: "❌", gate.Undecided: "❔"}
)

// Decision prints what was decided, the broken rules, the undecided ones with what
// would decide them, and how many others there are. In Markdown, for a pull request
// or a step's summary, the others stand folded, with the comparisons.
func Decision(w io.Writer, on say.Screen, d *gate.Decision) error {
	p := &say.Page{Screen: on}
	of, notes := say.Printable(d.Model, longestName)+" on "+say.Printable(d.Dataset, longestName), d.Notes
	if d.Comparison != nil {
		of += " against " + say.Printable(d.Comparison.A.Name, longestName)
	}
	open, kept := ordered(d.Rules)
	if p.Markdown {
		fmt.Fprintf(p, "%s\n### %s BFCL: %s\n\n", Marker, marks[d.Outcome], d.Verdict())
		p.Notes(of)
		writeRules(p, open)
	} else {
		p.Line(styles[d.Outcome], strings.Join(say.Wrap(d.Verdict(), p.Columns()), "\n"))
		p.Notes(of)
		listRules(p, d.Outcome, append(open, kept...))
		notes = firstNotes(notes, mostGateNotes, "--json or --comment")
	}
	var remarks []string
	if falls := gate.Unseen(d.Rules); falls != "" {
		remarks = append(remarks, falls)
	}
	for _, note := range notes {
		remarks = append(remarks, "note: "+say.Printable(note, 2*longestName))
	}
	p.Notes(remarks...)
	if p.Markdown && len(kept) > 0 {
		p.Fold(say.Count(len(kept), "other rule", "other rules"), func() { writeRules(p, kept) })
	}
	for i, c := range []*compare.Comparison{d.Comparison, d.Release} {
		if p.Markdown && c != nil {
			p.Fold("Against the "+[]string{"baseline", "release"}[i]+" (A)", func() { writeComparison(p, c, mostFlips) })
		}
	}
	return p.Send(w)
}

// ordered returns the rules that were not kept, the broken ones first, and the
// others.
func ordered(rules []gate.Check) (open, kept []gate.Check) {
	for _, want := range []gate.Outcome{gate.Failed, gate.Undecided, gate.Passed} {
		for _, c := range rules {
			switch {
			case c.Outcome != want:
			case c.Aside || c.Outcome == gate.Passed:
				kept = append(kept, c)
			default:
				open = append(open, c)
			}
		}
	}
	return open, kept
}

// writeRules writes rules as a table; nothing if there are none.
func writeRules(p *say.Page, rules []gate.Check) {
	t := &say.Table{Head: []string{"", "rule", "want", "got", ""}, Left: 5}
	for _, c := range rules[:min(mostRows, len(rules))] {
		t.Add(c.Word(), c.Title(), c.Want, c.Got, c.Why)
	}
	if len(rules) > 0 {
		p.Table(t)
	}
	if left := len(rules) - mostRows; left > 0 {
		p.Notes(fmt.Sprintf("%d more rules are in the log.", left))
	}
}

// listRules writes a rule a line, and of those that need no look how many there are.
func listRules(p *say.Page, outcome gate.Outcome, rules []gate.Check) {
	const indent = 11
	item := func(style int, word string, lines ...string) {
		text := ""
		for _, line := range lines {
			text += "\n" + strings.Join(say.Wrap(line, p.Columns()-indent), "\n")
		}
		p.WriteString(p.Paint(style, fmt.Sprintf("%-*s", indent, word)) + strings.ReplaceAll(text[1:], "\n", "\n"+strings.Repeat(" ", indent)) + "\n")
	}
	shown, rest := map[gate.Outcome]int{}, map[string][]string{}
	for _, c := range rules {
		alone := c.Outcome == gate.Passed && (c.Several || outcome != gate.Passed)
		if shown[c.Outcome]++; c.Aside || alone || shown[c.Outcome] > mostRules {
			rest[c.Word()] = append(rest[c.Word()], say.Printable(c.Name, longestName))
			continue
		}
		lines := []string{c.Title() + ": " + c.Figures()}
		if c.Why != "" && (c.Unseen == 0 || c.Outcome != gate.Passed) { // what none saw is said below
			lines = append(lines, say.Printable(c.Why, 3*longestName))
		}
		item(styles[c.Outcome], c.Word(), lines...)
	}
	for _, word := range []string{string(gate.Failed), string(gate.Undecided), string(gate.Passed), "not run", "too small"} {
		if names := rest[word]; len(names) > 0 {
			line := say.Count(len(names), "other rule", "other rules")
			if word != string(gate.Passed) {
				line += ": " + strings.Join(names, ", ")
			}
			item(0, word, line)
		}
	}
}

// Tell reports a decision to GitHub Actions: it adds it to the step's summary, and
// writes an annotation to w for each rule that was not kept. Outside GitHub Actions
// it does nothing. File is the gate file.
func Tell(w io.Writer, d *gate.Decision, file string) error {
	var text bytes.Buffer
	_ = Decision(&text, say.Screen{Markdown: true}, d) // a Buffer takes everything
	Summarize(w, text.Bytes())
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	return Annotate(w, d, file)
}

// Summarize adds Markdown to the summary of a step in GitHub Actions, if there
// is one. If it cannot, it writes the reason to w.
func Summarize(w io.Writer, text []byte) {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.Write(append(text, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		_, _ = fmt.Fprintln(w, "bfcl: no step summary: "+say.Printable(err.Error(), 300))
	}
}

// Annotate writes a GitHub workflow command for each rule that was not kept:
// errors for broken ones, warnings for undecided ones. File is the gate file.
func Annotate(w io.Writer, d *gate.Decision, file string) error {
	var b strings.Builder
	for _, c := range d.Rules {
		level := map[gate.Outcome]string{gate.Failed: "error", gate.Undecided: "warning"}[c.Outcome]
		if level == "" || c.Aside {
			continue
		}
		place := ""
		if c.Line > 0 {
			place = fmt.Sprintf("file=%s,line=%d,", property(file), c.Line)
		}
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", level, place, property("bfcl gate: "+c.Title()), message(c.Text()))
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
