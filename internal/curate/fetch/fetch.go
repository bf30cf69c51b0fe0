// Package fetch installs the official datasets: it downloads an archive of a
// release's commit, or reads a local one, checks each file or the whole against
// its pinned SHA-256, derives the files that upstream has as Python constants, and
// moves all of them into place in one step.
//
// It is between package fixtures, which reads what is installed, and the
// command. None of upstream's code is run.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pose/completion"
)

// Licence is the licence of the official data.
const Licence = "Apache-2.0"

// Options say what to fetch, from where, and to where.
type Options struct {
	// Dataset is "v4", "v3", "v2" or "v1".
	Dataset string
	// Data is the data directory; see fixtures.DataDir.
	Data string
	// Mirror is the address of another server; "" means DefaultMirror.
	Mirror string
	// From is an archive of upstream's repository to read instead of downloading.
	From string
	// Force replaces an installed dataset that differs from its sums.
	Force bool
	// Say is called with a line for each step; may be nil.
	Say func(line string)
	// Progress is called with a download's bytes; total is 0 if it is unknown.
	Progress func(done, total int64)
}

// An Installed says which dataset is installed, and where.
type Installed struct {
	Dataset  string `json:"dataset"`
	Commit   string `json:"commit"`
	Folder   string `json:"folder"`
	Digest   string `json:"digest"`
	Licence  string `json:"licence"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Cases    int    `json:"cases"`
	Existing bool   `json:"existing"`
	// Missing says what an older release lacks compared with today's.
	Missing []string `json:"missing,omitempty"`
	// Remarks say what is unusual about the cases.
	Remarks []string `json:"remarks,omitempty"`
}

// A fetcher does one fetch.
type fetcher struct {
	Options
	pin    *fixtures.Pin
	client *http.Client
	limits limits
	// create opens a file for writing; tests replace it by a full disk.
	create func(path string, flag int) (file, error)
	// pause is the first delay before a request is repeated.
	pause time.Duration
}

// A file is an open file that is written to.
type file interface {
	io.WriteCloser
	Sync() error
}

func newFetcher(o Options) (*fetcher, error) {
	f := &fetcher{Options: o, limits: defaultLimits, pause: time.Second, pin: fixtures.Pinned(o.Dataset), client: newClient()}
	f.create = func(path string, flag int) (file, error) { return os.OpenFile(path, flag, 0o644) }
	if f.pin == nil {
		return nil, option.Misuse("%.100q cannot be fetched: use %s", o.Dataset, strings.Join(fixtures.Officials(), ", "))
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

// Run fetches a dataset. A dataset that is installed and intact is left
// unchanged. If Run fails, nothing incomplete is left in the dataset's folder.
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
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	installed, err := f.install(ctx, files)
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was installed", err)
	}
	installed.Missing = missing
	return installed, nil
}

// folder is the dataset's place; work is the folder for unfinished downloads
// and installations.
func (f *fetcher) folder() string { return filepath.Join(f.Data, f.Dataset) }
func (f *fetcher) work() string   { return filepath.Join(f.Data, ".fetch") }

// existing returns what is installed already. It is an error if that differs
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
		return nil, fmt.Errorf("%w; --force replaces the folder", err)
	case !report.OK():
		return nil, fmt.Errorf("%s is there but differs (%s); --force replaces it", f.folder(), report.Brief())
	}
	if f.pin.Name == "v4" && f.From == "" && !exists(filepath.Join(f.folder(), completion.TextsFile)) {
		f.Say(fmt.Sprintf("%s is whole, but lacks %s, which was not derived when it was installed: it is fetched again", f.folder(), completion.TextsFile))
		return nil, nil
	}
	done, err := describe(f.folder(), f.pin)
	if err == nil {
		done.Existing = true
	}
	return done, err
}

// source returns upstream's files, from a local source or downloaded.
func (f *fetcher) source(ctx context.Context) (*tree, error) {
	if f.From != "" {
		f.Say("reading " + f.From)
		return f.open(ctx, f.From)
	}
	archive, err := f.download(ctx)
	if err != nil {
		return nil, err
	}
	defer f.forget()
	return f.open(ctx, archive)
}
