package tally_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// stumbling is a conversation's right answer, but that each turn begins with a
// call that fails; the last turn may go no further.
func stumbling(t *testing.T, c *eval.Case, giveUp bool) string {
	t.Helper()
	turns := pyval.NewList()
	for i, turn := range c.Answer.Items {
		var calls []string
		for _, call := range turn.(*pyval.List).Items {
			calls = append(calls, pyval.Text(call))
		}
		steps := pyval.NewList(pyval.Str("[no_such_function()]"))
		if !giveUp || i < len(c.Answer.Items)-1 {
			steps.Items = append(steps.Items, pyval.Str("["+strings.Join(calls, ", ")+"]"))
		}
		turns.Items = append(turns.Items, steps)
	}
	text, err := pyval.JSON(turns, 0)
	require.NoError(t, err)
	return fmt.Sprintf(`{"id": %q, "result": %s}`, c.ID, text)
}

// TestRecovery: records tell what was recovered from.
func TestRecovery(t *testing.T) {
	dataset, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	digest, err := dataset.Digest()
	require.NoError(t, err)
	sel, err := suite.Select(dataset, "multi_turn_base", "")
	require.NoError(t, err)
	dir := t.TempDir()
	var lines []string
	turns := 0
	for i, c := range sel.Parts[0].Cases {
		lines = append(lines, stumbling(t, c, i < 2))
		turns += len(c.Turns)
	}
	file := filepath.Join(dir, "result", "multi_turn", record.FileName("multi_turn_base"))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	f := &fake{dir: dir, run: &record.Run{
		ID: record.NewID(), Model: "scripted", Mode: eval.Prompt, Dataset: "starter", Digest: digest, Categories: sel.Names(), Trials: 1,
		Started: time.Now().Add(-time.Hour), Ended: time.Now().Add(-time.Minute),
	}}
	require.NoError(t, record.WriteRun(dir, f.run))

	got := read(t, dir).Findings(false).Recovery
	require.NotNil(t, got)
	assert.Equal(t, turns, got.Turns, "each turn saw an error and was judged")
	assert.Equal(t, turns-2, got.Passed)
	assert.Equal(t, tally.Recovered{Turns: got.Turns, Passed: got.Passed, Rate: got.Rate, Low: got.Low, High: got.High}, got.Categories["multi_turn_base"])

	replace(t, file, "[no_such_function()]", "Hm.")
	assert.Nil(t, read(t, dir).Findings(false).Recovery, "without an error there is nothing to recover from")
}
