package trace

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/harness"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Recording is a folder of recorded answers.
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

// Open opens a run folder, or a model of one of upstream's result folders.
func Open(path string, at Place) (*Recording, error) {
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
		if at.Model != "" { // of several, each has its own notes
			r.Dir = r.folder.Dir
		}
		if r.Model = r.folder.Model; r.Model == "" {
			r.Model = filepath.Base(filepath.Dir(r.folder.Dir))
		}
		if name == "" {
			name = releaseOf(r.folder)
		}
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

// releaseOf is the dataset that a result folder has answers to.
func releaseOf(f *record.Folder) string {
	for _, file := range f.Files {
		if record.Positional(file) {
			return "v1"
		}
	}
	return "v4"
}

// Result judges the recorded answer to a trial of a case, or returns the error
// that was recorded instead of one. change alters how the answer is read.
func (r *Recording) Result(ctx context.Context, cat *eval.Category, c *eval.Case, trial int, change func(eval.Settings) eval.Settings) (eval.Result, eval.Settings, error) {
	row, s, err := r.answer(cat, c, trial)
	if err != nil {
		return eval.Result{}, s, err
	}
	s = change(s)
	if row.Entry == nil {
		out := engine.Failed(r.trouble(c, trial))
		out.Category, out.Case, out.Trial = cat, c, trial
		out.Text = why.Text(&out)
		return out, s, nil
	}
	if cat.Executes {
		if s.Executor, err = execution.ForRun(ctx, r.Dataset, r.Parameters); err != nil {
			s.Executor = nil
		}
	}
	out := engine.Judge(cat, c, row.Response(), s)
	out.Trial = trial
	if !out.Passed() {
		out.Text = why.Text(&out)
	}
	return out, s, nil
}

// answer returns the recorded line, empty if there is none, and the settings to
// read it with.
func (r *Recording) answer(cat *eval.Category, c *eval.Case, trial int) (record.Row, eval.Settings, error) {
	if r.run != nil {
		answers, err := record.ReadAnswers(r.Dir, []*eval.Category{cat}, trial+1)
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
func (r *Recording) rowOf(rows []record.Row, path string, cat *eval.Category, c *eval.Case) record.Row {
	if record.Positional(path) {
		if cases, err := r.Dataset.Cases(cat); err == nil && len(cases) == len(rows) {
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

// Check refuses a trial that the run does not have.
func (r *Recording) Check(trial int) error {
	if trial < 1 || trial > r.Trials {
		return misuse.Errorf("there is no trial %d: the run has %s", trial, count.Of(r.Trials, "trial", "trials"))
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
	if id, put := variant.Cut(strings.TrimPrefix(name, "TestBFCL/")); put != "" && r.run != nil {
		return findVaried(r.Dataset, names, id, put, r.run.Seed)
	}
	return harness.FindCase(r.Dataset, names, name)
}

// findVaried returns a case as it was asked in a variant.
func findVaried(d *fixtures.Dataset, names []string, id, put string, seed uint64) (*eval.Category, *eval.Case, error) {
	_, plain, err := harness.FindCase(d, names, path.Base(id))
	if err != nil {
		return nil, nil, err
	}
	sel, err := suite.SelectVaried(d, plain.Category, plain.ID, variant.None+","+put, seed)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range sel.Parts {
		if part.Category.Variant == put {
			return part.Category, part.Cases[0], nil
		}
	}
	return nil, nil, misuse.Errorf("case %s has no variant %s: %s", plain.ID, put, sel.LeftOut[0].Why)
}

func (r *Recording) holds(category string) bool {
	if r.run != nil {
		return slices.Contains(r.run.Categories, category)
	}
	return r.folder.Files[category] != ""
}
