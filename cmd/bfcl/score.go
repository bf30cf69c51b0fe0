package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/scorefile"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

func (a *app) scoreCommand() *cobra.Command {
	var asJSON, allowErrors, withErrata bool
	var report string
	var others []string
	var o tally.Options
	cmd := &cobra.Command{
		Use:   "score FILE-OR-FOLDER...",
		Short: "Score a run from its JUnit files or run folders",
		Long: `Score a run. What is named are JUnit files that gotestsum wrote, or run folders;
several are the shards of one run, and so are those in a folder that is named. A
run folder without junit.xml, as plain go test leaves it, is scored from its
recorded answers.

Exactly the cases that the run says it was made of are counted: missing,
duplicate and unknown ones are errors. Infrastructure errors have no score and
are refused, unless --allow-errors counts them as upstream does: as answers
without a call, which are wrong but where no call is wanted. With several trials
the accuracy of a case is the mean over its trials.

What a sample tells of the whole dataset is more certain where --others names runs
of all its cases, such as the last release's: they tell how hard each case is.

--errata adds the score without the cases that refuse their own possible answer,
as far as they are known; see bfcl errata. The score itself stays what it is.

` + exitCodes,
		Example: `  bfcl score results/heuristic
  bfcl score --json shard-*/junit.xml
  bfcl score --junit report.xml results/heuristic`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			run, err := tally.Read(paths, o)
			if err != nil {
				return err
			}
			if report != "" {
				if err := run.WriteReport(report); err != nil {
					return err
				}
			}
			s, err := run.Score(allowErrors)
			if err != nil {
				return err
			}
			beside, err := otherRuns(run, others, o)
			if err != nil {
				return err
			}
			all := scorefile.New(run, s, beside...)
			if withErrata {
				if all.Adjusted, err = adjust(run, allowErrors); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(a.out, all)
			}
			return a.writeScore(all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	cmd.Flags().BoolVar(&withErrata, "errata", false, "add the score without the cases that are known to be wrong")
	cmd.Flags().StringSliceVar(&others, "others", nil, "`runs` of all cases, comma separated, that tell how hard the cases of a sample are")
	cmd.Flags().StringVar(&report, "junit", "", "write the report that CI test views show to this `file`")
	cmd.Flags().BoolVar(&allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().StringVar(&o.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	cmd.Flags().StringVar(&o.Dataset, "dataset", "", "the dataset's `folder`, where it has moved since the run")
	cmd.Flags().StringVar(&o.IDs, "ids", "", "the case `ids` of a run whose JUnit only counts them, or @file")
	return cmd
}

// writeScore prints the table, the ladder and what the run took.
func (a *app) writeScore(s scorefile.File) error {
	if err := score.WriteTable(a.out, s.Score, colour(a.out)); err != nil {
		return err
	}
	if s.Whole != nil {
		fmt.Fprintf(a.out, "%s\n", s.Whole)
	}
	if s.Scenarios != nil {
		fmt.Fprintf(a.out, "%s\n", s.Scenarios)
	}
	if s.Adjusted != nil {
		writeAdjusted(a.out, s.Adjusted, s.Score)
	}
	if s.Standing != nil {
		fmt.Fprintf(a.out, "\n%s\n", s.Standing)
	}
	if err := s.Report.Write(a.out); err != nil {
		return err
	}
	if s.Trials != nil {
		if err := s.Trials.Write(a.out); err != nil {
			return err
		}
	}
	if !s.Spend.Asked() {
		return nil
	}
	fmt.Fprintln(a.out)
	return s.Spend.Write(a.out)
}
