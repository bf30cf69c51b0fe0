package gotest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// Clear removes what an earlier start of a run that is continued made of its
// answers.
func Clear(dir string) error {
	if dir == "" {
		return nil
	}
	for _, name := range []string{tally.JUnitFile, tally.ReportFile, tally.ScoreFile, tally.LineFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("run folder: %w", err)
		}
	}
	return nil
}

// A trialKey names a trial of a case.
type trialKey struct {
	category, id string
	trial        int
}

// keep keeps a result for score and gate.
func (r *Run) keep(cat *eval.Category, c *eval.Case, trial int, out eval.Result) {
	if r.Bare && r.Held == nil {
		return
	}
	r.results.Store(trialKey{cat.Name, c.ID, trial}, r.keeper(out))
}

// read returns the run that has ended. Of a run that this process continued in
// parts, it judges the recorded answers.
func (r *Run) read() (*tally.Run, error) {
	p, n := r.suite.Plan, 0
	for range r.results.Range {
		n++
	}
	if n == p.Cases()*p.Run.Trials {
		return tally.Of(p, func(cat *eval.Category, c *eval.Case, trial int) eval.Result {
			kept, _ := r.results.Load(trialKey{cat.Name, c.ID, trial})
			return kept.(eval.Result)
		})
	}
	return tally.Read([]string{r.suite.Plan.Dir}, tally.Options{Data: r.Options.Data, Shard: true})
}

// leave writes score, if there are no infrastructure errors, and report into the run folder.
func (r *Run) leave() error {
	run, err := r.read()
	if err != nil {
		return nil //nolint:nilerr // a part of a run that is continued: the rest is still to come
	}
	if r.last = run; r.Held == nil {
		if err := run.Report().Write(filepath.Join(r.suite.Plan.Dir, tally.ReportFile)); err != nil {
			return err
		}
	}
	s, err := run.Score(false)
	if err != nil {
		return nil //nolint:nilerr // the test has named the errors
	}
	return export.ScoreOf(run, s).Write(r.suite.Plan.Dir)
}

// end returns the last lines of a run that wrote a folder: the weighted score, what
// cost most, the gate's decision, the next step, and where the files are.
func (r *Run) end() string {
	run := r.last
	if run == nil {
		return ""
	}
	name := run.Named()
	name.Path, name.Data = r.suite.Plan.Dir, r.Options.Data
	lines := []string{fmt.Sprintf("%s on %s: ", say.Printable(run.Name, 200), say.Printable(run.Dataset, 200))}
	next, _ := name.Resume()
	if s, err := run.Score(false); err != nil {
		lines[0] += fmt.Sprintf("no score: infrastructure errors ended %d of %s", run.Errors(), say.Cases(run.Len()))
	} else {
		ran := s.Overall.Ran
		lines[0] += fmt.Sprintf("%.2f%% weighted, 95%% interval %.1f to %.1f", 100*ran.Value, 100*ran.Low, 100*ran.High)
		if s.Partial() {
			lines[0] += fmt.Sprintf(", over %d of %d cases", s.Coverage.Cases, s.Coverage.Of)
		}
		next = name.Show("failures")
	}
	if f, err := run.Failures(tally.Grouping{By: cause.ByKind}); err == nil && f.Wrong > 0 {
		g := &f.Groups[0]
		lines = append(lines, f.String()+fmt.Sprintf("; most by %d × %s", g.Count, g.Text())+say.Signed(" %.2f", -g.Lost))
	} else if err == nil && f.Wrong+f.Errors == 0 {
		next = name.Show("report")
	}
	if r.decision != nil {
		lines = append(lines, r.decision.Verdict())
	}
	step := next.String()
	if run.Shard != "" && run.Errors() == 0 {
		step = advise.Named("`bfcl score` with the folders of all shards")
	}
	return strings.Join(append(lines, "next   "+step, "files  "+say.Printable(r.suite.Plan.Dir, 500)), "\n") + "\n"
}
