package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// to returns a link to cases of a run; "" for a published model, whose cases
// are not known.
func (r *Report) to(e *Entry, words ...string) string {
	if e.Published {
		return ""
	}
	if len(r.Runs()) > 1 {
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

// ladder returns the share of answers at each level by run; nil if no run has
// calls.
func (r *Report) ladder() *grid {
	g := &grid{Title: "Where calls went wrong"}
	for _, level := range cause.Levels() {
		g.Heads = append(g.Heads, level.Title())
	}
	for _, e := range r.Runs() {
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
	for _, e := range r.Runs() {
		for kind, n := range e.Ladder.Taxonomy {
			all[kind] += n
		}
	}
	kinds := all.Kinds()
	if len(kinds) == 0 {
		return nil
	}
	g := &grid{Title: r.kindsTitle()}
	for _, kind := range kinds {
		g.Heads = append(g.Heads, kind.Title())
	}
	for _, e := range r.Runs() {
		row := gridRow{Name: e.Name}
		for _, kind := range kinds {
			row.Cells = append(row.Cells, gridCell{Text: strconv.Itoa(e.Ladder.Taxonomy[kind])})
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// kindsTitle returns the table's title, with its categories if some do not count.
func (r *Report) kindsTitle() string {
	const title = "Why answers failed"
	for _, e := range r.Runs() {
		if len(e.Ladder.Outside) > 0 {
			return title + ", in the categories that count"
		}
	}
	return title
}

// cost returns the cost of the whole run beside published runs, which state no
// other, else that of a thousand answers.
func (r *Report) cost(e *Entry) float64 {
	switch {
	case !e.Published && !e.Spend.Asked():
		return math.NaN()
	case r.wholeCost():
		return number(e.Spend.Cost)
	}
	return number(e.Spend.CostPer1000)
}

func (r *Report) wholeCost() bool {
	return slices.ContainsFunc(r.Entries, func(e *Entry) bool { return e.Published && e.Spend.Cost != nil })
}

func latency(e *Entry) float64 {
	if !e.Published && !e.Spend.Asked() {
		return math.NaN()
	}
	return number(e.Spend.LatencyMean)
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
