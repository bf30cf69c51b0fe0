package tally_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func replace(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), from, to)), 0o644))
}
