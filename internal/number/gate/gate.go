// Package gate decides whether a run is good enough, by a file of rules:
// floors, allowed losses against a baseline, ceilings and required cases. If
// the sample is too small for a rule, the rule is undecided, not kept.
//
//	Parse     a gate file to a Config, or an error with the lines that are wrong
//	Decide    a Config and a run, with a baseline or without, to a Decision
//	Decision  its checks, and the verdict in a sentence; package export prints it
//
// docs/gate.md explains the rules.
package gate

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// None is given as the baseline if there is none yet.
const None = "none"

// A Gate holds what a run is checked against: the rules of a file and a
// baseline.
type Gate struct {
	// Rules are the file's rules, without those about losses if there is no
	// baseline yet.
	Rules *Config
	// Baseline and Release are nil if there is none.
	Baseline, Release *tally.Run
	// Intersect compares the cases that both runs have.
	Intersect bool

	// file is the gate file's name.
	file string
	// first is the note on what a first run leaves out; "" if there is a
	// baseline.
	first string
}

// Open reads a gate file, but not yet the baselines. The baseline may be None,
// or "" for the file's. own are the categories of a user's own suite.
func Open(file, baseline string, own ...string) (*Gate, error) {
	data, err := plainfile.ReadFile(file)
	if err != nil {
		return nil, option.Misuse("gate file: %w", err)
	}
	rules, err := Parse(file, data, own...)
	if err != nil {
		return nil, option.MarkMisuse(err)
	}
	g := &Gate{Rules: rules, file: file}
	if baseline != None {
		rules.Last = cmp.Or(baseline, rules.Last)
		return g, nil
	}
	g.first = "no baseline yet"
	left := len(rules.Regressions)
	rules.Last, rules.Regressions = "", rules.against(Release)
	if left -= len(rules.Regressions); left > 0 {
		g.first += fmt.Sprintf(", so the gate's rules about losses are left out: %d", left)
	}
	return g, nil
}

// For reads a gate file and the baseline, "" or None for none, before a run is
// made.
func For(file, baseline string, o option.Options) (*Gate, error) {
	var own []string
	if d, err := fixtures.Open(o.Dataset, o.Data); err == nil { // otherwise the run reports it
		own = OwnCategories(tally.LayoutOf(d))
	}
	g, err := Open(file, baseline, own...)
	if err != nil {
		return g, err
	}
	return g, g.Read(func(path string) (*tally.Run, error) { return Reference(path, o) })
}

// Read reads the baselines.
func (g *Gate) Read(read func(path string) (*tally.Run, error)) (err error) {
	if g.Rules.Last != "" {
		if g.Baseline, err = read(g.Rules.Last); err != nil {
			return err
		}
	}
	if g.Rules.Release != "" {
		g.Release, err = read(g.Rules.Release)
	}
	return err
}

// Reference reads the run that others are compared with.
func Reference(baseline string, o option.Options) (*tally.Run, error) {
	runs, err := tally.ReadAll([]string{baseline}, tally.Options{Data: o.Data, Answers: true, Each: KeepRight})
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if len(runs) != 1 {
		return nil, option.Misuse("baseline: want one run, found %d: name a model's folder", len(runs))
	}
	if runs[0].Name == o.Model {
		runs[0].Name += " (" + baseline + ")"
	}
	return runs[0], nil
}

// KeepRight keeps only the right answers of a run, which stand beside the wrong
// ones of another.
func KeepRight(run *tally.Run) {
	for _, r := range run.All() {
		answer := r.Result
		if r.Forget(); r.Passed() {
			r.Result = answer
		}
	}
}

// OwnCategories returns the categories of a user's own suite, which rules may
// name.
func OwnCategories(l *score.Layout) (names []string) {
	if l == nil || l.Name != score.OwnName {
		return nil
	}
	l.Walk(func(n *score.Node, _ int, _ bool) { names = append(names, n.Name) })
	return names
}

