package gotest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// Clear removes what an earlier start of a run that is continued made of its
// answers.
func Clear(dir string) error {
	if dir == "" {
		return nil
	}
	for _, name := range []string{tally.JUnitFile, tally.ReportFile, tally.ScoreFile, tally.LineFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("run folder: %w", err)
		}
	}
	return nil
}

// results are those of the trials so far.
type results struct {
	mu sync.Mutex
	of map[trialKey]eval.Result
}

type trialKey struct {
	category, id string
	trial        int
}

// keep keeps a result for score and gate.
func (r *Run) keep(cat *eval.Category, c *eval.Case, trial int, out eval.Result) {
	if r.Bare && r.Held == nil {
		return
	}
	kept := r.keeper(out)
	r.results.mu.Lock()
	defer r.results.mu.Unlock()
	if r.results.of == nil {
		r.results.of = map[trialKey]eval.Result{}
	}
	r.results.of[trialKey{cat.Name, c.ID, trial}] = kept
}

// read returns the run that has ended. Of a run that this process continued in
// parts, it judges the recorded answers.
func (r *Run) read() (*tally.Run, error) {
	if p := r.suite.Plan; len(r.results.of) == p.Cases()*p.Run.Trials {
		return tally.Of(p, func(cat *eval.Category, c *eval.Case, trial int) eval.Result {
			return r.results.of[trialKey{cat.Name, c.ID, trial}]
		})
	}
	return tally.Read([]string{r.suite.Plan.Dir}, tally.Options{Data: r.Options.Data, Shard: true})
}

// leave writes the score and the report into the run folder. A run with
// infrastructure errors has no score.
func (r *Run) leave() error {
	run, err := r.read()
	if err != nil {
		return nil //nolint:nilerr // a part of a run that is continued: the rest is still to come
	}
	if r.last = run; r.Held == nil {
		if err := run.Report().Write(filepath.Join(r.suite.Plan.Dir, tally.ReportFile)); err != nil {
			return err
		}
	}
	s, err := run.Score(false)
	if err != nil {
		return nil //nolint:nilerr // the test has named the errors
	}
	return export.ScoreOf(run, s).Write(r.suite.Plan.Dir)
}
