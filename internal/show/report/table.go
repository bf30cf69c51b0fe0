package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// A column heads the leaderboard.
type column struct {
	Title, Help string
	// Node and Group are "" for a figure that is no accuracy.
	Node, Group string
	Top, Hidden bool
}

// Words returns the title's pieces, between which a line may break.
func (c column) Words() []string { return strings.SplitAfter(c.Title, "_") }

// A row is an entry of the leaderboard.
type row struct {
	*Entry
	Rank  string
	Cells []cell
}

type cell struct {
	Text, Small, Help string
	// Sort is the number to sort by; "" comes last.
	Sort         string
	Best, Hidden bool
}

// A figure is a column that is not an accuracy.
type figure struct {
	title, help string
	value       func(*Entry) float64
	text        func(*Entry) string
}

// plain is a figure in one format.
func plain(title, help, format string, value func(*Entry) float64) figure {
	return figure{title, help, value, func(e *Entry) string { return fmt.Sprintf(format, value(e)) }}
}

// figures are the columns for which any entry has a value above 0.
func (r *Report) figures() []figure {
	// Of a run that asked nothing no time is known.
	timed := func(of func(*Entry) *float64) func(*Entry) float64 {
		return func(e *Entry) float64 {
			if !(latency(e) > 0) {
				return math.NaN()
			}
			return number(of(e))
		}
	}
	all := []figure{
		{"Public rank", "Rank that this run would have on the public leaderboard, with the ranks that its interval allows",
			func(e *Entry) float64 {
				if e.Standing == nil {
					return math.NaN()
				}
				return float64(e.Standing.Rank)
			}, func(e *Entry) string {
				return fmt.Sprintf("%d (%d–%d)", e.Standing.Rank, e.Standing.Best, e.Standing.Worst)
			}},
		plain("Errors", "Results lost to infrastructure errors", "%.0f", func(e *Entry) float64 { return float64(e.run.Errors()) }),
		{"$ / 1,000", "Cost in dollars; ≈ means estimated from time because the price is not known", cost, func(e *Entry) string { return e.priced(cost(e)) }},
		plain("Latency", "Mean seconds per request", "%.2f s", latency),
		plain("± s", "Standard deviation of the latency", "%.2f s", timed(func(e *Entry) *float64 { return e.Spend.LatencyStdDev })),
		plain("p95", "95th percentile of the latency", "%.2f s", timed(func(e *Entry) *float64 { return e.Spend.LatencyP95 })),
		plain("Format max Δ", "Format sensitivity: percentage points between the best and the worst prompt format", "%.1f", func(e *Entry) float64 { return e.formatDelta }),
		plain("Format σ", "Format sensitivity: standard deviation over prompt formats, in percentage points", "%.2f", func(e *Entry) float64 { return e.formatStdDev }),
		plain("TTFT", "Mean seconds to the first token of a streamed answer", "%.2f s", func(e *Entry) float64 { return number(e.Spend.TTFTMean) }),
	}
	all = slices.DeleteFunc(all, func(f figure) bool { return !r.any(func(e *Entry) bool { return f.value(e) > 0 }) })
	return append(all, r.agentFigures()...)
}

// agentFigures returns the figures that only agents have.
func (r *Report) agentFigures() (out []figure) {
	for _, f := range score.AgentFigures() {
		value := func(e *Entry) float64 {
			if v, known := e.agentValue(f); known {
				return v.Value
			}
			return math.NaN()
		}
		if !r.any(func(e *Entry) bool { return value(e) > 0 }) {
			continue
		}
		title := strings.ToUpper(f.Title[:1]) + f.Title[1:] + " / solved"
		out = append(out, figure{title, f.Help + "; " + score.Direction, value, func(e *Entry) string {
			v, _ := e.agentValue(f)
			return v.Text(&f)
		}})
	}
	return out
}

