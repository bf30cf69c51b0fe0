package record

import (
	"errors"
	"os"

	"github.com/gobfcl/bfcl/internal/kit/openfile"
)

// Files returns how many files a Writer has open at most in a process that may
// open limit files: a share of them, and those it holds in reserve.
func Files(limit int) int { return share(limit) + reserved }

const (
	// leastKept and mostKept bound how many files a Writer keeps open.
	leastKept, mostKept = 4, 512
	// reserved is how many descriptors an answer may need at once: its file, and
	// the reading of that file's end.
	reserved = 2
)

func share(limit int) int {
	const part = 8
	return min(max(limit/part, leastKept), mostKept)
}

func keptOpen() int {
	limit, ok := openfile.Limit()
	if !ok {
		return mostKept
	}
	return share(limit)
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
	for openfile.Exhausted(err) && w.makeRoom() {
		f, err = w.open(path)
	}
	w.refill()
	return f, errors.Join(append(errs, err)...)
}

// makeRoom gives up the reserve or closes a file. It reports whether there was
// one.
func (w *Writer) makeRoom() bool {
	switch {
	case len(w.reserve) > 0:
		w.giveUp()
	case len(w.files) > 0:
		_ = w.dropOldest()
	default:
		return false
	}
	return true
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

// refill opens the descriptors held in reserve, as many as it can.
func (w *Writer) refill() {
	for len(w.reserve) < reserved {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return
		}
		w.reserve = append(w.reserve, f)
	}
}

func (w *Writer) giveUp() {
	for _, f := range w.reserve {
		_ = f.Close()
	}
	w.reserve = nil
}
