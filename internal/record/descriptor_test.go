package record

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A closing tells that a file was closed.
type closing struct {
	file
	closed func()
}

func (c closing) Close() error {
	c.closed()
	return c.file.Close()
}

func manyCategories(n int) (cats []*eval.Category) {
	for i := range n {
		cats = append(cats, &eval.Category{Name: fmt.Sprintf("kind_%d", i), Group: "non_live"})
	}
	return cats
}

// written are the ids of a category's answers, in the file's order.
func written(t *testing.T, dir string, cat *eval.Category) (ids []string) {
	t.Helper()
	rows, err := Read(ResultFile(dir, cat, 0), false)
	require.NoError(t, err)
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// TestFewFilesKept: a Writer keeps no more files open than it may, and each line
// is there all the same.
func TestFewFilesKept(t *testing.T) {
	t.Parallel()
	dir, open, most := t.TempDir(), 0, 0
	w, err := NewWriter(dir, nil)
	require.NoError(t, err)
	w.most = 3
	w.create = func(path string) (file, error) {
		f, err := create(path)
		open++
		most = max(most, open)
		return closing{f, func() { open-- }}, err
	}
	cats := manyCategories(7)
	const lines = 20
	want := map[string][]string{}
	for i := range lines {
		for k, cat := range cats {
			id := fmt.Sprintf("%s_%d", cat.Name, i)
			if (i+k)%3 == 0 {
				id = fmt.Sprintf("%s_x%d", cat.Name, i)
			}
			require.NoError(t, w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")}))
			want[cat.Name] = append(want[cat.Name], id)
		}
	}
	require.NoError(t, w.Close())
	assert.Equal(t, 3, most)
	assert.Zero(t, open)
	for _, cat := range cats {
		assert.Equal(t, want[cat.Name], written(t, dir, cat))
	}
}

// TestNoDescriptorLeft: where the process has no descriptor left, an answer gets
// that of another file; only without any it is refused.
func TestNoDescriptorLeft(t *testing.T) {
	t.Parallel()
	dir, free := t.TempDir(), 1
	w, err := NewWriter(dir, nil)
	require.NoError(t, err)
	w.create = func(path string) (file, error) {
		if free == 0 {
			return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EMFILE}
		}
		free--
		f, err := create(path)
		return closing{f, func() { free++ }}, err
	}
	cats := manyCategories(4)
	write := func(cat *eval.Category, id string) error {
		return w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")})
	}
	for _, cat := range cats {
		require.NoError(t, write(cat, "a"))
	}
	require.NoError(t, write(cats[0], "c"))
	assert.Equal(t, []string{"a", "c"}, written(t, dir, cats[0]))

	require.NoError(t, w.drop(ResultFile(dir, cats[0], 0)))
	free = 0
	err = write(cats[1], "lost")
	require.ErrorIs(t, err, syscall.EMFILE)
	require.ErrorContains(t, err, filepath.Join("non_live", FileName(cats[1].Name)))
	free = 1
	require.NoError(t, write(cats[1], "later"))
	require.NoError(t, w.Close())
	assert.Equal(t, []string{"a", "later"}, written(t, dir, cats[1]))
}
