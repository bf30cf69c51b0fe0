package view

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
)

// The states of a run.
const (
	Complete = "complete" // scored, with every case that counts
	Part     = "part"     // scored, but not all cases that count
	Running  = "running"
	Refused  = "refused" // no score, and Why
)

// A Run is what the list shows of a run folder, from its small files alone.
type Run struct {
	// ID names the run in addresses.
	ID string
	// Path is the run's folder below the list's, and Dir as the command reads it.
	Path, Dir            string
	Model, Dataset, Mode string
	When                 time.Time
	// State is one of the above; Why says what keeps the run from a score, or how
	// far it is.
	State, Why string
	// Score, Low and High are percentages; Scored reports whether there is one.
	Scored           bool
	Score, Low, High float64
}

// Limits on what a folder may make this read.
const (
	deepest    = 6
	mostRuns   = 2000
	mostScored = 64 << 20 // bytes of a score.json
)

// errEnough ends a walk.
var errEnough = errors.New("enough runs")

// Runs lists the run folders below a folder, the newest first. Links are not
// followed, and nothing is written. More reports whether there are more than it
// lists.
func Runs(root string, now time.Time) (runs []Run, more bool, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds no runs to show
		case !d.IsDir():
			return nil
		}
		below, _ := filepath.Rel(root, path)
		if path != root && (strings.HasPrefix(d.Name(), ".") || strings.Count(below, string(filepath.Separator)) >= deepest) {
			return filepath.SkipDir
		}
		if !slices.ContainsFunc([]string{record.RunFile, tally.JUnitFile}, func(name string) bool {
			info, err := os.Lstat(filepath.Join(path, name))
			return err == nil && info.Mode().IsRegular()
		}) {
			return nil
		}
		if len(runs) == mostRuns {
			more = true
			return errEnough
		}
		runs = append(runs, read(path, below, now))
		return filepath.SkipDir
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Or(b.When.Compare(a.When), strings.Compare(a.Path, b.Path)) })
	return runs, more, err
}

// silence is the time without progress after which a run is considered dead. A
// run writes its progress several times a second.
const silence = 15 * time.Second

