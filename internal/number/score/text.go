package score

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/say"
)

// WriteTable writes the score for a terminal: the layout's groups with their
// categories, the overall at the bottom, and the notes for reading it. Colour
// asks for ANSI escapes.
func WriteTable(w io.Writer, s *Score, colour bool) error {
	p := &printer{score: s, paint: paint{on: colour}}
	p.groups(s.Shape())
	p.others(s.Shape())
	p.overall()
	_, err := io.WriteString(w, p.heading()+p.warnings()+p.table()+p.notes())
	return err
}

// WriteBrief writes the score for the end of a run: the groups, and their
// categories only if they are few, without warnings and notes.
func WriteBrief(w io.Writer, s *Score, colour bool) error {
	const few = 6
	p := &printer{score: s, paint: paint{on: colour}, brief: true, shallow: len(s.Categories) > few}
	p.groups(s.Shape())
	p.overall()
	_, err := io.WriteString(w, p.heading()+p.table())
	return err
}

// A printer collects the lines of a table until their widths are known.
type printer struct {
	score *Score
	paint paint
	// brief leaves out what did not run, and shallow the parts of groups.
	brief, shallow bool
	lines          []line
}

// A line is one row: its cells as plain text and how they are painted.
type line struct {
	cells [columns]string
	style style
	rule  bool // a line across instead of a row
}

// The columns of the table.
const (
	nameCell = iota
	weightCell
	accuracyCell
	intervalCell
	rightCell
	sizeCell
	errorsCell
	columns
)

var titles = [columns]string{"", "weight", "accuracy", "95% interval", "right / n", "of", "errors"}

// groups adds the layout's groups and categories. A group that was not run at
// all is one line.
func (p *printer) groups(l *Layout) {
	var below int // depth of a group that is not expanded, plus one
	l.Walk(func(n *Node, depth int, counts bool) {
		if below > 0 && depth >= below || p.shallow && (depth > 0 || !counts) {
			return
		}
		below = 0
		part, style, ran := p.lookup(n)
		if !ran && (!counts || p.brief) {
			return
		}
		if !ran && len(n.Parts) > 0 {
			below = depth + 1
		}
		cells := cellsOf(part)
		cells[nameCell] = strings.Repeat("  ", depth) + n.label(counts)
		if depth == 0 && counts {
			cells[weightCell] = l.Overall.weightOf(n)
		}
		p.lines = append(p.lines, line{cells: cells, style: style})
	})
}

func (p *printer) lookup(n *Node) (part Part, s style, ran bool) {
	if len(n.Parts) > 0 {
		part, ran = p.score.Groups[n.Name]
		s = bold
	} else {
		part, ran = p.score.Categories[n.Name]
	}
	if !ran {
		return Part{NA: true}, dim, false
	}
	return part, s, true
}

func (n *Node) label(counts bool) string {
	name := cmp.Or(n.Title, n.Name)
	if !counts {
		name += " (not counted)"
	}
	return name
}

// weightOf returns the share of a part in percent, if shares are fixed.
func (n *Node) weightOf(part *Node) string {
	i := slices.Index(n.Parts, part)
	if n.Rule != ByWeight || i < 0 {
		return ""
	}
	var sum float64
	for _, w := range n.Weights {
		sum += w
	}
	return fmt.Sprintf("%.0f%%", 100*over(n.Weights[i], sum))
}

// others adds the categories that are not in the layout.
func (p *printer) others(l *Layout) {
	known := map[string]bool{}
	l.Walk(func(n *Node, _ int, _ bool) { known[n.Name] = true })
	for _, name := range slices.Sorted(maps.Keys(p.score.Categories)) {
		if known[name] {
			continue
		}
		cells := cellsOf(p.score.Categories[name])
		cells[nameCell] = printable(name) + " (not counted)"
		p.lines = append(p.lines, line{cells: cells})
	}
}

