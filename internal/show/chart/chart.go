// Package chart draws what the report's page needs as SVG: a scatter, and the
// symbols of runs. It knows only the names and numbers of runs.
//
// The page's style sheet holds the colours. All geometry is computed here; the
// templates escape every text.
package chart

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// Rules are the style rules for the classes in the charts.
//
//go:embed chart.css
var Rules string

// Light and Dark are the colours of the two themes, as variables that the Rules
// use.
const (
	Light = `--ink:#1f2328;--soft:#59636e;--line:#d8dee4;--paper:#fff;--fill:#eef1f4;--pub:#8c959f;--c0:#0072b2;--c1:#d55e00;--c2:#00805c;--c3:#a83b7d;--c4:#2f95cf;--c5:#b87a00;--c6:#4d4d4d;--link:#0a5c96;--del:#9c3400;--add:#005a8c;--bad:#fdeee6;--h1:#fdf0e8;--h2:#fbdfcd;--h3:#f8c9ab;--h4:#f4b189;--h5:#ef9a68`
	Dark  = `--ink:#e6edf3;--soft:#9aa5b1;--line:#30363d;--paper:#0f1318;--fill:#1c2229;--pub:#7d8590;--c0:#58aee8;--c1:#f58a4b;--c2:#35c79a;--c3:#e28fc0;--c4:#9bd7fb;--c5:#e9b44c;--c6:#c3c8ce;--link:#7cc0f0;--del:#ffa97a;--add:#7cc0f0;--bad:#2c1c12;--h1:#241a13;--h2:#38261a;--h3:#513320;--h4:#6b4126;--h5:#85502e`
)

//go:embed *.svg.tmpl
var files embed.FS

var templates = sync.OnceValue(func() *template.Template { return template.Must(template.New("").ParseFS(files, "*.svg.tmpl")) })

// A Chart is a drawing.
type Chart struct {
	// Name distinguishes it from the page's other charts.
	Name string
	// Title and Desc are what a screen reader says.
	Title, Desc string

	w, h  int
	decor bool // decoration: the text beside it says the same
	body  template.HTML
}

// A Mark is how a run is drawn: its colour and shape by number, the same in
// all charts.
type Mark struct {
	// Name is the run's name.
	Name string
	// Index counts from 0 among the runs; colours repeat after Colours.
	Index int
	// Published marks a model of the public leaderboard, drawn in grey.
	Published bool
}

// Colours is how many runs have their own colour. The colours are Okabe and
// Ito's, which colour-blind people can distinguish. Shapes repeat less often.
const Colours = 7

// Class returns the mark's style classes.
func (m Mark) Class() string {
	class := "c" + strconv.Itoa(m.Index%Colours)
	if m.Published {
		class = "pub"
	}
	return class
}

// draw executes a template.
func draw(c *Chart, name string, data any) *Chart {
	c.body = execute(name, data)
	return c
}

func execute(name string, data any) template.HTML {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name+".svg.tmpl", data); err != nil {
		panic(fmt.Sprintf("chart %s: %v", name, err)) // the templates are ours
	}
	return template.HTML(strings.TrimSpace(b.String())) // html/template has escaped it
}

// frame is what surrounds a body.
type frame struct {
	*Chart
	Body         template.HTML
	W, H         int
	Decor, Links bool
}

// HTML returns the chart for the page.
func (c *Chart) HTML() template.HTML {
	links := strings.Contains(string(c.body), "<a ") // every other "<" is escaped
	return execute("frame", frame{Chart: c, Body: c.body, W: c.w, H: c.h, Decor: c.decor, Links: links})
}

// px is a coordinate.
func px(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		x = 0
	}
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}

// between is an interval for people.
func between(i stat.Interval) string {
	return fmt.Sprintf("%.1f%%, 95%% interval %.1f to %.1f", i.Estimate*100, i.Low*100, i.High*100)
}

// short cuts a label.
func short(s string, most int) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(s)
	end := (most - 1) / 2 // names of one maker differ at their ends
	return string(runes[:most-1-end]) + "…" + string(runes[len(runes)-end:])
}

// finite reports whether all numbers can be drawn.
func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
