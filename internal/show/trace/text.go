package trace

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/say"
)

// Options say how a trace is printed.
type Options struct {
	// Colour asks for ANSI escapes.
	Colour bool
	// Full leaves every text whole.
	Full bool
	// Width is the number of columns; 0 is 80.
	Width int
}

// The styles of a terminal.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// A writer prints lines. Texts of others go only through the method text, which
// keeps them in one line and without control characters.
type writer struct {
	Options
	b strings.Builder
}

// Write prints the trace for people: each line of a text behind a bar, so that
// it cannot pass for one of ours.
func (t *Trace) Write(w io.Writer, o Options) error {
	p := &writer{Options: o}
	p.head(t)
	for i := range t.Turns {
		p.turn(t, i)
	}
	p.verdict(t)
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *writer) paint(style, text string) string {
	if !p.Colour || text == "" || style == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// text makes a text safe for one line, cut to at most limit bytes.
func (p *writer) text(s string, limit int) string {
	if p.Full {
		limit = len(s)
	}
	return say.Printable(s, limit)
}

func (p *writer) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// margin is how far texts are indented, behind their labels.
const margin = 12

// under prints a text behind a label, wrapped to the screen. Each further line
// begins with bar, so that none can pass for one of ours.
func (p *writer) under(label, bar, style, text string) {
	behind := margin
	if bar != "" {
		behind += 2 // a sign and a blank
	}
	for i, line := range p.wrap(text, behind) {
		if i > 0 {
			label = fmt.Sprintf("%-*s", margin-3, "")
		}
		p.line("  %s %s%s", label, bar, p.paint(style, line))
	}
}

// wrap breaks a text into lines that fit beside an indentation, at blanks if it has any.
func (p *writer) wrap(text string, behind int) (lines []string) {
	const least = 20
	width, rest := max(least, cmp.Or(p.Width, 80)-behind), []rune(text)
	for len(rest) > width {
		at := width
		for at > width/2 && rest[at] != ' ' {
			at--
		}
		if rest[at] != ' ' {
			at = width
		}
		lines = append(lines, string(rest[:at]))
		rest = []rune(strings.TrimPrefix(string(rest[at:]), " "))
	}
	return append(lines, string(rest))
}

// block prints a text line by line under a label.
func (p *writer) block(label, style, text string) {
	const longest, most = 1200, 30
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	left := longest
	for i, line := range lines {
		if !p.Full && (i >= most || left <= 0) {
			p.line("  %-9s │ %s", "", p.paint(dim, "… "+say.Count(len(lines)-i, "more line", "more lines")))
			return
		}
		shown := p.text(line, left)
		left -= len(line)
		p.under(p.paint(style, fmt.Sprintf("%-9s", label)), "│ ", "", shown)
		label = ""
	}
}

func (p *writer) head(t *Trace) {
	trial := ""
	if t.Trial > 1 {
		trial = fmt.Sprintf("  trial %d", t.Trial)
	}
	p.line("%s  %s  (%s mode)%s", p.paint(bold, p.text(t.ID, 200)), p.text(t.Model, 200), p.text(t.Mode, 20), trial)
	if len(t.Classes) > 0 {
		p.under(fmt.Sprintf("%-9s", "apis"), "", "", p.text(strings.Join(t.Classes, ", "), 400))
	}
	if len(t.Tools) > 0 {
		p.under(fmt.Sprintf("%-9s", "tools"), "", "", fmt.Sprintf("%d: %s", len(t.Tools), p.text(strings.Join(t.Tools, ", "), 400)))
	}
}

func (p *writer) turn(t *Trace, i int) {
	turn := &t.Turns[i]
	if len(t.Turns) > 1 {
		p.line("\n%s%s", p.paint(bold, fmt.Sprintf("turn %d of %d", i+1, len(t.Turns))), p.outcome(turn))
	} else {
		p.line("")
	}
	for _, m := range turn.Messages {
		p.block(p.text(m.Role, 9), cyan, m.Content)
	}
	if len(turn.NewTools) > 0 {
		p.under(p.paint(cyan, fmt.Sprintf("%-9s", "new tools")), "", "", p.text(strings.Join(turn.NewTools, ", "), 400))
	}
	for k := range turn.Steps {
		p.step(t, turn, k)
	}
	if len(turn.Steps) == 0 {
		p.line("  %s", p.paint(dim, "(no answer)"))
	}
	p.expected(turn)
}

func (p *writer) outcome(turn *Turn) string {
	switch {
	case turn.Outcome == "pass":
		return "  " + p.paint(green, "passed")
	case turn.Outcome == "fail":
		return "  " + p.paint(red, "failed")
	case len(turn.Expected) == 0:
		return "  " + p.paint(dim, "nothing is expected")
	}
	return "  " + p.paint(dim, "not judged")
}

func (p *writer) step(t *Trace, turn *Turn, k int) {
	s := &turn.Steps[k]
	if len(t.Turns) > 1 || len(turn.Steps) > 1 {
		p.line("  %s%s", p.paint(dim, fmt.Sprintf("step %d", k+1)), p.paint(dim, took(s)))
	} else if text := took(s); text != "" {
		p.line("  %s", p.paint(dim, strings.TrimSpace(text)))
	}
	if s.Reasoning != "" {
		p.block("reasoning", dim, s.Reasoning)
	}
	if s.Text != "" {
		p.block("says", cyan, s.Text)
	}
	if s.Raw != "" {
		p.block("answered", cyan, s.Raw)
	}
	for i := range s.Calls {
		p.call("calls", &s.Calls[i])
	}
	switch {
	case s.Undecoded != "":
		p.under(p.paint(yellow, fmt.Sprintf("%-9s", "decoding")), "", "", "no call could be read: "+p.text(s.Undecoded, 400))
	case len(s.Calls) == 0 && s.Text == "":
		p.line("  %s", p.paint(dim, "(no call, no text)"))
	}
	p.changes(s.Changes)
}

func took(s *Step) string {
	const least = 0.005
	var parts []string
	if s.InputTokens > 0 || s.OutputTokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens in, %d out", s.InputTokens, s.OutputTokens))
	}
	if s.Latency >= least {
		parts = append(parts, fmt.Sprintf("%.2f s", s.Latency))
	}
	if s.TTFT >= least {
		parts = append(parts, fmt.Sprintf("%.2f s to the first token", s.TTFT))
	}
	if parts == nil {
		return ""
	}
	return "  (" + strings.Join(parts, ", ") + ")"
}

