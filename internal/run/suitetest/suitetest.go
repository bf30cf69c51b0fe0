// Package suitetest is the body of TestBFCL: it makes each case of a suite a
// subtest. The root package's test calls it, and so does the command, which
// runs the suite itself if there is no checkout or no go toolchain.
package suitetest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/failure"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// Name is the name of the scored test, the only one that counts.
const Name = "TestBFCL"

// Unbounded makes package testing run any number of tests in parallel, which is
// by default the number of processors and is fixed once tests run: the suite
// itself bounds how many cases are worked on.
func Unbounded() {
	_ = flag.Set("test.parallel", strconv.Itoa(math.MaxInt32))
}

// Run runs the suite that the options ask for, each case as <category>/<case
// id>, and below that <trial> if there are several. It returns when all cases
// have ended. If terminal is not nil, it shows the progress of a run that may
// take long. The ending is nil if the run did not begin.
func Run(t *testing.T, o suite.Options, terminal io.Writer) *Ending {
	o, note, err := suite.Divide(o)
	if err != nil {
		t.Fatal(err)
	}
	if refusedRerun(t, o) {
		return nil
	}
	s, err := suite.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if note != "" {
		s.Plan.Notes = append(s.Plan.Notes, note+": "+count.Cases(s.Plan.Cases()))
	}
	tuneGC(s.Plan.Cases())
	deadline, _ := t.Deadline()
	r := &runner{suite: s, stop: stopEarly(o.Grace, deadline), refused: func(t *testing.T, text string) { t.Error(text) }}
	if s.Plan.Dir != "" {
		r.goOn = "continue with -resume -run-dir=" + s.Plan.Dir
	}
	if terminal != nil && s.Plan.Slow() && !testing.Verbose() {
		r.terminal = terminal
	}
	return r.run(t)
}

// A Way says how a test runs a suite that is not the benchmark of this binary.
type Way struct {
	// Context ends the run; requests in flight are cancelled.
	Context context.Context
	// Grace is how long requests in flight may take to end before the test's
	// deadline.
	Grace time.Duration
	// Refused is called for a case that did not pass, with the text that says
	// why.
	Refused func(t *testing.T, text string)
	// GoOn says how to continue a run in which cases have no answer.
	GoOn string
	// Saw is called with every outcome; may be nil.
	Saw func(c *eval.Case, trial int, out engine.Outcome)
}

// RunOpen runs an open suite and closes it. It does not handle signals, because
// the test binary is the user's.
func RunOpen(t *testing.T, s *suite.Suite, w Way) *Ending {
	t.Helper()
	deadline, _ := t.Deadline()
	stop := stopOn(w.Context, nil, w.Grace, deadline)
	r := &runner{suite: s, stop: stop, refused: w.Refused, goOn: w.GoOn, saw: w.Saw}
	return r.run(t)
}

// run runs the suite and logs the result.
func (r *runner) run(t *testing.T) *Ending {
	t.Helper()
	s := r.suite
	announce(t, s)
	s.Engine.Begin = r.stop.begin
	s.Start()
	end := &Ending{Dir: s.Plan.Dir}
	shown := func() {}
	if r.terminal != nil {
		shown = r.show(r.terminal)
	}
	suite.Each(r.stop.begin, r.stop.work, s, t, r.runTrial)
	shown()
	end.Interrupted = r.stop.interrupted()
	r.stop.release()
	end.Skipped = int(r.skipped.Load())
	if end.Err = s.Finish(end.Skipped > 0); end.Err != nil {
		t.Error(end.Err)
	}
	r.conclude(t)
	return end
}

// An Ending is how a run ended, whatever the answers were.
type Ending struct {
	// Dir is the run folder; "" if nothing was written.
	Dir string
	// Interrupted reports whether a signal ended the run.
	Interrupted bool
	// Skipped counts the trials that were not run.
	Skipped int
	// Err is the error of writing the end of the run.
	Err error
}

// tuneGC lets the heap of a run of usual size grow further between garbage
// collections, which otherwise delay requests. In a very large run most of the
// heap is the cases, which stay: there is little to collect, and no memory to
// spare. GOGC overrides this.
func tuneGC(cases int) {
	const usual, large, most = 400, 50, 10_000
	switch {
	case os.Getenv("GOGC") != "":
	case cases <= most:
		debug.SetGCPercent(usual)
	default:
		debug.SetGCPercent(large)
	}
}

