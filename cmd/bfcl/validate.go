package main

import (
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/show"
)

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
				return option.MarkMisuse(err)
			}
			err = a.show(report, func() error { return show.Problems(a.out, report) })
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
