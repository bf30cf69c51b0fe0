package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// Rules are the style rules for the classes in the drawings.
//
//go:embed chart.css
var Rules string

// Light and Dark are the colours of the two themes, as variables that the Rules
// use.
const (
	Light = `--ink:#1f2328;--soft:#59636e;--line:#d8dee4;--paper:#fff;--fill:#eef1f4;--pub:#8c959f;--c0:#0072b2;--c1:#d55e00;--c2:#00805c;--c3:#a83b7d;--c4:#2f95cf;--c5:#b87a00;--c6:#4d4d4d;--link:#0a5c96;--del:#9c3400;--add:#005a8c;--bad:#fdeee6;--h1:#fdf0e8;--h2:#fbdfcd;--h3:#f8c9ab;--h4:#f4b189;--h5:#ef9a68`
	Dark  = `--ink:#e6edf3;--soft:#9aa5b1;--line:#30363d;--paper:#0f1318;--fill:#1c2229;--pub:#7d8590;--c0:#58aee8;--c1:#f58a4b;--c2:#35c79a;--c3:#e28fc0;--c4:#9bd7fb;--c5:#e9b44c;--c6:#c3c8ce;--link:#7cc0f0;--del:#ffa97a;--add:#7cc0f0;--bad:#2c1c12;--h1:#241a13;--h2:#38261a;--h3:#513320;--h4:#6b4126;--h5:#85502e`
)

// A Mark is how a run is drawn: its colour and shape by number, the same
// everywhere.
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

// Swatch returns the run's symbol, for legends. It says nothing that the text
// beside it does not say.
func (m Mark) Swatch() template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="bfcl-chart swatch" viewBox="0 0 14 14" aria-hidden="true" width="14" height="14"><g class="%s"><path class="dot" d="%s"/></g></svg>`,
		m.Class(), m.shape(7, 7, 4.6)))
}

// shape draws a symbol around a point: colours repeat, so shapes differ too.
func (m Mark) shape(x, y, r float64) string {
	if m.Published {
		r *= 0.75
	}
	at := func(dx, dy float64) string { return px(x+dx*r) + " " + px(y+dy*r) }
	switch n := m.Index; {
	case m.Published || n%5 == 0:
		return fmt.Sprintf("M%s A%[2]s %[2]s 0 1 1 %s A%[2]s %[2]s 0 1 1 %[1]sZ", at(-1, 0), px(r), at(1, 0))
	case n%5 == 1:
		return fmt.Sprintf("M%sL%sL%sL%sZ", at(-.9, -.9), at(.9, -.9), at(.9, .9), at(-.9, .9))
	case n%5 == 2:
		return fmt.Sprintf("M%sL%sL%sZ", at(0, -1.2), at(1.1, .85), at(-1.1, .85))
	case n%5 == 3:
		return fmt.Sprintf("M%sL%sL%sL%sZ", at(0, -1.3), at(1.1, 0), at(0, 1.3), at(-1.1, 0))
	}
	return fmt.Sprintf("M%sL%sL%sZ", at(0, 1.2), at(1.1, -.85), at(-1.1, -.85))
}

// px writes a coordinate.
func px(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }
