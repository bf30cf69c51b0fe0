package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestAnswersAreReadAlike: files are read at the same time; of an id in several
// the last one's answer counts, and what is wrong is told in the files' order.
func TestAnswersAreReadAlike(t *testing.T) {
	dir := t.TempDir()
	files, broken := map[string]string{}, map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		for in, text := range map[string]string{"good": `{"id": "x", "result": "` + name + `"}` + "\n", "bad": "{\n{}\n"} {
			path := filepath.Join(dir, in+"_"+name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			if in == "good" {
				files[name] = path
			} else {
				broken[name] = path
			}
		}
	}
	_, want := readAll(broken)
	require.ErrorContains(t, want, "bad_a")
	for range 100 {
		rows, err := readAll(files)
		require.NoError(t, err)
		require.Equal(t, pyval.Value(pyval.Str("d")), rows["x"].Result)
		_, err = readAll(broken)
		require.EqualError(t, err, want.Error())
	}
}

// A lostFile is one whose disk is gone.
type lostFile struct {
	file
	name string
}

func (f lostFile) Sync() error { return errors.New(f.name + " is not on disk") }

func (f lostFile) Close() error {
	return errors.Join(f.file.Close(), errors.New(f.name+" does not close"))
}

// TestWriterFailsAlike: where several files cannot be forced to disk, they are
// named in their order.
func TestWriterFailsAlike(t *testing.T) {
	for range 20 {
		w, err := NewWriter(t.TempDir(), nil)
		require.NoError(t, err)
		w.create = func(path string) (file, error) {
			f, err := create(path)
			return lostFile{f, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), filePrefix), fileSuffix)}, err
		}
		w.synced = time.Now().Add(time.Hour) // not before Close
		for _, name := range []string{"c", "a", "b"} {
			require.NoError(t, w.Append(&eval.Category{Name: name}, &eval.Request{ID: "x"}, &eval.Response{Result: eval.TextResult("f()")}))
		}
		require.EqualError(t, w.Close(), "a is not on disk\nb is not on disk\nc is not on disk\na does not close\nb does not close\nc does not close")
	}
}
