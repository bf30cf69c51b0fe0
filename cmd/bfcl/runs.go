package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/failure"
	"github.com/gobfcl/bfcl/internal/tally"
)

// runFlags say how runs are read that a command compares.
type runFlags struct {
	o           tally.Options
	allowErrors bool
}

// namingRuns tells in a command's help what may be named.
const namingRuns = `A run is a JUnit file, a run folder, several of them with commas between (the
shards of one run), a folder of shards, or a result folder of upstream's, whose
answers are judged: a run for each model in it.`

func (f *runFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.o.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	flags.StringVar(&f.o.Dataset, "dataset", "", "the dataset's `folder`, where it has moved since the run; for result folders of upstream's the dataset")
	flags.StringVar(&f.o.IDs, "ids", "", "the case `ids` of a run whose JUnit only counts them, or @file")
	flags.BoolVar(&f.o.Partial, "partial", false, "accept result folders of upstream's that lack cases")
	flags.StringSliceVar(&f.o.Replay, "replay", nil, "a `file` of recorded API answers, for upstream's answers to executable categories; may be repeated")
	flags.BoolVar(&f.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
}

// read reads the runs and passes on what there is to remark.
func (f *runFlags) read(a *app, paths []string) ([]*tally.Run, error) {
	runs, err := tally.ReadAll(paths, f.o)
	if err != nil {
		return nil, err
	}
	said := map[string]bool{}
	for _, run := range runs {
		for _, note := range run.Notes {
			if !said[note] {
				fmt.Fprintln(a.err, "bfcl: "+failure.Printable(note, 500))
			}
			said[note] = true
		}
	}
	return runs, nil
}
