package evaluate

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoDeviceIsRead: a score folder may be a stranger's, too.
func TestNoDeviceIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "model"), 0o755))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "model", scorePrefix+"simple_python"+scoreSuffix)))
	_, err := readScores(dir, v4)
	assert.ErrorContains(t, err, "is not a regular file")
}
