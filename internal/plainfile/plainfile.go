// Package plainfile opens files in folders that may come from a stranger. It
// refuses whatever is not a regular file, such as a pipe or a link to a device:
// reading it might never end. It also refuses files larger than any run's: a
// sparse file costs its maker nothing. A link to a regular file is accepted for
// reading but not for writing.
package plainfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// maxSize is the largest file that is read.
const maxSize = 2 << 30

var (
	errIrregular = errors.New("not a regular file")
	errLarge     = fmt.Errorf("larger than %d GB", maxSize>>30)
)

func check(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errIrregular
	case info.Size() > maxSize:
		return errLarge
	}
	return nil
}

// Check returns nil for a regular file.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := check(info); err != nil {
		return fmt.Errorf("%s is %w: remove it", path, err)
	}
	return nil
}

// Open opens a regular file to read.
func Open(path string) (*os.File, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Read returns the content of a regular file; a file of more than the given
// number of bytes is an error.
func Read(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, most)
	}
	return data, err
}

// ErrLong says that a line is longer than it may be; the limit follows.
var ErrLong = errors.New("the line is longer than")

// Line returns the next line with its end, if it has one: without one, the error
// is io.EOF. A line of more than the given number of bytes is passed over, with
// ErrLong.
func Line(in *bufio.Reader, most int) (string, error) {
	var b strings.Builder
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || b.Len()+len(part) > most; !long {
			b.Write(part)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return "", fmt.Errorf("%w %d MB", ErrLong, most>>20)
		default:
			return b.String(), err
		}
	}
}

// Append opens a regular file for appending, creating it if it does not exist.
func Append(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a link or not a regular file, and is not written to: remove it", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
}

// An FS has only the folders and regular files of another FS.
type FS struct{ files fs.FS }

// Only limits an FS to its folders and regular files.
func Only(files fs.FS) FS { return FS{files} }

// Open implements fs.FS.
func (f FS) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if err := check(info); err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("this is %w", err)}
		}
	}
	return f.files.Open(name)
}

// Stat implements fs.StatFS: opening a pipe would wait for its writer.
func (f FS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.files, name) }

// ReadDir implements fs.ReadDirFS.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.files, name) }

// OpenLimit returns how many files the process may have open; ok is false if the
// system sets no limit of its own or does not report it. Go raises the soft
// limit to the hard one when a program starts.
func OpenLimit() (n int, ok bool) { return limit() }

// OpenFiles returns how many files the process has open; 0 if the system does not
// report it.
func OpenFiles() int {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0
	}
	return len(entries) - 1 // the open folder itself is one of them
}

// Exhausted reports whether an error says that no more files can be opened
// because the process or the system has reached its limit.
func Exhausted(err error) bool {
	if err == nil {
		return false
	}
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE} {
		// Failed host lookups quote the reason instead of wrapping it.
		if errors.Is(err, errno) || strings.HasSuffix(err.Error(), ": "+errno.Error()) {
			return true
		}
	}
	return false
}
