package plainfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/plainfile"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// oddFiles makes a folder with a file, a link to it, a link to a device, a
// folder, and a file of a terabyte that takes no room.
func oddFiles(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o644))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "device")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	holes, err := os.Create(filepath.Join(dir, "holes"))
	require.NoError(t, err)
	require.NoError(t, holes.Truncate(1<<40))
	require.NoError(t, holes.Close())
	return dir
}

func TestPlainfileRead(t *testing.T) {
	dir := oddFiles(t)
	for _, name := range []string{"file", "link"} {
		data, err := plainfile.Read(filepath.Join(dir, name), 4)
		require.NoError(t, err, name)
		assert.Equal(t, "text", string(data))
		_, err = plainfile.Read(filepath.Join(dir, name), 3)
		assert.ErrorContains(t, err, "larger than 3 bytes")
	}
	for _, name := range []string{"device", "folder"} {
		_, err := plainfile.Read(filepath.Join(dir, name), 4)
		assert.ErrorContains(t, err, "is not a regular file", name)
	}
	_, err := plainfile.Open(filepath.Join(dir, "holes"))
	assert.ErrorContains(t, err, "holes is larger than 2 GB")
	_, err = plainfile.Open(filepath.Join(dir, "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestPlainfileAppend(t *testing.T) {
	dir := oddFiles(t)
	for _, name := range []string{"link", "device", "folder"} {
		_, err := plainfile.Append(filepath.Join(dir, name))
		assert.ErrorContains(t, err, "is not written to", name)
	}
	for _, name := range []string{"file", "new"} {
		file, err := plainfile.Append(filepath.Join(dir, name))
		require.NoError(t, err, name)
		_, err = file.WriteString("+")
		require.NoError(t, err)
		require.NoError(t, file.Close())
	}
	data, err := os.ReadFile(filepath.Join(dir, "file"))
	require.NoError(t, err)
	assert.Equal(t, "text+", string(data))
}

func TestPlainfileOnly(t *testing.T) {
	files := plainfile.Only(os.DirFS(oddFiles(t)))
	for _, name := range []string{"file", "link"} {
		data, err := fs.ReadFile(files, name)
		require.NoError(t, err, name)
		assert.Equal(t, "text", string(data))
	}
	for name, want := range map[string]string{"device": "this is not a regular file", "holes": "this is larger than 2 GB"} {
		_, err := fs.ReadFile(files, name)
		assert.ErrorContains(t, err, want)
	}
	_, err := fs.ReadFile(files, "none")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	entries, err := fs.ReadDir(files, ".")
	require.NoError(t, err)
	assert.Len(t, entries, 5)
}
