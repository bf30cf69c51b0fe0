package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// syncEvery is how often written lines are forced to disk. A kill loses
// nothing that was written; only a crash of the machine can lose this much.
const syncEvery = time.Second

// errorFile holds the cases that infrastructure kept from being answered.
const errorFile = "errors.jsonl"

// A Writer appends answers to a run folder as soon as they come. It is safe for
// concurrent use.
type Writer struct {
	dir string
	run *Run // that the answers belong to

	mu     sync.Mutex
	files  map[string]*openFile
	synced time.Time
	// most is how many files are kept open.
	most int
	// create opens a file to append to.
	create func(path string) (file, error)
}

// An openFile is dirty until what was written, last at used, is forced to disk.
type openFile struct {
	file
	used  time.Time
	dirty bool
}

// A file has the methods of an *os.File that a Writer needs.
type file interface {
	Write(line []byte) (int, error)
	Stat() (os.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// NewWriter returns a Writer for the folder dir of a run, which is created if
// need be. Existing files are continued; a last line torn by a kill is cut off
// first.
func NewWriter(dir string, run *Run) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	limit, ok := plainfile.OpenLimit()
	if !ok {
		limit = math.MaxInt
	}
	w := &Writer{dir: dir, run: run, files: map[string]*openFile{}, most: Files(limit), create: func(path string) (file, error) { return plainfile.Append(path) }}
	return w, nil
}

// ResultDir returns the folder of a trial's result files; trials count from 0.
func ResultDir(dir string, trial int) string { return filepath.Join(trialDir(dir, trial), "result") }

// trialDir returns the folder of a trial, counted from 0: the first is the run
// folder itself, so that it reads like an upstream result folder.
func trialDir(dir string, trial int) string {
	if trial == 0 {
		return dir
	}
	return filepath.Join(dir, fmt.Sprintf("%s%d", trialPrefix, trial+1))
}

const trialPrefix = "trial_"

func isTrial(name string) bool { return strings.HasPrefix(name, trialPrefix) }

// Append records an answer.
func (w *Writer) Append(cat *eval.Category, req *eval.Request, resp *eval.Response) error {
	line, err := Line(req.ID, resp, w.run.Mark(req.Trial))
	if err != nil {
		return err
	}
	return w.write(ResultFile(w.dir, cat, req.Trial), line)
}

// Withdraw removes an answer that has turned out to be none.
func (w *Writer) Withdraw(cat *eval.Category, req *eval.Request) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	path := ResultFile(w.dir, cat, req.Trial)
	if w.files[path] != nil {
		if err := w.drop(path); err != nil {
			return err
		}
	}
	text, err := plainfile.Read(path, math.MaxInt64-1)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	start, err := pyval.AppendJSON(nil, pyval.Object("id", pyval.Str(req.ID)), 0)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	start = append(bytes.TrimSuffix(start, []byte("}")), ',')
	var rest []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, start) {
			rest = append(rest, line...)
		}
	}
	return ReplaceFile(path, rest)
}

// ResultFile returns the file of a category's answers in a trial, counted from
// 0.
func ResultFile(dir string, cat *eval.Category, trial int) string {
	return filepath.Join(ResultDir(dir, trial), cat.Group, FileName(cat.Name))
}

// A Failure is one line of errors.jsonl.
type Failure struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Trial    int       `json:"trial"`
	Kind     string    `json:"kind"`
	Error    string    `json:"error"`
	Time     time.Time `json:"time"`
	// Times is how often this trial had no answer, as far as is recorded.
	Times int `json:"-"`
}

// AppendError records that infrastructure kept a case from being answered.
func (w *Writer) AppendError(f Failure) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return w.write(filepath.Join(w.dir, errorFile), append(line, '\n'))
}

func (w *Writer) write(path string, line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, err := w.obtain(path)
	if err != nil {
		return err
	}
	f.used, f.dirty = time.Now(), true
	if n, err := f.Write(line); err != nil {
		w.undo(path, f, int64(n))
		return fmt.Errorf("record: %w", err)
	}
	if err := inPlace(path, f); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if time.Since(w.synced) >= syncEvery {
		return w.sync()
	}
	return nil
}

// errGone is the error of a write to a file that is no longer in its place.
var errGone = errors.New("the file was removed or replaced while the run wrote it")

// inPlace returns an error if a file is no longer where it was opened: what is
// written to a deleted file is lost when the run ends, although no write fails.
func inPlace(path string, f file) error {
	own, err := f.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(own, there) {
		return &os.PathError{Op: "append", Path: path, Err: errGone}
	}
	return nil
}

// undo removes the bytes of a line that could not be written whole, such as on
// a full disk; otherwise the next line would continue it. If they cannot be
// removed, the file is closed: it is opened again, and repaired, for the next
// line.
func (w *Writer) undo(path string, f file, written int64) {
	info, err := f.Stat()
	if err == nil && written > 0 {
		err = f.Truncate(info.Size() - written)
	}
	if err != nil {
		delete(w.files, path)
		_ = f.Close()
	}
}

// Files returns how many files a Writer keeps open in a process that may open
// limit files.
func Files(limit int) int {
	const least, most, part = 4, 64, 8
	return min(max(limit/part, least), most)
}

// obtain returns the file at a path, ready for a line. If no more files can be
// opened, because the rest of the process uses them all, the Writer closes
// files of its own: an answer that has come must not be lost.
func (w *Writer) obtain(path string) (*openFile, error) {
	if f := w.files[path]; f != nil {
		return f, nil
	}
	var errs []error
	for len(w.files) >= w.most {
		errs = append(errs, w.dropOldest())
	}
	f, err := w.open(path)
	for plainfile.Exhausted(err) && len(w.files) > 0 {
		errs = append(errs, w.dropOldest())
		f, err = w.open(path)
	}
	return f, errors.Join(append(errs, err)...)
}

// dropOldest closes the file that was written to least recently.
func (w *Writer) dropOldest() error {
	oldest := ""
	for path, f := range w.files {
		if oldest == "" || f.used.Before(w.files[oldest].used) {
			oldest = path
		}
	}
	return errors.Join(w.files[oldest].Sync(), w.drop(oldest))
}

func (w *Writer) drop(path string) error {
	f := w.files[path]
	delete(w.files, path)
	return f.Close()
}

func (w *Writer) open(path string) (*openFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if err := Repair(path); err != nil {
		return nil, err
	}
	f, err := w.create(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	kept := &openFile{file: f}
	w.files[path] = kept
	return kept, nil
}

// sync forces the lines since the last time to disk.
func (w *Writer) sync() error {
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		if f := w.files[path]; f.dirty {
			f.dirty, errs = false, append(errs, f.Sync())
		}
	}
	w.synced = time.Now()
	return errors.Join(errs...)
}

// Close forces everything to disk.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	errs := []error{w.sync()}
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		errs = append(errs, w.drop(path))
	}
	return errors.Join(errs...)
}

// Repair mends the end of a JSON-lines file that a kill cut off: a last line
// that is complete except for its newline gets one, and a torn line is removed.
// A file that does not exist is not an error.
func Repair(path string) error {
	data, err := plainfile.Read(path, math.MaxInt64-1)
	if errors.Is(err, os.ErrNotExist) || err == nil && (len(data) == 0 || data[len(data)-1] == '\n') {
		return nil
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	file, err := plainfile.Append(path)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	start := bytes.LastIndexByte(data, '\n') + 1
	if _, err := pyval.ParseJSON(string(data[start:])); err == nil {
		_, err = file.WriteString("\n")
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Truncate(int64(start)), file.Close())
}
