package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
)

// lock makes other fetches into the same data directory wait.
func (f *fetcher) lock(ctx context.Context) (unlock func(), err error) {
	const again = 200 * time.Millisecond
	l := flock.New(filepath.Join(f.work(), "lock"))
	locked, err := l.TryLock()
	if err == nil && !locked {
		f.Say("another fetch into " + f.Data + " is running: waiting for it")
		_, err = l.TryLockContext(ctx, again)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.Path(), err)
	}
	return func() { _ = l.Close() }, nil
}

// The names of folders that a fetch makes beside the datasets.
const (
	unfinished = "new-"
	replaced   = "old-"
)

// sweep removes what a killed fetch left, or puts back what it had moved aside.
// Only the holder of the lock may call it.
func (f *fetcher) sweep() error {
	entries, err := os.ReadDir(f.work())
	if err != nil {
		return err
	}
	for _, entry := range entries {
		place := filepath.Join(f.work(), entry.Name())
		name, wasReplaced := strings.CutPrefix(entry.Name(), replaced)
		switch {
		case wasReplaced && !exists(filepath.Join(f.Data, name)):
			err = os.Rename(place, filepath.Join(f.Data, name))
		case wasReplaced, strings.HasPrefix(entry.Name(), unfinished):
			err = os.RemoveAll(place)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// install writes the files beside the dataset's place and then moves them
// there.
func (f *fetcher) install(ctx context.Context, files map[string][]byte) (*Installed, error) {
	dir := filepath.Join(f.work(), unfinished+f.Dataset)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	done := false
	defer func() {
		if !done {
			_ = os.RemoveAll(dir)
		}
	}()
	if err := f.write(ctx, dir, files); err != nil {
		return nil, err
	}
	installed, err := describe(dir, f.pin)
	if err != nil {
		return nil, fmt.Errorf("the data cannot be read: %w", err)
	}
	if installed.Digest != f.pin.Digest {
		return nil, fmt.Errorf("this is not the data of %s (commit %s): its digest is %s, not %s", f.pin.Name, f.pin.Commit, installed.Digest, f.pin.Digest)
	}
	if err := f.move(dir); err != nil {
		return nil, err
	}
	done, installed.Folder = true, f.folder()
	return installed, nil
}

func (f *fetcher) write(ctx context.Context, dir string, files map[string][]byte) error {
	var sums []byte // as sha256sum writes them
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.writeFile(dir, name, files[name]); err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%s  %s\n", sum(files[name]), name)
	}
	return f.writeFile(dir, sumsFile, sums)
}

func (f *fetcher) writeFile(dir, name string, data []byte) error {
	place := filepath.Join(dir, filepath.FromSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%.200q leads out of the folder", name)
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(path.Dir(name))), 0o755); err != nil {
		return err
	}
	out, err := f.create(place, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return errors.Join(err, out.Sync(), out.Close())
}

// move moves a whole folder to the dataset's place. The old folder is first
// moved aside and removed last.
func (f *fetcher) move(dir string) error {
	aside := filepath.Join(f.work(), replaced+f.Dataset)
	if exists(f.folder()) {
		if err := os.Rename(f.folder(), aside); err != nil {
			return err
		}
	}
	if err := os.Rename(dir, f.folder()); err != nil {
		if exists(aside) {
			err = errors.Join(err, os.Rename(aside, f.folder()))
		}
		return err
	}
	return os.RemoveAll(aside)
}

// describe reads all cases of a dataset's folder and describes them.
func describe(folder string, pin *fixtures.Pin) (*Installed, error) {
	out := &Installed{Dataset: pin.Name, Commit: pin.Commit, Folder: folder, Licence: Licence}
	d, err := fixtures.Open(folder, "")
	if err != nil {
		return nil, err
	}
	if out.Digest, err = d.Digest(); err != nil {
		return nil, err
	}
	for _, cat := range categories.All() {
		if !d.Has(cat) || d.Retired(cat) || cat.Rule == eval.Varied {
			continue // not asked, or the same cases as another category's
		}
		cases, err := d.Cases(cat)
		if err != nil {
			return nil, err
		}
		out.Cases += len(cases)
	}
	out.Remarks = d.Remarks()
	return out, filepath.Walk(folder, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			out.Files++
			out.Bytes += info.Size()
		}
		return err
	})
}
