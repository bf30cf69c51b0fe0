package record

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
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
		rows := testkit.Must(readAll(files))(t)
		require.Equal(t, pyval.Value(pyval.Str("d")), rows["x"].Result)
		_, err := readAll(broken)
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
// named in their order; the first to be closed is the one not written to for the
// longest time.
func TestWriterFailsAlike(t *testing.T) {
	for range 20 {
		w := testkit.Must(NewWriter(t.TempDir(), nil))(t)
		w.create = func(path string) (file, error) {
			f, err := plainfile.Append(path)
			return lostFile{f, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), filePrefix), fileSuffix)}, err
		}
		w.synced, w.most = time.Now().Add(time.Hour), 4 // not before Close
		add := func(name string) error {
			return w.Append(&eval.Category{Name: name}, &eval.Request{ID: "x"}, &eval.Response{Result: eval.TextResult("f()")})
		}
		for _, name := range []string{"c", "e", "a", "b", "c"} {
			require.NoError(t, add(name))
		}
		require.EqualError(t, add("d"), "e is not on disk\ne does not close")
		require.EqualError(t, w.Close(), "a is not on disk\nb is not on disk\nc is not on disk\na does not close\nb does not close\nc does not close\nd does not close")
	}
}

// A countedFile counts what happens to it.
type countedFile struct {
	file
	synced, closed int
}

func (f *countedFile) Sync() error {
	f.synced++
	return f.file.Sync()
}

func (f *countedFile) Close() error {
	f.closed++
	return f.file.Close()
}

// TestSynced: lines are forced to disk at once if that was long ago, else with
// the first line after a second, and each once.
func TestSynced(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := testkit.Must(NewWriter(dir, nil))(t)
		files := map[string]*countedFile{}
		w.create = func(path string) (file, error) {
			f, err := plainfile.Append(path)
			counted := &countedFile{file: f}
			files[categoryAt(path)] = counted
			return counted, err
		}
		for _, step := range []struct {
			wait time.Duration
			name string
			a, b int // how often each was forced by then
		}{{0, "a", 1, 0}, {time.Second - 1, "a", 1, 0}, {0, "b", 1, 0}, {1, "b", 2, 1}, {time.Second - 1, "b", 2, 1}, {1, "b", 2, 2}, {time.Hour, "a", 3, 2}} {
			time.Sleep(step.wait)
			require.NoError(t, w.Append(&eval.Category{Name: step.name}, &eval.Request{ID: "x"}, &eval.Response{Result: eval.TextResult("f()")}))
			assert.Equal(t, step.a, files["a"].synced, "%+v", step)
			if b := files["b"]; b != nil {
				assert.Equal(t, step.b, b.synced, "%+v", step)
			}
		}
		require.NoError(t, w.Append(&eval.Category{Name: "c"}, &eval.Request{ID: "x"}, &eval.Response{Result: eval.TextResult("f()")}))
		require.NoError(t, w.Close())
		for _, f := range files {
			assert.Equal(t, 1, f.closed)
		}
	})
}

func categoryAt(path string) string {
	category, _ := categoryOf(filepath.Base(path))
	return category
}

// TestGoneFile: a line is accepted only by a file that is still in its place.
func TestGoneFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed there")
	}
	for name, c := range map[string]struct {
		change func(path string) error
		gone   bool
	}{
		"removed":  {os.Remove, true},
		"replaced": {func(path string) error { return WriteFile(path, nil) }, true},
		"moved and linked": {func(path string) error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		}, false},
	} {
		w, err := NewWriter(t.TempDir(), nil)
		require.NoError(t, err)
		cat := &eval.Category{Name: "a"}
		for i, id := range []string{"x", "y"} {
			err = w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")})
			if i == 0 {
				require.NoError(t, err)
				require.NoError(t, c.change(ResultFile(w.dir, cat, 0)))
			}
		}
		assert.Equal(t, c.gone, errors.Is(err, errGone), "%s: %v", name, err)
		require.NoError(t, w.Close())
	}
}

// A brokenFile tells its size, if it can, and what it is cut to.
type brokenFile struct {
	file
	stat, truncate error
	cut            int64
	closed         bool
}

func (f *brokenFile) Stat() (os.FileInfo, error) {
	info, _ := f.file.Stat()
	return info, f.stat
}

func (f *brokenFile) Truncate(size int64) error {
	f.cut = size
	return f.truncate
}

