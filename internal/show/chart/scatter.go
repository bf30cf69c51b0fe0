package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Point is a run in a scatter: its share with its interval against its cost
// or latency.
type Point struct {
	Mark
	stat.Interval
	// X must be above 0; other points are left out.
	X float64
	// Link is where the point leads in the page; "" for nowhere.
	Link string
}

type scatter struct {
	XTicks, YTicks           []tick
	Points                   []dot
	Left, Right, Top, Bottom string
	XTitle, YTitle           line
}

type dot struct {
	Class, Tip, Shape, Span string
	Link                    string
	Labelled                bool
	Label                   line
	// Leader is a line from a label to its point, if they are apart.
	Leader string
}

type tick struct{ X, Y, Label string }

const (
	scatterW, scatterH                 = 640, 420
	scatterL, scatterR                 = 58.0, 16.0
	scatterT, scatterB                 = 30.0, 52.0
	labelWidth, labelHeight, labelRune = 26, 14.0, 6.4
)

// Scatter draws shares over a logarithmic axis, because cost and latency span
// several powers of ten.
func Scatter(name, title, xTitle string, unit func(float64) string, points []Point) *Chart {
	points = slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
		return !finite(p.X, p.Estimate, p.Low, p.High) || p.X <= 0
	})
	x, xTicks := logAxis(points)
	y, yTicks := shareAxis(points)
	s := scatter{
		Left: px(scatterL), Right: px(scatterW - scatterR), Top: px(scatterT), Bottom: px(scatterH - scatterB),
		XTitle: line{px((scatterL + scatterW - scatterR) / 2), px(scatterH - 8), "mid", xTitle},
		YTitle: line{px(8), px(14), "start", "accuracy"},
	}
	for _, v := range xTicks {
		s.XTicks = append(s.XTicks, tick{px(x(v)), px(scatterH - scatterB + 18), unit(v)})
	}
	for _, v := range yTicks {
		s.YTicks = append(s.YTicks, tick{px(scatterL - 8), px(y(v)), fmt.Sprintf("%.0f%%", v*100)})
	}
	var desc []string
	place := newPlacer(points, x, y)
	for _, p := range points {
		px0, py0 := x(p.X), y(p.Estimate)
		d := dot{
			Link: p.Link, Class: p.Class(), Shape: p.shape(px0, py0, 6),
			Tip:  fmt.Sprintf("%s: %s, %s", p.Name, between(p.Interval), unit(p.X)),
			Span: fmt.Sprintf("M%s %sV%s", px(px0), px(y(p.Low)), px(y(p.High))),
		}
		d.Label, d.Leader, d.Labelled = place.label(p, px0, py0)
		s.Points = append(s.Points, d)
		desc = append(desc, d.Tip)
	}
	c := &Chart{Name: name, Title: title, Desc: strings.Join(desc, "; ") + ".", w: scatterW, h: scatterH}
	return draw(c, "scatter", s)
}

// logAxis spans the points with a tenth of air at both ends.
func logAxis(points []Point) (func(float64) float64, []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, math.Log10(p.X)), max(high, math.Log10(p.X))
	}
	if len(points) == 0 {
		low, high = 0, 1
	}
	air := max((high-low)/10, 0.15)
	low, high = low-air, high+air
	at := func(v float64) float64 {
		return scatterL + (math.Log10(v)-low)/(high-low)*(scatterW-scatterL-scatterR)
	}
	steps := []float64{1, 2, 5}
	if high-low > 2.5 {
		steps = []float64{1}
	}
	ticks := ticksOf(low, high, steps)
	if len(ticks) < 2 { // one tick does not show the scale
		ticks = ticksOf(low, high, []float64{1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9})
	}
	return at, ticks
}

// ticksOf are the steps of each power of ten between two logarithms.
func ticksOf(low, high float64, steps []float64) (ticks []float64) {
	for e := math.Floor(low); e <= math.Ceil(high); e++ {
		for _, step := range steps {
			if v := step * math.Pow(10, e); math.Log10(v) >= low && math.Log10(v) <= high {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// shareAxis spans the intervals in steps of five or ten points.
func shareAxis(points []Point) (func(float64) float64, []float64) {
	low, high := 1.0, 0.0
	for _, p := range points {
		low, high = min(low, p.Low), max(high, p.High)
	}
	if len(points) == 0 {
		low, high = 0, 1
	}
	step := 0.1
	if high-low < 0.3 {
		step = 0.05
	}
	low, high = max(0, math.Floor(low/step)*step), min(1, math.Ceil(high/step)*step)
	if high-low < 2*step { // all at one place
		low, high = max(0, min(low-step, 1-2*step)), min(1, max(high+step, 2*step))
	}
	at := func(v float64) float64 {
		return scatterH - scatterB - (v-low)/(high-low)*(scatterH-scatterB-scatterT)
	}
	var ticks []float64
	for i := 0.0; low+i*step <= high+1e-9; i++ {
		ticks = append(ticks, low+i*step)
	}
	return at, ticks
}
