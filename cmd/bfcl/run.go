package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A runner is one `bfcl run`.
type runner struct {
	*app
	flags       suiteFlags
	pattern     string        // go test's -run
	timeout     time.Duration // go test's -timeout
	allowErrors bool
	asJSON      bool
	quiet       bool
	// stopEarly ends the run when the gate's decision is known.
	stopEarly bool
	// guarantee is what -stop-early promises of its interval.
	guarantee string
	stopping  *stopping
	// models are the values of a repeated -model.
	models *models
	// watch asks for a page that follows the run; page is that page.
	watch bool
	page  *watching
	// gate decides on the run, if a gate file is given.
	gate *gating
	// reference is the baseline's run; nil without one.
	reference *tally.Run
	// webless reports whether web categories were left out without
	// -search=none.
	webless bool
	// done are the runs that are complete.
	done []*tally.Run
}

func (a *app) runCommand() *cobra.Command {
	r := &runner{app: a}
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Run the suite against a model, then score it",
		Long: `Run the suite that is built into this command: each case is a subtest of
TestBFCL, as under go test. Progress is shown while it runs, then the run is
scored. The run folder holds

  junit.xml    the test's verdicts, as gotestsum writes them
  report.xml   the same for CI test views: error types, reasons, durations
  score.json   the score
  events.jsonl the test's events
  result/      the model's answers, in upstream's result-file format
  run.json     the model, the dataset and the settings

No checkout and no go command are needed. In a checkout, results are written to
its results/ folder, and the command must have been built from that checkout.

An official dataset that is not in the data directory is fetched first, as with
bfcl fetch.

An earlier run in the folder is moved aside, unless -resume continues it. Flags
take one dash or two. Of the flags of go test, -run and -timeout are understood.
The first Ctrl-C or SIGTERM ends the run: no new case starts, and those in
flight have -grace to end and are recorded. A second one kills it.

-model may be repeated: the models are run one after the other, each in a folder
of its own, and then ranked. --gate checks the run against a gate file, as
bfcl gate does, with its exit codes.

` + exitCodes + `
A wrong answer is not a failure of the run: exit code 0 says that the run is
complete and scored, and that the gate passed if there is one.`,
		Example: `  bfcl run -model=heuristic
  bfcl run -model=heuristic -categories=live -trials=3
  bfcl run -model=replay:results/heuristic -run-dir=results/again
  bfcl run -model=command:./my-model.py -resume
  bfcl run -model=qwen3-8b -gate=gate.yaml -baseline=results/old -comment=comment.md
  bfcl run -model=gpt-4.1-mini -model=gpt-4.1`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				unknown := fmt.Errorf("unknown argument %q: flags are -name=value", args[0])
				if strings.HasPrefix(args[0], "-") {
					return notGoTest(args[0], unknown)
				}
				return unknown
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return r.run() },
	}
	r.flags.register(cmd.Flags())
	r.models = collect(cmd.Flags(), "model")
	r.gate = &gating{app: a}
	cmd.Flags().StringVar(&r.gate.config, "gate", "", "check the run against this gate `file`; `bfcl gate --init` prints one")
	cmd.Flags().StringVar(&r.gate.baseline, "baseline", "", "the `run` that the gate compares this one with, or none; with -sample it also decides how many cases each category gets, even without a gate")
	cmd.Flags().StringVar(&r.gate.comment, "comment", "", "write the gate's decision as Markdown to this `file`")
	cmd.Flags().BoolVar(&r.stopEarly, "stop-early", false, "end the run as soon as the gate's decision over all cases is known")
	cmd.Flags().StringVar(&r.guarantee, "guarantee", simulated, "what -stop-early `promises`: simulated, right as often as it was on recorded runs; exact, proven for all runs, but needs more cases")
	cmd.Flags().BoolVar(&r.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the score as JSON instead of a table")
	cmd.Flags().BoolVar(&r.watch, "watch", false, "follow the run on a local page, whose address is printed; on a terminal it stays as the report until Ctrl-C")
	cmd.Flags().BoolVarP(&r.quiet, "quiet", "q", false, "show no progress")
	cmd.Flags().StringVar(&r.pattern, "run", "", "run only the cases that this `pattern` matches, such as TestBFCL/simple_python; they have no score (use -categories or -ids to choose cases with a score)")
	cmd.Flags().DurationVar(&r.timeout, "timeout", 0, "stop after this `time` (default never); -resume continues")
	group(cmd.Flags(), "Gate, output and limits", "allow-errors", "json", "quiet", "watch", "gate", "baseline", "comment", "stop-early", "guarantee", "run", "timeout")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			return notGoTest(unknown.GetSpecifiedName(), err)
		}
		return err
	})
	return cmd
}

