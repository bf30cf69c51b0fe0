package tally

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Recording is a folder of recorded answers, to look at one of them: nothing
// else is judged.
type Recording struct {
	// Dir is the folder, and Model the model that answered.
	Dir, Model string
	// Dataset has the cases.
	Dataset *fixtures.Dataset
	// Parameters are those of the run; nil for upstream's folders.
	Parameters map[string]string
	// Trials is how many times each case was asked.
	Trials int

	run    *record.Run    // nil for upstream's folders
	folder *record.Folder // nil for run folders
}

// A Place says where a dataset is, and which model's answers are wanted.
type Place struct {
	// Dataset is the dataset's name or folder; "" is that of the answers. Data is
	// the folder that holds v4/ and v1/.
	Dataset, Data string
	// Model is the folder of a model, in a result folder with several.
	Model string
}

// OpenOne opens a run folder, or a model of one of upstream's result folders.
func OpenOne(path string, at Place) (*Recording, error) {
	run, err := record.ReadRun(path)
	r := &Recording{Dir: path, Trials: 1, run: run}
	name := at.Dataset
	switch {
	case err == nil:
		r.Model, r.Parameters, r.Trials = run.Model, run.Parameters, run.Trials
		if name == "" {
			name = run.DatasetPath()
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	default:
		if r.folder, err = findModel(path, at.Model); err != nil {
			return nil, err
		}
		r.Model, name = r.folder.Name(), releaseOf([]*record.Folder{r.folder}, name)
	}
	r.Dataset, err = fixtures.Open(name, at.Data)
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

// Result judges the recorded answer to a trial of a case, or returns the error
// that was recorded instead of one. change alters how the answer is read.
func (r *Recording) Result(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, change func(eval.Settings) eval.Settings) (eval.Result, eval.Settings, error) {
	executor, err := suite.ForRun(ctx, r.Dataset, r.Parameters)
	if err != nil || !cat.Executes {
		executor = nil
	}
	out, s, err := r.judge(cat, c, trial, change, executor)
	if err != nil {
		return out, s, err
	}
	if out.Case == nil {
		out = engine.Failed(r.trouble(c, trial))
		out.Category, out.Case = cat, c
	}
	if out.Trial = trial; !out.Passed() {
		out.Text = why.Text(&out)
	}
	return out, s, nil
}

// judge judges the recorded answer. Without one, the result has no case.
func (r *Recording) judge(cat *eval.Category, c *eval.Case, trial int, change func(eval.Settings) eval.Settings, executor eval.Executor) (out eval.Result, s eval.Settings, err error) {
	if r.run == nil {
		models, err := catalog.Load(catalog.Files("", catalog.Process())...)
		if err != nil {
			return out, s, err
		}
		runs, _, err := Folders{Dataset: r.Dataset, ResultDir: r.folder.Dir, Categories: cat.Name, Partial: true, Catalog: models, Settings: change, Executor: executor, only: c.ID}.Read()
		if err != nil {
			return out, s, err
		}
		for result := range runs[0].Results() {
			out = *result
		}
		return out, runs[0].Settings(), nil
	}
	s = change(r.run.Settings())
	answers, err := record.ReadAnswers(r.Dir, []*eval.Category{cat}, trial+1)
	row, ok := answers.Get(c.ID, trial)
	if err != nil || !ok {
		return out, s, err
	}
	judging := s
	judging.Executor = executor
	return engine.Judge(cat, c, row.Response(), judging), s, nil
}

// Check refuses a trial that the run does not have.
func (r *Recording) Check(trial int) error {
	if trial < 1 || trial > r.Trials {
		return misuse.Errorf("there is no trial %d: the run has %s", trial, say.Count(r.Trials, "trial", "trials"))
	}
	return nil
}

// trouble is the last error that a run recorded for an attempt.
func (r *Recording) trouble(c *eval.Case, trial int) error {
	failed, err := record.ReadFailures(r.Dir)
	if err != nil {
		return err
	}
	if failure, ok := failed.Get(c.ID, trial); ok {
		return failure.Err()
	}
	return eval.Infra("no_answer", "no answer is recorded")
}

// Find returns the case of this name in the recorded categories.
func (r *Recording) Find(name string) (*eval.Category, *eval.Case, error) {
	var names []string
	for _, cat := range r.Dataset.Categories().All() {
		if r.holds(cat.Name) && r.Dataset.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, misuse.Errorf("%s has no answers to cases of dataset %q: name the right dataset with --dataset", r.Dir, r.Dataset.Name)
	}
	x, err := suite.IndexOf(r.Dataset, names)
	if err != nil {
		return nil, nil, err
	}
	one, err := x.Find(name)
	return one.Category, one.Case, err
}

func (r *Recording) holds(category string) bool {
	if r.run != nil {
		return slices.Contains(r.run.Categories, category)
	}
	return r.folder.Files[category] != ""
}
