// Package suitetest is the body of TestBFCL: it makes each case of a suite a
// subtest. The root package's test calls it, and so does the command, which
// can run the suite where there is no checkout and no go toolchain.
package suitetest

import (
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/failure"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// Name is the scored test's; nothing else is scored.
const Name = "TestBFCL"

// Run runs the suite that the options ask for: <category>/<case id>, and below
// that the trial where there are several. A line with the progress of a run that
// may take long is kept on the terminal; nil is none.
//
// The ending is filled in once the test has ended; it is nil where the run did
// not begin.
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
		s.Notes = append(s.Notes, fmt.Sprintf("%s: %d cases", note, s.Cases()))
	}
	tuneGC(s.Cases())
	deadline, _ := t.Deadline()
	r := &runner{suite: s, stop: stopEarly(o.Grace, deadline), places: make(chan struct{}, s.Places)}
	announce(t, s)
	s.Start()
	end := &Ending{Dir: s.Dir}
	shown := func() {}
	if terminal != nil && s.Slow() && !testing.Verbose() {
		shown = r.show(terminal)
	}
	t.Cleanup(func() {
		shown()
		end.Interrupted = r.stop.interrupted()
		r.stop.release()
		if end.Err = s.Finish(r.skipped.Load() > 0); end.Err != nil {
			t.Error(end.Err)
		}
		r.conclude(t)
	})
	for _, part := range s.Parts {
		t.Run(part.Category.Name, func(t *testing.T) {
			t.Parallel()
			r.runCategory(t, part.Category, part.Cases)
		})
	}
	return end
}

// An Ending is how a run ended, whatever the answers were.
type Ending struct {
	// Dir is the run folder; "" where nothing was written.
	Dir string
	// Interrupted reports whether a signal ended the run.
	Interrupted bool
	// Err is what kept the end of the run from being written.
	Err error
}

// tuneGC lets the heap of a run of usual size grow further between
// collections, which otherwise hold up the requests that are due. Of a very
// large run most of the heap are the cases, which stay: there is no memory to
// spare, and little to collect. GOGC overrules it.
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

// announce says what is run, as attributes for machines and a line for people.
func announce(t *testing.T, s *suite.Suite) {
	t.Attr("model", safe.Plain(s.Run.Model, 200))
	t.Attr("dataset", safe.Plain(s.Run.Dataset, 200))
	t.Attr("digest", s.Run.Digest)
	t.Attr("categories", strings.Join(s.Run.Categories, ","))
	t.Attr("trials", strconv.Itoa(s.Run.Trials))
	if s.Run.Shard != "" {
		t.Attr("shard", s.Run.Shard)
	}
	if p := s.Run.Prices; p != nil {
		t.Attr("prices", fmt.Sprintf("%g %g", p.Input, p.Output))
	}
	if e := s.Run.Parameters["embedder"]; e != "" {
		t.Attr("embedder", safe.Plain(e, 200))
	}
	if len(s.Run.Skipped) > 0 {
		t.Attr("skipped", skipped(s.Run.Skipped))
	}
	if s.IDs != nil {
		t.Attr("selection", selection(s.IDs))
	}
	for _, note := range slices.Concat(s.Notes, s.Dataset.Remarks()) {
		t.Log(note)
	}
	if text := s.Run.Data.Warning(); text != "" {
		t.Log(text)
	}
	if deadline, ok := t.Deadline(); ok && s.Slow() {
		t.Logf("this run stops itself before go test does at %s: give -timeout=0 for long ones", deadline.Format("15:04:05"))
	}
}

// skipped states the categories that lack keys: "rest OMDB_API_KEY;…".
func skipped(categories map[string][]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(categories)) {
		out = append(out, name+" "+strings.Join(categories[name], " "))
	}
	return strings.Join(out, ";")
}

// selection states the ids in the JUnit file; an attribute that is too long
// would be dropped silently, so a long list is only counted.
func selection(ids []string) string {
	const longest = 3000
	if text := strings.Join(ids, ","); len(text) <= longest && !strings.ContainsAny(text, "\n\r") {
		return text
	}
	return fmt.Sprintf("#%d", len(ids))
}

type runner struct {
	suite   *suite.Suite
	stop    *stop
	places  chan struct{} // a trial that runs holds one
	skipped atomic.Int64
}

