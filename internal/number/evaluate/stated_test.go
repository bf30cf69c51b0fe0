package evaluate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestRunFolder: a run's folder is held against its run.json: other cases are
// refused, though they have the same ids; a lost file is missed; of trials the
// first is evaluated, which is said.
func TestRunFolder(t *testing.T) {
	dataset, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	digest, err := dataset.Digest()
	require.NoError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "result", "non_live", record.FileName("simple_python"))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(`{"id": "simple_python_0", "result": "no"}`+"\n"), 0o644))
	run := record.Run{Model: "m", Mode: "fc", Dataset: "starter", Digest: digest, Categories: []string{"simple_python", "irrelevance"}, Trials: 3}
	o := tally.Folders{Dataset: dataset, ResultDir: dir}
	require.NoError(t, record.WriteRun(dir, &run))
	report, err := evaluate.Run(o, "")
	require.ErrorContains(t, err, "irrelevance: it was run but has no result file")
	assert.Contains(t, report.Notes[0], "only the first of the run's 3 trials is evaluated")
	o.Partial = true
	_, err = evaluate.Run(o, "")
	require.NoError(t, err, "a part is asked for")

	run.Digest = "0123456789abcdef"
	require.NoError(t, record.WriteRun(dir, &run))
	_, err = evaluate.Run(o, "")
	require.ErrorContains(t, err, `was run on other cases: its dataset "starter" had digest "0123456789ab"`)
}
