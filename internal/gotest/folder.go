package gotest

import (
	"fmt"
	"os"
	"path/filepath"

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

// read returns the run that has ended.
func (r *Run) read() (*tally.Run, error) {
	return tally.Read([]string{r.suite.Plan.Dir}, tally.Options{Data: r.Options.Data, Shard: true})
}

// leave writes the score and the report into the run folder. A run with
// infrastructure errors has no score.
func (r *Run) leave() error {
	run, err := r.read()
	if err != nil {
		return nil //nolint:nilerr // a part of a run that is continued: the rest is still to come
	}
	if r.Held == nil {
		if err := run.WriteReport(filepath.Join(r.suite.Plan.Dir, tally.ReportFile)); err != nil {
			return err
		}
	}
	s, err := run.Score(false)
	if err != nil {
		return nil //nolint:nilerr // the test has named the errors
	}
	return export.ScoreOf(run, s).Write(r.suite.Plan.Dir)
}
