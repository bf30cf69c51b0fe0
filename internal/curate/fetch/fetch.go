// Package fetch installs the official datasets: it gets an archive of one of
// upstream's commits, or reads one that lies here already, checks each file
// against its pinned SHA-256, makes the files that upstream has as Python
// constants, and puts all of it in its place in one step.
//
// Its place is between package fixtures, which reads what lies there, and the
// command. Nothing of upstream's is run.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/pose/completion"
)

// Licence is that of the official data.
const Licence = "Apache-2.0"

// Options say what is fetched, from where, and to where.
type Options struct {
	// Dataset is "v4", "v1", or the whole hash of a commit of upstream's.
	Dataset string
	// Data is the data directory; see fixtures.DataDir.
	Data string
	// Mirror is an address instead of DefaultMirror; "" for that.
	Mirror string
	// From is an archive, a checkout of upstream's or a dataset's folder that is
	// read instead of the net.
	From string
	// Force replaces an installed dataset that is not as it must be.
	Force bool
	// Say is called with what happens, a line at a time; may be nil.
	Say func(line string)
	// Progress is called with a download's bytes; total is 0 if it is not
	// known.
	Progress func(done, total int64)
}

// An Installed says what is installed where.
type Installed struct {
	Dataset  string `json:"dataset"`
	Commit   string `json:"commit"`
	Folder   string `json:"folder"`
	Digest   string `json:"digest"`
	Licence  string `json:"licence"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Cases    int    `json:"cases"`
	Pinned   bool   `json:"pinned"`
	Existing bool   `json:"existing"`
	// Missing is what a commit without pinned sums lacks of what we know.
	Missing []string `json:"missing,omitempty"`
	// Remarks say what is odd about the cases.
	Remarks []string `json:"remarks,omitempty"`
}

// A fetcher is one fetch.
type fetcher struct {
	Options
	pin    *fixtures.Pin // nil for a commit by its hash
	commit string
	client *http.Client
	limits limits
	// create opens a file to write; a test puts a full disk in its place.
	create func(path string, flag int) (file, error)
	// pause is the first wait before a request is repeated.
	pause time.Duration
}

// A file is one that is written.
type file interface {
	io.WriteCloser
	Sync() error
}

func newFetcher(o Options) (*fetcher, error) {
	f := &fetcher{Options: o, limits: defaultLimits, pause: time.Second}
	f.client = newClient()
	f.create = func(path string, flag int) (file, error) { return os.OpenFile(path, flag, 0o644) }
	f.pin, f.commit = fixtures.Pinned(o.Dataset), o.Dataset
	if f.pin != nil {
		f.commit = f.pin.Commit
	} else if !fixtures.IsCommit(o.Dataset) {
		return nil, misuse.Errorf("%.100q cannot be fetched: use v4, v1, or the full hash of an upstream commit (40 digits 0-9, a-f)", o.Dataset)
	}
	for _, name := range fixtures.Officials() {
		if pin := fixtures.Pinned(name); f.pin == nil && pin.Commit == f.commit {
			return nil, misuse.Errorf("commit %s is that of %s: use `bfcl fetch %s`", f.commit, name, name)
		}
	}
	if f.Say == nil {
		f.Say = func(string) {}
	}
	if f.Progress == nil {
		f.Progress = func(int64, int64) {}
	}
	f.Data = fixtures.DataDir(o.Data)
	return f, nil
}

// errUnreadable says that what was fetched are not cases.
var errUnreadable = errors.New("the data cannot be read")

// Run fetches a dataset. A dataset that is installed and intact is left as it
// is. If Run fails, nothing incomplete is left in the dataset's folder.
func Run(ctx context.Context, o Options) (*Installed, error) {
	f, err := newFetcher(o)
	if err != nil {
		return nil, err
	}
	return f.run(ctx)
}

func (f *fetcher) run(ctx context.Context) (*Installed, error) {
	if err := os.MkdirAll(f.work(), 0o755); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	unlock, err := f.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if done, err := f.existing(); done != nil || err != nil {
		return done, err
	}
	if err := f.sweep(); err != nil {
		return nil, err
	}
	t, err := f.source(ctx)
	if err != nil {
		return nil, err
	}
	files, missing, err := f.choose(t)
	if err != nil {
		f.forget() // what it holds is wrong: it must not be gone on with
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	installed, err := f.install(ctx, files)
	if err != nil {
		if errors.Is(err, errUnreadable) {
			f.forget()
		}
		return nil, fmt.Errorf("%w; nothing was installed", err)
	}
	installed.Missing = missing
	f.forget()
	return installed, nil
}

// folder is the dataset's place; work is where unfinished things lie.
func (f *fetcher) folder() string { return filepath.Join(f.Data, f.Dataset) }
func (f *fetcher) work() string   { return filepath.Join(f.Data, ".fetch") }

// existing is what is installed already. It is an error where that differs
// from what must be there, unless it is to be replaced.
func (f *fetcher) existing() (*Installed, error) {
	if _, err := os.Lstat(f.folder()); errors.Is(err, os.ErrNotExist) || f.Force && f.From != "" {
		return nil, nil
	}
	report, err := check(f.folder(), f.Dataset)
	switch {
	case f.Force && (err != nil || !report.OK()):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w; -force replaces the folder", err)
	case !report.OK():
		return nil, fmt.Errorf("%s is there but differs, %s; -force replaces it", f.folder(), report.Brief())
	}
	if f.lacksTexts() {
		return nil, nil
	}
	done, err := describe(f.folder(), f.Dataset, f.commit, f.pin != nil)
	if err == nil {
		done.Existing = true
	}
	return done, err
}

// lacksTexts reports whether an installation was made before handlers' texts
// were derived: it is made anew.
func (f *fetcher) lacksTexts() bool {
	return f.pin != nil && f.pin.Name == "v4" && f.From == "" && !exists(filepath.Join(f.folder(), completion.TextsFile))
}

// source are upstream's files, from here or from the net.
func (f *fetcher) source(ctx context.Context) (*tree, error) {
	if f.From != "" {
		f.Say("reading " + f.From)
		return f.open(ctx, f.From)
	}
	archive, err := f.download(ctx)
	if err != nil {
		return nil, err
	}
	t, err := f.open(ctx, archive)
	if err != nil && ctx.Err() == nil {
		f.forget()
	}
	return t, err
}
