package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// An errataCommand is one `bfcl errata`.
type errataCommand struct {
	*app
	dataset, data string
	list          *errata.List
}

func (a *app) errataCommand() *cobra.Command {
	e := &errataCommand{app: a}
	cmd := &cobra.Command{
		Use:    "errata [ID...]",
		Hidden: true,
		Short:  "List the official cases that are known to be wrong, with evidence",
		Long: `List the cases of an official dataset that are known to be wrong: how many of
each category and kind, or all that is known of the cases given by id. How they
were found, and what the list must not be used for: docs/errata.md.

  wrong          no right answer is accepted
  narrow         an answer that follows as well is refused
  open           the case does not hold what decides
  rule           the checker refuses an equal value
  contradiction  the key does not fit the document, and refuses no right answer

The official score ignores the list; the score that it leaves stands beside it.

Exit codes: 0 done; 2 could not tell; 3 wrong usage.`,
		Example: `  bfcl errata
  bfcl errata live_multiple_862-181-3
  bfcl errata --dataset v1`,
		RunE: func(_ *cobra.Command, ids []string) error { return e.run(ids) },
	}
	cmd.Flags().StringVar(&e.dataset, "dataset", "v4", "the `dataset`: v4, v3, v2 or v1")
	dataFlag(cmd, &e.data)
	a.jsonFlag(cmd, "print JSON instead of text")
	return cmd
}

func (e *errataCommand) run(ids []string) (err error) {
	_, digest := eval.Named(e.dataset)
	if digest == "" {
		return misuse.Errorf("no errata are known for dataset %.100q: use v4, v3, v2 or v1", e.dataset)
	}
	if e.list, err = errata.For(digest); err != nil {
		return err
	}
	switch {
	case len(ids) > 0:
		items := make([]errata.Item, len(ids))
		for i, id := range ids {
			item := e.list.Find(id)
			if item == nil {
				return misuse.Errorf("%.100q is not in the list of %s: no defect of it is known", id, e.dataset)
			}
			items[i] = *item
		}
		return e.show(items)
	case e.asJSON:
		return writeJSON(e.out, e.list.Items)
	}
	return e.summarize()
}

// open opens the dataset that the list is for.
func (e *errataCommand) open() (*fixtures.Dataset, error) {
	d, err := fixtures.Open(e.dataset, e.data)
	if err != nil {
		return nil, err
	}
	is, err := d.Origin()
	if err == nil && is.State != eval.Official && is.State != eval.Commit {
		err = fmt.Errorf("the list of errata is for other data than this %s: `bfcl fetch --check %s` shows what differs", e.dataset, e.dataset)
	}
	return d, err
}

// show prints all that is known of some cases; their questions and keys, if the
// data is there.
func (e *errataCommand) show(items []errata.Item) error {
	if e.asJSON {
		return writeJSON(e.out, items)
	}
	d, _ := e.open()
	for i, item := range items {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		fmt.Fprintf(e.out, "%s  %s\n", item.ID, item.Line())
		field := func(name, text string) {
			if text != "" {
				fmt.Fprintf(e.out, "  %-9s %s\n", name, say.Printable(text, 2000))
			}
		}
		if cat, c := caseOf(d, item.ID); c != nil {
			field("question", c.Question())
			if cat.Answers() {
				field("key", pyval.Repr(c.Answer))
			} else {
				field("key", map[bool]string{true: "no call may be made", false: "some call must be made"}[c.Rule == eval.Irrelevance])
			}
		}
		field("mode", string(item.Mode))
		field("quote", item.Quote)
		for _, answer := range item.Accepts {
			field("accept", answer)
		}
		field("found by", item.Found)
		field("since", item.Since)
		field("report", item.Reference)
	}
	return nil
}

// caseOf returns a case of a dataset; nil if there is no such data.
func caseOf(d *fixtures.Dataset, id string) (*eval.Category, *eval.Case) {
	if d == nil {
		return nil, nil
	}
	for _, cat := range categories.All() {
		if !d.Has(cat) || !strings.HasPrefix(id, cat.Name+"_") {
			continue
		}
		cases, err := d.Cases(cat)
		if at := slices.IndexFunc(cases, func(c *eval.Case) bool { return c.ID == id }); err == nil && at >= 0 {
			return cat, cases[at]
		}
	}
	return nil, nil
}

// summarize prints the counts by category and kind, and the ceilings.
func (e *errataCommand) summarize() error {
	counts := map[string]map[errata.Kind]int{}
	kinds := slices.DeleteFunc(errata.Kinds(), func(k errata.Kind) bool { return k == errata.Contradiction })
	for _, item := range e.list.Items {
		for _, name := range []string{"all", item.ID[:max(strings.LastIndexByte(item.ID, '_'), 0)]} {
			if counts[name] == nil && item.Defect() {
				counts[name] = map[errata.Kind]int{}
			}
			if item.Defect() {
				counts[name][item.Kind]++
			}
		}
	}
	heads := []string{"cases of " + e.dataset}
	for _, kind := range kinds {
		heads = append(heads, string(kind))
	}
	t := &say.Table{Head: append(heads, "read", "kappa", "ceiling")}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		row := []string{name}
		for _, kind := range kinds {
			row = append(row, fmt.Sprint(counts[name][kind]))
		}
		read := []string{"", "", ""}
		for _, r := range e.list.Readings {
			if r.Category == name && r.Read > 0 {
				low, high := ceiling(r, counts[name][errata.Wrong])
				read = []string{fmt.Sprint(r.Read), fmt.Sprintf("%.2f", r.Kappa), fmt.Sprintf("%.1f to %.1f%%", 100*low, 100*high)}
			}
		}
		t.Add(append(row, read...)...)
	}
	var b strings.Builder
	t.Text(&b)
	b.WriteString("\nceiling: what a perfect model can reach, with the wrong cases estimated among\nthose not read. `bfcl errata ID` shows an entry, docs/errata.md the method.\n")
	var all errata.Reading
	for _, r := range e.list.Readings {
		all.Cases, all.Read, all.Sampled, all.Found = all.Cases+r.Cases, all.Read+r.Read, all.Sampled+r.Sampled, all.Found+r.Found
	}
	if all.Sampled > 0 {
		rest := float64(all.Cases - all.Read - all.Sampled)
		missed := stat.Wilson(all.Found, all.Sampled, stat.Z95)
		fmt.Fprintf(&b, "\nOf %d cases drawn at random from those that were not read, %d are defective: of the\nother %.0f about %.0f are, %.0f to %.0f with 95%% confidence.\n", all.Sampled, all.Found, rest, rest*missed.Value, rest*missed.Low, rest*missed.High)
	}
	_, err := io.WriteString(e.out, b.String())
	return err
}

// ceiling returns the interval of the highest share of a category that a perfect
// model can reach: listed wrong cases are lost, and a share of the cases that
// were not read, by the random sample.
func ceiling(r errata.Reading, wrong int) (low, high float64) {
	rest := float64(max(r.Cases-r.Read-r.Sampled, 0))
	missed := stat.Estimate{Low: 0, High: 1}
	if r.Sampled > 0 {
		missed = stat.Wilson(r.Wrong, r.Sampled, stat.Z95)
	} else if rest == 0 {
		missed = stat.Estimate{}
	}
	n := float64(r.Cases)
	return max(0, 1-(float64(wrong)+rest*missed.High)/n), 1 - (float64(wrong)+rest*missed.Low)/n
}
