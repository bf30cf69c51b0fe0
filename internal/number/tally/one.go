package tally

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A Place says which answer is wanted, and how it is read.
type Place struct {
	// Path is a run folder, or one of upstream's result folders, and Model the folder
	// of a model in one with several.
	Path, Model string
	// Dataset is the dataset's name or folder; "" is that of the answers. Data is
	// the folder that holds v4/ and v1/.
	Dataset, Data string
	// Case is the case's name, and Trial counts from 1.
	Case  string
	Trial int
	// Change alters how the answer is read.
	Change func(eval.Settings) eval.Settings
}

// One reads and judges one recorded answer, or the error that was recorded instead
// of one, with the settings of the run that it returns, which has no other results.
func One(at Place) (*Run, *eval.Result, error) {
	stated, err := record.ReadRun(at.Path)
	if errors.Is(err, os.ErrNotExist) {
		return at.upstream()
	}
	if err != nil {
		return nil, nil, err
	}
	s := &source{path: at.Path, dir: at.Path, run: stated, categories: strings.Join(stated.Categories, ","), keep: true}
	d, err := openDataset(s, Options{Dataset: at.Dataset, Data: at.Data, shelf: newShelf()})
	if err != nil {
		return nil, nil, err
	}
	cat, c, err := at.find(d, stated.Trials, func(category string) bool { return slices.Contains(stated.Categories, category) })
	if err != nil {
		return nil, nil, err
	}
	stated.SetSettings(at.Change(stated.Settings()))
	b := &board{dataset: d, trials: at.Trial, parts: []suite.Part{{Category: cat, Cases: []*eval.Case{c}}}}
	b.rule()
	err = s.judge(b)
	slot := &b.slots[0][at.Trial-1]
	if !slot.filled {
		unanswered(&slot.result)
	}
	return newRun(*stated, d, nil), &slot.result, err
}

// unanswered is what an answer is that is not recorded.
func unanswered(out *eval.Result) {
	fail(out, eval.Infra("no_answer", "no answer is recorded"))
	why.Examine(out, eval.Settings{})
	out.Text = why.Text(out)
}

// upstream is One of a model's result folder.
func (at Place) upstream() (*Run, *eval.Result, error) {
	folders, err := modelsIn(at.Path, slices.DeleteFunc([]string{at.Model}, func(name string) bool { return name == "" })...)
	switch {
	case err != nil:
		return nil, nil, misuse.Errorf("%w, and no run.json", err)
	case len(folders) > 1:
		return nil, nil, misuse.Errorf("%s holds the results of %s: name one with --model, or its folder", at.Path, held(folders))
	}
	folder := folders[0]
	d, err := fixtures.Open(releaseOf(folders, at.Dataset), at.Data)
	if err != nil {
		return nil, nil, err
	}
	cat, c, err := at.find(d, 1, func(category string) bool { return folder.Files[category] != "" })
	if err != nil {
		return nil, nil, err
	}
	f := Folders{Dataset: d, ResultDir: folder.Dir, Categories: cat.Name, Partial: true, Settings: at.Change, ours: true, keep: true, only: c.ID}
	if f.Catalog, err = catalog.Load(catalog.Files("", catalog.Process())...); err != nil {
		return nil, nil, err
	}
	if f.Executor, err = ExecutorFor(d, nil); err != nil {
		return nil, nil, err
	}
	runs, _, err := f.Read()
	if err != nil {
		return nil, nil, err
	}
	for _, result := range runs[0].All() {
		return runs[0], result, nil
	}
	out := &eval.Result{Category: cat, Case: c}
	unanswered(out)
	return runs[0], out, nil
}

// find returns the case that is named, of the categories that are held.
func (at Place) find(d *fixtures.Dataset, trials int, holds func(category string) bool) (*eval.Category, *eval.Case, error) {
	if at.Trial < 1 || at.Trial > trials {
		return nil, nil, misuse.Errorf("there is no trial %d: the run has %s", at.Trial, say.Count(trials, "trial", "trials"))
	}
	var names []string
	for _, cat := range d.Categories().All() {
		if holds(cat.Name) && d.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, misuse.Errorf("%s has no answers to cases of dataset %q: name the right dataset with --dataset", at.Path, d.Name)
	}
	x, err := suite.IndexOf(d, names)
	if err != nil {
		return nil, nil, err
	}
	one, err := x.Find(at.Case)
	return one.Category, one.Case, err
}