// overall adds the last lines. Upstream's overall is shown even if parts are
// missing, but without an interval, which could only be wrong, and with the
// overall of what ran, so that the missing parts are not blamed on the model.
// The first release's overall leaves out what is missing.
func (p *printer) overall() {
	all := p.score.Overall
	last := cellsOf(all)
	last[nameCell] = "Overall"
	p.lines = append(p.lines, line{rule: true})
	drops := p.score.Shape().DropsMissing && !all.Complete()
	switch {
	case drops:
		last[nameCell], last[accuracyCell] = "Overall (cases run)", fmt.Sprintf("%.2f%%", all.Accuracy*100)
	case all.Complete() && !all.Whole():
		last[nameCell] = "Overall of this part"
	}
	if all.NA || all.Complete() || drops {
		p.lines = append(p.lines, line{cells: last, style: bold})
		return
	}
	last[nameCell] = "Overall, missing as 0"
	last[accuracyCell] = fmt.Sprintf("%.2f%%", all.Accuracy*100)
	ran := cellsOf(Part{Accuracy: all.Ran.Value, Low: all.Ran.Low, High: all.Ran.High})
	ran[nameCell] = "Overall (cases run)"
	p.lines = append(p.lines, line{cells: last, style: bold}, line{cells: ran, style: bold})
}

// cellsOf shows N/A if a part is not complete, as upstream's tables do.
func cellsOf(p Part) (cells [columns]string) {
	cells[accuracyCell] = "N/A"
	if p.Complete() {
		cells[accuracyCell] = fmt.Sprintf("%.2f%%", p.Accuracy*100)
		cells[intervalCell] = fmt.Sprintf("%.1f – %-5.1f", p.Low*100, p.High*100)
	}
	if p.Total > 0 {
		cells[rightCell] = fmt.Sprintf("%d / %4d", p.Correct, p.Total)
	}
	if p.Total > 0 && p.Cases < p.Size {
		cells[sizeCell] = strconv.Itoa(p.Size)
	}
	if p.Errors > 0 {
		cells[errorsCell] = strconv.Itoa(p.Errors)
	}
	return cells
}

func (p *printer) heading() string {
	s := p.score
	parts := []string{p.paint.as(bold, printable(s.Model)), s.Title()}
	if s.Digest != "" {
		parts = append(parts, p.paint.as(dim, short(printable(s.Digest))))
	}
	if s.Dialect != "" {
		parts = append(parts, "dialect "+printable(s.Dialect))
	}
	text := strings.Join(parts, "  ") + "\n"
	if s.Server != "" {
		text += p.paint.as(dim, "on "+printable(s.Server)) + "\n"
	}
	if s.Proxy != "" {
		text += "through the proxy " + printable(s.Proxy) + "\n"
	}
	if s.Idle != "" {
		text += strings.Join(say.Wrap(s.Idle, 78), "\n") + "\n"
	}
	return text + "\n"
}

// warnings are printed between the title and the numbers.
func (p *printer) warnings() string {
	var b strings.Builder
	for _, text := range p.score.Warnings {
		for _, line := range say.Wrap(say.Printable(text, 1000), 78) {
			b.WriteString(p.paint.as(red, line) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// short returns enough of a digest to distinguish two.
func short(digest string) string {
	const enough = len("sha256:") + 12
	if len(digest) > enough {
		return digest[:enough]
	}
	return digest
}

func (p *printer) table() string {
	head := line{cells: titles, style: dim}
	for _, cell := range []int{weightCell, sizeCell, errorsCell} {
		if !slices.ContainsFunc(p.lines, func(l line) bool { return l.cells[cell] != "" }) {
			head.cells[cell] = ""
		}
	}
	all := append([]line{head}, p.lines...)
	widths := widthsOf(all)
	var b strings.Builder
	for _, l := range all {
		b.WriteString(p.row(l, widths))
		b.WriteByte('\n')
	}
	return b.String()
}

const gap = "  "

func (p *printer) row(l line, widths [columns]int) string {
	if l.rule {
		total := -len(gap)
		for _, w := range widths {
			if w > 0 {
				total += w + len(gap)
			}
		}
		return p.paint.as(dim, strings.Repeat("─", total))
	}
	var cells []string
	for i, cell := range l.cells {
		style := l.style
		if i == errorsCell && style != dim {
			style = red
		}
		if widths[i] > 0 {
			cells = append(cells, p.pad(cell, widths[i], i == nameCell, style))
		}
	}
	return strings.TrimRight(strings.Join(cells, gap), " ")
}

// pad pads a cell with spaces, which are not painted.
func (p *printer) pad(cell string, width int, left bool, s style) string {
	text := strings.TrimRight(cell, " ")
	tail := cell[len(text):]
	blanks := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	if left {
		return p.paint.as(s, text) + tail + blanks
	}
	return blanks + p.paint.as(s, text) + tail
}

func widthsOf(lines []line) (widths [columns]int) {
	for _, l := range lines {
		for i, cell := range l.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}
