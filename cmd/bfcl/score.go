package main

import (
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
)

func (a *app) scoreCommand() *cobra.Command {
	var allowErrors, failed, verbose, allowGateway bool
	var report string
	var o tally.Options
	cmd := &cobra.Command{
		Use:   "score FILE-OR-FOLDER...",
		Short: "Score a run from its JUnit files or run folders",
		Long: `Score a run, given as JUnit files that gotestsum wrote or as run folders.
Several of them are the shards of one run, and so are those inside a folder. A
run folder without junit.xml, as plain go test leaves it, is scored from its
recorded answers.

Exactly the cases that the run says it has are counted: missing, duplicate and
unknown ones are errors. Infrastructure errors have no score and are refused,
unless --allow-errors counts them as upstream does: as answers without a call,
which are wrong unless no call is expected. With several trials, the accuracy of
a case is the mean over its trials.

--failed adds a list of the cases that failed; bfcl failures groups them
by cause.

For official data, the score without cases that have a listed defect stands
beside the official one: see bfcl errata.

` + exitCodes,
		Example: `  bfcl score results/heuristic
  bfcl score --json shard-*/junit.xml
  bfcl score --junit report.xml results/heuristic`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			o.Answers = true // the audit judges them
			if o.Receipt {
				o.Shard = true
			}
			run, err := tally.Read(paths, o)
			if err != nil {
				return err
			}
			a.noteAll([]*tally.Run{run})
			switch {
			case o.Receipt && run.Receipt == nil:
				return option.Misuse("the run has no ledger (%s): an older bfcl made it, or its folder is not at hand", record.LedgerFile)
			case o.Receipt:
				return a.show(run.Receipt, func() error { return run.Receipt.Write(a.out) })
			}
			if report != "" {
				if err := run.Report().Write(report); err != nil {
					return err
				}
			}
			run.AllowGateway = allowGateway
			s, err := run.Score(allowErrors)
			if err != nil {
				return err
			}
			all := export.ScoreOf(run, s)
			if a.asJSON {
				return writeJSON(a.out, all)
			}
			switch {
			case len(paths) == 1 && !verbose && !failed:
				return show.Brief(a.out, screenOf(a.out), run, all, show.Named(run, paths[0], o.Data))
			default:
				err = show.Score(a.out, screenOf(a.out), all)
			}
			if err != nil || !failed {
				return err
			}
			return show.Failed(a.out, screenOf(a.out), run)
		},
	}
	a.jsonFlag(cmd, "print JSON instead of a table")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show everything: categories, all notes, how far answers got, cost")
	cmd.Flags().BoolVar(&failed, "failed", false, "list the cases that failed, each with the reason")
	cmd.MarkFlagsMutuallyExclusive("json", "failed")
	cmd.Flags().BoolVar(&o.Receipt, "receipt", false, "show instead what was sent and paid: requests, retries, dollars, proxies")
	cmd.Flags().StringVar(&report, "junit", "", "write the report for CI test views to this `file`")
	cmd.Flags().BoolVar(&allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().BoolVar(&allowGateway, "allow-gateway", false, "score a run of whose answers a fifth or more are a gateway's: its errors' texts, web pages, or nothing for tokens")
	dataFlag(cmd, &o.Data)
	cmd.Flags().StringVar(&o.Dataset, "dataset", "", "the dataset's `folder`, if it has moved since the run")
	return cmd
}
