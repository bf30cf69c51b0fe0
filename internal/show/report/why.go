package report

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/say"
)

// This file makes the part of the failures that is in the HTML itself, for
// readers without the script. The script replaces it.

// link returns an address inside of the page, by pairs of names and values.
func link(words ...string) string {
	out := "#cases"
	for i := 0; i+1 < len(words); i += 2 {
		if words[i+1] != "" {
			out += "&" + words[i] + "=" + url.QueryEscape(words[i+1])
		}
	}
	return out
}

// failed is the verdict of results that did not pass, in addresses.
const failed = "failed"

// A crossing is the table of causes and categories.
type crossing struct {
	Heads []crossHead
	Rows  []crossRow
}

type crossHead struct {
	Kind              cause.Kind
	Title, Help, Link string
}

type crossRow struct {
	Name, Title, Link string
	Cells             []crossCell
}

type crossCell struct {
	N    int
	Heat int // 0 to 5
	Link string
}

// crossing counts the failures of all runs.
func (b *book) crossing() crossing {
	sums, all := map[cause.Kind]int{}, map[string]map[cause.Kind]int{}
	types := map[cause.Kind]map[string]int{}
	for k := range b.runs {
		for i, failed := range b.Failed[k] {
			for _, c := range failed {
				kind, category := b.Kinds[b.Causes[c].Kind], b.Categories[b.Category[i]]
				if all[category] == nil {
					all[category] = map[cause.Kind]int{}
				}
				if types[kind] == nil {
					types[kind] = map[string]int{}
				}
				if e := b.Errors[k][i]; e >= 0 {
					types[kind][b.Types[e]]++
				}
				all[category][kind]++
				sums[kind]++
			}
		}
	}
	var out crossing
	kinds := tally.Taxonomy(sums).Kinds()
	most := 0
	for _, kind := range kinds {
		out.Heads = append(out.Heads, crossHead{kind, kind.Title(), often(types[kind]), link("cause", string(kind))})
		for _, row := range all {
			most = max(most, row[kind])
		}
	}
	for _, name := range b.Categories {
		if all[name] != nil {
			row := crossRow{Name: name, Title: say.Printable(name, 80), Link: link("category", name, "verdict", failed)}
			sum := 0
			for _, kind := range kinds {
				n := all[name][kind]
				sum += n
				row.Cells = append(row.Cells, crossCell{n, heat(n, most), link("category", name, "cause", string(kind))})
			}
			row.Cells = append(row.Cells, crossCell{N: sum, Link: row.Link})
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// heat returns the share of n in most, in five steps.
func heat(n, most int) int {
	const steps = 5
	if n == 0 {
		return 0
	}
	return min(steps, 1+steps*n/max(most, 1))
}

// often returns upstream's error types, the most frequent first.
func often(types map[string]int) string {
	const most = 4
	names := say.Frequent(types)
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += " …"
	}
	return text
}

// A groupRow is a group of similar failures.
type groupRow struct {
	Count             int
	Share, Lost, What string
	// Suspect says who may be to blame beside the model, if anyone.
	Suspect  string
	Where    string
	Examples []string
}

// group adds the groups of each run by their cause, the most costly first, as
// in `bfcl failures`, and who is suspected.
func (b *book) group() error {
	all, errs := make([]*tally.Failures, len(b.runs)), make([]error, len(b.runs))
	parallel.Each(len(all), func(k int) { all[k], errs[k] = b.runs[k].run.Failures(tally.Grouping{By: cause.ByKind}) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for k, e := range b.runs {
		suspects := map[int]string{}
		for i := range all[k].Groups {
			g := &all[k].Groups[i]
			row := groupRowOf(g)
			if at, ok := b.byGroup[groupKey{0, g.Cause}]; ok && row.Suspect != "" {
				suspects[at] = row.Suspect
			}
			if len(b.runs) > 1 {
				row.What = e.Name + ": " + row.What
			}
			b.rows = append(b.rows, row)
		}
		b.Suspects = append(b.Suspects, suspects)
	}
	return nil
}

func groupRowOf(g *tally.Alike) groupRow {
	row := groupRow{Count: g.Count, Share: fmt.Sprintf("%.1f%%", 100*g.Share), Lost: fmt.Sprintf("%.2f", g.Lost), What: g.Text()}
	if g.Suspect != nil {
		row.Suspect = say.Printable(g.Suspect.Evidence, 500)
	}
	var where []string
	for _, name := range say.Frequent(g.Categories) {
		where = append(where, fmt.Sprintf("%s %d", say.Printable(name, 80), g.Categories[name]))
	}
	row.Where = strings.Join(where, ", ")
	for _, id := range g.Examples {
		row.Examples = append(row.Examples, say.Printable(id, 200))
	}
	return row
}

// mostFirst is how many failures the HTML lists.
const mostFirst = 200

// A failedRow is one of those failures.
type failedRow struct{ ID, Category, Run, Cause, Reason string }

// first returns the first failures of all runs, in the benchmark's order.
func (b *book) first() (rows []failedRow) {
	for i, id := range b.IDs {
		for k, name := range b.Runs {
			failed := b.Failed[k][i]
			if len(failed) == 0 {
				continue
			}
			c := b.Causes[failed[0]]
			text := b.Titles[c.Kind]
			if c.Detail != "" {
				text += ": " + c.Detail
			}
			if rows = append(rows, failedRow{id, b.Categories[b.Category[i]], name, text, b.Reasons[k][i]}); len(rows) == mostFirst {
				return rows
			}
		}
	}
	return rows
}

// A singleRow is a group or category of the one run of a page.
type singleRow struct {
	Title, Link, Accuracy, Interval string
	Right, Total, Depth             int
	Width                           string // of the accuracy's bar
	// Mean reports whether the accuracy is not the share of right cases.
	Mean bool
}

// single returns every category for the page of a single run; nil if there are more.
func (r *Report) single() (rows []singleRow) {
	if len(r.Entries) != 1 {
		return nil
	}
	e := r.Entries[0]
	for _, n := range r.nodes {
		i, whole, ok := e.of(n.Node)
		p, _ := e.part(n.Node)
		if !ok {
			continue
		}
		row := singleRow{
			Title: n.Title, Right: p.Correct, Total: p.Total, Depth: max(0, n.depth-1), Accuracy: accuracyText(i),
			Interval: fmt.Sprintf("%.1f–%.1f", i.Low*100, i.High*100), Link: link("category", categoryWord(n.Node)),
			Width: fmt.Sprintf("%.1f", 100*i.Value), Mean: len(n.Parts) > 0 && math.Abs(float64(p.Correct)/float64(max(1, p.Total))-i.Value) > 0.00005,
		}
		if !whole {
			row.Interval += " *"
		}
		rows = append(rows, row)
	}
	return rows
}

// categoryWord returns a node's name in an address; "" for the overall.
func categoryWord(n *score.Node) string {
	if n.Name == "overall" {
		return ""
	}
	return n.Name
}

// A printedTable has every category of some runs, for paper.
type printedTable struct {
	Names []string
	Rows  []printedRow
}

type printedRow struct {
	Title string
	Depth int
	Cells []cell
}

// printed returns the runs and published models, a few to a table; nil for a single run.
func (r *Report) printed() (tables []printedTable) {
	const few = 7
	if len(r.Entries) == 1 {
		return nil
	}
	for entries := range slices.Chunk(r.Entries, few) {
		var t printedTable
		for _, e := range entries {
			t.Names = append(t.Names, e.Name)
		}
		for _, n := range r.nodes {
			row := printedRow{Title: n.Title, Depth: max(0, n.depth-1)}
			for _, e := range entries {
				row.Cells = append(row.Cells, e.cell(n))
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
	}
	return tables
}
