package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/show/trace"
)

// A tracing is one `bfcl trace`.
type tracing struct {
	*app
	data              dataFlags
	model             string
	trial             int
	mode, underscores string
	dialect           string
	full, asJSON      bool
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
	flags.StringVar(&t.mode, "mode", "", "how the answers carry calls: `fc or prompt` (default the run's, or detected from the answers)")
	flags.StringVar(&t.underscores, "underscore-to-dot", "", "whether the model saw dots in function names as underscores: `yes or no` (default the run's, or by the mode)")
	flags.StringVar(&t.dialect, "dialect", "", "how the model writes calls, a `name` such as hermes or granite")
	flags.BoolVar(&t.full, "full", false, "cut nothing, and show what the expected calls give")
	flags.BoolVar(&t.asJSON, "json", false, "print JSON, with everything in full")
	return cmd
}

func (t *tracing) run(cmd *cobra.Command, path, name string) error {
	change, err := override(t.mode, t.underscores, t.dialect)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("dataset") {
		t.data.dataset = ""
	}
	r, err := t.open(path)
	if err != nil {
		return err
	}
	if t.trial < 1 || t.trial > r.trials {
		return misuse.Errorf("there is no trial %d: the run has %s", t.trial, count.Of(r.trials, "trial", "trials"))
	}
	s := trace.Subject{Trial: t.trial - 1, Model: r.model}
	if s.Category, s.Case, err = r.find(name); err != nil {
		return err
	}
	if s.Row, s.Settings, err = r.answer(s.Category, s.Case, s.Trial); err != nil {
		return err
	}
	s.Settings = change(s.Settings)
	s.Outcome = t.outcome(cmd.Context(), r, s)
	shown := trace.Of(s)
	if t.asJSON {
		return writeJSON(t.out, shown)
	}
	return shown.Write(t.out, trace.Options{Colour: colour(t.out), Full: t.full})
}

// outcome is the verdict, or the error that was recorded instead of an answer.
func (t *tracing) outcome(ctx context.Context, r *recording, s trace.Subject) engine.Outcome {
	if s.Row.Entry == nil {
		return engine.Failed(r.trouble(s))
	}
	settings := s.Settings
	if s.Category.Executes {
		var err error
		if settings.Executor, err = execution.ForRun(ctx, r.dataset, r.parameters); err != nil {
			settings.Executor = nil
		}
	}
	e := &engine.Engine{Settings: settings, Recorded: record.Answers{{s.Case.ID: s.Row}}}
	return e.Run(ctx, s.Category, s.Case, 0)
}

// trouble is the last error that a run recorded for an attempt.
func (r *recording) trouble(s trace.Subject) error {
	failed, err := record.ReadFailures(r.dir)
	if err != nil {
		return err
	}
	if failure, ok := failed.Get(s.Case.ID, s.Trial); ok {
		return failure.Err()
	}
	return eval.Infra("no_answer", "no answer is recorded")
}

// A recording is a folder of answers.
type recording struct {
	dir, model string
	dataset    *fixtures.Dataset
	parameters map[string]string
	trials     int
	// run is nil for upstream's folders.
	run    *record.Run
	folder *record.Folder
}

func (t *tracing) open(path string) (*recording, error) {
	run, err := record.ReadRun(path)
	r := &recording{dir: path, trials: 1, run: run}
	name := t.data.dataset
	switch {
	case err == nil:
		r.model, r.parameters, r.trials = run.Model, run.Parameters, run.Trials
		if name == "" {
			name = run.DatasetPath()
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	default:
		if r.folder, err = findModel(path, t.model); err != nil {
			return nil, err
		}
		if r.model = r.folder.Model; r.model == "" {
			r.model = filepath.Base(filepath.Dir(r.folder.Dir))
		}
		if name == "" {
			name = releaseOf(r.folder)
		}
	}
	r.dataset, err = fixtures.Open(name, t.data.data)
	return r, err
}

// findModel finds the result files of one model.
func findModel(path, model string) (*record.Folder, error) {
	folders, err := record.FindAll(path)
	if err != nil {
		return nil, misuse.Errorf("%w, and no run.json", err)
	}
	if model == "" && len(folders) == 1 {
		return folders[0], nil
	}
	var names []string
	for _, f := range folders {
		if model != "" && f.Model == strings.ReplaceAll(model, "/", "_") {
			return f, nil
		}
		name := f.Model
		if name == "" { // of a run of ours, such as a shard
			name = f.Dir
		}
		names = append(names, name)
	}
	return nil, misuse.Errorf("%s holds the results of %s: name one with --model, or its folder", path, strings.Join(names, ", "))
}

// releaseOf is the dataset that a result folder has answers to.
func releaseOf(f *record.Folder) string {
	for _, file := range f.Files {
		if record.Positional(file) {
			return "v1"
		}
	}
	return "v4"
}

// answer is the recorded line, empty if there is none, and the settings to read
// it with.
func (r *recording) answer(cat *eval.Category, c *eval.Case, trial int) (record.Row, eval.Settings, error) {
	if r.run != nil {
		answers, err := record.ReadAnswers(r.dir, []*eval.Category{cat}, trial+1)
		row, _ := answers.Get(c.ID, trial)
		return row, r.run.Settings(), err
	}
	path := r.folder.Files[cat.Name]
	rows, err := record.Read(path, true)
	if err != nil {
		return record.Row{}, eval.Settings{}, err
	}
	row := r.rowOf(rows, path, cat, c)
	mode := record.Answers{{"": row}}.Mode()
	if row.Entry == nil || row.Result.Kind() == pyval.KindStr { // in FC mode too, a failed call can be a text
		mode = modeOf(rows)
	}
	models, err := catalog.Load(catalog.Files("", catalog.Process())...)
	if err != nil {
		return record.Row{}, eval.Settings{}, err
	}
	settings, err := models.Reading(r.folder, mode)
	return row, settings, err
}

// rowOf finds a case's row: by its position in a complete file of the first
// release, else by its id.
func (r *recording) rowOf(rows []record.Row, path string, cat *eval.Category, c *eval.Case) record.Row {
	if record.Positional(path) {
		if cases, err := r.dataset.Cases(cat); err == nil && len(cases) == len(rows) {
			for i := range cases {
				if cases[i].ID == c.ID {
					return rows[i]
				}
			}
		}
	}
	for _, row := range rows {
		if row.ID == c.ID {
			return row
		}
	}
	return record.Row{}
}

func modeOf(rows []record.Row) eval.Mode {
	all := make(map[string]record.Row, len(rows))
	for _, row := range rows {
		all[row.ID] = row
	}
	return record.Answers{all}.Mode()
}
