package tally

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A source is a run folder, or a JUnit file by itself.
type source struct {
	// path is the source, for messages, and dir the run folder with the answers; ""
	// for JUnit by itself.
	path, dir string
	// run is what the source states.
	run *record.Run
	// categories and ids select the cases; see suite.Select.
	categories, ids string
	// shard is the part of the selection that was run.
	shard suite.Shard
	// junit are the test cases, and class the class of those that count. Beside
	// answers they tell only what these do not, and trouble is why they do not.
	junit   []JUnitCase
	class   string
	trouble error
	keep    bool // the answers
}

// File names in a run folder.
const (
	// JUnitFile is what gotestsum writes.
	JUnitFile = "junit.xml"
	// ReportFile is the report for people.
	ReportFile = "report.xml"
	// ScoreFile is the score as JSON.
	ScoreFile = "score.json"
	// LineFile is the score as a line of JSON, for trackers of experiments.
	LineFile = "score.jsonl"
)

// open opens a run folder with run.json, or a JUnit file. A file beside the run.json
// of its own run is that run's folder.
func open(path string, o Options) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, misuse.Errorf("%s does not exist: name a JUnit file or a run folder", strconv.Quote(path))
	}
	dir, file := path, filepath.Join(path, JUnitFile)
	if !info.IsDir() {
		dir, file = filepath.Dir(path), path
	}
	run, err := record.ReadRun(dir)
	written, noFile := os.Stat(file)
	switch {
	case noFile == nil && !written.Mode().IsRegular():
		return nil, plainfile.Check(file)
	case os.IsNotExist(err) && noFile != nil:
		return nil, misuse.Errorf("%s holds neither %s nor run.json: it is not a run folder (`%s` reads a result folder of upstream's)", strconv.Quote(path), JUnitFile, advise.Command{Words: []string{"evaluate", "--result-dir", path}})
	case err != nil && !os.IsNotExist(err) && info.IsDir():
		return nil, err
	}
	var tests *source
	var trouble error
	if noFile == nil {
		document, err := ReadJUnitFile(file)
		if trouble = err; err == nil {
			if tests, err = newJUnit(document); err != nil {
				trouble = fmt.Errorf("%s: %w", file, err)
			} else {
				tests.keep = o.Answers
			}
		}
	}
	if tests != nil && err == nil && tests.run.ID != "" && !tests.of(run) {
		trouble = fmt.Errorf("%s is of another run", file)
	}
	switch {
	case tests == nil && trouble != nil && (err != nil || !info.IsDir()):
		return nil, trouble
	case err != nil, !info.IsDir() && !tests.of(run):
		return tests, tests.chosen(o)
	}
	s := &source{path: path, dir: dir, run: run, categories: strings.Join(run.Categories, ","), ids: strings.Join(run.IDs, ","), trouble: trouble, keep: o.Answers}
	if s.shard, err = suite.ParseShard(run.Shard); err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", path, err)
	}
	run.Shard = s.shard.String()
	if tests != nil && tests.of(run) && !run.Ended.After(written.ModTime()) && !run.Idle.After(written.ModTime()) {
		s.junit, s.class = tests.junit, tests.class
	}
	return s, nil
}

// of reports whether a JUnit file is of the run that a run.json states.
func (s *source) of(run *record.Run) bool {
	return s.run.ID == run.ID && s.run.Model == run.Model && s.run.Digest == run.Digest && s.run.Shard == run.Shard
}

// chosen finds the ids of a run of which the file has only their number.
func (s *source) chosen(o Options) (err error) {
	counted, ok := strings.CutPrefix(s.ids, "#")
	switch {
	case !ok:
	case o.IDs != "":
		s.ids, err = suite.ReadIDs(o.IDs)
	default:
		err = fmt.Errorf("%s: the run was made of %s chosen cases, too many for the file to list: keep its run.json beside it, or give the list again with --ids", s.path, strconv.Quote(counted))
	}
	return err
}

// agree checks that all sources are parts of one run. The notes name the
// differences that are allowed, and what is not known.
func agree(sources []*source) (notes []string, err error) {
	note := func(text string) {
		if text != "" && !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	first, seen := sources[0], map[string]string{}
	for i, c := range sources {
		note(c.run.WithoutID())
		if c.trouble != nil {
			note(fmt.Sprintf("%v: it was not read", c.trouble))
		}
		if other := seen[c.run.ID]; other != "" && c.run.ID != "" {
			return nil, fmt.Errorf("%s and %s are the same run (%s): name each shard once", other, c.path, say.Plain(c.run.ID, 50))
		}
		if seen[c.run.ID] = c.path; i == 0 {
			continue
		}
		differently, differ := record.Mergeable(first.run, c.run)
		if differ != nil {
			return nil, fmt.Errorf("these are different runs: %s has %s %q, %s has %q; score one run at a time", first.path, differ.Field, differ.A, c.path, differ.B)
		}
		note(differently)
		if c.run.Job == "" || first.run.Job == "" {
			note("nothing names the run that the shards are parts of (-job): they count as one because their settings are equal and their numbers differ")
		}
	}
	return notes, nil
}

// gather checks that the sources are a whole run or all of its shards, each
// once. A single shard is accepted if Options.Shard allows it.
func gather(sources []*source, o Options) error {
	first := sources[0]
	if first.shard.Whole() || o.Shard && len(sources) == 1 {
		return nil
	}
	from := map[int]string{}
	for _, c := range sources {
		if other, dup := from[c.shard.Index]; dup {
			return fmt.Errorf("%s and %s are both shard %s: name each shard once", other, c.path, c.shard)
		}
		from[c.shard.Index] = c.path
	}
	var missing []string
	for i := range first.shard.Count {
		if from[i] == "" {
			missing = append(missing, strconv.Itoa(i)+"/"+strconv.Itoa(first.shard.Count))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%d of the run's %d shards are missing: %s; a score needs all of them: name their folders too",
		len(missing), first.shard.Count, firstOf(missing, 10))
}