func (f *brokenFile) Close() error {
	f.closed = true
	return nil
}

// TestUndo: a file keeps what was there before; one that cannot be mended is
// closed, to be opened again, and one to which nothing was written stays.
func TestUndo(t *testing.T) {
	real := testkit.Must(os.Create(filepath.Join(t.TempDir(), "file")))(t)
	defer func() { _ = real.Close() }()
	_, err := real.WriteString("0123456789")
	require.NoError(t, err)
	for _, c := range []struct {
		file    brokenFile
		written int64
		cut     int64
		closed  bool
	}{
		{brokenFile{}, 4, 6, false},
		{brokenFile{}, 1, 9, false},
		{brokenFile{truncate: errGone}, 0, 0, false},
		{brokenFile{truncate: errGone}, 4, 6, true},
		{brokenFile{stat: errGone}, 4, 0, true},
		{brokenFile{stat: errGone}, 0, 0, true},
	} {
		c.file.file = real
		w := &Writer{files: map[string]*openFile{"path": {}}}
		w.undo("path", &c.file, c.written)
		assert.Equal(t, c.cut, c.file.cut)
		assert.Equal(t, c.closed, c.file.closed)
		assert.Equal(t, c.closed, w.files["path"] == nil)
	}
}

// TestTooManyFiles: a search ends, whatever folder it was given.
func TestTooManyFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), nil, 0o600))
	for seen, said := range map[int]string{maxEntries - 1: "", maxEntries: dir + " holds more than 100000 files: name the result folder itself"} {
		err := (&search{top: dir, seen: seen}).folder(dir, nil)
		if said == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, said)
		}
	}
}

// TestStatedMark: which run.json states the mark of a file's lines, and the trial.
func TestStatedMark(t *testing.T) {
	for _, c := range []struct {
		path, run string // the file, and the folder of run.json
		trial     int    // -1: nothing states a mark
	}{
		{"result/live/f", "", 0},
		{"result/f", "", 0},
		{"result/a/b/c/d/e/f", "", 0},
		{"result/a/b/c/d/e/f/f", "", -1}, // no release has folders so deep
		{"result/f", "elsewhere", -1},
		{"trial_2/result/live/f", "", 1},
		{"trial_12/result/live/f", "", 11},
		{"trial_2/result/live/f", "trial_2", 0}, // a run folder of this name
		{"2/result/live/f", "", -1},
		{"trial_two/result/live/f", "", -1},
	} {
		dir := t.TempDir()
		run := &Run{Model: "m", Mode: eval.FC, Trials: 20}
		require.NoError(t, WriteRun(filepath.Join(dir, c.run), run))
		mark := testkit.Must(statedMark(filepath.Join(dir, c.path)))(t)
		want := ""
		if c.trial >= 0 {
			want = run.Mark(c.trial)
		}
		assert.Equal(t, want, mark, c.path)
		require.NoError(t, WriteFile(filepath.Join(dir, c.run, RunFile), []byte("{")))
		_, err := statedMark(filepath.Join(dir, c.path))
		assert.Equal(t, c.trial >= 0, err != nil, "a run.json that cannot be read states nothing")
	}
}

// TestEffort: what an agent took is written and read, and of models nothing.
func TestEffort(t *testing.T) {
	id, _ := idsOf("x")
	for _, want := range []*eval.Effort{
		nil,
		{},
		{Steps: 4, Calls: 3, Failed: 2, Recovered: 1, Redundant: 5, WrongTools: 6, Late: 7, Exceeded: true, Wall: 1500 * time.Millisecond, Cost: 0.25},
	} {
		line := testkit.Must(Line("x", &eval.Response{Result: pyval.Str("a"), Effort: want}, ""))(t)
		assert.Equal(t, want != nil && want.Cost > 0, strings.Contains(string(line), `"cost"`), "no price is not a price of 0")
		row := testkit.Must(parseRow(string(line), 1, id))(t)
		assert.Equal(t, want, row.Response().Effort, string(line))
	}
	for _, odd := range []string{`5`, `{"calls": "x", "wall": -1, "cost": [1], "steps": [[1]]}`, `null`} {
		row := testkit.Must(parseRow(`{"id": "x", "result": "a", "agent": `+odd+`}`, 1, id))(t)
		if e := row.Response().Effort; e != nil {
			assert.Equal(t, &eval.Effort{}, e, odd)
		}
	}
}
