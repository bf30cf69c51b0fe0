package bfcl_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/run/suitetest"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// The exit codes, which are those of the command.
const (
	exitOK          = 0
	exitNo          = 1
	exitTrouble     = 2
	exitMisuse      = 3
	exitInterrupted = 130
)

// A gated suite makes a gate's decision the exit code of its test binary. Without
// a gate, every wrong answer is a failed test, and a failed test fails the
// binary. With a gate, the failures are still in the output and in JUnit, but
// the gate alone decides.
type gated struct {
	// Options are the suite's options.
	Options suite.Options
	// Gate is the gate file, or "" for none, and Baseline the run that the gate
	// compares with this one.
	Gate, Baseline string
	// Terminal shows the progress, and that the gate passed; may be nil.
	Terminal io.Writer

	held  *gate.Gate
	ended *suitetest.Ending
}

// Test is the scored test.
func (b *gated) Test(t *testing.T) {
	b.ended = nil
	b.ended = suitetest.Run(t, b.Options, b.Terminal)
}

// Main runs the tests and returns the exit code.
func (b *gated) Main(tests interface{ Run() int }) int {
	if err := b.open(); err != nil {
		return complain(err)
	}
	code := tests.Run()
	if b.held == nil || isListing() {
		return code
	}
	decided, err := b.decide(code)
	if err != nil {
		return complain(err)
	}
	return decided
}

// open reads the gate before anything is asked.
func (b *gated) open() (err error) {
	switch {
	case b.Gate == "" && b.Baseline != "":
		return misuse.Errorf("-baseline needs -gate: name a gate file")
	case b.Gate == "":
		return nil
	case b.Options.Model == "oracle" && b.Options.RunDir == "":
		return misuse.Errorf("-gate decides on the answers in a run folder, and the oracle writes none: set -model or -run-dir")
	}
	if b.held, err = gate.For(b.Gate, b.Baseline, b.Options); err != nil || isListing() {
		return err
	}
	plan, err := suite.NewPlan(b.Options)
	if err != nil {
		return nil // the test says so
	}
	return b.held.Rehearse(plan)
}

// isListing reports whether the binary only lists its tests.
func isListing() bool {
	list := flag.Lookup("test.list")
	return list != nil && list.Value.String() != ""
}

// decide checks the run that was made against the gate. If the run did not
// begin there is nothing to decide: an older run in its folder is another run.
func (b *gated) decide(code int) (int, error) {
	switch {
	case b.ended == nil && code != exitOK:
		return exitTrouble, errors.New("the gate decided nothing: the run did not begin, see above")
	case b.ended == nil:
		return exitTrouble, fmt.Errorf("the gate decided nothing: -run left %s out", suitetest.Name)
	case b.ended.Interrupted:
		fmt.Fprintln(os.Stderr, "the gate decided nothing: the run was interrupted; continue with -resume")
		return exitInterrupted, nil
	case b.ended.Err != nil:
		return exitTrouble, fmt.Errorf("the gate decided nothing: %w", b.ended.Err)
	}
	run, err := tally.Read([]string{b.ended.Dir}, tally.Options{Data: b.Options.Data, Shard: true})
	if err != nil {
		return exitTrouble, fmt.Errorf("the gate decided nothing: %w", err)
	}
	d, err := b.held.Decide(run)
	if err != nil {
		return exitTrouble, fmt.Errorf("gate: %w", err)
	}
	return b.tell(run, d)
}

// tell writes the score and the decision to the run folder and prints the
// decision, on the terminal too, because go test does not show what a passed
// test prints. A run with infrastructure errors has no score.
func (b *gated) tell(run *tally.Run, d *gate.Decision) (int, error) {
	if s, err := run.Score(false); err == nil {
		file := export.ScoreOf(run, s)
		file.Gate = d
		if err := file.Write(b.ended.Dir); err != nil {
			return exitTrouble, err
		}
	}
	fmt.Println()
	if err := d.Write(os.Stdout, compare.Screen{}); err != nil {
		return exitTrouble, err
	}
	if err := d.Tell(os.Stdout, b.Gate); err != nil {
		return exitTrouble, err
	}
	code := map[gate.Outcome]int{gate.Passed: exitOK, gate.Failed: exitNo, gate.Undecided: exitTrouble}[d.Outcome]
	if code == exitOK && b.Terminal != nil && !testing.Verbose() {
		fmt.Fprintln(b.Terminal, safe.Printable(d.Model, 200)+": "+d.Verdict())
	}
	return code, nil
}

// complain prints an error and returns its exit code.
func complain(err error) int {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(os.Stderr, safe.Printable(line, 1000))
	}
	if misuse.Is(err) {
		return exitMisuse
	}
	return exitTrouble
}
