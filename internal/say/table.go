package say

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// A Table has a head and rows of cells, with the first column flush left and
// the others flush right.
type Table struct {
	// Head may be nil.
	Head []string
	// Rows are the cells; nil is a line across.
	Rows [][]string
	// Left is the number of columns that are flush left; 1 if not set.
	Left int
	// Spare names the columns, by their heads, that Fit may leave out, the
	// least important first.
	Spare []string
	// Width is where Text cuts its lines, which then end in prose; 0 for nowhere.
	Width int
	// Colour gives a row, by its index, the number of an ANSI style such as 32;
	// 0 or nil leaves it plain. Only Text paints.
	Colour func(row int) int
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t *Table) flushLeft(column int) bool { return column < max(1, t.Left) }

const longestCell = 100

// Fit returns the table without as many spare columns as needed to be at most
// width wide, and the heads of the columns left out, in the table's order.
func (t *Table) Fit(width int) (fitted *Table, left []string) {
	fitted = t
	out := map[string]bool{}
	for _, spare := range t.Spare {
		if fitted.width() <= width {
			break
		}
		out[spare] = true
		fitted = t.Without(out)
	}
	for _, head := range t.Head {
		if out[head] {
			left = append(left, head)
		}
	}
	return fitted, left
}

// Without returns the table without some columns.
func (t *Table) Without(heads map[string]bool) *Table {
	var keep []int
	for i, head := range t.Head {
		if !heads[head] {
			keep = append(keep, i)
		}
	}
	pick := func(row []string) []string {
		if row == nil {
			return nil
		}
		out := make([]string, 0, len(keep))
		for _, i := range keep {
			out = append(out, row[i])
		}
		return out
	}
	out := *t
	out.Head, out.Rows = pick(t.Head), nil
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, pick(row))
	}
	return &out
}

// width returns the length of the longest line, in characters.
func (t *Table) width() (most int) {
	var b strings.Builder
	plain := *t
	plain.Colour = nil
	plain.Text(&b)
	for line := range strings.Lines(b.String()) {
		most = max(most, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return most
}

// Text writes the table for a terminal.
func (t *Table) Text(b *strings.Builder) {
	lines := make([][]string, 0, len(t.Rows)+1)
	all := t.Rows
	if t.Head != nil {
		all = append([][]string{t.Head}, t.Rows...)
	}
	var widths []int
	total := 0
	for _, row := range all {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Printable(cell, longestCell)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cells[i]))
		}
		lines = append(lines, cells)
	}
	for _, width := range widths {
		total += width + len("  ")
	}
	for n, cells := range lines {
		var line strings.Builder
		if len(cells) == 0 {
			line.WriteString(strings.Repeat("─", max(0, total-len("  "))))
		}
		for i, cell := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			blanks := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.flushLeft(i) {
				line.WriteString(cell + blanks)
			} else {
				line.WriteString(blanks + cell)
			}
		}
		text := []rune(strings.TrimRight(line.String(), " "))
		if t.Width > 0 && len(text) > t.Width {
			text = append(text[:t.Width-1], '…')
		}
		b.WriteString(t.paint(n, string(text)) + "\n")
	}
}

// paint colours a line of the text; the first line is the head, if there is one.
func (t *Table) paint(line int, text string) string {
	row := line
	if t.Head != nil {
		row--
	}
	if t.Colour == nil || row < 0 {
		return text
	}
	return Paint(t.Colour(row), text)
}

// Paint colours a text by the number of an ANSI style; 0 leaves it plain.
func Paint(style int, text string) string {
	if style == 0 || text == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", style, text)
}

// Markdown writes the table in the Markdown of GitHub and GitLab.
func (t *Table) Markdown(b *strings.Builder) {
	row := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			b.WriteString(" " + Markdown(cell, longestCell) + " |")
		}
		b.WriteString("\n")
	}
	row(t.Head)
	b.WriteString("|")
	for i := range t.Head {
		if t.flushLeft(i) {
			b.WriteString("---|")
		} else {
			b.WriteString("---:|")
		}
	}
	b.WriteString("\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	b.WriteString("\n")
}

// unbroken are words, and commands between backquotes, which are copied.
var unbroken = pattern.Of("[^\\s`]*`[^`]*`\\S*|\\S+")

// Wrap breaks a text into lines at spaces, but not within backquotes.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range unbroken().FindAllString(text, -1) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
