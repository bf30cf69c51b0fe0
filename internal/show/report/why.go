package report

import (
	"errors"
	"fmt"
	"math"
	"net/url"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/say"
)

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

// suspect notes who is suspected of the groups of each run by their cause, as
// `bfcl failures` says it.
func (b *book) suspect() error {
	all, errs := make([]*tally.Failures, len(b.runs)), make([]error, len(b.runs))
	parallel.Each(len(all), func(k int) { all[k], errs[k] = b.runs[k].run.Failures(tally.Grouping{By: cause.ByKind}) })
	for _, failures := range all {
		suspects := map[int]string{}
		if failures != nil {
			for i := range failures.Groups {
				g := &failures.Groups[i]
				if at, ok := b.byGroup[groupKey{0, g.Cause}]; ok && g.Suspect != nil {
					suspects[at] = say.Printable(g.Suspect.Evidence, 500)
				}
			}
		}
		b.Suspects = append(b.Suspects, suspects)
	}
	return errors.Join(errs...)
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
