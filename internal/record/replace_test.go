package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/record"
)

// TestReplaceFile: what a killed process left of the file goes, and nothing else.
func TestReplaceFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "one.json")
	require.NoError(t, record.ReplaceFile(path, []byte("first")))
	for _, name := range []string{".one.json.2483167490", ".one.jsonl.1", ".two.json.1", "one.json.bak"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, record.ReplaceFile(path, []byte("second")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	assert.Equal(t, []string{".one.jsonl.1", ".two.json.1", "one.json", "one.json.bak"}, names)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "second", string(text))
}
