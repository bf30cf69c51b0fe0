package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// to returns a link to cases of a run.
func (r *Report) to(e *Entry, words ...string) string {
	if len(r.Entries) > 1 {
		words = append([]string{"run", e.Name}, words...)
	}
	return link(words...)
}

// A barsView is the accuracies of the entries in a part of the overall.
type barsView struct {
	Title string
	Rows  []barRow
}

type barRow struct {
	*Entry
	Link, Accuracy, Interval string
	Width, Err               string // of the bar, and the interval as a path
}

// bars returns the runs' bars in a node, sorted by accuracy if they are ranked.
func (r *Report) bars(n node) barsView {
	of := func(e *Entry) float64 {
		i, _, _ := e.of(n.Node)
		return i.Value
	}
	v := barsView{Title: n.Title}
	entries := slices.Clone(r.Entries)
	if !r.any((*Entry).unranked) {
		slices.SortStableFunc(entries, func(a, b *Entry) int { return cmp.Compare(of(b), of(a)) })
	}
	for _, e := range entries {
		if c := e.cell(n); c.Sort != "" {
			i, _, _ := e.of(n.Node)
			v.Rows = append(v.Rows, barRow{
				Entry: e, Link: r.to(e, "category", categoryWord(n.Node), "verdict", failed), Accuracy: c.Text, Interval: c.Small,
				Width: fmt.Sprintf("%.1f", 100*i.Value), Err: fmt.Sprintf("M%.1f 6H%.1f", 100*i.Low, 100*i.High),
			})
		}
	}
	return v
}

// A grid is a table of figures with a row for each run.
type grid struct {
	Title string
	Heads []string
	Rows  []gridRow
}

type gridRow struct {
	Name  string
	Cells []gridCell
}

type gridCell struct{ Text, Link string }

// ladder returns the share of answers at each level by run; nil if no run has calls.
func (r *Report) ladder() *grid {
	g := &grid{Title: "Where calls went wrong"}
	for _, level := range cause.Levels() {
		g.Heads = append(g.Heads, level.Title())
	}
	for _, e := range r.Entries {
		if e.Ladder.Ladder == nil {
			continue
		}
		row := gridRow{Name: e.Name}
		for i, rung := range e.Ladder.Ladder.Levels {
			row.Cells = append(row.Cells, gridCell{fmt.Sprintf("%.1f%%", rung.Rate*100), r.to(e, "level", strconv.Itoa(i+1))})
		}
		g.Rows = append(g.Rows, row)
	}
	if len(g.Rows) == 0 {
		return nil
	}
	return g
}

// kinds returns the taxonomy, in its order; nil if every answer passed.
func (r *Report) kinds() *grid {
	all := tally.Taxonomy{}
	for _, e := range r.Entries {
		for kind, n := range e.Ladder.Taxonomy {
			all[kind] += n
		}
	}
	kinds := all.Kinds()
	if len(kinds) == 0 {
		return nil
	}
	g := &grid{Title: "Why answers failed"}
	if slices.ContainsFunc(r.Entries, func(e *Entry) bool { return len(e.Ladder.Outside) > 0 }) {
		g.Title += ", in the categories that count"
	}
	for _, kind := range kinds {
		g.Heads = append(g.Heads, kind.Title())
	}
	for _, e := range r.Entries {
		row := gridRow{Name: e.Name}
		for _, kind := range kinds {
			row.Cells = append(row.Cells, gridCell{Text: strconv.Itoa(e.Ladder.Taxonomy[kind])})
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// cost returns that of a thousand answers; NaN if it is not known.
func cost(e *Entry) float64 { return asked(e, e.Spend.CostPer1000) }

func latency(e *Entry) float64 { return asked(e, e.Spend.LatencyMean) }

// asked returns a figure of a run that asked anything.
func asked(e *Entry, x *float64) float64 {
	if !e.Spend.Asked() {
		return math.NaN()
	}
	return number(x)
}

// priced writes a cost; ≈ marks one that is estimated from time, ≥ a lower bound.
func (e *Entry) priced(x float64) string {
	switch {
	case e.Spend.Basis == "time":
		return "≈ " + dollars(x)
	case len(e.Spend.Lacks) > 0:
		return "≥ " + dollars(x)
	}
	return dollars(x)
}

func dollars(x float64) string {
	switch {
	case x >= 10:
		return fmt.Sprintf("$%.0f", x)
	case x >= 0.1:
		return fmt.Sprintf("$%.2f", x)
	}
	return "$" + strconv.FormatFloat(x, 'g', 2, 64)
}

func seconds(x float64) string {
	if x >= 0.1 {
		return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) + " s"
	}
	return strconv.FormatFloat(math.Round(x*1e6)/1e3, 'g', 3, 64) + " ms"
}

// Rules are the style rules for the classes in the drawings.
//
//go:embed chart.css
var Rules string

// Light and Dark are the colours of the two themes, as variables that the Rules
// use.
const (
	Light = `--ink:#1f2328;--soft:#59636e;--line:#d8dee4;--paper:#fff;--fill:#eef1f4;--c0:#0072b2;--c1:#d55e00;--c2:#00805c;--c3:#a83b7d;--c4:#2f95cf;--c5:#b87a00;--c6:#4d4d4d;--link:#0a5c96;--del:#9c3400;--add:#005a8c;--bad:#fdeee6;--h1:#fdf0e8;--h2:#fbdfcd;--h3:#f8c9ab;--h4:#f4b189;--h5:#ef9a68`
	Dark  = `--ink:#e6edf3;--soft:#9aa5b1;--line:#30363d;--paper:#0f1318;--fill:#1c2229;--c0:#58aee8;--c1:#f58a4b;--c2:#35c79a;--c3:#e28fc0;--c4:#9bd7fb;--c5:#e9b44c;--c6:#c3c8ce;--link:#7cc0f0;--del:#ffa97a;--add:#7cc0f0;--bad:#2c1c12;--h1:#241a13;--h2:#38261a;--h3:#513320;--h4:#6b4126;--h5:#85502e`
)

// Colours is how many runs have their own colour; they repeat after that. The colours
// are Okabe and Ito's, which colour-blind people can distinguish.
const Colours = 7

// Class returns the style class of the run's colour, the same everywhere.
func (e *Entry) Class() string { return "c" + strconv.Itoa(e.Index%Colours) }
