// Package evaluate re-scores recorded answers as upstream's evaluator does:
// an upstream result folder in, upstream's score files and tables out.
package evaluate

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// Each judges recorded answers, and writes score files and tables into a folder;
// "" writes none. It hands each model's answers with their verdicts to do, which may
// read them at the same time, and lets them go: of those it has seen it keeps what
// the tables show. Notes are remarks,
// such as which files were left out. A *tally.IncompleteError names the categories
// without a score; the others are written.
func Each(f tally.Folders, dir string, do func(*tally.Run) error) (notes []string, err error) {
	if f.Catalog == nil {
		if f.Catalog, err = catalog.Load(); err != nil {
			return nil, err
		}
	}
	w := &writer{release: v4, dir: dir, catalog: f.Catalog, spends: map[string]leaderboard.Spend{}}
	if f.Dataset.Release() == "v1" {
		w.release = v1
	}
	notes, err = f.Each(func(m *tally.Run) error {
		done := make(chan error)
		go func() { done <- do(m) }()
		err := w.model(m)
		return cmp.Or(err, <-done)
	})
	var incomplete *tally.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		return nil, err
	}
	if w.written {
		if err := w.tables(); err != nil {
			return nil, err
		}
	}
	return append(notes, w.notes...), err
}

// A writer writes score files and tables where upstream's release does.
type writer struct {
	*release
	dir     string
	catalog *catalog.Catalog
	lacks   []tally.Lack
	spends  map[string]leaderboard.Spend // by the model's folder
	notes   []string
	written bool // whether there is any score
}

// model writes a model's score files, and keeps what the tables need of it.
func (w *writer) model(m *tally.Run) error {
	if w.dir == "" {
		return nil
	}
	w.lacks, w.written = append(w.lacks, m.Lacks...), w.written || len(m.Parts) > 0
	if _, twice := w.spends[m.Model]; twice {
		return fmt.Errorf("%s: another folder of that name was evaluated already, and score files go by the name: evaluate them apart", m.Path)
	}
	var u leaderboard.Usage
	for _, result := range m.All() {
		u.Record(result.Entry)
	}
	w.spends[m.Model] = w.spend(m.Model, &u)
	return w.scoreFiles(m)
}

// spend returns what a model spent.
func (w *writer) spend(model string, u *leaderboard.Usage) leaderboard.Spend {
	facts := w.facts(w, model)
	spend, err := w.spent(u, facts)
	if err != nil {
		// Upstream fails to write the table; leaving these columns empty is
		// better.
		w.notes = append(w.notes, fmt.Sprintf("%s: no latency in the tables: %v", model, err))
		u.Latency = leaderboard.Series{}
		spend, _ = w.spent(u, facts)
	}
	return spend
}
