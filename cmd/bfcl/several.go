package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
)

// A models collects the values of a repeated flag; the flag itself has the last.
type models struct {
	pflag.Value
	given []string
}

// Set adds a value, or several separated by commas.
func (m *models) Set(s string) error {
	names := []string{s}
	if !slices.ContainsFunc(wholeTexts, func(start string) bool { return strings.HasPrefix(s, start) }) {
		names = strings.Split(s, ",")
	}
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("a name is empty")
		}
		m.given = append(m.given, name)
		if err := m.Value.Set(name); err != nil {
			return err
		}
	}
	return nil
}

// wholeTexts begin models that are command lines, addresses or paths: a comma separates nothing.
var wholeTexts = []string{"command:", "agent:", "agent+", "replay:"}

func (r *runner) isOneOfSeveral() bool { return len(r.models.given) > 1 }

// readGate reads the gate file and the baseline before anything is run. A sample
// may have a baseline without a gate.
func (r *runner) readGate() error {
	g := r.gate
	switch {
	case g.config != "":
		held, err := gate.For(g.config, g.baseline, r.flags.o)
		if err != nil {
			return err
		}
		g.held, r.reference = held, held.Baseline
	case g.comment != "" || g.baseline != "" && r.flags.o.Sample == "":
		return option.Misuse("--baseline and --comment need --gate: name a gate file (only with -sample, --baseline works without one)")
	case g.baseline != "" && g.baseline != gate.None:
		reference, err := gate.Reference(g.baseline, r.flags.o)
		if err != nil {
			return err
		}
		r.reference = reference
	}
	if r.reference == nil || r.flags.o.Sample == "" {
		return nil
	}
	return r.sampleBy(r.reference)
}

// decide checks the run against the gate; nil if there is no gate.
func (r *runner) decide(run *tally.Run) (*gate.Decision, error) {
	if r.gate.held == nil {
		return nil, nil
	}
	d, err := r.gate.decision(run)
	if err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	r.gate.junit = filepath.Join(r.flags.o.RunDir, tally.ReportFile)
	return d, r.gate.publish(d, run)
}

// writeDecision prints the decision and returns the gate's exit code.
func (r *runner) writeDecision(d *gate.Decision) error {
	if d == nil {
		return nil
	}
	fmt.Fprintln(r.out)
	if err := export.Decision(r.out, screenOf(r.out), d); err != nil {
		return err
	}
	return exitOf(d)
}

// several runs models one after the other, each in its own folder, and ranks
// those whose runs are complete. One that fails does not keep the others from
// running; an interrupt does. Models that would share a folder are refused before
// the first is asked, and so is a gate that could not decide on one; what else is
// wrong with one is said at its turn.
func (r *runner) several() error {
	dir, err := root()
	if err != nil {
		return err
	}
	folders := map[string]string{}
	for _, model := range r.models.given {
		folder := suite.FolderName(model)
		if other, twice := folders[folder]; twice {
			return option.Misuse("-model=%s and -model=%s would share the run folder %s: run them one by one with -run-dir", other, model, folder)
		}
		folders[folder] = model
	}
	asked := r.flags.o
	for _, model := range r.models.given {
		o := asked
		o.Model, o.Root = model, dir
		if plan, err := suite.NewPlan(o); err == nil {
			if err := r.gate.held.Rehearse(plan); err != nil {
				return fmt.Errorf("%s: %w", model, err)
			}
		}
	}
	code, closed := exitOK, false
	for _, model := range r.models.given {
		r.flags.o = asked
		if r.flags.o.Model = model; asked.RunDir != "" {
			r.flags.o.RunDir = filepath.Join(asked.RunDir, suite.FolderName(model))
		}
		if !r.asJSON {
			fmt.Fprintf(r.out, "── %s\n\n", say.Printable(model, 200))
		}
		err := r.one()
		if err != nil && !errors.As(err, new(exit)) {
			err = fmt.Errorf("%s: %w", model, err)
		}
		ended := r.code(err)
		if !r.asJSON {
			fmt.Fprintln(r.out)
		}
		if ended == exitInterrupted {
			return exit(ended)
		}
		if code = max(code, ended); ended == exitNo || closed { // a closed gate counts more than trouble
			code, closed = exitNo, true
		}
	}
	if err := r.rankAll(); err != nil || code == exitOK {
		return err
	}
	return exit(code)
}

// rankAll prints the table of all models, over the cases that all have.
func (r *runner) rankAll() error {
	if len(r.done) < 2 {
		return nil
	}
	o := compare.Options{Intersect: true, AllowErrors: r.allowErrors}
	runs, notes, err := compare.Align(r.done, o)
	if err != nil {
		return err
	}
	ranking, err := compare.Rank(runs, o)
	if err != nil {
		return err
	}
	ranking.Notes = slices.Concat(ranking.Notes, notes)
	var text bytes.Buffer
	if err := export.Ranking(&text, say.Screen{Markdown: true}, ranking); err != nil {
		return err
	}
	export.Summarize(r.err, text.Bytes())
	return r.show(ranking, func() error { return export.Ranking(r.out, screenOf(r.out), ranking) })
}

// sampleBy takes the seed of -sample from its baseline, unless -seed states one:
// shards and later starts draw the same cases, and each new baseline brings new
// ones. A baseline that is a sample itself has settled which cases there are.
func (r *runner) sampleBy(base *tally.Run) error {
	spec, err := suite.Parse(r.flags.o.Sample)
	switch own := base.Sample; {
	case err != nil:
		return option.Misuse("-sample: %w", err)
	case spec.By == "category":
		return nil
	case own == nil:
		if !r.set.Changed("seed") {
			h := fnv.New32a()
			_, _ = io.WriteString(h, cmp.Or(base.ID, base.Mark(0))) // a hash takes everything
			r.flags.o.Seed = uint64(h.Sum32())
		}
		return nil
	case own.Seed != r.flags.o.Seed && r.set.Changed("seed"):
		return option.Misuse("the baseline is a sample with seed %d, this run is one with seed %d: they have few cases in common; leave out -seed, or give a baseline over all cases", own.Seed, r.flags.o.Seed)
	default:
		_, by, _ := strings.Cut(own.Spec, ",")
		r.flags.o.Sample, r.flags.o.Seed = fmt.Sprintf("%d,%s", spec.Cases, by), own.Seed
		return nil
	}
}
