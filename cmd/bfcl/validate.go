package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/say"
)

// mostShown is how many problems are printed; --json has all of them.
const mostShown = 200

func (a *app) validateCommand() *cobra.Command {
	var strict bool
	var data string
	cmd := &cobra.Command{
		Use:   "validate FOLDER",
		Short: "Check a suite of your own, or any dataset, before asking a model",
		Long: `Check a folder with a suite.yaml, or one in the benchmark's own layout, for
tools that cannot be judged or sent to a model, answers that do not fit their
tools, answers that no model can give because the judge refuses them, ids that
would get lost, and ambiguous optional arguments. Each problem is printed on a
line of its own: file:line, what is wrong and what to do.

Exit codes: 0 nothing needs fixing; 1 problems were found (with --strict,
warnings count too); 3 there is nothing to check, or wrong usage.`,
		Example: `  bfcl validate my-suite --strict
  bfcl validate starter --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			report, err := validate.Folder(args[0], data)
			if err != nil {
				return misuse.Mark(err)
			}
			err = a.show(report, func() error { return a.writeProblems(report) })
			if err == nil && (report.Errors > 0 || strict && report.Warnings > 0) {
				return exit(exitNo)
			}
			return err
		},
	}
	dataFlag(cmd, &data)
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with code 1 even if there are only warnings")
	a.jsonFlag(cmd, "print JSON")
	return cmd
}

func (a *app) writeProblems(r *validate.Report) error {
	for i, p := range r.Problems {
		if i == mostShown {
			fmt.Fprintf(a.out, "and %d more: --json lists them all\n", len(r.Problems)-mostShown)
			break
		}
		at := p.File
		if p.Line > 0 {
			at += ":" + strconv.Itoa(p.Line)
		}
		where := ""
		if p.Case != "" {
			where = "case " + say.Quote(p.Case, 100) + ": "
		}
		fmt.Fprintln(a.out, say.Printable(fmt.Sprintf("%s: %s: %s%s", at, p.Severity, where, p.Message), 2000))
	}
	_, err := fmt.Fprintf(a.out, "%s: %s, %s, %s; %s, %s\n", say.Printable(r.Dataset, 300), say.Count(r.Categories, "category", "categories"),
		say.Cases(r.Cases), say.Count(r.Tools, "tool", "tools"), say.Count(r.Errors, "error", "errors"), say.Count(r.Warnings, "warning", "warnings"))
	return err
}
