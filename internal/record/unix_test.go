//go:build unix

package record

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestModes: others may read what a run writes, and only who runs may write it.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	top := t.TempDir()
	claim := testkit.Must(ClaimFolder(filepath.Join(top, "claimed", "run")))(t)
	w := testkit.Must(NewWriter(filepath.Join(top, "claimed", "run"), nil))(t)
	require.NoError(t, claim.Write())
	require.NoError(t, w.Append(&eval.Category{Name: "a", Group: "live"}, &eval.Request{ID: "x"}, &eval.Response{Result: eval.TextResult("f()")}))
	require.NoError(t, WriteRun(filepath.Join(top, "new"), &Run{}))
	seen := 0
	require.NoError(t, filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info := testkit.Must(entry.Info())(t)
		want := fs.FileMode(0o644)
		if entry.IsDir() {
			want = 0o755 | fs.ModeDir
		}
		if path != top {
			assert.Equal(t, want, info.Mode(), path)
			seen++
		}
		return nil
	}))
	assert.Equal(t, 11, seen, "folders and files")
	require.NoError(t, w.Close())
	require.NoError(t, claim.Release())
}
