package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/export"
)

func (a *app) errataCommand() *cobra.Command {
	var dataset, data string
	var asJSON, check bool
	cmd := &cobra.Command{
		Use:    "errata",
		Hidden: true,
		Short:  "List the official cases that are known to be wrong, with evidence",
		Long: `List the cases of an official dataset that are known to be wrong. --check
computes the evidence from the data: each case's possible answer is written as a
model would write it, in both modes, and judged, and each expected call is
compared with its function's document. The findings are then compared with the
list.

  refused        the case's own possible answer is refused in both modes
  misread        the possible answer is refused in one mode
  contradiction  the possible answer passes, but does not fit the document
  reported       a public report says so; the data does not prove it

Scores ignore the list by default. bfcl score --errata prints the score without
the refused cases beside the official one.

Exit codes: 0 done; 1 the findings of --check and the list differ; 2 could not
tell; 3 wrong usage.`,
		Example: `  bfcl errata
  bfcl errata --dataset v4 --check
  bfcl score --errata results/my-model`,
		Args: noArguments,
		RunE: func(_ *cobra.Command, _ []string) error {
			list, err := knownErrata(dataset)
			switch {
			case err != nil:
				return err
			case check:
				return a.checkErrata(list, data, asJSON)
			case asJSON:
				return writeJSON(a.out, list.Items)
			}
			for _, item := range list.Items {
				fmt.Fprintf(a.out, "%-32s %-13s  %s%s\n", item.ID, item.Kind, item.Reason, reference(item))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dataset, "dataset", "v4", "the `dataset`: v4 or v1")
	dataFlag(cmd, &data)
	cmd.Flags().BoolVar(&check, "check", false, "compute the evidence and compare the list with it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	return cmd
}

func reference(item errata.Item) string {
	if item.Reference == "" {
		return ""
	}
	return " (" + item.Reference + ")"
}

func knownErrata(dataset string) (*errata.List, error) {
	lists, err := errata.Known()
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		if l.Dataset == dataset {
			return l, nil
		}
	}
	return nil, misuse.Errorf("no errata are known for dataset %.100q: use %s", dataset, strings.Join(fixtures.Officials(), " or "))
}

// checkErrata computes the evidence and compares the list with it.
func (a *app) checkErrata(list *errata.List, data string, asJSON bool) error {
	d, err := fixtures.Open(list.Dataset, data)
	if err != nil {
		return err
	}
	digest, err := d.Digest()
	if err != nil {
		return err
	}
	if !slices.Contains(list.Digests, digest) {
		return fmt.Errorf("the list of errata is for another version of %s (digest %.12s): `bfcl fetch --check %s` shows what differs", list.Dataset, digest, list.Dataset)
	}
	found, cases, err := errata.Find(d)
	if err != nil {
		return err
	}
	wrong := list.Against(found)
	if asJSON {
		if err := writeJSON(a.out, map[string]any{"cases": cases, "findings": found, "wrong": wrong}); err != nil {
			return err
		}
	} else {
		writeFindings(a.out, found)
		fmt.Fprintf(a.out, "\n%d cases checked, %d findings, %d errata in the list\n", cases, len(found), len(list.Items))
		for _, text := range wrong {
			fmt.Fprintln(a.out, "  "+text)
		}
	}
	if len(wrong) > 0 {
		return exit(exitNo)
	}
	return nil
}

func writeFindings(w io.Writer, found []errata.Finding) {
	for _, f := range found {
		fmt.Fprintf(w, "%-32s %s\n", f.ID, f.Kind())
		for _, mode := range slices.Sorted(maps.Keys(f.Refused)) {
			fmt.Fprintf(w, "  its own answer is refused in %s: %s\n", modeName(mode), f.Refused[mode])
		}
		for _, text := range f.Conflicts {
			fmt.Fprintln(w, "  "+safe.Printable(text, 300))
		}
	}
}

func modeName(mode eval.Mode) string {
	if mode == eval.FC {
		return "function-calling mode"
	}
	return "prompt mode"
}

func adjust(run *tally.Run, allowErrors bool) (*export.Adjusted, error) {
	list, err := errata.For(run.Digest)
	if err != nil {
		return nil, err
	}
	if list == nil {
		return nil, misuse.Errorf("--errata: no errata are known for this dataset, going by its digest; `bfcl errata` lists those of v4 and v1")
	}
	rest, excluded := run.Without(list.Excluded())
	out := &export.Adjusted{Excluded: excluded}
	out.Score, err = rest.Score(allowErrors)
	return out, err
}

// writeAdjusted prints what differs from the official score.
func writeAdjusted(w io.Writer, a *export.Adjusted, official *score.Score) {
	if len(a.Excluded) == 0 {
		fmt.Fprintln(w, "\nErrata: none of these cases is known to be wrong; the score stays as it is.")
		return
	}
	fmt.Fprintf(w, "\nAdjusted for errata, without %s known to refuse their own possible answer (`bfcl errata`):\n", count.Cases(len(a.Excluded)))
	row := func(name string, was, is score.Part) {
		if was.Accuracy != is.Accuracy || was.Total != is.Total {
			fmt.Fprintf(w, "  %-24s %7.2f%%  official %.2f%%  (%d of %d)\n", name, is.Accuracy*100, was.Accuracy*100, is.Correct, is.Total)
		}
	}
	row("overall", official.Overall, a.Score.Overall)
	for _, name := range slices.Sorted(maps.Keys(official.Groups)) {
		row(name, official.Groups[name], a.Score.Groups[name])
	}
	for _, name := range slices.Sorted(maps.Keys(official.Categories)) {
		row(name, official.Categories[name], a.Score.Categories[name])
	}
}
