package score

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// WriteTable writes the score for a terminal: the layout's groups with their
// categories, the overall at the bottom, and the notes for reading it. Colour
// asks for ANSI escapes.
func WriteTable(w io.Writer, s *Score, colour bool) error {
	p := &printer{score: s, colour: colour}
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
	p := &printer{score: s, colour: colour, brief: true, shallow: len(s.Categories) > few}
	p.groups(s.Shape())
	p.overall()
	_, err := io.WriteString(w, p.heading()+p.table())
	return err
}

// A printer collects the rows of a table until their widths are known.
type printer struct {
	score  *Score
	colour bool
	// brief leaves out what did not run, and shallow the parts of groups.
	brief, shallow bool
	rows           [][]string
	styles         []int // of the rows
}

// The ANSI styles.
const (
	plain = 0
	bold  = 1
	dim   = 2
	red   = 31
)

func (p *printer) add(style int, cells []string) {
	p.rows, p.styles = append(p.rows, cells), append(p.styles, style)
}

// as paints a text.
func (p *printer) as(style int, text string) string {
	if !p.colour {
		return text
	}
	return say.Paint(style, text)
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

const notCounted = " (not counted)"

var titles = []string{"", "weight", "accuracy", "95% interval", "right / n", "of", "errors"}

// groups adds the layout's groups and categories. A group that was not run at
// all is one line.
func (p *printer) groups(l *Layout) {
	var below int // depth of a group that is not expanded, plus one
	l.Walk(func(n *Node, depth int, counts bool) {
		if below > 0 && depth >= below || p.shallow && (depth > 0 || !counts) {
			return
		}
		below = 0
		part, ran := p.score.Categories[n.Name]
		style := plain
		if len(n.Parts) > 0 {
			part, ran = p.score.Groups[n.Name]
			style = bold
		}
		if !ran {
			part, style = Part{NA: true}, dim
		}
		if !ran && (!counts || p.brief) {
			return
		}
		if !ran && len(n.Parts) > 0 {
			below = depth + 1
		}
		cells := cellsOf(part)
		cells[nameCell] = strings.Repeat("  ", depth) + cmp.Or(n.Title, n.Name)
		if !counts {
			cells[nameCell] += notCounted
		}
		if i := slices.Index(l.Overall.Parts, n); i >= 0 && l.Overall.Rule == ByWeight {
			sum := 0.0
			for _, w := range l.Overall.Weights {
				sum += w
			}
			cells[weightCell] = fmt.Sprintf("%.0f%%", 100*over(l.Overall.Weights[i], sum))
		}
		p.add(style, cells)
	})
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
		cells[nameCell] = printable(name) + notCounted
		p.add(plain, cells)
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
	p.add(dim, nil)
	drops := p.score.Shape().DropsMissing && !all.Complete()
	switch {
	case drops:
		last[nameCell], last[accuracyCell] = "Overall (cases run)", fmt.Sprintf("%.2f%%", all.Accuracy*100)
	case all.Complete() && !all.Whole():
		last[nameCell] = "Overall of this part"
	}
	if all.NA || all.Complete() || drops {
		p.add(bold, last)
		return
	}
	last[nameCell] = "Overall, missing as 0"
	last[accuracyCell] = fmt.Sprintf("%.2f%%", all.Accuracy*100)
	ran := cellsOf(Part{Accuracy: all.Ran.Value, Low: all.Ran.Low, High: all.Ran.High})
	ran[nameCell] = "Overall (cases run)"
	p.add(bold, last)
	p.add(bold, ran)
}

// cellsOf shows N/A if a part is not complete, as upstream's tables do.
func cellsOf(p Part) []string {
	cells := make([]string, columns)
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
	parts := []string{p.as(bold, printable(s.Model)), s.Title()}
	if digest := printable(s.Digest); digest != "" {
		const enough = len("sha256:") + 12 // to distinguish two
		parts = append(parts, p.as(dim, digest[:min(enough, len(digest))]))
	}
	if s.Dialect != "" {
		parts = append(parts, "dialect "+printable(s.Dialect))
	}
	text := strings.Join(parts, "  ") + "\n"
	if s.Server != "" {
		text += p.as(dim, "on "+printable(s.Server)) + "\n"
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
			b.WriteString(p.as(red, line) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

func (p *printer) table() string {
	t := &say.Table{Head: titles, Rows: p.rows}
	if p.colour {
		t.Colour = func(row int) int { return p.styles[row] }
	}
	empty := map[string]bool{}
	for _, cell := range []int{weightCell, sizeCell, errorsCell} {
		empty[titles[cell]] = !slices.ContainsFunc(p.rows, func(row []string) bool { return row != nil && row[cell] != "" })
	}
	var b strings.Builder
	t.Without(empty).Text(&b)
	return b.String()
}

// notes returns the sentences below the table.
func (p *printer) notes() string {
	notes := p.score.Remarks()
	if d, ok := p.score.Detectable(); ok {
		notes = append(notes, say.Detects(100*d)+" between two models, in 80% of such pairs of runs; bfcl compare, case by case, less")
	}
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	for _, note := range notes {
		b.WriteString("\n" + strings.Join(say.Wrap(note, 78), "\n  "))
	}
	return b.String() + "\n"
}

// Remarks returns what changes the meaning of the score's figures, the most
// important first.
func (s *Score) Remarks() (notes []string) {
	all := s.Overall
	switch {
	case s.Shard != "":
		notes = append(notes, fmt.Sprintf("This is only shard %s; `bfcl score` with the folders of all shards gives the run's score.", s.Shard))
	case all.NA:
		notes = append(notes, "No case that counts was scored, so there is no overall.")
	case len(all.Missing) > 0 && s.Shape().DropsMissing:
		notes = append(notes, fmt.Sprintf("Overall leaves out %s, as upstream's first release does: %s.",
			say.Count(len(all.Missing), "missing category", "missing categories"), list(all.Missing)))
	case len(all.Missing) > 0:
		notes = append(notes, fmt.Sprintf("Overall counts %s as 0, as upstream's table does: %s. "+
			"\"Overall (cases run)\" leaves them out; it is not comparable with a complete run's overall.",
			say.Count(len(all.Missing), "missing category", "missing categories"), list(all.Missing)))
	}
	n := 0
	for _, p := range s.Categories { // those that do not count, too
		n += p.Errors
	}
	if n > 0 {
		what := "left out of the accuracies; they are retried on resume"
		if s.AllowErrors {
			what = "counted as answers without a call, as upstream does, but for cases that a recording lacks"
		}
		notes = append(notes, fmt.Sprintf("%s in infrastructure errors: %s.",
			say.Count(n, "case ended", "cases ended"), what))
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Finishes)) {
		kind, said, _ := strings.Cut(reason, ": ")
		why := "which no table here has"
		if kind == "filtered" {
			why = "a filter's"
		}
		notes = append(notes, fmt.Sprintf("%s ended with the finish reason %s, %s: what came was judged.", say.Count(s.Finishes[reason], "answer", "answers"), printable(said), why))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Skipped)) {
		are := "is"
		if len(s.Skipped[name]) > 1 {
			are = "are"
		}
		notes = append(notes, fmt.Sprintf("%s was skipped: %s %s not set.", printable(name), printable(strings.Join(s.Skipped[name], ", ")), are))
	}
	if s.Embedder != "" { // only results with upstream's own model are comparable with its figures
		text := fmt.Sprintf("memory_vector was searched with vectors of the embedder %s", printable(s.Embedder))
		if strings.Contains(s.Embedder, "all-MiniLM-L6-v2") {
			text += ", the model that upstream uses."
		} else {
			text += "; upstream uses all-MiniLM-L6-v2, so published figures are not comparable."
		}
		notes = append(notes, text)
	}
	return notes
}

// Detectable returns the smallest true difference to another model's overall,
// over what ran, that 80% of runs of the same size find without pairing. ok is
// false if nothing counts.
func (s *Score) Detectable() (difference float64, ok bool) {
	if s.Overall.NA {
		return 0, false
	}
	return min(1, s.Overall.Ran.Detectable()), true
}

func list(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most-1], ", "), len(names)-most+1)
}

// printable makes a name safe for a terminal.
func printable(s string) string { return say.Printable(s, 100) }
