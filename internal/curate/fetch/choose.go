package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/say"
)

// v4Data is the folder of the current data, below the leaderboard's folder.
const v4Data = "bfcl_eval/data/"

const (
	readme   = "README.md"
	upstream = "README.upstream.md"
	sumsFile = fixtures.SumsFile
)

// choose returns the files to install, by their paths in the dataset's folder: it
// moves upstream's to their places and derives those that upstream has as Python
// sources. If the pin names files, they are exactly those.
func (f *fetcher) choose(t *tree) (files map[string][]byte, missing []string, err error) {
	files, sources := map[string][]byte{}, map[string][]byte{}
	release := f.pin.Name
	for name, data := range t.files {
		inside, ofV4 := strings.CutPrefix(name, v4Data)
		switch {
		case name == license:
			files[name] = data
		case path.Ext(name) == ".py":
			sources[name] = data
		case ofV4 && release == "v4":
			if inside == readme {
				inside = upstream
			}
			files[inside] = data
		case !ofV4 && release == "v1":
			files[name] = data
		case release == "v2" || release == "v3":
			if place, ok := placeToday(name); ok {
				files[place] = data
			}
		}
	}
	if release == "v1" {
		return f.pinned(files, nil)
	}
	derived, missing, err := derive(sources, f.pin.Commit)
	maps.Copy(files, derived)
	if release != "v4" && err == nil {
		missing, err = shapeToday(files)
		missing = append(leaveOut(files), missing...)
	}
	if err != nil {
		return files, missing, err
	}
	return f.pinned(files, missing)
}

// pinned returns exactly the files of the pin, if it names any. The error names all that differ
// or are missing.
func (f *fetcher) pinned(files map[string][]byte, missing []string) (map[string][]byte, []string, error) {
	if f.pin.Files == nil {
		return files, missing, nil
	}
	out := make(map[string][]byte, len(f.pin.Files))
	report := &Report{Dataset: f.Dataset}
	for _, want := range f.pin.Files {
		data, ok := files[want.Path]
		switch {
		case !ok:
			report.Missing = append(report.Missing, want.Path)
		case sum(data) != want.SHA256:
			report.Differing = append(report.Differing, want.Path)
		}
		out[want.Path] = data
	}
	if report.OK() {
		if texts, ok := files[completion.TextsFile]; ok { // each was found by its own fingerprint
			out[completion.TextsFile] = texts
		}
		return out, nil, nil
	}
	cause := ""
	if len(missing) > 0 {
		cause = "; " + say.First(missing, mostShown)
	}
	return nil, nil, fmt.Errorf("this is not the data of %s (commit %s): %s%s; nothing was installed", f.Dataset, f.pin.Commit, report.Brief(), cause)
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
