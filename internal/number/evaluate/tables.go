package evaluate

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	scorePrefix = "BFCL_v4_"
	scoreSuffix = "_score.json"
)

// v4 is upstream's present release.
var v4 = &release{
	line: scoreLine, end: "\n",
	file: func(c *category) string { return filepath.Join(c.Group, scorePrefix+c.Name+scoreSuffix) },
	place: func(path string) (model, category string, ok bool) {
		model, _, ok = strings.Cut(filepath.ToSlash(path), "/") // a file without a model's folder is none
		name, begins := strings.CutPrefix(filepath.Base(path), scorePrefix)
		category, ends := strings.CutSuffix(name, scoreSuffix)
		return model, category, ok && begins && ends
	},
	// The catalogue has facts of the models that it knows.
	facts: func(w *writer, folder string) leaderboard.Model {
		e, ok := w.catalog.Recorded(folder)
		if !ok {
			return leaderboard.Model{Name: folder}
		}
		return leaderboard.Model{
			Name: cmp.Or(e.DisplayName, e.Name), URL: e.URL, Org: e.Organization, License: e.License,
			InputPrice: e.Prices.Input, OutputPrice: e.Prices.Output,
		}
	},
	spent:       (*leaderboard.Usage).Spend,
	leaderboard: leaderboard.Tables,
}

// tables writes upstream's tables over every model in the score folder,
// including models evaluated earlier, as upstream does.
func (w *writer) tables() error {
	found, err := readScores(w.dir, w.release)
	if err != nil {
		return err
	}
	w.dropStale(found)
	var entries []leaderboard.Entry
	for _, name := range slices.Sorted(maps.Keys(found)) {
		spend, now := w.spends[name]
		if !now {
			spend = w.spend(name, &leaderboard.Usage{})
		}
		entries = append(entries, leaderboard.Entry{Model: w.facts(w, name), Accuracy: found[name].accuracy, Format: found[name].format, Spend: spend})
	}
	files, err := w.leaderboard(entries)
	if err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	return leaderboard.WriteFiles(w.dir, files)
}

// dropStale leaves out earlier score files of categories that have no score
// now.
func (w *writer) dropStale(found map[string]*earlier) {
	for _, l := range w.lacks {
		if e := found[l.Model]; e != nil {
			if _, there := e.accuracy[l.Category]; there || l.Category == prompt.Category && e.format != nil {
				w.notes = append(w.notes, fmt.Sprintf("%s, %s: an earlier score file is left out of the tables", l.Model, l.Category))
			}
			delete(e.accuracy, l.Category)
			if l.Category == prompt.Category {
				e.format = nil
			}
		}
	}
}

// An earlier is the content of a model's score files.
type earlier struct {
	accuracy map[string]score.Accuracy
	format   *leaderboard.Sensitivity
}

// readScores reads the headers of all score files, by model.
func readScores(dir string, by *release) (map[string]*earlier, error) {
	out := map[string]*earlier{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		model, category, ok := by.place(rel)
		if err != nil || !ok {
			return err
		}
		if out[model] == nil {
			out[model] = &earlier{accuracy: map[string]score.Accuracy{}}
		}
		return out[model].read(path, category)
	})
	return out, err
}

func (e *earlier) read(path, category string) error {
	head, err := readHeader(path)
	if err != nil {
		return err
	}
	if category == prompt.Category {
		if e.format, err = leaderboard.ParseSensitivity(head); err != nil {
			return fmt.Errorf("%s:1: %w: remove the file", path, err)
		}
		return nil
	}
	accuracy, _ := head.GetStr("accuracy")
	total, _ := head.GetStr("total_count")
	value, okValue := accuracy.(pyval.Float)
	count, okCount := total.(pyval.Int)
	n, _ := count.Int64()
	if !okValue || !okCount {
		return fmt.Errorf(`%s:1: "accuracy" or "total_count" is missing: remove the file`, path)
	}
	e.accuracy[category] = score.Accuracy{Value: float64(value), Total: int(n)}
	return nil
}

func readHeader(path string) (*pyval.Dict, error) {
	file, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	v, err := pyval.ParseJSON(line)
	head, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s:1: not the header of a score file: remove the file", path)
	}
	return head, nil
}
