package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// TestWithoutCheckoutAndGo runs what go install and `bfcl build` make in an
// empty folder with an empty PATH.
func TestWithoutCheckoutAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds the command and the suite")
	}
	bin, empty := t.TempDir(), t.TempDir()
	command, suite := filepath.Join(bin, "bfcl"), filepath.Join(bin, "bfcl-suite")
	build := exec.Command("go", "build", "-o", command, "./cmd/bfcl")
	build.Dir = checkout()
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := build.CombinedOutput()
	require.NoErrorf(t, err, "%s", said)
	said, err = exec.Command(command, "build", "-C", checkout(), "-o", suite).CombinedOutput()
	require.NoErrorf(t, err, "%s", said)
	assert.Contains(t, string(said), suite)

	// alone runs a program where nothing is, and returns what it prints.
	alone := func(program string, args ...string) (string, string, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = empty, []string{"PATH=", "HOME=" + empty, "NO_COLOR=1"}
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		return out.String(), errs.String(), err
	}
	out, errs, err := alone(command, "run", "-model=heuristic", "--json")
	require.NoErrorf(t, err, "%s", errs)
	assert.Contains(t, errs, "no checkout here: the suite built into bfcl is run")
	var own score.Score
	require.NoError(t, json.Unmarshal([]byte(out), &own))
	assert.FileExists(t, filepath.Join(empty, "results", "heuristic", tally.ReportFile))

	_, _, err = alone(suite, "-model=heuristic", "-run-dir=built", "-test.timeout=0")
	require.Error(t, err, "the baseline's wrong answers are failed tests")
	run, err := tally.Read([]string{filepath.Join(empty, "built")}, tally.Options{})
	require.NoError(t, err)
	built, err := run.Score(false)
	require.NoError(t, err)
	assert.Equal(t, own.Categories, built.Categories, "the command and the built suite agree")
	require.NotZero(t, own.Overall.Total)
	_, errs, err = alone(suite)
	require.NoErrorf(t, err, "the oracle passes: %s", errs)

	for _, args := range [][]string{
		{"score", "results/heuristic"},
		{"judge", "--id", "irrelevance_0", "--run", "results/heuristic"},
		{"evaluate", "--dataset", "starter", "--result-dir", "results/heuristic", "--score-dir", "scores"},
		{"categories"}, {"models"}, {"version"},
	} {
		out, errs, err := alone(command, args...)
		require.NoErrorf(t, err, "%v: %s", args, errs)
		assert.NotEmptyf(t, out, "%v", args)
	}
	_, errs, err = alone(command, "run", "-model=heuristic", "--", "-v")
	require.Error(t, err)
	assert.Contains(t, errs, "go test's flags need a checkout")
	_, errs, err = alone(command, "run", "-model=anthropic:claude-haiku-4-5")
	require.Error(t, err)
	assert.Contains(t, errs, "go install -tags=anthropic")
	t.Logf("%d cases run by each of both binaries", total(&own))
}
