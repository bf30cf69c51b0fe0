package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record/advise"
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
	paths = a.together(paths, false, 1)
	runs, err := tally.ReadAll(paths, f.o)
	if err != nil {
		return nil, err
	}
	a.noteAll(runs)
	return runs, nil
}

// together leaves out what does not belong to several runs, and says so.
func (a *app) together(paths []string, mixed bool, least int) []string {
	kept, notes := tally.Together(paths, mixed, least)
	for _, note := range notes {
		fmt.Fprintln(a.err, "bfcl: "+note)
	}
	return kept
}

// named returns a run as proposed commands name it: by the path and the data
// folder that the user gave.
func named(run *tally.Run, path, data string) advise.Run {
	name := run.Named()
	name.Path, name.Data = path, data
	return name
}

// readingFlags say how answers are read, if that is not as the run or the
// answers themselves say.
type readingFlags struct{ mode, underscores, dialect string }

func (f *readingFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, "mode", "", "how the answers carry calls: `fc or prompt` (default the run's, or detected from the answers)")
	flags.StringVar(&f.underscores, "underscore-to-dot", "", "whether the model saw dots in function names as underscores: `yes or no` (default the run's, or by the mode)")
	flags.StringVar(&f.dialect, "dialect", "", "how the model writes calls, a `name` that bfcl models --dialects lists (default the run's, or that of the leaderboard model the folder is named after)")
}

// change is what the flags change in a model's settings.
func (f *readingFlags) change() (func(eval.Settings) eval.Settings, error) {
	m, err := eval.ParseMode(f.mode)
	if err != nil {
		return nil, misuse.Mark(err)
	}
	if f.underscores != "" && f.underscores != "yes" && f.underscores != "no" {
		return nil, misuse.Errorf("--underscore-to-dot must be yes or no, not %q", f.underscores)
	}
	if err := dialect.Check(f.dialect); err != nil {
		return nil, misuse.Mark(err)
	}
	return func(s eval.Settings) eval.Settings {
		if m != "" {
			s = eval.SettingsFor(m)
		}
		if f.dialect != "" {
			s.Dialect = f.dialect
		}
		if f.underscores != "" {
			s.UnderscoreToDot = f.underscores == "yes"
		}
		return s
	}, nil
}
