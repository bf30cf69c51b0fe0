package tally_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

func reportOf(t *testing.T, r *tally.Run, allowErrors bool) string {
	t.Helper()
	text, err := json.Marshal(r.Findings(allowErrors))
	require.NoError(t, err)
	return string(text)
}

// TestLadderFromJUnit: beside its answers a JUnit file tells as much as they
// do; alone it has no ladder, and a taxonomy by error types.
func TestLadderFromJUnit(t *testing.T) {
	f := run(t, t.TempDir(), "single_turn", "", 1, fifth)
	records := read(t, f.dir)
	path := f.write(t)
	for _, allow := range []bool{false, true} {
		want := records.Findings(allow)
		require.NotNil(t, want.Ladder)
		assert.Equal(t, reportOf(t, records, allow), reportOf(t, read(t, f.dir), allow))
		assert.Equal(t, reportOf(t, records, allow), reportOf(t, read(t, path), allow), "the file's folder holds the answers")
		for name, rungs := range want.Ladder.Categories {
			part := records.Parts[partOf(t, records, name)]
			assert.Equal(t, passed(part), rungs.Levels[len(rungs.Levels)-1].Reached, name)
		}
	}
	assert.Greater(t, records.Findings(true).Ladder.Total, records.Findings(false).Ladder.Total, "errors are on the ladder where they count")

	alone := filepath.Join(t.TempDir(), "junit.xml")
	require.NoError(t, os.WriteFile(alone, f.junitSource.Bytes(), 0o644))
	bare := read(t, alone).Findings(true)
	assert.Nil(t, bare.Ladder)
	assert.Equal(t, records.Findings(true).Taxonomy.Total(), bare.Taxonomy.Total())
	assert.Positive(t, bare.Taxonomy[cause.Infrastructure])
}

func partOf(t *testing.T, r *tally.Run, name string) int {
	t.Helper()
	for i, part := range r.Parts {
		if part.Category.Name == name {
			return i
		}
	}
	t.Fatalf("no category %s", name)
	return 0
}

func passed(part tally.Part) int {
	n := 0
	for i := range part.Results {
		if part.Results[i].Passed() {
			n++
		}
	}
	return n
}

// TestLadderOfOtherAnswers: answers that are not those the file judged are not
// looked at, which is said.
func TestLadderOfOtherAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		said  string
		spoil func(t *testing.T, f *fake)
	}{
		"no run.json": {"", func(t *testing.T, f *fake) { require.NoError(t, os.Remove(filepath.Join(f.dir, "run.json"))) }},
		"no answers":  {"are not recorded beside it", func(t *testing.T, f *fake) { require.NoError(t, os.RemoveAll(filepath.Join(f.dir, "result"))) }},
		"other answers": {"are not those that it judged", func(t *testing.T, f *fake) {
			file := filepath.Join(f.dir, "result", "non_live", "BFCL_v4_parallel_result.json")
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(data), "]]>")
			replace(t, file, `"result": "]]>`, `"result": [], "was": "`)
		}},
		"broken answers": {"cannot be read", func(t *testing.T, f *fake) {
			replace(t, filepath.Join(f.dir, "result", "non_live", "BFCL_v4_parallel_result.json"), `{`, `{{`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := run(t, t.TempDir(), "parallel", "", 1, never)
			path := f.write(t)
			whole := read(t, path)
			require.NotNil(t, whole.Findings(false).Ladder)
			assert.Empty(t, whole.Notes)
			c.spoil(t, f)
			spoilt := read(t, path)
			bare := spoilt.Findings(false)
			assert.Nil(t, bare.Ladder)
			assert.Positive(t, bare.Taxonomy.Total())
			if c.said == "" {
				assert.Empty(t, spoilt.Notes)
				return
			}
			require.Len(t, spoilt.Notes, 1)
			assert.Contains(t, spoilt.Notes[0], c.said)
			assert.Contains(t, spoilt.Notes[0], "known only from the error types")
		})
	}
}

// TestAnotherRunsFile: a JUnit file beside another run's run.json is not scored
// with what that states.
func TestAnotherRunsFile(t *testing.T) {
	for _, change := range []struct{ from, to, said string }{
		{`"model": "scripted"`, `"model": "another"`, `model "scripted", not "another"`},
		{`"digest": "`, `"digest": "0`, `digest "`},
		{`"trials": 1`, `"trials": 1, "shard": "0/2"`, `shard "", not "0/2"`},
	} {
		f := run(t, t.TempDir(), "irrelevance", "", 1, never)
		path := f.write(t)
		replace(t, filepath.Join(f.dir, "run.json"), change.from, change.to)
		_, err := tally.Read([]string{path}, tally.Options{})
		require.ErrorContains(t, err, "does not belong to the run.json beside it: "+change.said)
	}
}

func replace(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), from, to)), 0o644))
}
