package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// conclude scores the run and prints where its files are.
func (r *runner) conclude(end process.Ending) error {
	dir := r.flags.o.RunDir
	run, err := r.verdictsInTime(end)
	var none *tally.Incomplete
	if end.Interrupted && errors.As(err, &none) {
		run, err = &tally.Run{Missing: none.Total}, nil
	}
	switch {
	case end.Interrupted && err == nil && run.Missing > 0: // or the signal came with the last answers
		r.interrupted(run)
		return exit(exitInterrupted)
	case end.Interrupted && err != nil:
		r.complain(fmt.Errorf("interrupted: %w; continue with\n  %s", err, r.resume()))
		return exit(exitInterrupted)
	case err != nil:
		return r.broken(end, err)
	}
	if text := run.AskedNothing(); text != "" {
		r.complain(fmt.Errorf("%s; for new answers, run without -resume or in another -run-dir", text))
	}
	if r.gate.held != nil { // the decision is in the report
		return r.score(run)
	}
	if err := run.Report().Write(filepath.Join(dir, tally.ReportFile)); err != nil {
		return err
	}
	return r.score(run)
}

// verdictsInTime reads the run, an interrupted one only until its deadline.
func (r *runner) verdictsInTime(end process.Ending) (*tally.Run, error) {
	if !end.Interrupted || end.Err != nil {
		return r.verdicts(end)
	}
	type counted struct {
		run *tally.Run
		err error
	}
	done := make(chan counted, 1)
	go func() {
		run, err := r.verdicts(end)
		done <- counted{run, err}
	}()
	select {
	case c := <-done:
		return c.run, c.err
	case <-time.After(time.Until(end.Deadline)):
		return nil, errors.New("what was recorded is kept, and takes too long to count")
	}
}

// verdicts reads the run from its JUnit, and from nothing else.
func (r *runner) verdicts(end process.Ending) (*tally.Run, error) {
	if end.Err != nil {
		return nil, end.Err
	}
	file := filepath.Join(r.flags.o.RunDir, tally.JUnitFile)
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("gotestsum left no JUnit: %w", err)
	}
	return tally.Read([]string{file}, tally.Options{Data: r.flags.o.Data, Shard: true, Unfinished: end.Interrupted})
}

// interrupted says what an interrupted run has, which is no score.
func (r *runner) interrupted(run *tally.Run) {
	known, right := 0, 0
	for _, result := range run.All() {
		switch result.Status {
		case eval.Pass:
			known, right = known+1, right+1
		case eval.Fail:
			known++
		}
	}
	fmt.Fprintf(r.err, "bfcl: interrupted: %d of %d cases have a verdict, %d of them right; recorded in %s; continue with\n  %s\n",
		known, run.Len()+run.Missing, right, r.shown(r.flags.o.RunDir), r.resume())
	r.paid()
}

// paid says what a run without a score has cost in all passes.
func (r *runner) paid() {
	run, err := tally.Read([]string{r.flags.o.RunDir}, tally.Options{Data: r.flags.o.Data, Shard: true, Receipt: true})
	if err == nil && run.Receipt != nil && (run.Receipt.Dollars > 0 || run.Receipt.Unknown > 0) {
		fmt.Fprintf(r.err, "bfcl: paid so far, in all passes: %s\n", run.Receipt.Money)
	}
}

// broken is the error of a run that has no score. It prints the last output of
// gotestsum and of the test, unless the error says all there is to say.
func (r *runner) broken(end process.Ending, err error) error {
	var incomplete *tally.Incomplete
	var refused *tally.NotBegun
	switch {
	case end.Killed != "":
		cause := end.Killed
		if cause == syscall.SIGKILL.String() { // which nobody can catch
			cause += "; out of memory?"
		}
		left := err.Error()
		if errors.As(err, &incomplete) {
			left = fmt.Sprintf("%d of %d cases have no verdict", len(incomplete.Missing), incomplete.Total)
		}
		return fmt.Errorf("the suite's process was killed (signal: %s): %s; continue with\n  %s", cause, left, r.resume())
	case errors.As(err, &refused):
		if err = errors.Join(refused, r.unmake()); refused.Usage {
			return option.MarkMisuse(err)
		}
		return err
	case errors.As(err, &incomplete) && incomplete.Stopped():
		r.paid()
		return fmt.Errorf("%s; continue with\n  %s", incomplete.Brief(), r.resume())
	}
	events := filepath.Join(r.flags.o.RunDir, process.EventsFile)
	for _, said := range []string{end.Output, process.LastWords(events)} {
		if said != "" {
			fmt.Fprintln(r.err, said)
		}
	}
	if errors.Is(err, tally.ErrNotSuite) {
		return errors.New("the suite did not run: see the output above")
	}
	err = fmt.Errorf("the run has no score: %w (the test's output is in %s)", err, r.shown(events))
	if end.Err != nil { // the suite itself has ended well
		err = fmt.Errorf("%w; continue with\n  %s", err, r.resume())
	}
	return err
}

