package chart

import (
	"fmt"
	"unicode/utf8"
)

// A placer puts labels beside points so that they cover neither points nor one
// another. A label that has no place is left out; the legend and the tooltip
// have the name.
type placer struct{ taken []box }

type box struct{ x1, y1, x2, y2 float64 }

func (b box) meets(o box) bool { return b.x1 < o.x2 && o.x1 < b.x2 && b.y1 < o.y2 && o.y1 < b.y2 }

func (b box) inside() bool {
	return b.x1 >= scatterL && b.x2 <= scatterW && b.y1 >= 0 && b.y2 <= scatterH-scatterB
}

func newPlacer(points []Point, x, y func(float64) float64) *placer {
	p := &placer{}
	for _, point := range points {
		cx, cy := x(point.X), y(point.Estimate)
		p.taken = append(p.taken, box{cx - 6, cy - 6, cx + 6, cy + 6}, box{cx - 1, y(point.High), cx + 1, y(point.Low)})
	}
	return p
}

// label finds a place for a point's name: at its side, above or below, or apart from
// it with a line that leads there.
func (p *placer) label(point Point, x, y float64) (at line, leader string, ok bool) {
	text := short(point.Name, labelWidth)
	w := labelRune * float64(utf8.RuneCountInString(text))
	right := func(dx, dy float64) spot {
		return spot{x + dx, y + dy + 4, "start", box{x + dx - 2, y + dy - 7, x + dx + w, y + dy + 7}}
	}
	left := func(dx, dy float64) spot {
		return spot{x - dx, y + dy + 4, "end", box{x - dx - w, y + dy - 7, x - dx + 2, y + dy + 7}}
	}
	near := []spot{
		right(10, 0), left(10, 0),
		{x, y - 11, "mid", box{x - w/2, y - 22, x + w/2, y - 8}}, {x, y + 20, "mid", box{x - w/2, y + 8, x + w/2, y + 8 + labelHeight}},
		right(10, -13), right(10, 13), left(10, -13), left(10, 13),
	}
	for _, s := range near {
		if p.take(s.box) {
			return line{px(s.x), px(s.y), s.anchor, text}, "", true
		}
	}
	for away := 2.0; away < 24; away++ {
		for _, s := range []spot{left(24, away*labelHeight), right(24, away*labelHeight), left(24, -away*labelHeight), right(24, -away*labelHeight)} {
			if p.take(s.box) {
				return line{px(s.x), px(s.y), s.anchor, text}, fmt.Sprintf("M%s %sL%s %s", px(x), px(y), px(s.x), px(s.y-4)), true
			}
		}
	}
	return line{}, "", false
}

// A spot is a possible place for a label.
type spot struct {
	x, y   float64
	anchor string
	box    box
}

// take keeps others from a place that is free.
func (p *placer) take(b box) bool {
	if !p.free(b) {
		return false
	}
	p.taken = append(p.taken, b)
	return true
}

func (p *placer) free(b box) bool {
	for _, t := range p.taken {
		if b.meets(t) {
			return false
		}
	}
	return b.inside()
}

// A line is a piece of text at a place.
type line struct{ X, Y, Anchor, Text string }
