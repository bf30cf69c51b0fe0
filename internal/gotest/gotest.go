// Package gotest is the benchmark as tests: each trial of a case is a subtest
// of TestBFCL, and each rule of a gate one of TestGate.
//
//	Run      a run of the suite by a test: opened, walked, concluded
//	Each     the walk over the cases
//	Gate     the rules of a gate, after all cases
//	Main     go test's own flags, and the exit code
//
// The root's bfcl_test.go shows how they make the benchmark; `bfcl run` and
// package bfcl do the same.
package gotest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// The names of the scored test, the only one that counts, and of the gate's.
const (
	Name     = "TestBFCL"
	GateName = "TestGate"
)

// A Run is a run of the suite by a test.
type Run struct {
	// Options say what to ask, and Rules what must hold.
	Options *suite.Options
	Rules   *option.Gate
	// Terminal shows the progress of a run that may take long; may be nil.
	Terminal io.Writer
	// Bare leaves score.json and report.xml to the command that started this
	// process.
	Bare bool

	// Held is the gate; Each reads it if Rules name one.
	Held *gate.Gate

	// What only package bfcl sets: how the suite is opened; the context that
	// ends the run; the place in the user's test that failures point to; how to
	// continue; and what sees each outcome.
	Open    func() (*suite.Suite, error)
	Context context.Context
	Place   string
	GoOn    string
	Saw     func(c *eval.Case, trial int, out eval.Result)

	suite    *suite.Suite
	stop     *stop
	order    order
	results  sync.Map // of the trials so far: an eval.Result by trialKey
	keeper   func(eval.Result) eval.Result
	left     atomic.Int64   // trials without an answer
	refused  error          // why the run did not begin
	failed   error          // of writing the end of the run
	ended    bool           // the walk is over
	decided  bool           // TestGate has begun
	decision *gate.Decision // nil if nothing could be decided
	last     *tally.Run     // the run that has ended; nil if it wrote no folder
}

// A Try asks one trial of a case and judges the answer.
type Try func(t *testing.T, category *eval.Category, c *eval.Case, trial int)

// Each opens the suite, calls try for each trial of each case, in a subtest
// <category>/<case id> and, if there are several trials, <trial> below it, and
// writes the end of the run. Refusals to begin fail the test.
func (r *Run) Each(t *testing.T, try Try) {
	t.Helper()
	if r.begin(t); r.refused != nil {
		return
	}
	r.keeper = tally.Keeper(r.suite.Plan.Dataset, r.suite.Engine.Settings)
	announce(t, r.suite)
	r.suite.Engine.Begin = r.stop.begin
	r.suite.Start()
	shown := func() {}
	if r.Terminal != nil && r.suite.Plan.Model.Kind.Chat && !testing.Verbose() {
		shown = r.show(r.Terminal)
	}
	r.walk(t, try)
	shown()
	r.stop.release()
	if r.failed = r.suite.Finish(r.left.Load() > 0); r.failed != nil {
		t.Error(r.failed)
	}
	r.ended = true
	r.conclude(t)
}

// begin opens the suite.
func (r *Run) begin(t *testing.T) {
	t.Helper()
	r.suite, r.refused, r.ended, r.decision, r.last = nil, nil, false, nil, nil
	r.left.Store(0)
	r.results.Clear()
	deadline, _ := t.Deadline()
	if r.Context != nil {
		r.stop = stopOn(r.Context, nil, r.Options.Grace, deadline, false)
	} else { // from before the run folder is there, so that a signal never finds it half made
		r.stop = stopEarly(r.Options.Grace, deadline, r.Bare)
	}
	open := r.Open
	if open == nil {
		open = func() (*suite.Suite, error) { return r.open(t) }
	}
	r.suite, r.refused = open()
	if r.refused != nil {
		r.stop.release()
		if codeOf(r.refused) == ExitMisuse {
			t.Attr("refused", "usage")
		}
		t.Fatal(r.refused)
	}
	if r.Context != nil {
		return
	}
	tuneGC(r.suite.Plan.Cases())
	if dir := r.suite.Plan.Dir; dir != "" {
		r.GoOn = "continue with -resume -run-dir=" + dir
	}
}

// open opens the suite that the flags ask for.
func (r *Run) open(t *testing.T) (*suite.Suite, error) {
	o, note, err := suite.Divide(*r.Options)
	if err != nil {
		return nil, err
	}
	o.Chosen = Chosen(t.Name())
	if err := r.readGate(o); err != nil {
		return nil, err
	}
	look := func(p *suite.Plan) error { return r.look(t, p) }
	s, err := suite.Open(o, r.Held.Rehearse, look)
	if errors.Is(err, suite.ErrNoneChosen) {
		return nil, option.Misuse("%w; %s", err, theTests)
	}
	if err != nil {
		return nil, err
	}
	if note != "" {
		s.Plan.Notes = append(s.Plan.Notes, note+": "+say.Cases(s.Plan.Cases()))
	}
	return s, Clear(s.Plan.Dir)
}

