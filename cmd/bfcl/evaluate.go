package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/dataset/cluster"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

// An evaluation is one `bfcl evaluate`.
type evaluation struct {
	*app
	data              dataFlags
	o                 evaluate.Options
	mode, underscores string
	dialect           string
	replay            []string
	asJSON            bool
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
and the exit code is 2.

` + exitCodes,
		Example: `  bfcl evaluate --dataset v4 --result-dir result --score-dir score
  bfcl evaluate --result-dir results/heuristic --partial --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return e.run() },
	}
	flags := cmd.Flags()
	e.data.register(cmd)
	flags.StringVar(&e.o.ResultDir, "result-dir", "", "the `folder` of the result files")
	flags.StringVar(&e.o.ScoreDir, "score-dir", "", "the `folder` to write score files and tables into (default none)")
	flags.StringSliceVar(&e.o.Models, "model", nil, "the `name` of a model's folder; may be repeated (default all)")
	flags.StringVar(&e.o.Categories, "categories", "", "`names` of categories and groups, comma separated (default all that have answers)")
	flags.BoolVar(&e.o.Partial, "partial", false, "accept result files that lack cases")
	flags.BoolVar(&e.o.AllowErrors, "allow-errors", false, "count as wrong the answers that cannot be judged, as upstream does")
	flags.StringVar(&e.mode, "mode", "", "how the answers carry calls: `fc or prompt` (default detected from the answers)")
	flags.StringVar(&e.underscores, "underscore-to-dot", "", "whether the model saw dots in function names as underscores: `yes or no` (default yes in fc mode, no in prompt mode)")
	flags.StringVar(&e.dialect, "dialect", "", "how the models write calls, a `name` such as hermes or granite (default that of the leaderboard model the folder is named after, else by the mode)")
	flags.StringSliceVar(&e.replay, "replay", nil, "a `file` of recorded API answers, for the executable categories; may be repeated")
	flags.BoolVar(&e.asJSON, "json", false, "print JSON instead of tables")
	_ = cmd.MarkFlagRequired("result-dir")
	return cmd
}

func (e *evaluation) run() (err error) {
	if e.o.Dataset, err = e.data.open(); err != nil {
		return err
	}
	if e.o.Settings, err = override(e.mode, e.underscores, e.dialect); err != nil {
		return err
	}
	if e.o.Catalog, err = catalog.Load(catalog.Files("", catalog.Process())...); err != nil {
		return misuse.Mark(err)
	}
	own, _, err := e.o.Dataset.Replay()
	if err != nil {
		return err
	}
	if len(e.replay) > 0 || own != "" {
		env, _, err := execution.Environment(e.o.Dataset, execution.Replay, e.replay)
		if err != nil {
			return err
		}
		e.o.Executor = execution.New(context.Background(), e.o.Dataset, env)
	}
	go func() { _, _ = e.o.Dataset.Digest() }() // print needs it at the end
	report, err := evaluate.Run(e.o)
	var incomplete *evaluate.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		return err
	}
	for _, note := range report.Notes {
		fmt.Fprintln(e.err, "bfcl: "+safe.Printable(note, 500))
	}
	if printed := e.print(report); printed != nil {
		return printed
	}
	return err
}

// override is what the flags change in a model's settings.
func override(mode, underscores, name string) (func(eval.Settings) eval.Settings, error) {
	m, err := eval.ParseMode(mode)
	if err != nil {
		return nil, misuse.Mark(err)
	}
	if underscores != "" && underscores != "yes" && underscores != "no" {
		return nil, misuse.Errorf("--underscore-to-dot must be yes or no, not %q", underscores)
	}
	if err := dialect.Check(name); err != nil {
		return nil, misuse.Mark(err)
	}
	return func(s eval.Settings) eval.Settings {
		if m != "" {
			s = eval.SettingsFor(m)
		}
		if name != "" {
			s.Dialect = name
		}
		if underscores != "" {
			s.UnderscoreToDot = underscores == "yes"
		}
		return s
	}, nil
}

func (e *evaluation) print(report *evaluate.Report) error {
	digest, err := e.o.Dataset.Digest()
	if err != nil {
		return err
	}
	all := []evaluated{}
	for _, m := range report.Models {
		one, err := e.score(m, digest)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
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
		if err := one.Report.Write(e.out); err != nil {
			return err
		}
	}
	return nil
}

// evaluated is a model's score and how far its answers got.
type evaluated struct {
	*score.Score
	*ladder.Report
	// Lacks are the categories that have no score.
	Lacks []evaluate.Lack `json:"incomplete,omitempty"`
}

// clusters group the answers to cases that share a base, for the intervals.
func clusters(c *evaluate.Category, all *cluster.Clusters) []stat.Cluster {
	var out []stat.Cluster
	at := map[string]int{}
	for _, a := range c.Answers {
		key := all.Of(a.Case)
		k, known := at[key]
		if !known {
			k = len(out)
			at[key], out = k, append(out, stat.Cluster{Key: key})
		}
		out[k].Total++
		if a.Verdict.Passed() {
			out[k].Correct++
		}
	}
	return out
}

func (e *evaluation) score(m *evaluate.Model, digest string) (out evaluated, err error) {
	tallies, all := map[string]score.Tally{}, cluster.New()
	for _, c := range m.Categories {
		for _, a := range c.Answers {
			all.Add(c.Category, a.Case)
		}
	}
	for _, c := range m.Categories {
		t := score.Tally{Total: c.Total, Correct: c.Correct, Clusters: clusters(c, all)}
		for _, a := range c.Answers {
			t.Compare(a.ComparedWord())
		}
		tallies[c.Name] = t
	}
	run := score.Run{Dataset: e.o.Dataset.Name, Digest: digest, Model: m.Name, Dialect: m.Settings.Dialect}
	if run.Data, err = e.o.Dataset.Origin(); err != nil {
		return out, err
	}
	o := score.Options{Layout: tally.LayoutOf(e.o.Dataset)}
	if o.Sizes, err = tally.Sizes(e.o.Dataset, e.o.Dataset.Name); err != nil {
		return out, err
	}
	out.Score, err = score.New(run, tallies, o)
	if err != nil {
		return out, err
	}
	out.Warn(m.Warnings()...)
	out.Report, out.Lacks = m.Ladder(), m.Lacks
	return out, nil
}
