// Package evaluate re-scores recorded answers as upstream's evaluator does:
// an upstream result folder in, upstream's score files and tables out.
package evaluate

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A Report is the result of an evaluation.
type Report struct {
	// Models are the models' answers with their verdicts.
	Models []*tally.Run
	// Notes are remarks, such as which files were left out.
	Notes []string

	v1      bool // of upstream's first release
	catalog *catalog.Catalog
}

// Run judges recorded answers, and writes score files and tables into a folder;
// "" writes none. With a *tally.IncompleteError, which names the categories
// without a score, Run also returns a report of the others.
func Run(f tally.Folders, dir string) (*Report, error) {
	if f.Catalog == nil {
		var err error
		if f.Catalog, err = catalog.Load(); err != nil {
			return nil, err
		}
	}
	runs, notes, err := f.Read()
	var incomplete *tally.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		return nil, err
	}
	report := &Report{Models: runs, Notes: notes, v1: f.Dataset.Release() == "v1", catalog: f.Catalog}
	if dir != "" {
		if err := report.write(dir); err != nil {
			return nil, err
		}
	}
	return report, err
}

// write writes score files and tables where upstream's release does.
func (r *Report) write(dir string) error {
	if !slices.ContainsFunc(r.Models, func(m *tally.Run) bool { return len(m.Parts) > 0 }) {
		return nil
	}
	by := v4
	if r.v1 {
		by = v1
	}
	err := r.scoreFiles(by, func(m *tally.Run, c *category) string { return filepath.Join(dir, m.Model, by.file(c)) })
	if err != nil {
		return err
	}
	return r.tables(by, dir)
}
