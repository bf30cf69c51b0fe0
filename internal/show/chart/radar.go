package chart

import (
	"fmt"
	"math"
	"strings"
)

// A Spoke is an axis of a wagon wheel.
type Spoke struct {
	// Title is written at the rim.
	Title string
	// Values are the runs' shares, in the order of the marks; NaN where a
	// run has none.
	Values []float64
	// Link is where the spoke leads in the page; "" for nowhere.
	Link string
}

type radar struct {
	Rings  []ring
	Spokes []spoke
	Runs   []wheel
}

type ring struct{ Path, X, Y, Label string }

type spoke struct {
	X1, Y1, X2, Y2 string
	Lines          []line
	Title, Link    string
}

type line struct{ X, Y, Anchor, Text string }

type wheel struct {
	Class, Run, Name, Dash, Path string
	Dots                         []string
}

const (
	radarW, radarH = 640, 440
	radarR         = 165.0
)

// Radar is a wagon wheel: a spoke for each part, a closed line for each run.
// The hub is 0 and the rim is 100%.
func Radar(name, title string, marks []Mark, spokes []Spoke) *Chart {
	var r radar
	at := func(i int, share float64) (x, y float64) {
		angle := 2*math.Pi*float64(i)/float64(len(spokes)) - math.Pi/2
		return radarW/2 + share*radarR*math.Cos(angle), radarH/2 + share*radarR*math.Sin(angle)
	}
	for _, share := range []float64{.25, .5, .75, 1} {
		path := polygon(len(spokes), func(i int) (float64, float64) { return at(i, share) })
		_, y := at(0, share)
		r.Rings = append(r.Rings, ring{path, px(radarW/2 + 4), px(y + 12), fmt.Sprintf("%.0f%%", share*100)})
	}
	for i, s := range spokes {
		r.Spokes = append(r.Spokes, newSpoke(i, s, at))
	}
	for k, m := range marks {
		r.Runs = append(r.Runs, newWheel(k, m, spokes, at))
	}
	c := &Chart{Name: name, Title: title, Desc: radarText(marks, spokes), w: radarW, h: radarH}
	keys, height := legend(marks, radarW, radarH)
	c.foot, c.legendH = execute("legend", keys), height
	return draw(c, "radar", r)
}

func newSpoke(i int, of Spoke, at func(int, float64) (float64, float64)) spoke {
	x, y := at(i, 1)
	s := spoke{Title: of.Title, Link: of.Link, X1: px(radarW / 2), Y1: px(radarH / 2), X2: px(x), Y2: px(y)}
	x, y = at(i, 1.09)
	anchor := "mid"
	switch {
	case x > radarW/2+20:
		anchor = "start"
	case x < radarW/2-20:
		anchor = "end"
	}
	lines := wrap(of.Title, 20)
	if y < radarH/2 {
		y -= 14 * float64(len(lines)-1)
	}
	for k, text := range lines {
		s.Lines = append(s.Lines, line{px(x), px(y + 4 + 14*float64(k)), anchor, text})
	}
	return s
}

func newWheel(k int, m Mark, spokes []Spoke, at func(int, float64) (float64, float64)) wheel {
	w := wheel{Class: m.Class(), Run: m.Run(), Name: m.Name, Dash: m.Dash()}
	var points []string
	for i, s := range spokes {
		if !finite(s.Values[k]) {
			continue
		}
		x, y := at(i, min(max(s.Values[k], 0), 1))
		points = append(points, px(x)+" "+px(y))
		w.Dots = append(w.Dots, m.shape(x, y, 3.6))
	}
	if len(points) > 0 {
		w.Path = "M" + strings.Join(points, "L") + "Z"
	}
	return w
}

func polygon(n int, at func(int) (float64, float64)) string {
	points := make([]string, n)
	for i := range points {
		x, y := at(i)
		points[i] = px(x) + " " + px(y)
	}
	return "M" + strings.Join(points, "L") + "Z"
}

// wrap breaks a label at blanks and underscores.
func wrap(s string, most int) []string {
	words := strings.Fields(strings.ReplaceAll(s, "_", "_ "))
	var lines []string
	for _, w := range words {
		last := len(lines) - 1
		switch {
		case last < 0 || len(lines[last])+len(w) >= most:
			lines = append(lines, w)
		case strings.HasSuffix(lines[last], "_"):
			lines[last] += w
		default:
			lines[last] += " " + w
		}
	}
	return lines
}

func radarText(marks []Mark, spokes []Spoke) string {
	var b strings.Builder
	for k, m := range marks {
		var parts []string
		for _, s := range spokes {
			if finite(s.Values[k]) {
				parts = append(parts, s.Title+" "+percent(s.Values[k]))
			}
		}
		fmt.Fprintf(&b, "%s: %s. ", m.Name, strings.Join(parts, ", "))
	}
	return strings.TrimSpace(b.String())
}
