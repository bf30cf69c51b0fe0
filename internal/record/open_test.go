package record_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestNoDeviceIsRead: a stranger's folder whose files are links to what never
// ends is refused.
func TestNoDeviceIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(file(dir)), 0o755))
	require.NoError(t, os.Symlink("/dev/zero", file(dir)))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "run.json")))
	folder, err := record.Find(dir)
	require.NoError(t, err)
	_, err = folder.Answers()
	assert.ErrorContains(t, err, "BFCL_v4_simple_python_result.json is not a regular file")
	_, err = record.ReadRun(dir)
	assert.ErrorContains(t, err, "run.json is not a regular file")
	err = record.Repair(file(dir))
	assert.ErrorContains(t, err, "is not a regular file")

	real := filepath.Join(dir, "elsewhere")
	write(t, real, `{"id": "simple_python_0", "result": "f()"}`+"\n")
	require.NoError(t, os.Remove(file(dir)))
	require.NoError(t, os.Symlink(real, file(dir)))
	rows, err := record.Read(file(dir), false)
	require.NoError(t, err)
	assert.Len(t, rows, 1, "a link to a file is as good as the file")
}

// TestNoLinkIsWrittenTo: who goes on with a stranger's run folder writes to
// nothing outside of it.
func TestNoLinkIsWrittenTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link takes rights there")
	}
	dir := t.TempDir()
	for _, text := range []string{"mine", "1", "1\n", ""} {
		real := filepath.Join(dir, "elsewhere")
		write(t, real, text)
		require.NoError(t, os.MkdirAll(filepath.Dir(file(dir)), 0o755))
		_ = os.Remove(file(dir))
		require.NoError(t, os.Symlink(real, file(dir)))
		w, err := record.NewWriter(dir, nil)
		require.NoError(t, err)
		err = w.Append(category, &eval.Request{ID: "simple_python_1"}, &eval.Response{Result: eval.TextResult("f()")})
		assert.ErrorContains(t, err, "is not written to", "%q", text)
		require.NoError(t, w.Close())
		data, err := os.ReadFile(real)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
}
