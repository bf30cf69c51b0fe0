package gotest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

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

// sayEnd prints the last lines. Of a test that passes without -v, go test shows
// nothing: then they stand on the terminal.
func (r *Run) sayEnd(code int) {
	text := r.end()
	if code == 0 && r.Terminal != nil && !testing.Verbose() {
		_, _ = fmt.Fprint(r.Terminal, text)
		return
	}
	_, _ = fmt.Fprint(os.Stdout, text)
}
