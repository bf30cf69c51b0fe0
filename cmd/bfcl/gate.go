package main

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// A gating is one `bfcl gate`, or the gate of a run.
type gating struct {
	*app
	config, baseline, comment string
	// junit is the file for the rules as tests; "" for none.
	junit     string
	read      tally.Options
	intersect bool

	// held is the gate that the run is checked against, once it is read.
	held *gate.Gate
	// said is the Markdown of all decisions so far.
	said bytes.Buffer
}

func (a *app) gateCommand() *cobra.Command {
	g := &gating{app: a}
	var example bool
	var categories string
	var cases int // 0 for all
	cmd := &cobra.Command{
		Use:   "gate --config gate.yaml RUN [--baseline RUN]",
		Short: "Decide by a file of rules whether a run is good enough",
		Long: `Check a run against a gate file: floors, allowed losses against a baseline run,
ceilings for cost, latency and infrastructure errors, and required cases. --init
prints a gate file with comments for --cases of --categories of --dataset: a
model as good as its baseline passes it, and the comments say how often a worse
one does. RUN is
a run folder, a JUnit file, the shards of a run, or one of upstream's result
folders.

--baseline=none says that there is no baseline yet, as on the first run of a
repository: the rules about losses are left out, and the decision says so.

If the sample is too small to settle a rule, the rule is undecided, not passed.
In GitHub Actions, failed and undecided rules become annotations, and the
decision is added to the step's summary; --comment writes it as Markdown for a
pull request.

Exit codes: 0 passed; 1 failed: a rule failed; 2 undecided: a rule is undecided
and none failed, or a run is incomplete; 3 wrong usage, or an error in the gate
file, the baseline or the run.`,
		Example: `  bfcl gate --init > gate.yaml
  bfcl gate --init --dataset v4 --categories live --cases 500 > gate.yaml
  bfcl gate --config gate.yaml results/new --baseline results/old
  bfcl gate --config gate.yaml --comment comment.md shards/ --baseline main.xml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			switch {
			case example && len(names) == 0:
				text, err := gate.Template(cmp.Or(g.read.Dataset, "starter"), g.read.Data, categories, cases)
				if err == nil {
					_, err = fmt.Fprint(g.out, text)
				}
				return err
			case len(names) == 0:
				return option.Misuse("name the run to decide on: a run folder, a JUnit file or a result folder")
			case g.config == "":
				return option.Misuse("name the gate file with --config; `bfcl gate --init` prints one")
			}
			return g.run(names[0])
		},
	}
	cmd.Flags().BoolVar(&example, "init", false, "print a gate file with comments")
	cmd.Flags().StringVar(&categories, "categories", "all", "with --init, `names` of categories and groups, comma separated")
	cmd.Flags().IntVar(&cases, "cases", 0, "with --init, the `number` of cases that are asked (default all); 500 of V4 decide otherwise than all in 15% of pairs")
	cmd.Flags().StringVar(&g.config, "config", "", "the gate `file`")
	cmd.Flags().StringVar(&g.baseline, "baseline", "", "the `run` to compare this one with, or none if there is no baseline yet")
	cmd.Flags().StringVar(&g.comment, "comment", "", "write the decision as Markdown to this `file`")
	cmd.Flags().StringVar(&g.junit, "junit", "", "write the rules, the cases that broke them and the run as JUnit to this `file`")
	cmd.Flags().BoolVar(&g.intersect, "intersect", false, "if the runs have different cases, use those that both have")
	a.jsonFlag(cmd, "print JSON")
	registerRead(cmd, &g.read)
	return cmd
}

func (g *gating) run(name string) error {
	if g.junit != "" {
		g.read.Answers, g.read.Each = true, gate.KeepRight
	}
	run, err := g.one(name)
	if err != nil {
		return err
	}
	if g.held, err = gate.Open(g.config, g.baseline, gate.OwnCategories(run.Layout())...); err != nil {
		return err
	}
	if err := g.held.Read(g.one); err != nil {
		return err
	}
	runs := []*tally.Run{run}
	for _, base := range []*tally.Run{g.held.Baseline, g.held.Release} {
		if base == nil {
			continue
		}
		if runs = append(runs, base); base.Name == run.Name {
			base.Name += " (" + base.Path + ")"
		}
	}
	g.noteAll(runs)
	return g.decide(run)
}

// one reads the run of a name.
func (g *gating) one(name string) (*tally.Run, error) {
	runs, err := tally.ReadAll([]string{name}, g.read)
	if err != nil {
		return nil, err
	}
	if len(runs) != 1 {
		return nil, option.Misuse("a gate compares one run with others, got %d of %s: name a model's folder", len(runs), say.Plain(name, 200))
	}
	return runs[0], nil
}

// decide prints the decision and ends with its exit code.
func (g *gating) decide(run *tally.Run) error {
	d, err := g.decision(run)
	if err != nil {
		return err
	}
	if err := g.publish(d, run); err != nil {
		return err
	}
	if err := g.show(d, func() error { return export.Decision(g.out, screenOf(g.out), d) }); err != nil {
		return err
	}
	return exitOf(d)
}

// exitOf is the exit code of a decision; nil for a pass, or without a gate.
func exitOf(d *gate.Decision) error {
	switch {
	case d == nil:
		return nil
	case d.Outcome == gate.Failed:
		return exit(exitNo)
	case d.Outcome == gate.Undecided:
		return exit(exitTrouble)
	}
	return nil
}

func (g *gating) decision(run *tally.Run) (*gate.Decision, error) {
	g.held.Intersect = g.intersect
	return g.held.Decide(run)
}

// publish writes the JUnit, the comment, the step's summary and the annotations.
func (g *gating) publish(d *gate.Decision, run *tally.Run) error {
	if g.junit != "" {
		tests := append(g.held.Tests(d, run), gate.OfDecision(d)...)
		if err := run.Gated(gate.Report(tests)).Write(g.junit); err != nil {
			return err
		}
	}
	if g.comment != "" {
		if err := export.Decision(&g.said, say.Screen{Markdown: true}, d); err != nil {
			return err
		}
		if err := record.WriteFile(g.comment, g.said.Bytes()); err != nil {
			return fmt.Errorf("comment: %w", err)
		}
	}
	return export.Tell(g.err, d, g.config)
}
