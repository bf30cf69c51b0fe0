package chart

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Line is a run's row in a matrix.
type Line struct {
	Mark
	// Values fill the cells as shares of the widest bar, 0 to 1.
	Values []float64
	// Labels are the texts in the cells.
	Labels []string
	// Links are where the cells lead in the page, if anywhere.
	Links []string
}

type matrix struct {
	Heads []line
	Rows  []matrixRow
}

type matrixRow struct {
	Class, Run, Name, Label, TextY string
	Cells                          []matrixCell
}

type matrixCell struct{ X, Y, Back, W, TextX, Text, Tip, Link, Top string }

const (
	matrixLeft = 230.0
	matrixW    = 1080.0 // at most, unless there are many columns
	matrixRow1 = 30.0
)

// Matrix is a table of small bars: a row for each run, a column for each
// title.
func Matrix(name, title string, columns []string, rows []Line) *Chart {
	edges := edgesOf(columns)
	top := 22.0
	for _, c := range columns {
		top = max(top, 22+14*float64(len(wrap(c, 11))-1))
	}
	var m matrix
	for i, c := range columns {
		lines := wrap(c, 11)
		for k, text := range lines {
			y := top - 6 - 14*float64(len(lines)-1-k)
			m.Heads = append(m.Heads, line{px(edges[i] + 2), px(y), "start", text})
		}
	}
	var desc []string
	for i, r := range rows {
		m.Rows = append(m.Rows, newMatrixRow(r, columns, edges, top+matrixRow1*float64(i)))
		var said []string
		for k, c := range columns {
			said = append(said, c+" "+r.Labels[k])
		}
		desc = append(desc, fmt.Sprintf("%s: %s.", r.Name, strings.Join(said, ", ")))
	}
	w := int(edges[len(columns)] + 8)
	c := &Chart{Name: name, Title: title, Desc: strings.Join(desc, " "), w: max(w, 480), h: int(top+matrixRow1*float64(len(rows))) + 8}
	return draw(c, "matrix", m)
}

// edgesOf are where columns begin, and where the last one ends. Each has room
// for its longest word, and the columns share the width that is left.
func edgesOf(columns []string) []float64 {
	const least, most, letter, air = 62.0, 112.0, 6.6, 14.0
	widths, sum := make([]float64, len(columns)), 0.0
	for i, c := range columns {
		widths[i] = least
		for _, line := range wrap(c, 11) {
			widths[i] = max(widths[i], letter*float64(utf8.RuneCountInString(line))+air)
		}
		sum += widths[i]
	}
	spare := max(0, (matrixW-matrixLeft-sum)/float64(max(len(columns), 1)))
	edges := []float64{matrixLeft}
	for i, w := range widths {
		edges = append(edges, edges[i]+max(w, min(most, w+spare)))
	}
	return edges
}

func newMatrixRow(r Line, columns []string, edges []float64, y float64) matrixRow {
	row := matrixRow{Class: r.Class(), Run: r.Run(), Name: r.Name, Label: short(r.Name, 26), TextY: px(y + 19)}
	for k := range columns {
		share := r.Values[k]
		if !finite(share) {
			share = 0
		}
		x, width := edges[k], edges[k+1]-edges[k]
		link := ""
		if k < len(r.Links) {
			link = r.Links[k]
		}
		row.Cells = append(row.Cells, matrixCell{
			Link: link, Top: px(y + 2),
			X: px(x), Y: px(y + 21), Back: px(width - 12), W: px((width - 12) * min(max(share, 0), 1)),
			TextX: px(x + 2), Text: r.Labels[k], Tip: r.Name + ", " + columns[k] + ": " + r.Labels[k],
		})
	}
	return row
}
