package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// The most that the end of a run says: notes that change the number's meaning,
// and causes that cost points.
const (
	mostNotes  = 3
	mostCauses = 3
	noteLines  = 2
)

// oracleNote says whose answers the oracle gives.
const oracleNote = "the oracle answers with the key: its score checks the suite and measures no model"

// writeBrief prints a run's score on one screen: the number, what changes its
// meaning, what cost most, and two commands. name is the run as commands name it.
func (a *app) writeBrief(run *tally.Run, s export.ScoreFile, name advise.Run) error {
	if err := score.WriteBrief(a.out, s.Score, colour(a.out)); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	if s.Detectable != nil && s.Overall.Cases > 0 {
		fmt.Fprintln(a.out, power(*s.Detectable, s.Overall.Cases))
	}
	notes := slices.Concat(s.Warnings, s.Remarks())
	if run.Model == "oracle" {
		notes = append([]string{oracleNote}, notes...)
	}
	for _, note := range notes[:min(mostNotes, len(notes))] {
		lines := say.Wrap("note: "+say.Printable(strings.Join(strings.Fields(note), " "), 1000), width-6)
		if len(lines) > noteLines {
			lines = append(lines[:noteLines-1], clip(lines[noteLines-1]+" …", width-6))
		}
		fmt.Fprintln(a.out, strings.Join(lines, "\n      "))
	}
	if s.Spend.Basis == "ledger" || s.Spend.Basis == "tokens" {
		fmt.Fprint(a.out, s.Spend.Costs())
	}
	if s.Agent != nil {
		if err := s.Agent.Write(a.out); err != nil {
			return err
		}
	}
	failures, err := run.Failures(tally.Grouping{By: cause.ByKind})
	if err != nil {
		return err
	}
	a.writeCauses(failures)
	if blame := s.Blame.String(); blame != "" {
		fmt.Fprintln(a.out, strings.Join(say.Wrap(blame, width), "\n"))
	}
	commands := []advise.Command{name.Show("report")}
	if len(failures.Groups) > 0 {
		commands = append([]advise.Command{name.Show("failures")}, commands...)
	}
	fmt.Fprintln(a.out, "\nnext:")
	for _, c := range commands {
		fmt.Fprintf(a.out, "  %s\n", c)
	}
	rest := "all figures"
	if more := len(notes) - mostNotes; more > 0 {
		rest += " and " + say.Count(more, "more note", "more notes")
	}
	_, err = fmt.Fprintf(a.out, "%s: %s\n", rest, name.Show("score", "-v"))
	return err
}

// power says which differences a run of some cases can show.
func power(detectable float64, cases int) string {
	const little = 0.2
	if detectable <= little {
		return fmt.Sprintf("smallest difference this run can detect: %.1f points (80%% power)", 100*detectable)
	}
	const ten = 0.1 // the difference goes with the square root of the number of cases
	enough := int(math.Ceil(float64(cases)*detectable*detectable/(ten*ten)/10) * 10)
	return fmt.Sprintf("%s cannot tell two models apart; about %d would show 10 points", say.Cases(cases), enough)
}

// writeCauses prints what was lost, and the causes that cost most.
func (a *app) writeCauses(f *tally.Failures) {
	if f.Failed == f.Errors {
		return
	}
	fmt.Fprintf(a.out, "\n%s\n", f)
	for i := range f.Groups[:min(mostCauses, len(f.Groups))] {
		g := &f.Groups[i]
		fmt.Fprintln(a.out, clip(fmt.Sprintf("  −%-6.2f %5d × %s", g.Lost, g.Count, g.Text()), width))
	}
}
