package chart

import "unicode/utf8"

// A placer puts labels beside points where they cover neither points nor one
// another; a label without a place is left to the legend and the tip.
type placer struct{ taken []box }

type box struct{ x1, y1, x2, y2 float64 }

func (b box) meets(o box) bool { return b.x1 < o.x2 && o.x1 < b.x2 && b.y1 < o.y2 && o.y1 < b.y2 }

func (b box) inside() bool {
	return b.x1 >= scatterL && b.x2 <= scatterW && b.y1 >= 0 && b.y2 <= scatterH-scatterB
}

func newPlacer(points []Point, x, y func(float64) float64) *placer {
	p := &placer{}
	for _, point := range points {
		if !point.Off {
			cx, cy := x(point.X), y(point.Estimate)
			p.taken = append(p.taken, box{cx - 6, cy - 6, cx + 6, cy + 6})
		}
	}
	return p
}

func (p *placer) label(point Point, x, y float64) (line, bool) {
	text := short(point.Name, labelWidth)
	w := labelRune * float64(utf8.RuneCountInString(text))
	for _, at := range []struct {
		x, y   float64
		anchor string
		box    box
	}{
		{x + 10, y + 4, "start", box{x + 8, y - 7, x + 10 + w, y + 7}},
		{x - 10, y + 4, "end", box{x - 10 - w, y - 7, x - 8, y + 7}},
		{x, y - 11, "mid", box{x - w/2, y - 22, x + w/2, y - 8}},
		{x, y + 20, "mid", box{x - w/2, y + 8, x + w/2, y + 8 + labelHeight}},
		{x + 10, y - 9, "start", box{x + 8, y - 20, x + 10 + w, y - 6}},
		{x + 10, y + 17, "start", box{x + 8, y + 6, x + 10 + w, y + 20}},
		{x - 10, y - 9, "end", box{x - 10 - w, y - 20, x - 8, y - 6}},
		{x - 10, y + 17, "end", box{x - 10 - w, y + 6, x - 8, y + 20}},
	} {
		if p.free(at.box) {
			p.taken = append(p.taken, at.box)
			return line{px(at.x), px(at.y), at.anchor, text}, true
		}
	}
	return line{}, false
}

func (p *placer) free(b box) bool {
	for _, t := range p.taken {
		if b.meets(t) {
			return false
		}
	}
	return b.inside()
}
