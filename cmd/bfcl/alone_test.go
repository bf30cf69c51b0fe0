package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestBuiltCommand builds the command, once, and runs it where it must do alike
// and where it must not run.
func TestBuiltCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds the command")
	}
	t.Parallel()
	command, err := testkit.Command(t.TempDir())
	require.NoError(t, err)
	t.Run("without checkout and go", func(t *testing.T) { withoutCheckoutAndGo(t, command) })
	t.Run("in a checkout", func(t *testing.T) { inACheckout(t, command) })
}

// withoutCheckoutAndGo runs the command in an empty folder with an empty PATH:
// everything is there that is there in a checkout.
func withoutCheckoutAndGo(t *testing.T, command string) {
	empty := t.TempDir()
	alone := func(args ...string) ran {
		return runIn(t, empty, []string{"PATH=", "HOME=" + empty, "NO_COLOR=1"}, command, args...)
	}
	run := alone("run", "-model=heuristic", "-categories=simple_python,irrelevance,multi_turn_base", "--json")
	require.Zerof(t, run.code, "%s", run.errs)
	var own score.Score
	require.NoError(t, json.Unmarshal([]byte(run.out), &own))
	require.NotEmpty(t, own.Categories)
	dir := filepath.Join(empty, "results", "heuristic")
	for _, name := range []string{tally.JUnitFile, process.EventsFile, tally.ReportFile, tally.ScoreFile, "run.json"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	again := alone("score", "--json", "results/heuristic/junit.xml")
	require.Zerof(t, again.code, "%s", again.errs)
	var sheet score.Score
	require.NoError(t, json.Unmarshal([]byte(again.out), &sheet))
	assert.Equal(t, own.Categories, sheet.Categories, "the score is that of the JUnit file")

	for _, args := range [][]string{
		{"score", "results/heuristic"},
		{"judge", "--id", "irrelevance_0", "--run", "results/heuristic"},
		{"evaluate", "--dataset", "starter", "--result-dir", "results/heuristic", "--score-dir", "scores"},
		{"models", "--categories"}, {"models"}, {"version"},
	} {
		got := alone(args...)
		require.Zerof(t, got.code, "%v: %s", args, got.errs)
		assert.NotEmptyf(t, got.out, "%v", args)
	}
	tagged := alone("run", "-model=bedrock:us.amazon.nova-lite-v1:0")
	assert.Equal(t, exitMisuse, tagged.code)
	assert.Contains(t, tagged.errs, "needs -tags=bedrock, as in `go install -tags=bedrock")
	t.Logf("%d cases", total(&own))
}

// inACheckout: a command that holds another suite than the checkout that it
// stands in does not run it.
func inACheckout(t *testing.T, command string) {
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module "+modulePath+"\n"), 0o644))
	refused := runIn(t, other, nil, command, "run", "-model=oracle")
	assert.Equal(t, exitMisuse, refused.code)
	assert.Contains(t, refused.errs, "was not built from the checkout "+other)
	assert.Contains(t, refused.errs, "go.mod is newer")
	assert.Contains(t, refused.errs, "rebuild it")
	assert.NoDirExists(t, filepath.Join(other, "results"))

	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"run", "-q", "-model=oracle", "-categories=irrelevance", "-run-dir=" + dir}
	here := runIn(t, testkit.ModuleRoot(t), nil, command, args...)
	assert.Zerof(t, here.code, "%s", here.errs)
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(command, old, old))
	stale := runIn(t, testkit.ModuleRoot(t), nil, command, args...)
	assert.Equal(t, exitMisuse, stale.code)
	assert.Contains(t, stale.errs, " is newer)")
}

func TestNewerSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	built := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(name string, moment time.Time) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
		require.NoError(t, os.Chtimes(path, moment, moment))
	}
	later := built.Add(time.Hour)
	at("go.mod", built)
	at("categories/list.go", built.Add(-time.Hour))
	for _, of := range []string{"categories/list_test.go", "internal/a/testdata/x.json", "fixtures/.swp", "docs/x.md", "results/r/run.json"} {
		at(of, later)
	}
	assert.Empty(t, newerSource(dir, built))
	at("fixtures/starter/cases.json", later)
	assert.Equal(t, filepath.Join("fixtures", "starter", "cases.json"), newerSource(dir, built))
}
