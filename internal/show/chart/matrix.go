package chart

import (
	"fmt"
	"strings"
)

// A Line is a run's row in a matrix.
type Line struct {
	Mark
	// Values fill the cells as shares of the widest bar, 0 to 1.
	Values []float64
	// Labels stand in the cells.
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
	matrixW    = 1080.0 // at most, unless the columns are many
	matrixRow1 = 30.0
)

// Matrix is a table of small bars: a row for each run, a column for each
// title.
func Matrix(name, title string, columns []string, rows []Line) *Chart {
	width := max(74, min(112, (matrixW-matrixLeft)/float64(len(columns))))
	top := 22.0
	for _, c := range columns {
		top = max(top, 22+14*float64(len(wrap(c, 11))-1))
	}
	var m matrix
	for i, c := range columns {
		lines := wrap(c, 11)
		for k, text := range lines {
			y := top - 6 - 14*float64(len(lines)-1-k)
			m.Heads = append(m.Heads, line{px(matrixLeft + width*float64(i) + 2), px(y), "start", text})
		}
	}
	var desc []string
	for i, r := range rows {
		m.Rows = append(m.Rows, newMatrixRow(r, columns, width, top+matrixRow1*float64(i)))
		var said []string
		for k, c := range columns {
			said = append(said, c+" "+r.Labels[k])
		}
		desc = append(desc, fmt.Sprintf("%s: %s.", r.Name, strings.Join(said, ", ")))
	}
	w := int(matrixLeft + width*float64(len(columns)) + 8)
	c := &Chart{Name: name, Title: title, Desc: strings.Join(desc, " "), w: max(w, 480), h: int(top+matrixRow1*float64(len(rows))) + 8}
	return draw(c, "matrix", m)
}

func newMatrixRow(r Line, columns []string, width, y float64) matrixRow {
	row := matrixRow{Class: r.Class(), Run: r.Run(), Name: r.Name, Label: short(r.Name, 26), TextY: px(y + 19)}
	for k := range columns {
		share := r.Values[k]
		if !finite(share) {
			share = 0
		}
		x := matrixLeft + width*float64(k)
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
