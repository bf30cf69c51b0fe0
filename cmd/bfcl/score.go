package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

func (a *app) scoreCommand() *cobra.Command {
	var allowErrors, withErrata, failed, verbose, allowGateway bool
	var report string
	var others []string
	var o tally.Options
	cmd := &cobra.Command{
		Use:   "score FILE-OR-FOLDER...",
		Short: "Score a run from its JUnit files or run folders",
		Long: `Score a run, given as JUnit files that gotestsum wrote or as run folders.
Several of them are the shards of one run, and so are those inside a folder. A
run folder without junit.xml, as plain go test leaves it, is scored from its
recorded answers.

Exactly the cases that the run says it has are counted: missing, duplicate and
unknown ones are errors. Infrastructure errors have no score and are refused,
unless --allow-errors counts them as upstream does: as answers without a call,
which are wrong unless no call is expected. With several trials, the accuracy of
a case is the mean over its trials.

The estimate from a sample is more precise if --others names runs of all cases,
such as that of the last release, which show how hard each case is.

--failed adds a list of the cases that failed; bfcl failures groups them
by cause.

For official data, the score without cases that have a listed defect stands
beside the official one: see bfcl errata. --errata shows it by group and
category too.

` + exitCodes,
		Example: `  bfcl score results/heuristic
  bfcl score --json shard-*/junit.xml
  bfcl score --junit report.xml results/heuristic`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			o.Answers = true // the audit judges them
			if o.Receipt {
				o.Shard = true
			}
			run, err := tally.Read(paths, o)
			if err != nil {
				return err
			}
			a.noteAll([]*tally.Run{run})
			if o.Receipt {
				return a.writeReceipt(run)
			}
			if report != "" {
				if err := run.Report().Write(report); err != nil {
					return err
				}
			}
			run.AllowGateway = allowGateway
			s, err := run.Score(allowErrors)
			if err != nil {
				return err
			}
			beside, err := otherRuns(run, others, o)
			if err != nil {
				return err
			}
			all := export.ScoreOf(run, s, beside...)
			if a.asJSON {
				return writeJSON(a.out, all)
			}
			switch {
			case len(paths) == 1 && !verbose && !withErrata && !failed:
				return a.writeBrief(run, all, named(run, paths[0], o.Data))
			default:
				err = a.writeScore(all, withErrata)
			}
			if err != nil || !failed {
				return err
			}
			return a.writeFailed(run)
		},
	}
	a.jsonFlag(cmd, "print JSON instead of a table")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show everything: categories, all notes, how far answers got, cost")
	cmd.Flags().BoolVar(&failed, "failed", false, "list the cases that failed, each with the reason")
	cmd.MarkFlagsMutuallyExclusive("json", "failed")
	cmd.Flags().BoolVar(&o.Receipt, "receipt", false, "show instead what was sent and paid: requests, retries, dollars, proxies")
	cmd.Flags().BoolVar(&withErrata, "errata", false, "show what defects of the benchmark leave, by group and category")
	cmd.Flags().StringSliceVar(&others, "others", nil, "`runs` of all cases, comma separated, that show how hard the cases of a sample are")
	cmd.Flags().StringVar(&report, "junit", "", "write the report for CI test views to this `file`")
	cmd.Flags().BoolVar(&allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().BoolVar(&allowGateway, "allow-gateway", false, "score a run of whose answers a fifth or more are a gateway's: its errors' texts, web pages, or nothing for tokens")
	dataFlag(cmd, &o.Data)
	cmd.Flags().StringVar(&o.Dataset, "dataset", "", "the dataset's `folder`, if it has moved since the run")
	cmd.Flags().StringVar(&o.IDs, "ids", "", "the case `ids` of a run whose JUnit has only their number, or @file")
	return cmd
}

// writeReceipt prints what a run sent and paid.
func (a *app) writeReceipt(run *tally.Run) error {
	switch {
	case run.Receipt == nil:
		return misuse.Errorf("the run has no ledger (%s): it was made with -no-ledger, by an older bfcl, or its folder is not at hand", record.LedgerFile)
	}
	return a.show(run.Receipt, func() error { return run.Receipt.Write(a.out) })
}

// writeScore prints the score's table, the ladder, and what the run cost.
func (a *app) writeScore(s export.ScoreFile, audited bool) error {
	if err := score.WriteTable(a.out, s.Score, colour(a.out)); err != nil {
		return err
	}
	if s.Whole != nil {
		fmt.Fprintf(a.out, "%s\n", s.Whole)
	}
	if s.Lost != nil {
		fmt.Fprintf(a.out, "%s\n", s.Lost)
	}
	if unit := s.Overall.Ran.Unit; unit != "" && unit != "case" {
		fmt.Fprintln(a.out, "Intervals are about other scenarios, conversations and questions of this kind, not these again.")
	}
	if s.Audit != nil {
		if err := s.Audit.Write(a.out, s.Score, audited); err != nil {
			return err
		}
	}
	if s.Standing != nil {
		fmt.Fprintf(a.out, "\n%s\n", s.Standing)
	}
	if err := s.Findings.Write(a.out); err != nil {
		return err
	}
	if line := s.Blame.String(); line != "" {
		fmt.Fprintf(a.out, "\n%s.\n", strings.Join(say.Wrap(line, width), "\n  "))
	}
	if s.Trials != nil {
		if err := s.Trials.Write(a.out); err != nil {
			return err
		}
	}
	if s.Agent != nil {
		fmt.Fprintln(a.out)
		if err := s.Agent.Write(a.out); err != nil {
			return err
		}
	}
	if s.Spend.Asked() {
		fmt.Fprintln(a.out)
		if err := s.Spend.Write(a.out); err != nil {
			return err
		}
	}
	if s.Gateway != nil {
		fmt.Fprintf(a.out, "\n%s\n", s.Gateway)
	}
	return nil
}

