package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/show"
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
		return option.Misuse("no errata are known for dataset %.100q: use v4, v3, v2 or v1", e.dataset)
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
				return option.Misuse("%.100q is not in the list of %s: no defect of it is known", id, e.dataset)
			}
			items[i] = *item
		}
		return e.show(items)
	case e.asJSON:
		return writeJSON(e.out, e.list.Items)
	}
	_, err = fmt.Fprint(e.out, show.Errata(e.dataset, e.list))
	return err
}

// show prints all that is known of some cases; their questions and keys, if the data is there.
func (e *errataCommand) show(items []errata.Item) error {
	if e.asJSON {
		return writeJSON(e.out, items)
	}
	var index *suite.Index
	if d, err := fixtures.Open(e.dataset, e.data); err == nil {
		index, _ = suite.IndexOf(d, nil)
	}
	for i, item := range items {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		var of suite.Indexed
		if index != nil {
			of, _ = index.Find(item.ID)
		}
		fmt.Fprint(e.out, show.Erratum(&item, of.Category, of.Case))
	}
	return nil
}
