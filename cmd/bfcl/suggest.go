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
		Short: "Show values that several models agree on and the suite refuses",
		Long: `Look through runs of different models for what a suite may have forgotten: a
value that at least --least of them gave for the same parameter of the same
case, and that the case refuses. Texts are the same if they differ in case and
punctuation alone. That models leave out a parameter that the case wants is
shown, too. Several models can be wrong together: this is for a person to look
at, and nothing is accepted by itself. No file of the suite is touched.

-o writes what was found as YAML, each with where the case stands and what the
parameter would become; a file that exists is left as it is.

` + namingRuns + `
Runs of different datasets, of a dataset that has changed since, and unfinished
ones are refused.

Exit codes: 0 done, whether or not there is a suggestion; 2 the runs cannot be
looked through, or -o not written; 3 wrong usage.`,
		Example: `  bfcl suggest results/a results/b results/c
  bfcl suggest results/a results/b results/c --least 3 -o review.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error { return s.run(names) },
	}
	registerRead(cmd, &s.read)
	flags := cmd.Flags()
	flags.IntVar(&s.least, "least", 2, "how many `models` must agree")
	flags.IntVar(&s.limit, "limit", 20, "show at most `n`; 0 for all")
	flags.StringVarP(&s.file, "output", "o", "", "write them as YAML into a new `file`, for review")
	flags.BoolVar(&s.asJSON, "json", false, "print JSON")
	return cmd
}

func (s *suggesting) run(names []string) error {
	switch {
	case s.least < 2:
		return misuse.Errorf("--least must be 2 or more, it is %d: one model agrees with nobody", s.least)
	case s.limit < 0:
		return misuse.Errorf("--limit must not be negative, it is %d", s.limit)
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

// write puts the suggestions into a new file, where one is asked for.
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
		return fmt.Errorf("%s is there already: nothing was written", safe.Printable(s.file, 300))
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func (s *suggesting) text(r *suggest.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d values that at least %d of %d models agree on and the suite refuses\n", len(r.Suggestions), r.Least, len(r.Models))
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
		fmt.Fprintf(&b, "\n%d more: --limit 0 shows them.\n", more)
	}
	if s.file != "" {
		fmt.Fprintf(&b, "\nLook them over in %s.\n", safe.Printable(s.file, 300))
	}
	return b.String()
}
