package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A visit is one `bfcl doctor`.
type visit struct {
	*app
	flags     suiteFlags
	questions bool // are printed, and none is asked
}

// doctorFlags are those of run's flags that the help of doctor shows.
var doctorFlags = []string{"model", "base-url", "dataset", "mode", "read", "dialect", "header", "max-tokens"}

func (a *app) doctorCommand() *cobra.Command {
	v := &visit{app: a}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Ask a model's server what a run would lose, before it is paid for",
		Long: `Ask a model questions that have one right answer each, as a run with the same
flags would: calls of the dataset's own functions with given arguments, one
question for each thing that a document or an answer can hold. What comes back
is compared exactly, and explained over all answers. What differs is asked
again: with calls left in the text, once more, alone, as a stream, until the
layer is known. The first line is the answer: healthy, or about how many points
of the overall are lost, by what, and what to change. Points are estimated by
the share of the questions that stand for a category. Flags of the command that
is named last have been tried; it says what they gain.

It takes the flags of bfcl run.

Exit codes: 0 nothing is lost, or the model writes it so; 1 the server loses
something; 2 could not tell, because there was no answer or the model may be the
cause; 3 wrong usage or configuration, or nothing answers at the address.`,
		Example: `  bfcl doctor -model=openai:qwen3-8b -base-url=http://localhost:8000/v1
  bfcl doctor -model=openai:qwen3-8b -base-url=http://localhost:8000/v1 -dataset=v4 --json
  bfcl doctor --questions -dataset=v4`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.run(cmd) },
	}
	v.flags.register(cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(doctorFlags, f.Name) {
			rare(cmd.Flags(), f.Name)
		}
	})
	a.jsonFlag(cmd, "print JSON")
	cmd.Flags().BoolVar(&v.questions, "questions", false, "print the questions with their right answers as JSON lines, and ask nothing")
	return cmd
}

func (v *visit) run(cmd *cobra.Command) error {
	if v.questions && v.flags.o.Model == "" {
		v.flags.o.Model = "oracle" // nobody is asked
	}
	plan, err := suite.NewPlan(v.flags.o)
	if err != nil {
		return err
	}
	if v.questions {
		return doctor.Questions(v.out, documents(plan))
	}
	patient := patientOf(plan, v.flags.o)
	if !v.asJSON && plan.Model.Kind.Remote {
		patient.Note = func(question string) { fmt.Fprintf(v.err, "asking: %s\n", question) }
	}
	r, err := doctor.Examine(cmd.Context(), patient)
	if errors.Is(err, doctor.ErrDead) {
		return misuse.Mark(err)
	}
	if err != nil {
		return err
	}
	if err := v.show(r, func() error { return v.print(plan, r) }); err != nil {
		return err
	}
	switch r.Worst() {
	case doctor.Fine:
		return nil
	case doctor.Fault:
		return exit(exitNo)
	}
	return exit(exitTrouble)
}

// patientOf returns the model of a plan, to be examined.
func patientOf(plan *suite.Plan, o option.Options) doctor.Patient {
	return doctor.Patient{
		ModelID: plan.Model.ID(), Streams: plan.Model.Kind.Streams && !o.Stream, Reads: plan.Model.Kind.Name == "openai", Prompts: plan.Prompts(),
		Documents: documents(plan), Most: int(o.MaxTokens.Value),
		Open: func(flags ...string) (doctor.Visit, eval.Settings, error) {
			own := o
			set := flag.NewFlagSet("doctor", flag.ContinueOnError)
			own.Register(set)
			own = o // registering sets the defaults
			if err := set.Parse(flags); err != nil {
				return nil, eval.Settings{}, err
			}
			p, err := suite.NewPlan(own)
			if err != nil {
				return nil, eval.Settings{}, err
			}
			if kind := p.Model.Kind; !kind.Remote {
				return nil, eval.Settings{}, misuse.Errorf("%s has no server that could lose anything: name a model behind one", kind.Name)
			}
			p.Looked = plan.Looked
			v, err := p.Visit()
			return v, p.Settings, err
		},
	}
}

