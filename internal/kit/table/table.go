// Package table writes small tables for terminals and for Markdown. Cells are
// as they came, from models and files too: writing makes them safe.
package table

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/kit/safe"
)

// A Table is a head and rows of cells, the first column flush left, the others
// flush right.
type Table struct {
	// Head may be nil.
	Head []string
	Rows [][]string
	// Left counts the columns that are flush left; 1 where not set.
	Left int
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t *Table) flushLeft(column int) bool { return column < max(1, t.Left) }

const longestCell = 100

// Text writes the table for a terminal.
func (t *Table) Text(b *strings.Builder) {
	lines := make([][]string, 0, len(t.Rows)+1)
	all := t.Rows
	if t.Head != nil {
		all = append([][]string{t.Head}, t.Rows...)
	}
	var widths []int
	for _, row := range all {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = safe.Printable(cell, longestCell)
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

// Markdown writes the table as GitHub's and GitLab's Markdown has it.
func (t *Table) Markdown(b *strings.Builder) {
	row := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			b.WriteString(" " + safe.Markdown(cell, longestCell) + " |")
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
