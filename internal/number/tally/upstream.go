package tally

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// readUpstream judges an upstream result folder. Its inference errors are
// errors here, as in a replay.
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

// releaseOf returns the name of the dataset that a result folder's answers are
// for, unless it is given.
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
