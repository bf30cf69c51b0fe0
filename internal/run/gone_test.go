package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/run/suite"
)

// TestFolderDeletedMidway: a run whose folder is removed stops, since what it
// goes on to ask would be paid for and lost.
func TestFolderDeletedMidway(t *testing.T) {
	o := options(t)
	o.RunDir, o.Categories = filepath.Join(o.Root, "run"), "simple_python"
	s := open(t, o)
	part := s.Plan.Parts[0]
	require.NoError(t, s.Engine.Run(t.Context(), part.Category, part.Cases[0], 0).Err)
	require.NoError(t, os.RemoveAll(o.RunDir))
	lost := s.Engine.Run(t.Context(), part.Category, part.Cases[1], 0)
	assert.Equal(t, "infrastructure:record", lost.ErrorType)
	require.ErrorContains(t, s.Engine.Halted(), "the file was removed or replaced while the run wrote it")
	assert.True(t, s.Engine.Run(t.Context(), part.Category, part.Cases[2], 0).NotRun)
	_ = s.Finish(true)
}

// TestResumeWithoutRunFile: answers that nothing is stated of are not gone on
// with.
func TestResumeWithoutRunFile(t *testing.T) {
	o := options(t)
	o.RunDir, o.IDs = filepath.Join(o.Root, "run"), "simple_python_0"
	answerAll(t, open(t, o))
	require.NoError(t, os.Remove(filepath.Join(o.RunDir, "run.json")))
	o.Resume, o.Model = true, "heuristic"
	_, err := suite.NewPlan(o)
	require.ErrorContains(t, err, "nothing to resume in ")
	require.ErrorAs(t, err, new(*suite.Refusal))
}

// TestReplayOfExecutables: a run's own folder is replayed, executable categories
// too.
func TestReplayOfExecutables(t *testing.T) {
	o := options(t)
	o.RunDir, o.Categories, o.Model = filepath.Join(o.Root, "run"), "executable,simple_python", "oracle"
	answerAll(t, open(t, o))
	again := options(t)
	again.Model, again.Categories = "replay:"+o.RunDir, o.Categories
	for id, out := range answerAll(t, open(t, again)) {
		assert.True(t, out.Passed(), "%s: %v", id, out.Err)
	}
}