func (p *writer) call(label string, c *Call) {
	const most = 700
	p.under(p.paint(cyan, fmt.Sprintf("%-9s", label)), "", "", p.text(c.Call, most))
	switch {
	case c.Result == nil:
	case c.Error:
		p.under(fmt.Sprintf("%-9s", ""), p.paint(red, "✗")+" ", "", p.text(*c.Result, most))
	default:
		p.under(fmt.Sprintf("%-9s", ""), p.paint(green, "→")+" ", "", p.text(*c.Result, most))
	}
}

// changes lists the changes of a step, at most a few of each API.
func (p *writer) changes(changes []Change) {
	const most = 12
	for i, c := range changes {
		if i >= most && !p.Full {
			p.line("  %-9s … %s", "", say.Count(len(changes)-i, "more place", "more places"))
			return
		}
		label := ""
		if i == 0 {
			label = "state"
		}
		p.under(p.paint(yellow, fmt.Sprintf("%-9s", label)), "", "", c.text(p.Full))
	}
}

// text returns a change in one line that is safe to print; values are cut unless full is set.
func (c Change) text(full bool) string {
	shown := func(s string, most int) string {
		if full {
			most = len(s)
		}
		return say.Printable(s, most)
	}
	const path, value = 240, 160
	place := shown(c.Class+"."+c.Path, path)
	switch {
	case c.Before == nil && c.After != nil:
		return "+ " + place + " = " + shown(*c.After, value)
	case c.After == nil && c.Before != nil:
		return "- " + place + " was " + shown(*c.Before, value)
	case c.Before != nil:
		return "~ " + place + ": " + shown(*c.Before, value) + " → " + shown(*c.After, value)
	}
	return "~ " + place
}

func (p *writer) expected(turn *Turn) {
	label := "expected"
	for i := range turn.Expected {
		c := turn.Expected[i]
		if !p.Full { // results are of use only if the turn failed
			c.Result = nil
		}
		p.under(p.paint(dim, fmt.Sprintf("%-9s", label)), "", dim, p.text(c.Call, 700))
		if c.Result != nil {
			p.under(fmt.Sprintf("%-9s", ""), "→ ", "", p.text(*c.Result, 700))
		}
		label = ""
	}
}

// repeats matches what a failure's text says of a question with one answer and the
// turn above it shows.
var repeats = pattern.Of(`^  (question|tools|expected|got|answered) +`)

func (p *writer) verdict(t *Trace) {
	style := map[string]string{"pass": green, "fail": red, "error": yellow}[t.Verdict]
	p.line("\n%s", p.paint(bold+";"+style, t.Verdict))
	for line := range strings.SplitSeq(t.Why, "\n") {
		if line != "" && !(t.once && repeats().MatchString(line)) {
			p.line("%s", strings.Join(p.wrap(line, 0), "\n"))
		}
	}
	for _, note := range t.Notes {
		p.line("%s", strings.Join(p.wrap("note: "+p.text(note, 1000), 0), "\n"))
	}
}
