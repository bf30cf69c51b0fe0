package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Report is the result of checking an installed dataset.
type Report struct {
	Dataset   string   `json:"dataset"`
	Folder    string   `json:"folder"`
	Files     int      `json:"files"`
	Differing []string `json:"differing"`
	Missing   []string `json:"missing"`
	// Extra are files that count as the dataset's but are not upstream's.
	Extra []string `json:"extra"`
}

// OK reports whether the dataset has exactly the files that it must have.
func (r *Report) OK() bool { return len(r.Differing)+len(r.Missing)+len(r.Extra) == 0 }

// mostShown is how many names a message lists.
const mostShown = 4

// Brief names the first files that differ, are missing or are extra.
func (r *Report) Brief() string {
	var parts []string
	for _, part := range []struct {
		what  string
		names []string
	}{{"other content", r.Differing}, {"missing", r.Missing}, {"too much", r.Extra}} {
		if len(part.names) > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", part.what, say.First(part.names, mostShown)))
		}
	}
	return strings.Join(parts, "; ")
}

// Check compares an installed dataset with its sums, file by file.
func Check(data, dataset string) (*Report, error) {
	return check(filepath.Join(fixtures.DataDir(data), dataset), dataset)
}

// InstalledIn returns the names of the datasets in the data directory.
func InstalledIn(data string) []string {
	var out []string
	entries, _ := os.ReadDir(fixtures.DataDir(data)) // without the folder nothing is installed
	for _, entry := range entries {
		if fixtures.Fetched(entry.Name()) {
			out = append(out, entry.Name())
		}
	}
	return out
}

func check(folder, dataset string) (*Report, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not installed: %s is not a folder; get it with `bfcl fetch %s`", dataset, folder, dataset)
	}
	r := &Report{Dataset: dataset, Folder: folder, Differing: []string{}, Missing: []string{}, Extra: []string{}}
	want, err := r.wanted()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, s := range want {
		known[s.Path] = true
		r.Files++
		data, err := plainfile.Read(filepath.Join(folder, filepath.FromSlash(s.Path)), defaultLimits.file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.Missing = append(r.Missing, s.Path)
		case err != nil:
			return nil, err
		case sum(data) != s.SHA256:
			r.Differing = append(r.Differing, s.Path)
		}
	}
	return r, r.findExtra(known)
}

// wanted returns the sums: the pinned ones, or else those of the installation, in
// whose place only the digest is pinned.
func (r *Report) wanted() ([]fixtures.Sum, error) {
	if pin := fixtures.Pinned(r.Dataset); pin != nil && pin.Files != nil {
		return pin.Files, nil
	}
	file := filepath.Join(r.Folder, sumsFile)
	data, err := plainfile.Read(file, defaultLimits.file)
	if err != nil {
		return nil, fmt.Errorf("the sums of %s cannot be read: %w", r.Dataset, err)
	}
	want, err := fixtures.ParseSums(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, s := range want {
		if !fs.ValidPath(s.Path) {
			return nil, fmt.Errorf("%s: %.200q is not a path of the dataset", file, s.Path)
		}
	}
	return want, nil
}

// findExtra finds files that would count in the dataset's digest but are not
// the dataset's.
func (r *Report) findExtra(known map[string]bool) error {
	return fs.WalkDir(os.DirFS(r.Folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ext := filepath.Ext(name); !known[name] && (slices.Contains([]string{".json", ".jsonl"}, ext) || strings.HasPrefix(name, "web/")) {
			r.Extra = append(r.Extra, name)
		}
		return nil
	})
}
