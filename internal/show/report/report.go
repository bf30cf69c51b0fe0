// Package report makes a page of runs: one HTML file that needs nothing but a
// browser, and the same in Markdown. Package tally has judged the runs, and
// package chart draws.
//
//	New       runs of one dataset to a Report
//	HTML      the page: tables and charts, and every case, packed
//	Markdown  the tables
//
// The page contains what models wrote. That reaches the document only as
// escaped text through html/template, or as the text of a node through the
// page's script. The page's own policy forbids any other script, style, image
// or address.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/say"
)

// Options choose the contents of a report.
type Options struct {
	// AllowErrors counts infrastructure errors as upstream does.
	AllowErrors bool
	// Answers are those that were taken while the runs were read; nil if the runs
	// have them.
	Answers *Answers
}

// A Report is the runs with everything that is computed from them.
type Report struct {
	// Dataset and Digest are the same in all runs.
	Dataset, Digest string
	// Entries are the runs, the best first; those that cannot be ranked as given.
	Entries []*Entry
	// Layout says how the dataset's categories are grouped.
	Layout *score.Layout

	nodes       []node
	allowErrors bool
	answers     *Answers
	// compared are the comparisons of ranked runs, which are named by their place
	// on the command line.
	compared []*compare.Comparison
}

// An Entry is a run.
type Entry struct {
	Name string
	// Index counts from 0 among the runs, as they stand on the page.
	Index int
	// Short is the part of Name by which it differs from the other runs'.
	Short string
	Score *score.Score
	Spend tally.Spend
	// Agent is what an agent took; nil if a model was asked.
	Agent *score.AgentEffort
	// Ladder and Standing may be nil.
	Ladder   *tally.Findings
	Standing *leaderboard.Standing
	// Started is when the run began; zero if it is not known.
	Started time.Time
	// Notes are remarks on the run; Missing says what it has no verdict on.
	Notes, Missing []string

	given int // its place on the command line
	run   *tally.Run
	// formatDelta and formatStdDev are how much accuracy depends on the
	// prompt's format: the largest difference and the standard deviation, in
	// percentage points; NaN if not measured.
	formatDelta, formatStdDev float64
	// ranks is the range of ranks that the comparisons with the other runs
	// leave open, such as "2–4"; "–" if there is none.
	ranks string
}

