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

// A suggesting is one `bfcl validate --agreed`.
type suggesting struct {
	*app
	only   bool
	read   tally.Options
	least  int
	limit  int
	file   string
	asJSON bool
}

// register defines the flags of --agreed that bfcl validate does not have itself.
func (s *suggesting) register(cmd *cobra.Command) {
	registerRead(cmd, &s.read)
	flags := cmd.Flags()
	flags.BoolVar(&s.only, "agreed", false, "show values that several models agree on but the suite refuses, from their runs")
	flags.IntVar(&s.least, "least", 2, "how many `models` must agree")
	flags.IntVar(&s.limit, "limit", 20, "show at most `n` suggestions; 0 for all")
	flags.StringVarP(&s.file, "output", "o", "", "write the suggestions as YAML into a new `file`, for review")
	group(flags, "With --agreed", "agreed", "least", "limit", "output", "dataset", "replay", "partial")
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