// look refuses a run whose server cannot be asked, before the first case does so at
// length. For a gate, and for a run that is continued, a server that is away is an
// outage, which leaves a folder that says so.
func (r *Run) look(t *testing.T, p *suite.Plan) error {
	p.Looked = &record.Ledger{}
	if r.Bare { // the command has looked
		defer func() { _ = os.Unsetenv(LookedVariable) }()
		return p.Looked.Take(os.Getenv(LookedVariable))
	}
	ctx := r.stop.begin
	if deadline, ok := t.Deadline(); ok {
		const share = 8 // of the time
		limited, cancel := context.WithTimeout(ctx, time.Until(deadline)/share)
		defer cancel()
		ctx = limited
	}
	err := p.Model.Reach(ctx, p.Looked)
	if (r.Held != nil || r.Options.Resume) && errors.Is(err, syscall.ECONNREFUSED) {
		fmt.Fprintln(os.Stderr, err) // shown although the test passes, if the gate does not
		return nil
	}
	return err
}

// Gated reports whether a gate decides, so that a wrong answer does not fail.
func (r *Run) Gated() bool { return r.Held != nil }

// Ask returns the answer to a trial of a case: the recorded one, or the model's,
// which is recorded. If the run stops before it comes, the test is skipped.
func (r *Run) Ask(t *testing.T, category *eval.Category, c *eval.Case, trial int) engine.Answer {
	if r.stop.stopping() {
		r.skip(t, r.stop.why())
	}
	answer := r.suite.Engine.Ask(r.stop.work, category, c, trial)
	switch out := answer.Result; {
	case answer.Response != nil:
	case out.NotRun, r.stop.work.Err() != nil:
		r.suite.Engine.Verdict(category, c, answer) // it is no longer under way
		why := "the run was stopped: " + say.Plain(out.Err.Error(), 300)
		if r.stop.stopping() {
			why = r.stop.why()
		}
		r.skip(t, why)
	}
	return answer
}

// Judge returns the verdict on an answer and sets the test's attributes, which
// become properties in the JUnit file.
func (r *Run) Judge(t *testing.T, category *eval.Category, c *eval.Case, trial int, answer engine.Answer) eval.Result {
	out := r.suite.Engine.Verdict(category, c, answer)
	r.keep(category, c, trial, out)
	if r.Saw != nil {
		r.Saw(c, trial, out)
	}
	attributes(t, out)
	return out
}

// Error fails the test of a case as t.Error does, at the case's own line: it
// says what is wrong, what was asked and expected, and what was answered.
func (r *Run) Error(t *testing.T, c *eval.Case, out eval.Result) {
	r.tell(t, c, out)
	t.Fail()
}

// Skip skips the test of a case as t.Skip does, with what Error says.
func (r *Run) Skip(t *testing.T, c *eval.Case, out eval.Result) {
	r.tell(t, c, out)
	t.SkipNow()
}

func (r *Run) tell(t *testing.T, c *eval.Case, out eval.Result) {
	place := r.Place
	if place == "" {
		place = why.Place(c)
	}
	fmt.Fprintf(t.Output(), "%s: %s\n", place, why.Text(&out))
}

// Try is what the test of each case does; bfcl_test.go spells it out.
func (r *Run) Try(t *testing.T, category *eval.Category, c *eval.Case, trial int) {
	answer := r.Ask(t, category, c, trial)
	result := r.Judge(t, category, c, trial, answer)
	switch {
	case result.Passed():
	case r.Gated():
		r.Skip(t, c, result)
	default:
		r.Error(t, c, result)
	}
}

// Tests returns the benchmark's tests, for binaries that are not made by go
// test.
func (r *Run) Tests() []testing.InternalTest {
	tests := []testing.InternalTest{{Name: Name, F: func(t *testing.T) { r.Each(t, r.Try) }}}
	if r.Rules != nil && r.Rules.File != "" {
		tests = append(tests, testing.InternalTest{Name: GateName, F: r.Gate})
	}
	return tests
}

// skip skips the test of a case that has no answer.
func (r *Run) skip(t *testing.T, why string) {
	r.left.Add(1)
	t.Skip(why + "; this case has no answer yet")
}

// conclude logs the result in one line and writes score and report. It fails
// the test if cases have no answer: go test does not show how to continue if
// the test passes.
func (r *Run) conclude(t *testing.T) {
	t.Helper()
	now := r.suite.Engine.Progress.Snapshot()
	text := fmt.Sprintf("%s on %s: %d of %d passed, %d failed, %d infrastructure errors",
		say.Quote(r.suite.Plan.Run.Model, 200), r.suite.Plan.Run.Dataset, now.Passed, now.Total, now.Failed, now.Errors)
	if n := now.Total - now.Done; n > 0 {
		text += fmt.Sprintf(", %d not asked", n)
	}
	t.Log(text)
	for _, remark := range r.suite.Remarks() {
		t.Log(say.Plain(remark, 1000))
	}
	if cause := r.suite.Engine.Halted(); cause != nil {
		t.Logf("stopped: %s", say.Plain(cause.Error(), 1000))
	}
	if n := r.left.Load(); n > 0 {
		text := say.Count(int(n), "case has", "cases have") + " no answer"
		if r.GoOn != "" {
			text += "; " + r.GoOn
		}
		t.Error(text)
		return
	}
	if r.Bare || r.suite.Plan.Dir == "" || r.failed != nil {
		return
	}
	if err := r.leave(); err != nil {
		t.Error(err)
	}
}
