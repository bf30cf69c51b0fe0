package tally

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// readUpstream judges an upstream result folder; inference errors are errors here.
func readUpstream(dir string, o Options) ([]*Run, error) {
	folders, err := record.FindAll(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is not a run: it holds no %s, run.json, shards or result files", strconv.Quote(dir), JUnitFile)
	}
	dataset, err := o.open(releaseOf(folders, o.Dataset), o.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	executor, err := ExecutorFor(dataset, o.Replay)
	if err != nil {
		return nil, err
	}
	runs, notes, err := Folders{Dataset: dataset, ResultDir: dir, Partial: o.Partial || o.Unfinished, Executor: executor, ours: true, keep: o.Answers, cases: o.loaded[dataset]}.Read()
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		run.DataDir, run.Notes = o.Data, notes
	}
	if len(runs) == 1 {
		runs[0].Path = dir
	}
	return runs, nil
}

// releaseOf returns the name of the dataset that answers are for, unless it is given.
func releaseOf(folders []*record.Folder, given string) string {
	if given != "" {
		return given
	}
	for _, path := range folders[0].Files {
		if record.Positional(filepath.Base(path)) {
			return score.V1.Name
		}
	}
	return score.V4.Name
}

// ExecutorFor carries out calls with recorded answers of the APIs: those of the
// files, or the dataset's own. It returns nil if there are none.
func ExecutorFor(dataset *fixtures.Dataset, files []string) (eval.Executor, error) {
	own, _, err := dataset.Replay()
	if err != nil || own == "" && len(files) == 0 {
		return nil, err
	}
	env, _, err := suite.Environment(dataset, suite.Replay, files)
	if err != nil {
		return nil, err
	}
	return suite.New(context.Background(), dataset, env), nil
}

// A Lack is a category for which a model has no score, with what is missing.
type Lack struct {
	Model    string `json:"model"`
	Category string `json:"category"`
	// Why gives the reason in a few words.
	Why string `json:"why"`
	// Cases are the ids of the cases without an answer that can be judged.
	Cases []string `json:"cases,omitempty"`
	// Causes are the reasons why answers could not be judged, each once.
	Causes []string `json:"causes,omitempty"`
}

// mostNamed is how many items of a list a text names; the JSON has all.
const mostNamed = 10

// Error returns the category and the reason, with each cause on its own line.
func (l *Lack) Error() string {
	text := fmt.Sprintf("%s, %s: %s", say.Plain(l.Model, 200), l.Category, l.Why)
	if len(l.Cases) > 0 {
		text += ": " + firstOf(l.Cases, mostNamed)
	}
	for _, cause := range l.Causes[:min(len(l.Causes), mostNamed)] {
		text += "\n    " + cause
	}
	if left := len(l.Causes) - mostNamed; left > 0 {
		text += fmt.Sprintf("\n    and %d more", left)
	}
	return text
}

// An IncompleteError names the categories that have no score. The report and
// the files written have the others.
type IncompleteError struct{ Lacks []Lack }

// Error returns a line for each category.
func (e *IncompleteError) Error() string {
	lines := []string{say.Count(len(e.Lacks), "category is incomplete and has no score:", "categories are incomplete and have no score:")}
	for i := range e.Lacks {
		lines = append(lines, "  "+e.Lacks[i].Error())
	}
	return strings.Join(lines, "\n")
}

// lack removes a category from the run and records why.
func (r *Run) lack(category string, err error) {
	var known *Lack
	if !errors.As(err, &known) {
		known = &Lack{Why: say.Printable(err.Error(), 1000)}
	}
	known.Model, known.Category = r.Model, category
	r.Lacks = append(r.Lacks, *known)
	r.Parts = slices.DeleteFunc(slices.Clone(r.Parts), func(p Part) bool { return p.Category.Name == category })
}

// unjudged removes the categories with error verdicts: something could not be
// asked, so there must be no score. If errors are allowed, such an answer is
// wrong, as it is upstream when an API does not answer. Errors that were recorded
// instead of an answer stay.
func (r *Run) unjudged(allowed bool) {
	for _, part := range slices.Clone(r.Parts) {
		l := &Lack{}
		for i := range part.Results {
			v := &part.Results[i]
			if v.Status != eval.Error || v.ErrorType == infrastructure+replay.Recorded {
				continue
			}
			if allowed {
				v.Status = eval.Fail
				continue
			}
			l.Cases = append(l.Cases, v.Case.ID)
			detail := v.Detail
			if detail == nil {
				detail = pyval.None
			}
			if cause := say.Printable(pyval.Text(detail), 600); !slices.Contains(l.Causes, cause) {
				l.Causes = append(l.Causes, cause)
			}
		}
		if len(l.Cases) > 0 {
			l.Why = fmt.Sprintf("%s be judged (--allow-errors counts them as wrong)", say.Count(len(l.Cases), "answer cannot", "answers cannot"))
			r.lack(part.Category.Name, l)
		}
	}
}

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
		return nil, nil, option.Misuse("%w, and no run.json", err)
	case len(folders) > 1:
		return nil, nil, option.Misuse("%s holds the results of %s: name one with --model, or its folder", at.Path, held(folders))
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
		return nil, nil, option.Misuse("there is no trial %d: the run has %s", at.Trial, say.Count(trials, "trial", "trials"))
	}
	var names []string
	for _, cat := range d.Categories().All() {
		if holds(cat.Name) && d.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, option.Misuse("%s has no answers to cases of dataset %q: name the right dataset with --dataset", at.Path, d.Name)
	}
	x, err := suite.IndexOf(d, names)
	if err != nil {
		return nil, nil, err
	}
	one, err := x.Find(at.Case)
	return one.Category, one.Case, err
}