func (r *runner) run() error {
	if _, err := regexp.Compile(r.pattern); err != nil {
		return misuse.Errorf("-run: %w", err)
	}
	if r.timeout < 0 {
		return misuse.Errorf("-timeout must not be negative, got %v", r.timeout)
	}
	if err := r.readGate(); err != nil {
		return err
	}
	if r.watch {
		page, err := watchPage(r)
		if err != nil {
			return err
		}
		r.page = page
		defer page.close(r)
		fmt.Fprintf(r.err, "bfcl: %s follows the run\n", page.url)
	}
	if len(r.models.given) > 1 {
		return r.several()
	}
	return r.one()
}

// one runs one model.
func (r *runner) one() error {
	dir, isCheckout, err := root()
	if err != nil {
		return err
	}
	if isCheckout {
		if err := builtFrom(dir); err != nil {
			return err
		}
	}
	if err := r.withAdapter(dir, isCheckout); err != nil {
		return err
	}
	note, err := r.flags.settle(dir)
	if err != nil {
		return misuse.Mark(err)
	}
	if note != "" {
		fmt.Fprintln(r.err, "bfcl: "+note)
	}
	if err := r.fetchFirst(); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	claim, err := record.ClaimFolder(r.flags.o.RunDir)
	if err != nil {
		return err
	}
	defer func() { _ = claim.Release() }()
	if err := claim.Lend(); err != nil {
		return err
	}
	for _, note := range claim.Notes {
		fmt.Fprintln(r.err, "bfcl: "+note)
	}
	if err := r.makeRoom(); err != nil {
		return err
	}
	if r.page != nil {
		r.page.server.Follow(r.flags.o.RunDir, r.flags.o.Model)
	}
	if r.stopEarly {
		return r.stopping.untilKnown()
	}
	ended, err := r.test()
	if err != nil {
		return err
	}
	if err := r.conclude(ended); err != nil || !r.webless {
		return err
	}
	return errors.New("the web categories did not run, because -search is not set: run with -search=serpapi, -search=searxng:<address> or -search=replay:<file>, or with -search=none to leave them out")
}

// check finds wrong flags, and a run that must not go on, before anything is
// written.
func (r *runner) check() error {
	plan, err := suite.NewPlan(r.flags.o)
	if err == nil {
		r.sayData(plan)
		r.webless = plan.Webless()
		if r.stopEarly {
			if r.stopping, err = r.newStopping(); err != nil {
				return err
			}
		}
		return r.rehearse(plan)
	}
	if errors.As(err, new(*fixtures.FormatError)) || errors.As(err, new(*suite.Refusal)) {
		return err
	}
	return misuse.Mark(err)
}

// sayData prints the plan's notes, such as the cases that are left out, and warns
// if the dataset is not exactly the official one.
func (r *runner) sayData(plan *suite.Plan) {
	said := slices.Concat(plan.Notes, plan.Dataset.Remarks())
	if text := plan.Run.Data.Warning(); text != "" {
		said = append(said, text)
	}
	for _, text := range said {
		fmt.Fprintln(r.err, "bfcl: "+safe.Printable(text, 1000))
	}
}

func (r *runner) makeRoom() error {
	dir := r.flags.o.RunDir
	if !r.flags.o.Resume {
		note, err := suite.MakeRoom(dir)
		if err != nil {
			return err
		}
		if note != "" {
			fmt.Fprintln(r.err, "bfcl: "+note)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	for _, name := range []string{tally.JUnitFile, tally.ReportFile, tally.ScoreFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("run folder: %w", err)
		}
	}
	return nil
}