// read reads a run's small files.
func read(dir, below string, now time.Time) Run {
	sum := sha256.Sum256([]byte(below))
	r := Run{ID: hex.EncodeToString(sum[:8]), Path: say.Printable(filepath.ToSlash(below), 200), Dir: dir, State: Refused}
	said, err := record.ReadRun(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Why = "it has no " + record.RunFile
		if info, err := os.Lstat(filepath.Join(dir, tally.JUnitFile)); err == nil {
			r.When = info.ModTime()
		}
	case err != nil:
		r.Why = say.Printable(err.Error(), 500)
		return r
	default:
		name := said.Dataset
		if strings.ContainsAny(name, `/\`) { // folders around it
			name = filepath.Base(filepath.FromSlash(name))
		}
		r.Model, r.Dataset, r.Mode, r.When = say.Printable(said.Model, 120), say.Printable(name, 80), string(said.Mode), said.Started
	}
	if p, ok := engine.ReadProgress(dir); ok && now.Sub(p.At) < silence {
		r.State, r.Why = Running, fmt.Sprintf("%d of %d", p.Done, p.Total)
		return r
	}
	if err == nil && said.Ended.IsZero() && said.Version != "" {
		r.Why = "it did not end: continue with -resume"
	}
	if err == nil && said.Halted != "" {
		r.Why = say.Printable(said.Halted, 500)
	}
	if r.Why == "" || err != nil {
		r.scored(dir)
	}
	return r
}

// unscored says why a run has no score, from the first lines of its report.
func unscored(dir string) string {
	head := make([]byte, 512)
	if file, err := plainfile.Open(filepath.Join(dir, tally.ReportFile)); err == nil {
		_, _ = io.ReadFull(file, head)
		_ = file.Close()
	}
	_, rest, _ := strings.Cut(string(head), ` errors="`)
	var n int
	if _, err := fmt.Sscanf(rest, "%d", &n); err == nil && n > 0 {
		return say.Count(n, "infrastructure error", "infrastructure errors") + "; ask again with -resume"
	}
	return "the report says why"
}

// scored takes the score that the run's command wrote.
func (r *Run) scored(dir string) {
	text, err := plainfile.Read(filepath.Join(dir, tally.ScoreFile), mostScored)
	if errors.Is(err, fs.ErrNotExist) {
		r.Why = cmp.Or(r.Why, "it has no score: "+unscored(dir))
		return
	}
	var s struct {
		score.Run
		Complete bool       `json:"complete"`
		Overall  score.Part `json:"overall"`
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	i := s.Overall.Ran
	if s.Complete {
		i.Value, i.Low, i.High = s.Overall.Accuracy, s.Overall.Low, s.Overall.High
	}
	switch {
	case err != nil:
		r.Why = "its " + tally.ScoreFile + " cannot be read: " + say.Printable(err.Error(), 300)
		return
	case r.Model != "" && s.Model != "" && say.Printable(s.Model, 120) != r.Model:
		r.Why = "its " + tally.ScoreFile + " is of another model"
		return
	case s.Overall.NA || !(i.Low >= 0 && i.Low <= i.Value && i.Value <= i.High && i.High <= 1):
		r.Why = "nothing that counts was scored"
		return
	}
	const all = 100
	r.Model, r.State, r.Why, r.Scored = cmp.Or(r.Model, say.Printable(s.Model, 120)), Part, "", true
	r.Score, r.Low, r.High = all*i.Value, all*i.Low, all*i.High
	if s.Complete {
		r.State = Complete
	}
}

// A live view is how far a run is at one moment.
type live struct {
	*Run
	State      string
	Done       int
	Total      int
	Share      float64 // share of cases that are done, in percent
	Right      string
	Facts      []fact
	Categories []row
	Kinds      []fact
	Failures   []failure
}

// A failure is a case that failed lately, with its cause in words.
type failure struct{ ID, Cause, Reason string }

type fact struct{ Name, Value string }

// A row is a category's line.
type row struct {
	engine.Count
	// Share is the share of cases that are done, in percent.
	Share float64
	// Right, Low and High are percentages of the judged cases; Right is -1 if
	// there are none.
	Right, Low, High float64
}

func progressOf(run *Run, now engine.Snapshot, at time.Time) *live {
	v := &live{Run: run, State: now.Text(at)}
	for _, f := range now.Failures {
		v.Failures = append(v.Failures, failure{f.ID, cause.KindOf(f.ErrorType).Title(), f.Reason})
	}
	v.Done, v.Total, v.Share = now.Done, now.Total, percent(now.Done, now.Total)
	if judged := now.Passed + now.Failed; judged > 0 {
		i := stat.Wilson(now.Passed, judged, stat.Z95)
		v.Right = fmt.Sprintf("%.1f%% (%.1f to %.1f)", percent(now.Passed, judged), 100*i.Low, 100*i.High)
	}
	v.Facts = facts(now, at)
	for _, c := range now.Categories {
		r := row{Count: c, Share: percent(c.Done, c.Total), Right: -1}
		if judged := c.Passed + c.Failed; judged > 0 {
			i := stat.Wilson(c.Passed, judged, stat.Z95)
			r.Right, r.Low, r.High = percent(c.Passed, judged), 100*i.Low, 100*i.High
		}
		v.Categories = append(v.Categories, r)
	}
	for _, kind := range slices.Sorted(maps.Keys(now.Kinds)) {
		v.Kinds = append(v.Kinds, fact{kind, fmt.Sprint(now.Kinds[kind])})
	}
	return v
}

func facts(now engine.Snapshot, at time.Time) []fact {
	out := []fact{{"errors", fmt.Sprint(now.Errors)}, {"in flight", fmt.Sprint(now.InFlight)}, {"running for", at.Sub(now.Started).Round(time.Second).String()}}
	if rate := now.Rate(at); rate > 0 {
		out = append(out, fact{"rate", fmt.Sprintf("%.1f per second", rate)}, fact{"time left, about", now.Left(at).String()})
	}
	if now.Cost.Dollars > 0 {
		out = append(out, fact{"cost so far", now.Cost.Text(2)}, fact{"total cost, about", fmt.Sprintf("$%.2f", now.Projected())})
	}
	if now.Reused > 0 {
		out = append(out, fact{"recorded earlier", fmt.Sprint(now.Reused)})
	}
	return out
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
