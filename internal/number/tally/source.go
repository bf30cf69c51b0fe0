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
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A source is a JUnit file or the records of a run folder.
type source struct {
	// path is the source, for messages.
	path string
	// run is what the source states: the content of run.json, and what JUnit
	// says where there is both. recorded reports whether there is a run.json.
	run      *record.Run
	recorded bool
	// categories and ids select the cases; see suite.Select.
	categories, ids string
	// shard is the part of the selection that was run.
	shard suite.Shard
	// junit holds the verdicts, and class is the class of those that count; nil
	// if the recorded answers are to be judged again.
	junit []JUnitCase
	class string
	keep  bool // the answers
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

func open(path string, o Options) (*source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, misuse.Errorf("%s does not exist: name a JUnit file or a run folder", strconv.Quote(path))
	case !info.IsDir():
		return openJUnit(path, o)
	}
	run, err := record.ReadRun(path)
	file := filepath.Join(path, JUnitFile)
	written, noFile := os.Stat(file)
	switch {
	case noFile == nil && !written.Mode().IsRegular():
		return nil, plainfile.Check(file)
	case os.IsNotExist(err) && noFile != nil:
		return nil, misuse.Errorf("%s holds neither %s nor run.json: it is not a run folder (`bfcl evaluate` reads upstream's result folders)", strconv.Quote(path), JUnitFile)
	case os.IsNotExist(err):
		return openJUnit(file, o)
	case err != nil:
		return nil, err
	case noFile == nil && !run.Ended.After(written.ModTime()) && !run.Idle.After(written.ModTime()):
		return openJUnit(file, o)
	}
	s := &source{path: path, run: run, recorded: true, categories: strings.Join(run.Categories, ","), ids: strings.Join(run.IDs, ","), keep: o.Answers}
	if s.shard, err = suite.ParseShard(run.Shard); err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", path, err)
	}
	run.Shard = s.shard.String()
	return s, nil
}

// openJUnit reads a JUnit file. The run.json beside it, if any, has the ids, of
// which the file may have only the number, and the run's start.
func openJUnit(path string, o Options) (*source, error) {
	file, err := ReadJUnitFile(path)
	if err != nil {
		return nil, err
	}
	s, err := newJUnit(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.keep = o.Answers
	run, err := record.ReadRun(filepath.Dir(path))
	if err == nil {
		if differ := s.differs(run); differ != "" {
			return nil, fmt.Errorf("%s does not belong to the run.json beside it: %s; put the right run.json there, or move the file to a folder without one", path, differ)
		}
		said := s.run // a resumed run may have more trials and categories by now
		run.Dataset, run.Trials, run.Shard, run.Skipped, run.Prices = said.Dataset, said.Trials, said.Shard, said.Skipped, said.Prices
		s.run, s.recorded = run, true
	}
	counted, ok := strings.CutPrefix(s.ids, "#")
	switch {
	case !ok:
	case err == nil && strconv.Itoa(len(run.IDs)) == counted:
		s.ids = strings.Join(run.IDs, ",")
	case o.IDs != "":
		if s.ids, err = suite.ReadIDs(o.IDs); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%s: the run was made of %s chosen cases, too many for the file to list: keep its run.json beside it, or give the list again with --ids", path, strconv.Quote(counted))
	}
	return s, nil
}

// differs says how a run.json and a JUnit file are of different runs; "" if
// they are of the same.
func (s *source) differs(run *record.Run) string {
	for _, field := range []struct{ name, file, run string }{
		{"model", s.run.Model, say.Plain(run.Model, 200)}, {"digest", s.run.Digest, run.Digest}, {"shard", s.run.Shard, run.Shard},
	} {
		if field.file != field.run {
			return fmt.Sprintf("%s %q, not %q", field.name, field.file, field.run)
		}
	}
	return ""
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
		len(missing), first.shard.Count, firstOf(missing, 10, strings.Clone))
}