// documents returns the documents of the functions of a plan's cases, as models
// see them that are asked in Python.
func documents(plan *suite.Plan) (out []*pyval.Dict) {
	for _, part := range plan.Parts {
		for _, c := range part.Cases {
			if c.Language == eval.Python {
				out = append(out, c.Tools...)
			}
		}
	}
	return out
}

// print writes the answer, its evidence, and the command that fits.
func (v *visit) print(plan *suite.Plan, r *doctor.Report) error {
	for _, line := range say.Wrap(answerOf(score.LayoutOf(plan.Run.Dataset), r), width) {
		fmt.Fprintln(v.out, line)
	}
	fmt.Fprintf(v.out, "\n%s\n\n", serverLine(r.Server))
	seen := map[string]bool{}
	for _, f := range r.Findings {
		said := f.Said
		if f.Layer != "" {
			said = f.Layer.Words() + ": " + said
		}
		lines := say.Wrap(said, 51)
		if f.Remedy != "" && !seen[f.Remedy] {
			lines = append(lines, say.Wrap("→ "+f.Remedy, 51)...)
		}
		seen[f.Remedy] = true
		names := say.Wrap(f.Question, 20)
		for i := range max(len(lines), len(names)) {
			state := ""
			if i == 0 {
				state = string(f.State)
			}
			fmt.Fprintln(v.out, strings.TrimRight(fmt.Sprintf("%-8s%-21s%s", state, at(names, i), at(lines, i)), " "))
		}
	}
	v.conclude(v.out, r)
	return nil
}

// answerOf is the answer in a sentence or two.
func answerOf(layout *score.Layout, r *doctor.Report) string {
	points := 0.0
	for _, s := range layout.Overall.Shares(func(category string) (int, bool) { return layout.Sizes[category], true }) {
		points += 100 * s.Weight * r.Lost[s.Category]
	}
	worst := doctor.Finding{}
	for _, f := range r.Findings {
		if f.State == r.Worst() && f.State != doctor.Fine && (worst.Said == "" || f.Wrong > worst.Wrong) {
			worst = f
		}
	}
	right := fmt.Sprintf("%d of %d answers are exactly right", r.Right, r.Asked)
	said := worst.Said
	if worst.Layer != "" {
		said = worst.Layer.Words() + ": " + said
	}
	if worst.Remedy != "" {
		said += ". Change: " + worst.Remedy
	}
	switch r.Worst() {
	case doctor.Fine:
		if r.Right < r.Asked {
			return "healthy: the server loses nothing; " + right + ", and the model itself writes the others so."
		}
		return "healthy: " + right + "."
	case doctor.Fault:
		if points < .05 {
			return "nothing that a run asks for is lost (" + right + "), but: " + said + "."
		}
		return fmt.Sprintf("about %.1f points of the overall of %s are lost (%s), most by the %s.", points, layout.Name, right, said)
	}
	return "could not tell (" + right + "): " + said + "."
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func serverLine(f server.Facts) string {
	if text := f.String(); text != "" {
		return "server: " + text
	}
	return "server: it tells nothing about itself"
}

// conclude says which command to run, and what its flags gain.
func (v *visit) conclude(w io.Writer, r *doctor.Report) {
	words := []string{program(), "run"}
	more := []string(nil)
	switch {
	case r.Cure != nil:
		more = r.Cure.Flags
		fmt.Fprintf(w, "\nWith %s %d of %d questions have the right answer:\n", strings.Join(more, " "), r.Cure.Right, r.Cure.Of)
	case r.Worst() == doctor.Fault:
		fmt.Fprint(w, "\nNone of the flags that were tried gains anything:\n")
	}
	for _, arg := range append(v.flags.shownArgs(), more...) {
		words = append(words, say.ShellWord(arg))
	}
	fmt.Fprintf(w, "\n  %s\n", strings.Join(words, " "))
}