// announce logs what is run, as attributes for machines and a line for people.
func announce(t *testing.T, s *suite.Suite) {
	t.Helper()
	if s.Plan.Run.ID != "" {
		t.Attr("run", s.Plan.Run.ID)
	}
	t.Attr("model", safe.Plain(s.Plan.Run.Model, 200))
	t.Attr("dataset", safe.Plain(s.Plan.Run.Dataset, 200))
	t.Attr("digest", s.Plan.Run.Digest)
	t.Attr("categories", strings.Join(s.Plan.Run.Categories, ","))
	t.Attr("trials", strconv.Itoa(s.Plan.Run.Trials))
	if s.Plan.Run.Shard != "" {
		t.Attr("shard", s.Plan.Run.Shard)
		t.Attr("job", safe.Plain(s.Plan.Run.Job, 200))
	}
	if s.Plan.Run.Variants != "" {
		t.Attr("variants", s.Plan.Run.Variants)
		t.Attr("variant_seed", strconv.FormatUint(s.Plan.Run.Seed, 10))
	}
	if p := s.Plan.Run.Prices; p != nil {
		t.Attr("prices", fmt.Sprintf("%g %g", p.Input, p.Output))
	}
	if e := s.Plan.Run.Parameters["embedder"]; e != "" {
		t.Attr("embedder", safe.Plain(e, 200))
	}
	if len(s.Plan.Run.Skipped) > 0 {
		t.Attr("skipped", skipped(s.Plan.Run.Skipped))
	}
	if s.Plan.IDs != nil {
		t.Attr("selection", selection(s.Plan.IDs))
	}
	for _, note := range slices.Concat(s.Plan.Notes, s.Plan.Dataset.Remarks()) {
		t.Log(note)
	}
	if text := s.Plan.Run.Data.Warning(); text != "" {
		t.Log(text)
	}
	if deadline, ok := t.Deadline(); ok && s.Plan.Slow() {
		t.Logf("this run stops itself before go test's timeout at %s: set -timeout=0 for long runs", deadline.Format("15:04:05"))
	}
}

// skipped lists the categories that lack keys, in the form "rest
// OMDB_API_KEY;…".
func skipped(categories map[string][]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(categories)) {
		out = append(out, name+" "+strings.Join(categories[name], " "))
	}
	return strings.Join(out, ";")
}

// selection lists the ids for the JUnit file. go test drops an attribute that
// is too long, so of a long list there is only the number.
func selection(ids []string) string {
	const longest = 3000
	if text := strings.Join(ids, ","); len(text) <= longest && !strings.ContainsAny(text, "\n\r") {
		return text
	}
	return fmt.Sprintf("#%d", len(ids))
}

type runner struct {
	suite    *suite.Suite
	stop     *stop
	refused  func(t *testing.T, text string)
	saw      func(c *eval.Case, trial int, out engine.Outcome) // may be nil
	goOn     string                                            // how to continue; "" if nothing was written
	terminal io.Writer                                         // shows the progress; may be nil
	skipped  atomic.Int64
}

func (r *runner) runTrial(t *testing.T, cat *eval.Category, c *eval.Case, trial int) {
	if r.stop.stopping() {
		r.skip(t, r.stop.why())
		return
	}
	out := r.suite.Answer(r.stop.work, cat, c, trial)
	switch {
	case out.NotRun && !r.stop.stopping():
		r.skip(t, "the run was stopped: "+safe.Plain(out.Err.Error(), 300))
		return
	case out.NotRun, out.Status == eval.Error && r.stop.work.Err() != nil:
		r.skip(t, r.stop.why())
		return
	}
	if r.saw != nil {
		r.saw(c, trial, out)
	}
	attributes(t, out)
	if !out.Passed() {
		r.refused(t, failure.Text(c, out))
	}
}

func (r *runner) skip(t *testing.T, why string) {
	r.skipped.Add(1)
	t.Skip(why + "; this case has no answer yet")
}

// attributes sets attributes, which become the test case's properties in the
// JUnit file.
func attributes(t *testing.T, out engine.Outcome) {
	if out.ErrorType != "" {
		t.Attr("error_type", out.ErrorType)
	}
	if out.Status == eval.Error {
		return
	}
	if out.CutOff {
		t.Attr(eval.CutOff, "yes")
	}
	if out.Malformed {
		t.Attr("malformed_call", "yes")
	}
	if out.Finish != "" {
		t.Attr("finish", safe.Printable(out.Finish, 100))
	}
	t.Attr("latency", strconv.FormatFloat(out.Latency.Seconds(), 'f', -1, 64))
	if out.TTFT > 0 {
		t.Attr("ttft", strconv.FormatFloat(out.TTFT.Seconds(), 'f', -1, 64))
	}
	t.Attr("input_tokens", strconv.Itoa(out.InputTokens))
	t.Attr("output_tokens", strconv.Itoa(out.OutputTokens))
	if out.Effort != nil {
		t.Attr("agent", out.Effort.String())
	}
	if out.Cost > 0 {
		t.Attr("cost", strconv.FormatFloat(out.Cost, 'f', 6, 64))
	}
}

// conclude logs the result in one line. It fails the test if cases have no
// answer: go test does not show how to continue if the test passes.
func (r *runner) conclude(t *testing.T) {
	t.Helper()
	now := r.suite.Engine.Progress.Snapshot()
	t.Logf("%s on %s: %d of %d passed, %d failed, %d infrastructure errors",
		safe.Quote(r.suite.Plan.Run.Model, 200), r.suite.Plan.Run.Dataset, now.Passed, now.Total, now.Failed, now.Errors)
	for _, remark := range r.suite.Remarks() {
		t.Log(safe.Plain(remark, 1000))
	}
	if cause := r.suite.Engine.Halted(); cause != nil {
		t.Logf("stopped: %s", safe.Plain(cause.Error(), 1000))
	}
	switch n := r.skipped.Load(); {
	case n == 0:
	case r.goOn == "":
		t.Errorf("%s no answer", count.Of(int(n), "case has", "cases have"))
	default:
		t.Errorf("%s no answer; %s", count.Of(int(n), "case has", "cases have"), r.goOn)
	}
}
