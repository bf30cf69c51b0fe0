package tally

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/number/junit"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/shard"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A claim is what a source says that it is the result of.
type claim struct {
	// path is the source, for messages.
	path string
	// model, dataset and digest must be the same for all shards.
	model, dataset, digest string
	trials                 int
	// categories and ids select the cases; see suite.Select.
	categories, ids string
	// shard is the part of these that was run.
	shard   shard.Shard
	started time.Time
	// input and output are the model's prices in dollars per million tokens;
	// nil where none is known.
	input, output *float64
	// embedder is what turned texts into vectors; "" where none was needed.
	embedder string
	// skipped are categories that were left out, with the variables of the
	// keys that were missing.
	skipped map[string][]string
	// settings are those of run.json; zero without one.
	settings eval.Settings
}

// A source is a JUnit file or the records of a run folder.
type source interface {
	claim() claim
	fill(b *board) error
}

// File names in a run folder.
const (
	// JUnitFile is what gotestsum writes.
	JUnitFile = "junit.xml"
	// ReportFile is the enriched report.
	ReportFile = "report.xml"
	// ScoreFile is the score as JSON.
	ScoreFile = "score.json"
)

func open(path string, o Options) (source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, misuse.Errorf("%s is not there: name a JUnit file or a run folder", strconv.Quote(path))
	case !info.IsDir():
		return openSheet(path, o)
	}
	run, err := record.ReadRun(path)
	sheet := filepath.Join(path, JUnitFile)
	written, noSheet := os.Stat(sheet)
	switch {
	case noSheet == nil && !written.Mode().IsRegular():
		return nil, plainfile.Check(sheet)
	case os.IsNotExist(err) && noSheet != nil:
		return nil, misuse.Errorf("%s holds neither %s nor run.json: it is no run folder (`bfcl evaluate` reads upstream's result folders)", strconv.Quote(path), JUnitFile)
	case os.IsNotExist(err):
		return openSheet(sheet, o)
	case err != nil:
		return nil, err
	case noSheet == nil && !run.Ended.After(written.ModTime()):
		return openSheet(sheet, o)
	}
	return openRecords(path, run, o)
}

// openSheet reads a JUnit file; the run.json beside it, if any, knows the ids
// that the file may only count, and when the run began.
func openSheet(path string, o Options) (source, error) {
	file, err := junit.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := newSheet(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.keep = o.Answers
	run, err := record.ReadRun(filepath.Dir(path))
	if err == nil {
		s.said.started, s.said.settings = run.Started, run.Settings()
	}
	counted, ok := strings.CutPrefix(s.said.ids, "#")
	switch {
	case !ok:
	case err == nil && strconv.Itoa(len(run.IDs)) == counted:
		s.said.ids = strings.Join(run.IDs, ",")
	case o.IDs != "":
		if s.said.ids, err = suite.ReadIDs(o.IDs); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%s: the run was made of %s chosen cases, too many for the file to list: keep its run.json beside it, or give the list again with --ids", path, strconv.Quote(counted))
	}
	return s, nil
}

// mode is a source's way of asking, as far as it can be told from another's:
// JUnit without its run.json does not know it.
func mode(s, other eval.Settings) string {
	if s.Mode == "" || other.Mode == "" {
		return ""
	}
	return fmt.Sprintf("%s, dialect %q, underscore_to_dot %t", s.Mode, s.Dialect, s.UnderscoreToDot)
}

// agree checks that all sources are parts of one run.
func agree(sources []source) error {
	first := sources[0].claim()
	for _, s := range sources[1:] {
		c := s.claim()
		for _, d := range []struct{ what, a, b string }{
			{"model", first.model, c.model},
			{"dataset", first.dataset, c.dataset},
			{"dataset digest", first.digest, c.digest},
			{"number of trials", strconv.Itoa(first.trials), strconv.Itoa(c.trials)},
			{"mode", mode(first.settings, c.settings), mode(c.settings, first.settings)},
			{"shards", strconv.Itoa(first.shard.Count), strconv.Itoa(c.shard.Count)},
		} {
			if d.a != d.b {
				return fmt.Errorf("these are different runs: %s has %s %q, %s has %q; score one run at a time", first.path, d.what, d.a, c.path, d.b)
			}
		}
	}
	return nil
}
