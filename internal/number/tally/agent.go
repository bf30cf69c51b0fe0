package tally

import (
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record"
)

// AgentOf returns what an agent took for the cases of a run; nil for a run of a
// model.
func AgentOf(run *Run) *score.AgentEffort {
	a := &score.AgentEffort{Official: run.Data.IsOfficial(score.V4.Name), NotIsolated: run.Parameters["not_isolated"], Comparable: []string{}, Others: []string{}}
	dir := run.Path
	if filepath.Ext(dir) == ".xml" { // the JUnit of a run folder
		dir = filepath.Dir(dir)
	}
	failed, _ := record.ReadFailures(dir) // what cannot be read has been reported
	var total score.AgentTotal
	for cat, result := range run.All() {
		if total.Add(result); result.Effort == nil {
			continue
		}
		if a.Add(cat, result.Effort); len(failed) == 0 {
			continue
		}
		if f, again := failed.Get(result.Case.ID, result.Trial); again {
			a.Again++
			a.Attempts += f.Times
		}
	}
	if a.Cases == 0 {
		return nil
	}
	a.Solved, a.Figures = total.Solved, total.Values()
	return a
}
