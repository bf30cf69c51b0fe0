package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A runner is one `bfcl run`.
type runner struct {
	*app
	flags       suiteFlags
	checkout    string
	allowErrors bool
	asJSON      bool
	quiet       bool
	// alone reports whether the suite is the one built into the command.
	alone bool
	// models are those of a repeated -model.
	models *models
	// gate decides on the run, where a gate file is given.
	gate *gating
	// reference is the baseline's run.
	reference *tally.Run
	// done are the runs that are complete.
	done []*tally.Run
}

func (a *app) runCommand() *cobra.Command {
	r := &runner{app: a}
	cmd := &cobra.Command{
		Use:   "run [flags] [-- go test flags]",
		Short: "Run the suite against a model, then score it",
		Long: `Run the suite: each case is a subtest of go test. While it runs, progress is
shown; afterwards the run is scored. The run folder then holds

  junit.xml    the test's verdicts, as gotestsum writes them
  report.xml   the same for CI test views: error types, reasons, durations
  score.json   the score
  events.jsonl the test's events
  result/      the model's answers, in upstream's result-file format
  run.json     what was asked of which model

In a checkout the suite's test is built and run with go test. Elsewhere, or
where there is no go command, the suite that is built into bfcl is run; then
there is no junit.xml and no events.jsonl.

An official dataset that is not in the data directory is fetched first, as
bfcl fetch does.

An earlier run in the folder is moved aside unless -resume goes on with it.
Flags take one dash or two; what stands after -- is handed to go test. The
first Ctrl-C or SIGTERM ends the run: no case is begun, those in flight have
-grace to end and are recorded; a second one kills it.

-model may be repeated: the models are run one after the other, each in a folder
of its own, and ranked in the end. With --gate the run is held against a gate
file, as bfcl gate does, with its exit codes.

` + exitCodes + `
A wrong answer is no failure of the run: exit code 0 says that the run is
complete and scored, and the gate open where there is one.`,
		Example: `  bfcl run -model=heuristic
  bfcl run -model=heuristic -categories=live -trials=3
  bfcl run -model=replay:results/heuristic -run-dir=results/again
  bfcl run -model=command:./my-model.py -resume
  bfcl run -model=qwen3-8b -gate=gate.yaml -baseline=results/old -comment=comment.md
  bfcl run -model=gpt-4.1-mini -model=gpt-4.1`,
		Args: r.onlyAfterDashes,
		RunE: func(_ *cobra.Command, goTestFlags []string) error { return r.run(goTestFlags) },
	}
	r.flags.register(cmd.Flags())
	r.models = collect(cmd.Flags(), "model")
	r.gate = &gating{app: a}
	cmd.Flags().StringVar(&r.gate.config, "gate", "", "hold the run against this gate `file`; `bfcl gate --init` prints one")
	cmd.Flags().StringVar(&r.gate.baseline, "baseline", "", "the `run` that the gate holds this one against; none where there is none yet")
	cmd.Flags().StringVar(&r.gate.comment, "comment", "", "write the gate's decision as Markdown to this `file`")
	cmd.Flags().StringVarP(&r.checkout, "directory", "C", "", "the `checkout` whose test is run (default the one around the current folder)")
	cmd.Flags().BoolVar(&r.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the score as JSON instead of a table")
	cmd.Flags().BoolVarP(&r.quiet, "quiet", "q", false, "show no progress")
	group(cmd.Flags(), "This command", "directory", "allow-errors", "json", "quiet", "gate", "baseline", "comment")
	return cmd
}

func (r *runner) onlyAfterDashes(cmd *cobra.Command, args []string) error {
	if at := cmd.ArgsLenAtDash(); len(args) > 0 && at != 0 {
		return misuse.Errorf("unknown argument %q: flags are -name=value; go test's own flags stand after --", args[0])
	}
	return nil
}

func (r *runner) run(goTestFlags []string) error {
	if err := r.readGate(); err != nil {
		return err
	}
	if len(r.models.given) > 1 {
		return r.several(goTestFlags)
	}
	return r.one(goTestFlags)
}

// one runs one model.
func (r *runner) one(goTestFlags []string) error {
	root, err := r.root(goTestFlags)
	if err != nil {
		return misuse.Mark(err)
	}
	note, err := r.flags.settle(root)
	if err != nil {
		return misuse.Mark(err)
	}
	if note != "" {
		fmt.Fprintln(r.err, "bfcl: "+note)
	}
	if err := r.fetchFirst(root); err != nil {
		return err
	}
	if err := r.check(root); err != nil {
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
	var ended ending
	if r.alone {
		ended, err = r.testAlone()
	} else {
		ended, err = r.test(root, goTestFlags)
	}
	if err != nil {
		return err
	}
	return r.conclude(ended)
}

// check finds wrong flags before anything is built. Relative paths are meant
// as the test will see them.
func (r *runner) check(root string) error {
	o := r.flags.o
	if here, err := os.Getwd(); err == nil && here != root {
		if err := os.Chdir(root); err != nil {
			return err
		}
		defer func() { _ = os.Chdir(here) }()
	}
	_, err := suite.NewPlan(o)
	if errors.As(err, new(*fixtures.FormatError)) || errors.As(err, new(*suite.Refusal)) {
		return err
	}
	return misuse.Mark(err)
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