// runCategory starts a subtest when there is a place for it, and not before:
// t.Parallel would start all of them first and let them wait, a goroutine each
// and three lines of output in place of one.
//
// Cases that need conversations before them do go that way, for only go test
// knows which cases its -run chooses, and the conversations are to begin before
// the questions have their turn.
func (r *runner) runCategory(t *testing.T, cat *eval.Category, cases []*eval.Case) {
	var running sync.WaitGroup
	defer running.Wait()
	for _, c := range cases {
		if len(c.Needs) > 0 {
			t.Run(c.ID, func(t *testing.T) {
				r.suite.Expect(r.stop.begin, r.stop.work, cat, c)
				t.Parallel()
				r.places <- struct{}{}
				r.runCase(t, cat, c)
			})
			continue
		}
		r.places <- struct{}{}
		running.Go(func() {
			chosen := false
			t.Run(c.ID, func(t *testing.T) {
				chosen = true
				r.runCase(t, cat, c)
			})
			if !chosen { // by go test's -run
				r.leave()
			}
		})
	}
}

// runCase runs a case's trials, the first of them at the place that the caller
// has taken.
func (r *runner) runCase(t *testing.T, cat *eval.Category, c *eval.Case) {
	trials := r.suite.Run.Trials
	if trials == 1 {
		defer r.leave()
		r.runTrial(t, cat, c, 0)
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	for trial := range trials {
		if trial > 0 {
			r.places <- struct{}{}
		}
		running.Go(func() {
			defer r.leave()
			t.Run(strconv.Itoa(trial+1), func(t *testing.T) { r.runTrial(t, cat, c, trial) })
		})
	}
}

func (r *runner) leave() { <-r.places }

func (r *runner) runTrial(t *testing.T, cat *eval.Category, c *eval.Case, trial int) {
	if r.stop.stopping() {
		r.skip(t, r.stop.why())
		return
	}
	out := r.suite.Answer(r.stop.work, cat, c, trial)
	switch {
	case out.NotRun:
		r.skip(t, "the run was stopped: "+safe.Plain(out.Err.Error(), 300))
		return
	case out.Status == eval.Error && r.stop.work.Err() != nil:
		r.skip(t, r.stop.why())
		return
	}
	attributes(t, out)
	if !out.Passed() {
		t.Error(failure.Text(c, out))
	}
}

func (r *runner) skip(t *testing.T, why string) {
	r.skipped.Add(1)
	t.Skip(why + "; this case has no answer yet")
}

// attributes become the test case's properties in the JUnit file.
func attributes(t *testing.T, out engine.Outcome) {
	if out.ErrorType != "" {
		t.Attr("error_type", out.ErrorType)
	}
	if out.Status == eval.Error {
		return
	}
	if word := out.ComparedWord(); word != "" {
		t.Attr("compared", word)
	}
	if out.CutOff {
		t.Attr(eval.CutOff, "yes")
	}
	t.Attr("latency", strconv.FormatFloat(out.Latency.Seconds(), 'f', -1, 64))
	if out.TTFT > 0 {
		t.Attr("ttft", strconv.FormatFloat(out.TTFT.Seconds(), 'f', -1, 64))
	}
	t.Attr("input_tokens", strconv.Itoa(out.InputTokens))
	t.Attr("output_tokens", strconv.Itoa(out.OutputTokens))
	if out.Cost > 0 {
		t.Attr("cost", strconv.FormatFloat(out.Cost, 'f', 6, 64))
	}
}

// conclude logs the result in one line. A run with cases that have no answer is
// not passed: go test would hide how to go on.
func (r *runner) conclude(t *testing.T) {
	now := r.suite.Engine.Progress.Snapshot()
	t.Logf("%s on %s: %d of %d passed, %d failed, %d infrastructure errors",
		safe.Quote(r.suite.Run.Model, 200), r.suite.Run.Dataset, now.Passed, now.Total, now.Failed, now.Errors)
	for _, remark := range r.suite.Remarks() {
		t.Log(safe.Plain(remark, 1000))
	}
	if cause := r.suite.Engine.Halted(); cause != nil {
		t.Logf("stopped: %s", safe.Plain(cause.Error(), 1000))
	}
	switch n := r.skipped.Load(); {
	case n == 0:
	case r.suite.Dir == "":
		t.Errorf("%d cases have no answer", n)
	default:
		t.Errorf("%d cases have no answer; go on with -resume -run-dir=%s", n, r.suite.Dir)
	}
}
