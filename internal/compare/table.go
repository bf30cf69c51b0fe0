package compare

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/failure"
)

// A table is a head and rows of cells, the first column flush left, the others
// flush right. Cells are as they came; writing makes them safe.
type table struct {
	head []string
	rows [][]string
	// left counts the columns that are flush left; 1 where not set.
	left int
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) flushLeft(column int) bool { return column < max(1, t.left) }

const longestCell = 100

// text writes the table for a terminal.
func (t *table) text(b *strings.Builder) {
	lines := make([][]string, 0, len(t.rows)+1)
	all := t.rows
	if t.head != nil {
		all = append([][]string{t.head}, t.rows...)
	}
	var widths []int
	for _, row := range all {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = failure.Printable(cell, longestCell)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cells[i]))
		}
		lines = append(lines, cells)
	}
	for _, cells := range lines {
		var line strings.Builder
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
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// markdown writes the table as GitHub's and GitLab's Markdown has it.
func (t *table) markdown(b *strings.Builder) {
	row := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			b.WriteString(" " + failure.Markdown(cell, longestCell) + " |")
		}
		b.WriteString("\n")
	}
	row(t.head)
	b.WriteString("|")
	for i := range t.head {
		if t.flushLeft(i) {
			b.WriteString("---|")
		} else {
			b.WriteString("---:|")
		}
	}
	b.WriteString("\n")
	for _, cells := range t.rows {
		row(cells)
	}
	b.WriteString("\n")
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// points is a difference in percentage points.
func points(x float64) string { return fmt.Sprintf("%+.2f", 100*x) }

func interval(low, high float64) string {
	return fmt.Sprintf("%+.2f to %+.2f", 100*low, 100*high)
}

// level is a p value, without pretence below a thousandth of a percent.
func level(p float64) string {
	switch {
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return fmt.Sprintf("%.5f", p)
	}
	return fmt.Sprintf("%.3f", p)
}
