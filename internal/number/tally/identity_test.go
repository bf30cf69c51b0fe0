package tally_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestIdentity: parts of runs with equal settings are told apart by their ids.
func TestIdentity(t *testing.T) {
	t.Parallel()
	part := func(t *testing.T, shard, id, job string) string {
		t.Helper()
		f := run(t, filepath.Join(t.TempDir(), "part"), "irrelevance,multiple", "", 1, never)
		f.run.Shard, f.run.ID, f.run.Job = shard, id, job
		require.NoError(t, record.WriteRun(f.dir, f.run))
		return f.dir
	}
	for name, c := range map[string]struct {
		second [3]string // shard, id and job beside 0/2, a, j
		id     string
		said   string // in the error, or in a note
	}{
		"shards of one job":      {[3]string{"1/2", "b", "j"}, "a+b", ""},
		"a shard of another job": {[3]string{"1/2", "b", "k"}, "", `has job "j"`},
		"without a job":          {[3]string{"1/2", "b", ""}, "a+b", "nothing names the run that the shards are parts of"},
		"twice":                  {[3]string{"1/2", "a", "j"}, "", "are the same run (a)"},
		"an older shard":         {[3]string{"1/2", "", "j"}, "", "without a run id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tally.Read([]string{part(t, "0/2", "a", "j"), part(t, c.second[0], c.second[1], c.second[2])}, tally.Options{})
			if err != nil {
				require.ErrorContains(t, err, c.said)
				assert.NotEmpty(t, c.said)
				return
			}
			assert.Equal(t, c.id, got.ID)
			if c.said != "" {
				require.NotEmpty(t, got.Notes)
				assert.Contains(t, got.Notes[0], c.said)
			}
		})
	}
}

// TestSplice: a file of another run with equal settings is refused, with JUnit
// beside it and without.
func TestSplice(t *testing.T) {
	t.Parallel()
	ours, others := run(t, t.TempDir(), "irrelevance", "", 1, never), run(t, t.TempDir(), "irrelevance", "", 1, never)
	file := filepath.Join("result", "non_live", record.FileName("irrelevance"))
	for _, f := range []*fake{ours, others} {
		rows, err := record.Read(filepath.Join(f.dir, file), false)
		require.NoError(t, err)
		var text []byte
		for _, row := range rows {
			line, err := record.Line(row.ID, new(row.Response()), f.run.Mark(0))
			require.NoError(t, err)
			text = append(text, line...)
		}
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, file), text, 0o644))
	}
	path := ours.write(t)
	assert.Empty(t, read(t, path).Notes)
	spliced, err := os.ReadFile(filepath.Join(others.dir, file))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(ours.dir, file), spliced, 0o644))
	for _, name := range []string{path, ours.dir} {
		_, err = tally.Read([]string{name}, tally.Options{})
		assert.ErrorContains(t, err, "is an answer of another run")
	}
	require.NoError(t, os.Remove(path))
	_, err = tally.Read([]string{ours.dir}, tally.Options{})
	assert.ErrorContains(t, err, "is an answer of another run")
}
