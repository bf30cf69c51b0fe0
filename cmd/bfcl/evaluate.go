package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
)

// An evaluation is one `bfcl evaluate`.
type evaluation struct {
	*app
	data    dataFlags
	o       tally.Folders
	scores  string // the folder of score files and tables
	reading readingFlags
	// given are the flags as words, without the model and its dialect.
	given  []string
	replay []string
}

func (a *app) evaluateCommand() *cobra.Command {
	e := &evaluation{app: a}
	cmd := &cobra.Command{
		Use:   "evaluate --result-dir FOLDER [--score-dir FOLDER]",
		Short: "Score upstream's result files as upstream's evaluator does",
		Long: `Score recorded answers in upstream's result-file format: one of upstream's
result folders, one model's folder in it, or a run folder. --score-dir writes
upstream's score files and leaderboard tables, with upstream's names and
content. An answer that upstream recorded as an inference failure counts as
wrong, as it does in upstream's evaluator.

A result file does not say how its model writes calls, but its folder's name
does: a folder named after a model of the leaderboard, with "_" for "/", is read
in that model's dialect. So is a folder named after a model in your models.yaml
that has a dialect. See bfcl models --dialects.

A category has no score if cases in it have no answer, or none that can be
judged. What is missing is printed, the other categories are scored and written,
and the exit code is 2. Of a part of the data two overalls are printed: one
counts missing categories as 0, as upstream's table does, the other counts
only the cases run.

` + exitCodes,
		Example: `  bfcl evaluate --dataset v4 --result-dir result --score-dir score
  bfcl evaluate --result-dir results/heuristic --partial --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if f.Name != "dialect" && f.Name != "model" {
					e.given = append(e.given, "--"+f.Name+"="+strings.Trim(f.Value.String(), "[]"))
				}
			})
			return e.run()
		},
	}
	flags := cmd.Flags()
	e.data.register(cmd)
	flags.StringVar(&e.o.ResultDir, "result-dir", "", "the `folder` of the result files")
	flags.StringVar(&e.scores, "score-dir", "", "the `folder` to write score files and tables into (default none)")
	flags.StringSliceVar(&e.o.Models, "model", nil, "the `name` of a model's folder; may be repeated (default all)")
	flags.StringVar(&e.o.Categories, "categories", "", "`names` of categories and groups, comma separated (default all that have answers)")
	flags.BoolVar(&e.o.Partial, "partial", false, "accept result files that lack cases")
	flags.BoolVar(&e.o.AllowErrors, "allow-errors", false, "count as wrong the answers that cannot be judged, as upstream does")
	e.reading.register(flags)
	flags.StringSliceVar(&e.replay, "replay", nil, "a `file` of recorded API answers, for the executable categories; may be repeated")
	a.jsonFlag(cmd, "print JSON instead of tables")
	_ = cmd.MarkFlagRequired("result-dir")
	return cmd
}

func (e *evaluation) run() (err error) {
	if e.o.Dataset, err = e.data.open(); err != nil {
		return err
	}
	if e.o.Settings, err = e.reading.change(); err != nil {
		return err
	}
	if e.o.Catalog, err = catalog.Load(catalog.Files("", catalog.Process())...); err != nil {
		return option.MarkMisuse(err)
	}
	if e.o.Executor, err = tally.ExecutorFor(e.o.Dataset, e.replay); err != nil {
		return err
	}
	go func() { _, _ = e.o.Dataset.Digest() }() // print needs it at the end
	all := []evaluated{}
	notes, err := evaluate.Each(e.o, e.scores, func(m *tally.Run) error {
		m.Command = append(append([]string{"evaluate"}, e.given...), "--model="+m.Model)
		s, err := m.Answered(false)
		all = append(all, evaluated{s, m.Findings(true), m.Lacks})
		return err
	})
	var incomplete *tally.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		return err
	}
	e.tell(notes...)
	if printed := e.print(all); printed != nil {
		return printed
	}
	return err
}

func (e *evaluation) print(all []evaluated) error {
	if e.asJSON {
		return writeJSON(e.out, all)
	}
	shown := 0
	for _, one := range all {
		if len(one.Categories) == 0 && len(one.Lacks) > 0 {
			continue // the error names what is missing
		}
		if shown++; shown > 1 {
			fmt.Fprintln(e.out)
		}
		if err := score.WriteTable(e.out, one.Score, colour(e.out)); err != nil {
			return err
		}
		if err := one.Findings.Write(e.out); err != nil {
			return err
		}
	}
	return nil
}

// evaluated is a model's score and how far its answers got.
type evaluated struct {
	*score.Score
	*tally.Findings
	// Lacks are the categories that have no score.
	Lacks []tally.Lack `json:"incomplete,omitempty"`
}