// unmake removes the folder of a run that did not begin, which holds only what was printed.
func (r *runner) unmake() error {
	dir := r.flags.o.RunDir
	if _, err := record.ReadRun(dir); !errors.Is(err, os.ErrNotExist) {
		return nil // it holds a run that was not continued
	}
	for _, name := range []string{process.EventsFile, tally.JUnitFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	_ = os.Remove(dir) // unless it holds what is not this run's
	return nil
}

// score prints and writes the score, and the gate's decision if there is a gate.
// A gate also decides on a run that has no score because of infrastructure
// errors.
func (r *runner) score(run *tally.Run) error {
	r.done = append(r.done, run)
	r.noteAll([]*tally.Run{run})
	decision, err := r.decide(run)
	if err != nil {
		return err
	}
	s, err := run.Score(r.allowErrors)
	if err != nil {
		return r.unscored(run, decision, err)
	}
	all := export.ScoreOf(run, s)
	all.Gate = decision
	dir := r.flags.o.RunDir
	if err := all.Write(dir); err != nil {
		return err
	}
	switch {
	case r.asJSON && r.isOneOfSeveral():
		return exitOf(decision)
	case r.asJSON:
		if err := writeJSON(r.out, all); err != nil {
			return err
		}
		return exitOf(decision)
	}
	if r.verbose {
		if err := show.Score(r.out, screenOf(r.out), all); err != nil {
			return err
		}
		show.Kinds(r.out, run, r.named(run))
	} else if err := show.Brief(r.out, screenOf(r.out), run, all, r.named(run)); err != nil {
		return err
	}
	return r.writeDecision(decision)
}

// unscored is the end of a run that still holds infrastructure errors.
func (r *runner) unscored(run *tally.Run, decision *gate.Decision, err error) error {
	passed := decision != nil && decision.Outcome == gate.Passed
	show.Kinds(r.err, run, r.named(run))
	fmt.Fprintf(r.err, "report  %s\n", r.shown(filepath.Join(r.flags.o.RunDir, tally.ReportFile)))
	if run.CanAskAgain() && !passed {
		fmt.Fprintf(r.err, "resume  %s\n", r.resume())
	}
	r.paid()
	if decision == nil {
		return err
	}
	if passed {
		err = fmt.Errorf("infrastructure errors ended %s, which the gate allows: the run has no score", say.Cases(run.Errors()))
	}
	r.complain(err)
	if r.asJSON && !r.isOneOfSeveral() {
		if err := writeJSON(r.out, map[string]any{"gate": decision}); err != nil {
			return err
		}
		return exitOf(decision)
	}
	return r.writeDecision(decision)
}

// named returns the run as proposed commands name it.
func (r *runner) named(run *tally.Run) advise.Run {
	return show.Named(run, r.shown(r.flags.o.RunDir), r.flags.o.Data)
}

// shown is a path as printed: relative if it is below the current folder.
func (r *runner) shown(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	short, err := filepath.Rel(here, path)
	if err != nil || strings.HasPrefix(short, "..") {
		return path
	}
	return short
}

// resume is the command that continues this run, without what run.json states.
func (r *runner) resume() string {
	dir := r.flags.o.RunDir
	run := advise.Run{Path: r.shown(dir)}
	run.Stated, _ = record.ReadRun(dir)
	c, ok := run.Resume()
	if !ok { // it ended before run.json was written
		c.Words = slices.DeleteFunc(append([]string{"run", "-resume"}, r.flags.shownArgs()...), func(arg string) bool { return arg == "-resume=true" })
	}
	if r.allowErrors {
		c.Words = append(c.Words, "-allow-errors")
	}
	for _, given := range []struct{ name, value string }{{"start", r.start}, {"gate", r.gate.config}, {"baseline", r.gate.baseline}, {"comment", r.gate.comment}} {
		if given.value != "" {
			c.Words = append(c.Words, "-"+given.name+"="+given.value)
		}
	}
	return c.String()
}