func (e *Entry) agentValue(f score.AgentFigure) (v score.AgentValue, known bool) {
	if e.Agent != nil {
		v, known = e.Agent.Figures[f.Name]
	}
	return v, known
}

func (r *Report) any(f func(*Entry) bool) bool { return slices.ContainsFunc(r.Entries, f) }

// table returns the leaderboard. Columns below the top are included but hidden.
func (r *Report) table() (columns []column, rows []row) {
	for _, n := range r.nodes {
		help := "category"
		if len(n.Parts) > 0 {
			var names []string
			for _, part := range n.Parts {
				names = append(names, titleOf(part))
			}
			help = "of " + strings.Join(names, ", ")
		}
		if !n.Counts {
			help += "; not counted in the overall"
		}
		columns = append(columns, column{Title: n.Title, Node: n.Name, Group: n.Group, Top: n.Top, Hidden: !n.Top, Help: help})
	}
	figures := r.figures()
	for _, f := range figures {
		columns = append(columns, column{Title: f.title, Help: f.help, Top: true})
	}
	best := r.best()
	for _, e := range r.Entries {
		one := row{Entry: e, Rank: e.ranks}
		for _, n := range r.nodes {
			c := e.cell(n)
			c.Best = c.Sort != "" && c.Text == best[n.Name] && len(r.Entries) > 1 && !r.any((*Entry).unranked)
			one.Cells = append(one.Cells, c)
		}
		for _, f := range figures {
			if x := f.value(e); math.IsNaN(x) {
				one.Cells = append(one.Cells, cell{Text: "–", Help: "not known"})
			} else {
				one.Cells = append(one.Cells, cell{Text: f.text(e), Sort: strconv.FormatFloat(x, 'g', -1, 64)})
			}
		}
		rows = append(rows, one)
	}
	return columns, rows
}

func (r *Report) best() map[string]string {
	out := map[string]string{}
	for _, n := range r.nodes {
		most := -1.0
		for _, e := range r.Entries {
			if i, _, ok := e.of(n.Node); ok && i.Value > most {
				most = i.Value
				out[n.Name] = accuracyText(i)
			}
		}
	}
	return out
}

func accuracyText(i stat.Estimate) string { return fmt.Sprintf("%.2f", i.Value*100) }

// cell shows accuracy and interval; a star marks an accuracy over only part of the cases.
func (e *Entry) cell(n node) cell {
	i, whole, ok := e.of(n.Node)
	if !ok {
		return cell{Text: "–", Help: "not run", Hidden: !n.Top}
	}
	p, _ := e.part(n.Node)
	c := cell{
		Text: accuracyText(i), Small: fmt.Sprintf("%.1f–%.1f", i.Low*100, i.High*100), Hidden: !n.Top,
		Sort: strconv.FormatFloat(i.Value, 'g', -1, 64), Help: fmt.Sprintf("%d of %d right", p.Correct, p.Total),
	}
	if !whole {
		c.Small += " *"
		c.Help += fmt.Sprintf("; over the cases that were run, %d of %d", p.Cases, p.Size)
	}
	return c
}

// partial reports whether some run lacks cases that count.
func (r *Report) partial() bool {
	return r.any(func(e *Entry) bool { return !e.Score.Complete })
}

// title returns the dataset's name, with how much of it ran if all runs have the same part.
func (r *Report) title() string {
	title := r.Entries[0].Score.Title()
	for _, e := range r.Entries {
		if e.Score.Title() != title {
			return say.Printable(r.Dataset, 120)
		}
	}
	return title
}

// warnings returns the doubts about the figures; they come before all figures.
func (r *Report) warnings() []string {
	said := map[string][]string{}
	var order []string
	for _, e := range r.Entries {
		for _, text := range e.Score.Warnings {
			if said[text] == nil {
				order = append(order, text)
			}
			said[text] = append(said[text], e.Short)
		}
	}
	for i, text := range order {
		order[i] = say.Printable(text, 1000)
		if names := said[text]; len(names) < len(r.Entries) {
			order[i] = strings.Join(names, ", ") + ": " + order[i]
		}
	}
	return order
}

