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
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
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
	// done are the runs that are complete.
	done []*tally.Run
}

const moreOfRun = `No checkout and no go command are needed. In a checkout, results are written to
its results/ folder.

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
		Args:        noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.dryRun {
				return r.preview(cmd.Context())
			}
			return r.run()
		},
	}
	r.set = cmd.Flags()
	r.flags.register(r.set)
	model := r.set.Lookup("model")
	r.models = &models{Value: model.Value}
	model.Value = r.models
	r.gate = &gating{app: a}
	cmd.Flags().StringVar(&r.gate.config, "gate", "", "decide by this gate `file`; bfcl gate --init prints one")
	cmd.Flags().StringVar(&r.gate.baseline, "baseline", "", "the `run` to compare with, or none; it also gives -sample its seed")
	cmd.Flags().StringVar(&r.gate.comment, "comment", "", "write the gate's decision as Markdown to this `file`")
	cmd.Flags().BoolVar(&r.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
	a.jsonFlag(cmd, "print the score as JSON instead of a table")
	cmd.Flags().StringVar(&r.start, "start", "", "start the model's server with this shell `line`, and end it after the run; {model} and {port} are replaced")
	cmd.Flags().BoolVar(&r.noCheck, "no-check", false, "do not ask a server of yours eight questions before a long run")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "show what the model would be sent for the first of the cases, and ask nothing")
	cmd.Flags().BoolVarP(&r.verbose, "verbose", "v", false, "end with everything that is known of the score")
	cmd.Flags().BoolVarP(&r.quiet, "quiet", "q", false, "show no progress")
	cmd.Flags().DurationVar(&r.timeout, "timeout", 0, "stop after this `time` (default never); -resume continues")
	seldom := []string{"start", "no-check", "comment", "allow-errors", "json", "quiet", "verbose", "dry-run", "timeout"}
	group(cmd.Flags(), "Decide and follow", append([]string{"gate", "baseline"}, seldom...)...)
	rare(cmd.Flags(), seldom...)
	return cmd
}

func (r *runner) run() error {
	if r.timeout < 0 {
		return option.Misuse("-timeout must not be negative, got %v", r.timeout)
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
			return option.Misuse("-start is for one model")
		}
		return r.several()
	}
	return r.onServer()
}

// one runs one model: it plans, looks at the server, takes the folder, asks, and concludes.
func (r *runner) one() error {
	var ended process.Ending
	defer func() { ended.Close() }() // last: until then a signal lets the rest end
	plan, err := r.plan()
	if err != nil {
		return err
	}
	if err := r.lookFirst(plan); err != nil {
		return err
	}
	claim, err := r.claim()
	if err != nil {
		return err
	}
	defer func() { _ = claim.Release() }()
	run := process.Run{
		Options: r.flags.o, Rules: option.Gate{File: r.gate.config, Baseline: r.gate.baseline}, Timeout: r.timeout, Looked: r.looked.Looks(),
		Show: r.showProgress,
	}
	if ended, err = run.Wait(); err != nil {
		return err
	}
	if err := r.conclude(ended); err != nil || !plan.Webless {
		return err
	}
	return errors.New("the web categories did not run, because -search is not set: run with -search=serpapi, -search=searxng:<address> or -search=replay:<file>, or with -search=none to leave them out")
}

// plan returns the plan of a model's run. It gets the data if they are not there,
// and finds wrong flags, and a run that must not go on, before anything is written.
func (r *runner) plan() (*suite.Plan, error) {
	dir, err := root()
	if err == nil {
		err = r.recall(dir)
	}
	if err != nil {
		return nil, err
	}
	o := &r.flags.o
	var note string
	o.Root = dir
	if *o, note, err = suite.Divide(*o); err == nil {
		o.RunDir, err = filepath.Abs(suite.RunDir(*o))
	}
	if err != nil {
		return nil, err
	}
	r.tell(note)
	_, err = fixtures.Open(o.Dataset, o.Data)
	if _, err = r.fetchMissing(err); err != nil { // any other error is the plan's
		return nil, err
	}
	plan, err := suite.NewPlan(*o)
	if err == nil {
		r.tell(append(slices.Concat(plan.Notes, plan.Dataset.Remarks()), plan.Run.Data.Warning())...)
		err = r.gate.held.Rehearse(plan)
	}
	if err != nil {
		return nil, err
	}
	if _, missing := os.Lstat(plan.Dir); plan.Dir != "" && missing == nil { // there is something to lose
		err = plan.Rehearse()
	}
	return plan, err
}

// tell prints notes; "" is none.
func (a *app) tell(notes ...string) {
	for _, note := range notes {
		if note != "" {
			fmt.Fprintln(a.err, "bfcl: "+say.Printable(note, 1000))
		}
	}
}

// claim takes the run folder for this run and the processes that it starts, and
// moves an earlier run aside, unless it is continued.
func (r *runner) claim() (*record.Claim, error) {
	dir := r.flags.o.RunDir
	claim, err := record.ClaimFolder(dir)
	if err != nil {
		return nil, err
	}
	note := ""
	if err = claim.Lend(); err == nil {
		r.tell(claim.Notes...)
		if !r.flags.o.Resume {
			note, err = suite.MakeRoom(dir)
			r.tell(note)
		}
	}
	if err == nil {
		if err = os.MkdirAll(dir, 0o755); err != nil {
			err = fmt.Errorf("run folder: %w", err)
		}
	}
	if err == nil {
		err = gotest.Clear(dir)
	}
	if err != nil {
		return nil, errors.Join(err, claim.Release())
	}
	return claim, nil
}

// recall takes from run.json the settings of a run that is continued, if no flag gives them.
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
	r.tell(taken)
	if err == nil && r.flags.o.Model == "" {
		return suite.NoModel(r.flags.o)
	}
	return err
}

// A progress shows how far a run is: on a terminal one line, elsewhere a line now and then.
type progress struct {
	r       *runner
	live    bool
	started time.Time
	shown   string
	seen    bool // the test has begun
	// stopping: a note has said that the run ends early.
	stopping bool
	// waits: a quiet run has said that the server makes it wait.
	waits bool
}

func (r *runner) showProgress(started time.Time) process.Progress {
	p := &progress{r: r, live: terminal(r.err), started: started}
	p.Update()
	return p
}

// Every is how often the progress is shown.
func (p *progress) Every() time.Duration {
	if p.live {
		return 250 * time.Millisecond
	}
	return 5 * time.Second
}

// Update shows how far the run is.
func (p *progress) Update() {
	text := "starting"
	now, ok := engine.ReadProgress(p.r.flags.o.RunDir)
	if p.r.quiet {
		if said := now.Wait.Text(time.Now()); ok && now.Wait.Long() && said != "" && !p.waits {
			p.waits = true
			fmt.Fprintln(p.r.err, "bfcl: "+said)
		}
		return
	}
	switch {
	case ok && !now.Started.Before(p.started):
		text, p.seen = now.Text(time.Now()), true
		if p.stopping { // what is left to do is not asked any more
			text = fmt.Sprintf("stopping  %d/%d  %d in flight", now.Done, now.Total, now.InFlight)
		}
	case p.seen || !p.live && p.shown != "":
		return
	}
	p.write(text)
}

func (p *progress) write(text string) {
	switch {
	case p.live:
		// A line that wraps could not be overwritten.
		fmt.Fprintf(p.r.err, "\r\x1b[K%s", say.Cut(text, columns(p.r.err)-1))
	case text != p.shown:
		fmt.Fprintln(p.r.err, text)
	}
	p.shown = text
}

// Say prints a note that stays, of a run that ends early.
func (p *progress) Say(note string) {
	p.stopping = true
	if p.r.quiet || !p.live {
		fmt.Fprintln(p.r.err, note)
		return
	}
	fmt.Fprintf(p.r.err, "\r\x1b[K%s\n", strings.Join(say.Wrap(note, columns(p.r.err)), "\n"))
	p.Update()
}

// Close clears the line.
func (p *progress) Close() {
	if p.live && !p.r.quiet {
		fmt.Fprint(p.r.err, "\r\x1b[K")
	}
}
