package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A runner is one `bfcl run`.
type runner struct {
	*app
	flags       suiteFlags
	set         *pflag.FlagSet
	timeout     time.Duration // go test's -timeout
	allowErrors bool
	asJSON      bool
	quiet       bool
	verbose     bool
	// dryRun shows a request instead of asking.
	dryRun bool
	// noCheck leaves out the questions before a long run.
	noCheck bool
	// start is how to start the model's server; "" for one that runs.
	start string
	// looked has what was sent to look at the server.
	looked *record.Ledger
	// models are the values of a repeated -model.
	models *models
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

const moreOfRun = `No checkout and no go command are needed. In a checkout, results are written to
its results/ folder, and the command must have been built from that checkout.

An earlier run in the folder is moved aside, unless -resume continues it. The
first Ctrl-C or SIGTERM ends the run: no new case starts, and those in flight
have -grace to end and are recorded. A second one kills it.

-model may be repeated, or name several models separated by commas, as that of
upstream: they are run one after the other, each in a folder of its own, and
then ranked. A text that begins with command:, agent or replay: is one model,
commas and all. -gate checks the run against a gate file, as bfcl gate does,
with its exit codes.`

const runCodes = `
A wrong answer is not a failure of the run: exit code 0 says that the run is
complete and scored, and that the gate passed if there is one.`

func (a *app) runCommand() *cobra.Command {
	r := &runner{app: a}
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Measure a model, an agent or a program, and score it",
		Long: `Ask a model the cases of the suite that is built into this command, judge its
answers, and score them. Each case is a subtest of TestBFCL, as under go test.
An official dataset (v4, v1) is fetched first. The run folder holds score.json,
report.xml for CI, junit.xml, result/ with the answers in upstream's format, and
run.json with the settings. Flags take one dash or two.`,
		Example: `  bfcl run -model=heuristic
  bfcl run -model=openai:qwen3-8b -base-url=http://localhost:8000/v1 -sample=200
  bfcl run -model=gpt-4.1-mini -model=gpt-4.1 -dataset=v4 -max-cost=20
  bfcl run -model=mine -gate=gate.yaml -baseline=results/old
  bfcl run -resume -run-dir=results/mine`,
		Annotations: map[string]string{moreKey: option.Travels + "\n\n" + moreOfRun + "\n\n" + exitCodes + runCodes},
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.dryRun {
				return r.preview(cmd.Context())
			}
			return r.run()
		},
	}
	r.set = cmd.Flags()
	r.flags.register(r.set)
	r.models = collect(cmd.Flags(), "model")
	r.gate = &gating{app: a}
	cmd.Flags().StringVar(&r.gate.config, "gate", "", "decide by this gate `file`; bfcl gate --init prints one")
	cmd.Flags().StringVar(&r.gate.baseline, "baseline", "", "the `run` to compare with, or none; it also gives -sample its seed")
	r.gate.registerPresent(cmd)
	cmd.Flags().StringVar(&r.gate.comment, "comment", "", "write the gate's decision as Markdown to this `file`")
	cmd.Flags().BoolVar(&r.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the score as JSON instead of a table")
	cmd.Flags().StringVar(&r.start, "start", "", "start the model's server with this `line`, or vllm, sglang, llama-server or ollama, and end it after the run; {model} and {port} are replaced")
	cmd.Flags().BoolVar(&r.noCheck, "no-check", false, "do not ask a server of yours eight questions before a long run")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "show what the model would be sent for the first of the cases, and ask nothing")
	cmd.Flags().BoolVarP(&r.verbose, "verbose", "v", false, "end with everything that is known of the score")
	cmd.Flags().BoolVarP(&r.quiet, "quiet", "q", false, "show no progress")
	cmd.Flags().DurationVar(&r.timeout, "timeout", 0, "stop after this `time` (default never); -resume continues")
	seldom := []string{"start", "no-check", "baseline-if-present", "comment", "allow-errors", "json", "quiet", "verbose", "dry-run", "timeout"}
	group(cmd.Flags(), "Decide and follow", append([]string{"gate", "baseline"}, seldom...)...)
	rare(cmd.Flags(), seldom...)
	return cmd
}

func (r *runner) run() error {
	if r.timeout < 0 {
		return misuse.Errorf("-timeout must not be negative, got %v", r.timeout)
	}
	if r.flags.o.Model == "" && !r.flags.o.Resume {
		return suite.NoModel(r.flags.o)
	}
	err := r.readGate()
	if fetched, failed := r.fetchMissing(err); failed != nil {
		return failed
	} else if fetched {
		err = r.readGate()
	}
	if err != nil {
		return err
	}
	if len(r.models.given) > 1 {
		if r.start != "" {
			return misuse.Errorf("-start is for one model")
		}
		return r.several()
	}
	return r.onServer(r.one)
}

// one runs one model.
func (r *runner) one() error {
	var ended process.Ending
	defer func() { ended.Close() }() // last: until then a signal lets the rest end
	dir, isCheckout, err := root()
	if err != nil {
		return err
	}
	if isCheckout {
		if err := builtFrom(dir); err != nil {
			return err
		}
	}
	if err := r.recall(dir); err != nil {
		return err
	}
	if err := r.withAdapter(); err != nil {
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
	if err := r.lookFirst(); err != nil {
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
	ended, err = r.test()
	if err != nil {
		return err
	}
	if err := r.conclude(ended); err != nil || !r.webless {
		return err
	}
	return errors.New("the web categories did not run, because -search is not set: run with -search=serpapi, -search=searxng:<address> or -search=replay:<file>, or with -search=none to leave them out")
}

// recall takes the settings of a run that is continued from its run.json, as far
// as the flags do not give them.
func (r *runner) recall(root string) error {
	if !r.flags.o.Resume {
		return nil
	}
	o := r.flags.o
	o.Root = root
	given := func(name string) bool { return r.set.Changed(name) }
	set := func(name, value string) error {
		flag := r.set.Lookup(name)
		if flag == nil {
			return errors.New("there is no such flag")
		}
		return flag.Value.Set(value)
	}
	taken, err := suite.Recall(o, given, set)
	if len(taken) > 0 {
		for i := range taken {
			taken[i] = shellWord(taken[i])
		}
		fmt.Fprintln(r.err, "bfcl: continued with "+say.Printable(strings.Join(taken, " "), 1000))
	}
	if err == nil && r.flags.o.Model == "" {
		return suite.NoModel(r.flags.o)
	}
	return err
}

// check finds wrong flags, and a run that must not go on, before anything is
// written.
func (r *runner) check() error {
	plan, err := suite.NewPlan(r.flags.o)
	if err == nil {
		r.sayData(plan)
		r.webless = plan.Webless()
		if err := r.rehearse(plan); err != nil {
			return err
		}
		if _, err := os.Lstat(plan.Dir); plan.Dir == "" || err != nil { // there is nothing to lose
			return nil
		}
		err = plan.Rehearse()
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
		fmt.Fprintln(r.err, "bfcl: "+say.Printable(text, 1000))
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
	for _, name := range []string{tally.JUnitFile, tally.ReportFile, tally.ScoreFile, tally.LineFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("run folder: %w", err)
		}
	}
	return nil
}