// lack returns the line above the warnings, which says how much the figures leave out.
func (r *Report) lack() string {
	var parts []string
	missing, least, of := 0, 0, 0
	for _, e := range r.Entries {
		b := e.Score.Basis
		missing += b.Missing + b.Errors
		if b.Cases < b.Of && (of == 0 || b.Cases < least) {
			least, of = b.Cases, b.Of
		}
	}
	if missing > 0 {
		parts = append(parts, say.Count(missing, "result", "results")+" missing")
	}
	if of > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d cases not run", of-least, of))
	}
	if len(parts) == 0 {
		return say.Count(len(r.warnings()), "note", "notes") + " on these figures"
	}
	return strings.Join(parts, ", ")
}

type fact struct{ Name, Value string }

// notes returns the remarks on the runs, a few of them.
func (r *Report) notes() []string {
	var notes []string
	for _, e := range r.Entries {
		for _, note := range e.Notes {
			notes = append(notes, e.Short+": "+note)
		}
	}
	const most = 12
	if len(notes) > most {
		notes = append(notes[:most], "… "+say.Count(len(notes)-most, "more remark", "more remarks"))
	}
	return notes
}

// A node is a column of the leaderboard: the overall, a group or a category.
type node struct {
	*score.Node
	// Title is the name for people.
	Title string
	// Group is the outermost group it belongs to; "" for the overall.
	Group string
	// Top marks the overall and its own parts.
	Top bool
	// Counts reports whether it enters the overall.
	Counts bool
	depth  int
}

// nodesOf returns the layout's nodes for which any entry has results, the
// overall first; categories that the layout does not have come last.
func (r *Report) nodesOf() []node {
	all := []node{{Node: r.Layout.Overall, Title: "Overall", Top: true, Counts: true}}
	known := map[string]bool{}
	group := ""
	r.Layout.Walk(func(n *score.Node, depth int, counts bool) {
		known[n.Name] = true
		if depth == 0 {
			group = n.Name
		}
		has := func(e *Entry) bool { p, ok := e.part(n); return ok && !p.NA }
		if r.any(has) {
			all = append(all, node{Node: n, Title: titleOf(n), Group: group, Top: depth == 0, Counts: counts, depth: depth + 1})
		}
	})
	var others []string
	for _, e := range r.Entries {
		for name := range e.Score.Categories {
			if !known[name] && !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
	}
	slices.Sort(others)
	for _, name := range others {
		all = append(all, node{Node: &score.Node{Name: name}, Title: say.Printable(name, 80), Group: name, Top: true, depth: 1})
	}
	return all
}

func titleOf(n *score.Node) string {
	if n.Title != "" {
		return n.Title
	}
	return n.Name
}

// part returns an entry's result in a node; false if it has none.
func (e *Entry) part(n *score.Node) (score.Part, bool) {
	if n.Name == "overall" {
		return e.Score.Overall, !e.Score.Overall.NA
	}
	p, ok := e.Score.Groups[n.Name]
	if len(n.Parts) == 0 {
		p, ok = e.Score.Categories[n.Name]
	}
	return p, ok && !p.NA
}

// of returns a run's accuracy in a node. If categories or cases are missing,
// it is the accuracy over what ran, because a zero would be read as the
// model's fault; whole is then false.
func (e *Entry) of(n *score.Node) (i stat.Estimate, whole, ok bool) {
	p, ok := e.part(n)
	if !ok {
		return stat.Estimate{}, false, false
	}
	if !p.Whole() {
		return p.Ran, false, true
	}
	return stat.Estimate{Value: p.Accuracy, Low: p.Low, High: p.High}, true, true
}

func (e *Entry) overall() stat.Estimate {
	i, _, _ := e.of(&score.Node{Name: "overall"})
	return i
}
