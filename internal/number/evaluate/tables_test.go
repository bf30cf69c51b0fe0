package evaluate

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestNoDeviceIsRead: a score folder may be a stranger's, too.
func TestNoDeviceIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "model"), 0o755))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "model", scorePrefix+"simple_python"+scoreSuffix)))
	testkit.Fails(readScores(dir, v4))(t, "is not a regular file")
}

// FuzzHeader reads the first line of score files that lie in the score folder
// already.
func FuzzHeader(f *testing.F) {
	f.Add(`{"accuracy": 0.5, "correct_count": 1, "total_count": 2}` + "\n{}")
	f.Add("[]")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "score.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if head, err := readHeader(path); (head == nil) == (err == nil) {
			t.Fatalf("neither header nor error, or both: %v", err)
		}
	})
}