// trialName is a case's id, with its trial if there are several.
func trialName(r *eval.Result, run *tally.Run) string {
	if run.Trials < 2 {
		return r.Case.ID
	}
	return fmt.Sprintf("%s (trial %d)", r.Case.ID, r.Trial+1)
}

// writeFailed lists the cases that failed, with the first line of the reason.
func (a *app) writeFailed(run *tally.Run) error {
	var b strings.Builder
	n := 0
	defects, err := run.Defects()
	if err != nil {
		return err
	}
	for _, part := range run.Parts {
		for i := range part.Results {
			if r := &part.Results[i]; !r.Passed() {
				n++
				why, _, _ := strings.Cut(r.Text, "\n")
				fmt.Fprintf(&b, "%s  %s\n    %s\n", trialName(r, run), say.Printable(r.ErrorType, 100), clip(why, columns(a.out)-4))
				if item := defects[r.Case.ID]; item != nil {
					fmt.Fprintf(&b, "    %s\n", clip("listed as "+item.Line(), columns(a.out)-4))
				}
			}
		}
	}
	if n == 0 {
		_, err := fmt.Fprintln(a.out, "\nEvery case passed.")
		return err
	}
	_, err = fmt.Fprintf(a.out, "\n%d failed:\n\n%s", n, b.String())
	return err
}

// clip cuts a text to width columns and makes it safe for a terminal.
func clip(text string, width int) string {
	text = say.Printable(text, 4*width)
	if runes := []rune(text); len(runes) > width {
		text = string(runes[:width-1]) + "…"
	}
	return text
}

// The most that the end of a run says: notes that change the number's meaning,
// and causes that cost points.
const (
	mostNotes  = 2
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
	if line := answered(run, s.Score); line != "" {
		fmt.Fprintln(a.out, strings.Join(say.Wrap(line, width), "\n"))
	}
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
	a.writeBar(s.Blame)
	commands := []advise.Command{name.Show("report")}
	if len(failures.Groups) > 0 {
		commands = append([]advise.Command{name.Show("failures")}, commands...)
		if id := failures.Groups[0].Examples[0]; failures.Wrong > 0 { // the costliest cause's
			if explain, ok := name.Explain(id, isConversation(run, id)); ok {
				commands = append([]advise.Command{explain}, commands...)
			}
		}
	}
	fmt.Fprintln(a.out, "next:")
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

// answered says what the score is over the answers that came, where errors count
// as upstream counts them; "" if all came.
func answered(run *tally.Run, s *score.Score) string {
	only, err := run.Answered(false)
	if err != nil || !s.AllowErrors || only.Overall.NA || only.Overall.Total == s.Overall.Total {
		return ""
	}
	n := only.Overall.Total
	return fmt.Sprintf("%.2f%% of %d answered (upstream counts %d unanswered as wrong: %.2f%%)",
		100*only.Overall.Ran.Value, n, s.Overall.Total-n, 100*s.Overall.Accuracy)
}

// power says which differences a run of some cases can show.
func power(detectable float64, cases int) string {
	const little = 0.2
	if detectable <= little {
		return say.Detects(100*detectable) + " between two models; bfcl compare, case by case, less"
	}
	const ten = 0.1 // the difference goes with the square root of the number of cases
	enough := int(math.Ceil(float64(cases)*detectable*detectable/(ten*ten)/10) * 10)
	return fmt.Sprintf("%s cannot tell two models apart; about %d would show 10 points", say.Cases(cases), enough)
}

// writeBar draws the points as a bar: what was right, and what the evidence of the
// wrong answers speaks for.
func (a *app) writeBar(b *tally.Blame) {
	if b == nil || b.Parts[say.Unexplained].Points <= b.Points { // there is evidence of nothing
		return
	}
	const long = 60
	fills := map[string]string{say.Benchmark: "▓", say.Listed: "▒", say.Server: "X", say.Unexplained: "░"}
	full := int(math.Round(long * (100 + b.Points) / 100))
	bar, legend := strings.Repeat("█", full), []string{fmt.Sprintf("█ right %.2f", 100+b.Points)}
	for _, who := range say.Evidences {
		if part := b.Parts[who]; part.Cases > 0 {
			bar += strings.Repeat(fills[who], int(math.Round(-long*part.Points/100)))
			legend = append(legend, fmt.Sprintf("%s %s %.2f", fills[who], say.Evidence(who), 0-part.Points))
		} else if who == say.Server {
			legend = append(legend, say.NoServer)
		}
	}
	fmt.Fprintf(a.out, "%s\n%s\n", bar, strings.Join(say.Wrap(strings.Join(legend, " · "), width), "\n"))
	if len(b.Signs) > 0 {
		fmt.Fprintln(a.out, clip(fmt.Sprintf("server: %s: %s", say.Cases(b.Signs[0].Cases), b.Signs[0].Sign), width))
	}
}

// writeCauses prints what was lost, and the causes that cost most.
func (a *app) writeCauses(f *tally.Failures) {
	if f.Wrong == 0 {
		return
	}
	fmt.Fprintf(a.out, "\n%s\n", strings.Join(say.Wrap(f.String(), width), "\n"))
	for i := range f.Groups[:min(mostCauses, len(f.Groups))] {
		g := &f.Groups[i]
		fmt.Fprintln(a.out, clip(fmt.Sprintf("  %-7s %5d × %s", say.Signed("%.2f", -g.Lost), g.Count, g.Text()), width))
	}
}
