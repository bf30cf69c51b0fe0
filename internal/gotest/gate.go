package gotest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// Gate makes each rule of the gate a subtest: it passes, fails, or is skipped
// if it is undecided. An undecided gate fails the test, unless
// -undecided=pass. Gate comes after Each.
func (r *Run) Gate(t *testing.T) {
	t.Helper()
	if r.Held == nil && (r.Rules == nil || r.Rules.File == "") {
		t.Skip("no gate is given: -gate=gate.yaml decides on the run by rules")
	}
	r.decided = true
	run, tests, err := r.decide()
	if err != nil {
		t.Run(gate.Complete, func(t *testing.T) { t.Fatalf("the gate decided nothing: %s", say.Printable(err.Error(), 1000)) })
		return
	}
	rules(t, tests, 0)
	for _, note := range r.decision.Notes {
		t.Log(say.Printable(note, 1000))
	}
	switch text := r.decision.Verdict(); {
	case r.stuck():
		t.Error(strings.Join(append([]string{text}, r.decision.Undecided()...), "\n  "))
	default:
		t.Log(text)
	}
	if r.Bare {
		return
	}
	if err := r.publish(t, run, tests); err != nil {
		t.Error(err)
	}
}

// stuck reports whether the gate is undecided, and that does not pass.
func (r *Run) stuck() bool {
	return r.decision.Outcome == gate.Undecided && (r.Rules == nil || !r.Rules.PassUndecided)
}

// decide checks the run that has ended. If it did not begin, or is not over,
// there is nothing to decide: an older run in its folder is another run.
func (r *Run) decide() (*tally.Run, []gate.Test, error) {
	switch {
	case r.refused != nil:
		return nil, nil, fmt.Errorf("the run did not begin, see %s", Name)
	case !r.ended:
		return nil, nil, fmt.Errorf("%s did not run", Name)
	case r.stop.interrupted():
		return nil, nil, fmt.Errorf("the run was interrupted; %s", r.GoOn)
	case r.failed != nil:
		return nil, nil, r.failed
	case r.left.Load() > 0:
		return nil, nil, fmt.Errorf("not every case has an answer; %s", r.GoOn)
	}
	run, err := r.read()
	if err != nil {
		return nil, nil, err
	}
	if r.decision, err = r.Held.Decide(run); err != nil {
		return nil, nil, err
	}
	return run, r.Held.Tests(r.decision, run), nil
}

// rules runs tests whose paths begin alike as subtests, by the path's element at a depth.
func rules(t *testing.T, tests []gate.Test, depth int) {
	for len(tests) > 0 {
		name, n := tests[0].Path[depth], 1
		for n < len(tests) && tests[n].Path[depth] == name {
			n++
		}
		same := tests[:n]
		tests = tests[n:]
		t.Run(name, func(t *testing.T) {
			if len(same[0].Path) == depth+1 {
				rule(t, same[0])
				return
			}
			rules(t, same, depth+1)
		})
	}
}

// rule is the test of a rule, or of a case that broke it.
func rule(t *testing.T, test gate.Test) {
	text := test.Text
	if test.Place != "" {
		text = test.Place + ": " + text
	}
	fmt.Fprintln(t.Output(), text)
	for _, c := range test.Cases {
		t.Run(c.Path[len(c.Path)-1], func(t *testing.T) { rule(t, c) })
	}
	switch test.Outcome {
	case gate.Failed:
		t.Fail()
	case gate.Undecided:
		t.SkipNow()
	}
}

// publish writes score and report with the decision, and tells GitHub Actions.
func (r *Run) publish(t *testing.T, run *tally.Run, tests []gate.Test) error {
	dir := r.suite.Plan.Dir
	file := export.ScoreFile{Gate: r.decision}
	if s, err := run.Score(false); err == nil {
		file = export.ScoreOf(run, s)
		file.Gate = r.decision
	}
	if err := file.Write(dir); err != nil {
		return err
	}
	if r.stuck() {
		tests = append(tests, gate.OfDecision(r.decision)...)
	}
	if err := run.Gated(gate.Report(tests)).Write(filepath.Join(dir, tally.ReportFile)); err != nil {
		return err
	}
	if r.Rules == nil {
		return nil
	}
	return export.Tell(t.Output(), r.decision, r.Rules.File)
}
