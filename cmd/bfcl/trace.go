package main

import (
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/trace"
)

// A tracing is one `bfcl trace`.
type tracing struct {
	*app
	data    dataFlags
	model   string
	trial   int
	reading readingFlags
	full    bool
}

func (a *app) traceCommand() *cobra.Command {
	t := &tracing{app: a}
	cmd := &cobra.Command{
		Use:   "trace RUN CASE",
		Short: "Show one case in full: what was asked, called, answered, changed",
		Long: `Show what happened in one case of a run: the question of each turn, the model's
reasoning and calls, what the tools answered, what that changed in their state,
and the verdict. The calls of a conversation are carried out again on the
simulators. A single-turn case is shown with question, answer, calls and
verdict.

RUN is a run folder, or one of upstream's result folders, for which --dataset
names the dataset (default v4, or v1 for files of the first release). CASE is an
id; if it is not unique, put the category in front: multi_turn_base/ID. Long
texts are cut, unless --full is given.

Exit codes: 0 shown, whatever the verdict; 2 could not be shown; 3 wrong usage.`,
		Example: `  bfcl trace results/heuristic simple_python_2
  bfcl trace --dataset v4 result/my-model multi_turn_base_17
  bfcl trace results/my-model multi_turn_miss_func_3 --trial 2 --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.IntVar(&t.trial, "trial", 1, "the `number` of the trial to show")
	flags.StringVar(&t.model, "model", "", "the model's folder `name` in a result folder with several")
	t.data.register(cmd)
	dataset := flags.Lookup("dataset")
	dataset.DefValue, dataset.Usage = "", dataset.Usage+" (default the run's)"
	t.reading.register(flags)
	flags.BoolVar(&t.full, "full", false, "cut nothing, and show what the expected calls give")
	a.jsonFlag(cmd, "print JSON, with everything in full")
	return cmd
}

func (t *tracing) run(cmd *cobra.Command, path, name string) error {
	change, err := t.reading.change()
	if err != nil {
		return err
	}
	at := t.data.place(cmd, t.model)
	at.Path, at.Case, at.Trial, at.Change = path, name, t.trial, change
	run, result, err := tally.One(at)
	if err != nil {
		return err
	}
	settings := run.Settings()
	shown := trace.Of(result, run.Model, settings)
	list, err := errata.For(run.Digest)
	if err != nil {
		return err
	}
	if item := list.Find(result.Case.ID); item != nil && item.Concerns(settings.Mode) {
		shown.Notes = append(shown.Notes, "the case is listed as "+item.Line())
	}
	return t.show(shown, func() error {
		return shown.Write(t.out, trace.Options{Colour: colour(t.out), Full: t.full, Width: columns(t.out)})
	})
}
