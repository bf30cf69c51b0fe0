package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/show"
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
cause; 3 wrong usage or configuration: such as an address where nothing answers,
a key that is refused, or a model that the server does not know.`,
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
	if err := plan.Model.Reach(cmd.Context(), plan.Looked); err != nil {
		return err
	}
	patient := patientOf(plan, v.flags.o)
	if !v.asJSON && plan.Model.Kind.Remote {
		patient.Note = func(question string) { fmt.Fprintf(v.err, "asking: %s\n", question) }
	}
	r, err := doctor.Examine(cmd.Context(), patient)
	if errors.Is(err, doctor.ErrDead) {
		return option.MarkMisuse(err)
	}
	if err != nil {
		return err
	}
	err = v.show(r, func() error {
		show.Doctor(v.out, plan.Run.Dataset, r, advise.Command{Words: append([]string{"run"}, v.flags.shownArgs()...)})
		return nil
	})
	if err != nil {
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
				return nil, eval.Settings{}, option.Misuse("%s has no server that could lose anything: name a model behind one", kind.Name)
			}
			p.Looked = plan.Looked
			v, err := p.Visit()
			return v, p.Model.Settings, err
		},
	}
}

// documents returns the documents of a plan's functions, as models see them in Python.
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
