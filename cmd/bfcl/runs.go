package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// runFlags say how a command reads its runs.
type runFlags struct {
	o           tally.Options
	allowErrors bool
}

// namingRuns is the part of a command's help that says what RUN may be.
const namingRuns = `RUN is a JUnit file, a run folder, several of them separated by commas (the
shards of one run), a folder of shards, or one of upstream's result folders,
whose answers are judged, as one run for each model in it.`

func (f *runFlags) register(cmd *cobra.Command) {
	registerRead(cmd, &f.o)
	cmd.Flags().BoolVar(&f.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
}

// read reads the runs and prints their notes, each once.
func (f *runFlags) read(a *app, paths []string) ([]*tally.Run, error) {
	runs, err := tally.ReadAll(paths, f.o)
	if err != nil {
		return nil, err
	}
	said := map[string]bool{}
	for _, run := range runs {
		for _, note := range run.Notes {
			if !said[note] {
				fmt.Fprintln(a.err, "bfcl: "+safe.Printable(note, 500))
			}
			said[note] = true
		}
	}
	return runs, nil
}