// same reports whether two runs are one, or share a shard. Of a run without an
// id, the time and the place must tell: one that was made where the baseline
// was read has moved that aside, and begun later.
func same(a, b *tally.Run) bool {
	if a.ID != "" && b.ID != "" {
		return record.Shared(&a.Run, &b.Run) != ""
	}
	if !a.Upstream && !b.Upstream && !a.Started.Equal(b.Started) {
		return false
	}
	at, err := os.Stat(a.Path)
	is, err2 := os.Stat(b.Path)
	return a.Path != "" && (a.Path == b.Path || err == nil && err2 == nil && os.SameFile(at, is))
}

// Decide checks a run against the gate. A baseline with other data is an error.
func (g *Gate) Decide(run *tally.Run) (*Decision, error) {
	rules := *g.Rules
	rules.Regressions = rules.against(Last)
	d, err := g.held(&rules, run, g.Baseline)
	if err != nil {
		return nil, err
	}
	if g.first != "" {
		d.Notes = append(d.Notes, g.first)
	}
	if g.Release == nil {
		return d, nil
	}
	since := &Config{Partial: rules.Partial, Audited: rules.Audited, Looks: rules.Looks, Regressions: g.Rules.against(Release)}
	e, err := g.held(since, run, g.Release)
	if err != nil {
		return nil, fmt.Errorf("the release: %w", err)
	}
	d.since(e)
	return d, nil
}

// since adds what was decided on the losses since the release. Infrastructure
// errors have left d undecided already.
func (d *Decision) since(e *Decision) {
	d.Release = e.Comparison
	at := slices.IndexFunc(d.Rules, func(c Check) bool { return c.Kind == "ceiling" || c.Kind == "required" })
	if at < 0 {
		at = len(d.Rules)
	}
	checks := slices.DeleteFunc(e.Rules, func(c Check) bool { return c.Baseline != Release })
	d.Rules = slices.Insert(d.Rules, at, checks...)
	d.settle()
	for _, note := range e.Notes {
		if !slices.Contains(d.Notes, note) {
			d.Notes = append(d.Notes, "the release: "+note)
		}
	}
}

// held checks a run against rules and a baseline, nil for none.
func (g *Gate) held(rules *Config, run, baseline *tally.Run) (*Decision, error) {
	if baseline == nil {
		return Decide(rules, run, nil)
	}
	if run.Digest != baseline.Digest {
		return nil, option.Misuse("the run's dataset has digest %.12q, the baseline's %.12q: a gate compares runs of the same dataset; run the baseline again", run.Digest, baseline.Digest)
	}
	if same(run, baseline) {
		return nil, option.Misuse("%s is its own baseline, or a copy of it, and no run loses against itself: name another run, or %s", say.Plain(run.Path, 500), None)
	}
	both, notes, err := compare.Align([]*tally.Run{run, baseline}, compare.Options{Intersect: g.Intersect})
	if err != nil {
		return nil, err
	}
	d, err := Decide(rules, both[0], both[1])
	if err == nil {
		d.Notes = append(notes, d.Notes...)
	}
	return d, err
}

// Rehearse returns an error if the gate could not decide on the planned run,
// whatever the answers: a rule is about something that the run will not have,
// such as a category or an agent's figures, or the baseline has
// other cases. It is called before anything is asked, because afterwards it is
// too late to correct the file. Nil is no gate.
func (g *Gate) Rehearse(p *suite.Plan) error {
	if g == nil {
		return nil
	}
	run, err := tally.Rehearse(p)
	if err != nil {
		return err
	}
	if run.Len() == 0 {
		return nil // a shard may be empty
	}
	d, err := g.Decide(run)
	if err != nil {
		return option.Misuse("the gate could not decide on this run, so nothing is asked: %w", err)
	}
	var lines []string
	for _, c := range d.Rules {
		if c.lacks && !c.Aside {
			at := say.Plain(g.file, longestName)
			if c.Line > 0 {
				at += fmt.Sprintf(":%d", c.Line)
			}
			lines = append(lines, at+": "+c.kind()+" "+say.Plain(c.Name, longestName)+": "+say.Plain(c.Why, 3*longestName))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return option.Misuse("the gate could not decide on this run, whatever the answers, so nothing is asked:\n%s", strings.Join(lines, "\n"))
}