// New computes a report. Runs of different datasets, or of different versions
// of one, cannot be compared and are refused.
func New(runs []*tally.Run, o Options) (*Report, error) {
	if len(runs) == 0 {
		return nil, errors.New("no run to report")
	}
	r := &Report{Dataset: runs[0].Dataset, Digest: runs[0].Digest, allowErrors: o.AllowErrors, answers: o.Answers}
	errs := make([]error, len(runs))
	r.Entries = make([]*Entry, len(runs))
	parallel.Each(len(runs), func(i int) {
		first, other := runs[0], runs[i]
		a, b := say.Plain(first.Name, 200), say.Plain(other.Name, 200)
		switch {
		case first.Dataset != other.Dataset:
			errs[i] = fmt.Errorf("a report covers one dataset: %s was run on %q, %s on %q", a, first.Dataset, b, other.Dataset)
		case first.Digest != other.Digest:
			errs[i] = fmt.Errorf("a report covers one dataset: %s and %s were run on different versions of %q (digests %.12q and %.12q)", a, b, first.Dataset, first.Digest, other.Digest)
		default:
			r.Entries[i], errs[i] = newEntry(other, i, o.AllowErrors)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	r.Layout = r.Entries[0].Score.Shape()
	slices.SortStableFunc(r.Entries, func(a, b *Entry) int { // the best first
		return cmp.Or(cmp.Compare(b.overall().Value, a.overall().Value), strings.Compare(a.Name, b.Name))
	})
	if err := r.rank(o.AllowErrors); err != nil {
		return nil, err
	}
	r.colour()
	r.nodes = r.nodesOf()
	var names []string
	for _, e := range r.Entries {
		names = append(names, e.Name)
	}
	for i, short := range shortNames(names) {
		r.Entries[i].Short = short
	}
	return r, nil
}

func newEntry(run *tally.Run, given int, allowErrors bool) (*Entry, error) {
	run = public(run)
	s, err := run.Answered(allowErrors)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", say.Plain(run.Name, 200), err)
	}
	missing := lacking(run, allowErrors)
	s.Warn(missing...)
	e := &Entry{
		Name: say.Printable(run.Name, 120), Score: s, Spend: run.Spend(), Agent: tally.AgentOf(run), Ladder: run.Findings(allowErrors),
		Started: run.Started, Missing: missing, given: given, run: run,
	}
	e.sensitivity()
	for _, note := range run.Notes {
		e.Notes = append(e.Notes, say.Printable(note, 500))
	}
	if place, ok := leaderboard.Place(s); ok && tally.AgentOf(run) == nil {
		e.Standing = &place
	}
	return e, nil
}

// sensitivity computes the figures for the prompt's format, from the run's own cases.
func (e *Entry) sensitivity() {
	e.formatDelta, e.formatStdDev = math.NaN(), math.NaN()
	part := e.run.Part(prompt.Category)
	if part == nil {
		return
	}
	if s := part.Sensitivity(false); s != nil && len(s.Configs) > 1 {
		e.formatDelta, e.formatStdDev = s.MaxDelta.Value, s.StdDev.Value
	}
}

// public returns the run with a dataset's name that may be published: a user's
// own suite has its name, and a folder keeps only its last part.
func public(run *tally.Run) *tally.Run {
	if !strings.ContainsAny(run.Dataset, `/\`) {
		return run
	}
	out := *run
	if out.Dataset = run.Suite; out.Dataset == "" {
		out.Dataset = "folder " + filepath.Base(run.Dataset)
	}
	return &out
}

// lacking says which results of a run have no verdict.
func lacking(run *tally.Run, allowErrors bool) (out []string) {
	if run.Missing > 0 {
		out = append(out, fmt.Sprintf("The run is not finished: %d of %d results are missing and left out of every figure.", run.Missing, run.Missing+run.Len()))
	}
	if n := run.Errors(); n > 0 && !allowErrors {
		text := say.Count(n, "result", "results") + " lost to infrastructure errors, which are not wrong answers and are left out of every accuracy."
		if c, ok := run.Named().Resume(); ok && run.CanAskAgain() {
			text += " Ask again: " + c.String()
		}
		out = append(out, text)
	}
	return out
}

// colour puts the runs without a rank, whose figures are of other cases, behind the
// others as they were given, and gives the runs their colours.
func (r *Report) colour() {
	place := func(e *Entry) int {
		if e.unranked() {
			return e.given
		}
		return -1
	}
	slices.SortStableFunc(r.Entries, func(a, b *Entry) int { return cmp.Compare(place(a), place(b)) })
	for i, e := range r.Entries {
		e.Index = i
	}
}

// unranked reports whether a run has cases that keep it from a rank.
func (e *Entry) unranked() bool { return e.ranks == noRank }

// noRank is the text if there is no rank: runs of different cases cannot be paired.
const noRank = "–"

// rank gives runs the ranks that comparing every pair of runs leaves open. If
// the runs have different cases, those that have all are ranked.
func (r *Report) rank(allowErrors bool) error {
	var all, whole []*tally.Run
	for _, e := range r.Entries {
		e.ranks = noRank
	}
	given := slices.SortedFunc(slices.Values(r.Entries), func(a, b *Entry) int { return cmp.Compare(a.given, b.given) })
	for _, e := range given {
		run := *e.run
		run.Name = strconv.Itoa(e.given) // two runs may have the same name
		if all = append(all, &run); e.Score.Complete && len(e.Missing) == 0 {
			whole = append(whole, &run)
		}
	}
	if len(all) == 1 {
		r.Entries[0].ranks = "1"
		return nil
	}
	o := compare.Options{AllowErrors: allowErrors, Keep: true}
	runs, _, err := compare.Align(all, o)
	if err != nil && len(whole) > 1 {
		runs, _, err = compare.Align(whole, o)
	}
	if err != nil { // no two runs have the same cases
		return nil
	}
	ranking, err := compare.Rank(runs, o)
	if errors.Is(err, compare.ErrNothing) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range ranking.Pairs {
		r.compared = append(r.compared, ranking.Pairs[i].Comparison)
	}
	for i := range ranking.Runs {
		one := &ranking.Runs[i]
		at, err := strconv.Atoi(one.Name)
		if err != nil {
			return err
		}
		given[at].ranks = one.Ranks()
	}
	return nil
}

// aboutRanks explains the ranks; "" for a single entry.
func (r *Report) aboutRanks() string {
	switch {
	case len(r.Entries) == 1:
		return ""
	case len(r.Entries) == 2 && r.any((*Entry).unranked):
		return "These runs answered different cases, so that their figures do not compare; their change is over the cases that both answered."
	case !r.any(func(e *Entry) bool { return !e.unranked() }):
		return "These runs cannot be ranked: they answered different cases. They stand as they were given; two of them can be compared on the cases that both answered."
	case r.any((*Entry).unranked):
		return aboutRanks + " A run that lacks cases has none."
	}
	return aboutRanks
}

const aboutRanks = "# is the range of ranks among the runs that comparing every pair, case by case, leaves open (5%, adjusted for all pairs)."

// path returns the run's path for a command line: as it was named, or without
// the folders around it, which differ on the reader's machine.
func (e *Entry) path() string {
	path := e.run.Path
	if filepath.IsAbs(path) || strings.HasPrefix(path, "..") {
		path = filepath.Base(path)
	}
	return say.Printable(path, 300)
}

// number returns a figure; NaN if it is unknown.
func number(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// shortNames returns the part by which each name differs from the others: the models
// or, of one model, the folders. Names that would not differ stay as they are.
func shortNames(names []string) []string {
	models, folders := make([]string, len(names)), make([]string, len(names))
	for i, name := range names {
		models[i] = name
		if at := strings.LastIndex(name, " ("); at > 0 && strings.HasSuffix(name, ")") {
			models[i], folders[i] = name[:at], filepath.Base(name[at+2:len(name)-1])
		}
	}
	switch {
	case distinct(models):
		return models
	case slices.Max(models) == slices.Min(models) && distinct(folders) && !slices.Contains(folders, "."):
		return folders
	}
	return names
}

func distinct(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) == len(names)
}
