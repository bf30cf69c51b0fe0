package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/suggest"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// A suggesting is one `bfcl suggest`.
type suggesting struct {
	*app
	read   tally.Options
	least  int
	limit  int
	file   string
	asJSON bool
}

func (a *app) suggestCommand() *cobra.Command {
	s := &suggesting{app: a}
	cmd := &cobra.Command{
		Use:   "suggest RUN RUN...",
		Short: "Show values that several models agree on but the suite refuses",
		Long: `Search runs of different models for values that a suite may have forgotten to
accept: those that at least --least models gave for the same parameter of the
same case, but that the case refuses. Texts that differ only in case and
punctuation count as the same. A parameter that models leave out although the
case expects it is listed too. Conversations on the suite's own tools are
searched turn by turn. Several models can be wrong together: the list is for a
person to review. Nothing is accepted automatically, and no file of the suite is
changed.

-o writes the suggestions as YAML, each with the place of the case and the new
value of the parameter; an existing file is not overwritten.

` + namingRuns + `
Runs of different datasets, runs of a dataset that has changed since, and
unfinished runs are refused.

Exit codes: 0 done, with or without suggestions; 2 the runs cannot be read, or
-o cannot be written; 3 wrong usage.`,
		Example: `  bfcl suggest results/a results/b results/c
  bfcl suggest results/a results/b results/c --least 3 -o review.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error { return s.run(names) },
	}
	registerRead(cmd, &s.read)
	flags := cmd.Flags()
	flags.IntVar(&s.least, "least", 2, "how many `models` must agree")
	flags.IntVar(&s.limit, "limit", 20, "show at most `n` suggestions; 0 for all")
	flags.StringVarP(&s.file, "output", "o", "", "write the suggestions as YAML into a new `file`, for review")
	flags.BoolVar(&s.asJSON, "json", false, "print JSON")
	return cmd
}

func (s *suggesting) run(names []string) error {
	switch {
	case s.least < 2:
		return misuse.Errorf("--least must be 2 or more, got %d: it takes two models to agree", s.least)
	case s.limit < 0:
		return misuse.Errorf("--limit must not be negative, got %d", s.limit)
	}
	s.read.Answers = true
	runs, err := tally.ReadAll(names, s.read)
	if err != nil {
		return err
	}
	s.noteAll(runs)
	r, err := suggest.Of(runs, s.least)
	if err != nil {
		return err
	}
	if err := s.write(r); err != nil {
		return err
	}
	if s.asJSON {
		return writeJSON(s.out, r)
	}
	_, err = fmt.Fprint(s.out, s.text(r))
	return err
}

// write writes the suggestions to a new file, if -o names one.
func (s *suggesting) write(r *suggest.Report) error {
	if s.file == "" {
		return nil
	}
	text, err := r.Review()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: nothing was written", safe.Printable(s.file, 300))
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func (s *suggesting) text(r *suggest.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d values that at least %d of %d models agree on but the suite refuses\n", len(r.Suggestions), r.Least, len(r.Models))
	fmt.Fprintln(&b, clip("dataset "+r.Dataset+": "+strings.Join(r.Models, ", "), width))
	for _, note := range r.Notes {
		fmt.Fprintln(&b, clip(note, width))
	}
	if !r.Own {
		fmt.Fprintln(&b, suggest.NotOurs)
	}
	shown := r.Suggestions
	if s.limit > 0 {
		shown = shown[:min(s.limit, len(shown))]
	}
	if len(shown) > 0 {
		b.WriteString("\nmodels answers passed  case, parameter\n")
	}
	for i := range shown {
		one := &shown[i]
		place := one.Function + "." + one.Parameter
		if one.Call > 1 {
			place = fmt.Sprintf("call %d, %s", one.Call, place)
		}
		if one.Turn > 0 {
			place = fmt.Sprintf("turn %d, %s", one.Turn, place)
		}
		fmt.Fprintln(&b, clip(fmt.Sprintf("%6d %7d %6d  %s  %s", len(one.Models), one.Answers, len(one.Passed), one.ID, place), width))
		given, accepted := one.Given, one.Accepted
		if one.LeftOut {
			given = "(left out)"
		}
		if accepted == "" {
			accepted = "(not expected)"
		}
		for _, line := range [][2]string{{"given", given}, {"accepted", accepted}, {"by", strings.Join(one.Models, ", ")}} {
			fmt.Fprintln(&b, clip(fmt.Sprintf("%23s%-8s  %s", "", line[0], line[1]), width))
		}
	}
	if more := len(r.Suggestions) - len(shown); more > 0 {
		fmt.Fprintf(&b, "\n%d more: --limit 0 shows all.\n", more)
	}
	if s.file != "" {
		fmt.Fprintf(&b, "\nReview them in %s.\n", safe.Printable(s.file, 300))
	}
	return b.String()
}
