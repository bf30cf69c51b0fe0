package show

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// Named returns a run as proposed commands name it: by the path and the data
// folder that the user gave.
func Named(run *tally.Run, path, data string) advise.Run {
	name := run.Named()
	name.Path, name.Data = path, data
	if _, err := record.ReadRun(advise.FolderOf(path)); err != nil && name.Kind == advise.Folder { // of its shards
		name.Kind = advise.Shards
	}
	return name
}

// Score prints all that is known of a score: the tables, the audit, and what the run
// cost.
func Score(w io.Writer, on say.Screen, s export.ScoreFile) error {
	if err := score.WriteTable(w, s.Score, on.Colour); err != nil {
		return err
	}
	if s.Whole != nil {
		fmt.Fprintf(w, "%s\n", s.Whole)
	}
	if unit := s.Overall.Ran.Unit; unit != "" && unit != "case" {
		fmt.Fprintln(w, "Intervals are about other scenarios, conversations and questions of this kind,\nnot these again.")
	}
	if s.Audit != nil {
		if err := s.Audit.Write(w, s.Score); err != nil {
			return err
		}
	}
	if s.Standing != nil {
		fmt.Fprintf(w, "\n%s\n", s.Standing)
	}
	if err := s.Findings.Write(w); err != nil {
		return err
	}
	if line := s.Blame.String(); line != "" {
		fmt.Fprintf(w, "\n%s.\n", strings.Join(say.Wrap(line, width), "\n  "))
	}
	if s.Trials != nil {
		if err := s.Trials.Write(w); err != nil {
			return err
		}
	}
	if s.Agent != nil {
		fmt.Fprintln(w)
		if err := s.Agent.Write(w); err != nil {
			return err
		}
	}
	if s.Spend.Asked() {
		fmt.Fprintln(w)
		if err := s.Spend.Write(w); err != nil {
			return err
		}
	}
	if s.Gateway != nil {
		fmt.Fprintf(w, "\n%s\n", s.Gateway)
	}
	return nil
}

// Failed lists the cases that failed, with the first line of the reason.
func Failed(w io.Writer, on say.Screen, run *tally.Run) error {
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
				name := r.Case.ID
				if run.Trials > 1 {
					name += fmt.Sprintf(" (trial %d)", r.Trial+1)
				}
				fmt.Fprintf(&b, "%s  %s\n    %s\n", name, say.Printable(r.ErrorType, 100), clip(why, on.Width-4))
				if item := defects[r.Case.ID]; item != nil {
					fmt.Fprintf(&b, "    %s\n", clip("listed as "+item.Line(), on.Width-4))
				}
			}
		}
	}
	if n == 0 {
		_, err := fmt.Fprintln(w, "\nEvery case passed.")
		return err
	}
	_, err = fmt.Fprintf(w, "\n%d failed:\n\n%s", n, b.String())
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

// Brief prints a run's score on one screen: the number, what changes its
// meaning, what cost most, and two commands. name is the run as commands name it.
func Brief(w io.Writer, on say.Screen, run *tally.Run, s export.ScoreFile, name advise.Run) error {
	if err := score.WriteBrief(w, s.Score, on.Colour); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if line := answered(run, s.Score); line != "" {
		fmt.Fprintln(w, strings.Join(say.Wrap(line, width), "\n"))
	}
	if s.Detectable != nil && s.Overall.Cases > 0 {
		fmt.Fprintln(w, power(*s.Detectable, s.Overall.Cases))
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
		fmt.Fprintln(w, strings.Join(lines, "\n      "))
	}
	if s.Spend.Basis == "ledger" || s.Spend.Basis == "tokens" {
		fmt.Fprint(w, s.Spend.Costs())
	}
	if s.Agent != nil {
		if err := s.Agent.Write(w); err != nil {
			return err
		}
	}
	failures, err := run.Failures(tally.Grouping{By: cause.ByKind})
	if err != nil {
		return err
	}
	if failures.Wrong > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(say.Wrap(failures.String(), width), "\n"))
		for i := range failures.Groups[:min(mostCauses, len(failures.Groups))] {
			g := &failures.Groups[i]
			fmt.Fprintln(w, clip(fmt.Sprintf("  %7s %5d × %s", say.Signed("%.2f", -g.Lost), g.Count, g.Text()), width))
		}
	}
	writeBar(w, s.Blame)
	commands := []advise.Command{name.Show("report")}
	if s.Shard != "" { // which only all shards have
		commands = nil
	}
	if len(failures.Groups) > 0 {
		if s.Shard == "" {
			commands = append([]advise.Command{name.Show("failures")}, commands...)
		}
		if id := failures.Groups[0].Examples[0]; failures.Wrong > 0 { // the costliest cause's
			if explain, ok := name.Explain(id, traced(run, id)); ok {
				commands = append([]advise.Command{explain}, commands...)
			}
		}
	}
	if len(commands) > 0 {
		fmt.Fprintln(w, "next:")
	}
	for _, c := range commands {
		fmt.Fprintf(w, "  %s\n", c)
	}
	if s.Shard != "" {
		_, err = fmt.Fprintln(w, advise.Named("the run's score: `bfcl score` with the folders of all shards"))
		return err
	}
	rest := "all figures"
	if more := len(notes) - mostNotes; more > 0 {
		rest += " and " + say.Count(more, "more note", "more notes")
	}
	_, err = fmt.Fprintf(w, "%s: %s\n", rest, name.Show("score", "-v"))
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

// writeBar draws the points as a bar: what was right, and what the evidence speaks for.
func writeBar(w io.Writer, b *tally.Blame) {
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
	fmt.Fprintf(w, "%s\n%s\n", bar, strings.Join(say.Wrap(strings.Join(legend, " · "), width), "\n"))
	if len(b.Signs) > 0 {
		fmt.Fprintln(w, clip(fmt.Sprintf("server: %s: %s", say.Cases(b.Signs[0].Cases), b.Signs[0].Sign), width))
	}
}

// Kinds shows the most frequent error types with an example each.
func Kinds(w io.Writer, run *tally.Run, name advise.Run) {
	const most = 3
	kinds := run.Kinds()
	if len(kinds) == 0 {
		return
	}
	fmt.Fprintf(w, "\nMost frequent of %s of failures:\n", say.Count(len(kinds), "type", "types"))
	for _, k := range kinds[:min(most, len(kinds))] {
		id := say.Plain(k.Example.Case.ID, 100)
		fmt.Fprintf(w, "  %4d × %s (%s)\n         %s: %s\n", k.Count, k.Example.Cause.Kind.Title(), k.ErrorType, id, k.Summary())
		if c, ok := name.Explain(k.Example.Case.ID, k.Example.Case.Scene != nil || k.Example.Status == eval.Error); ok {
			fmt.Fprintf(w, "         %s\n", c)
		}
	}
}
