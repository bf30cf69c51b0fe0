// Package score turns counts of right answers into scores: upstream's groups
// and overall of each release, and the score a run ends with, as JSON and as
// text.
//
//	Accuracy      a share of right answers and the three ways to average it
//	Layout        which categories make up which group, and by which rule
//	Tally, Score  a run's counts per category; its score with intervals
//
// Accuracies are computed exactly as upstream does, in its order of operations;
// intervals and partial means are this project's own.
package score

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Tally holds the counts of a category's cases.
type Tally struct {
	// Total is the number of cases that were run.
	Total int
	// Correct is the number of right cases.
	Correct int
	// Errors is the number of cases that ended in an infrastructure error and
	// have no answer; Unasked of them are of cases that a recording lacks, which
	// never count.
	Errors, Unasked int
	// Cases is the number of cases with a scored result if a case may have
	// several results; 0 if each result is a case.
	Cases int
	// Clusters, if given, group the answered cases that share a base. The
	// interval is wider the more the cases of a cluster go right or wrong
	// together; for a group of categories, clusters with the same key are one.
	Clusters []stat.Block
	// Unit is what a cluster is; "" for a case.
	Unit string
}

// stratum returns the stratum of so many scored cases; cases outside the
// clusters are independent.
func (t Tally) stratum(weight float64, scored int) stat.Stratum {
	s := stat.Stratum{Weight: weight, Unit: t.Unit, Blocks: t.Clusters, Alone: scored, Right: t.Correct}
	for _, c := range t.Clusters {
		s.Alone, s.Right = s.Alone-c.N, s.Right-int(c.Sum)
	}
	return s
}

// Answered returns the number of cases that have an answer.
func (t Tally) Answered() int { return t.Total - t.Errors }

// scored returns the number of cases that count: those with an answer and, if errors
// count, those that were asked.
func (t Tally) scored(allowErrors bool) int {
	if allowErrors {
		return t.Total - t.Unasked
	}
	return t.Answered()
}

// A Run says what a score is of.
type Run struct {
	// Dataset is the dataset's name.
	Dataset string `json:"dataset"`
	// Digest identifies the content of the cases.
	Digest string `json:"digest"`
	// Data is the origin of the cases.
	Data eval.Origin `json:"data,omitzero"`
	// Model is the model's name in the run.
	Model string `json:"model"`
	// Skipped are the categories that were left out because their APIs need
	// keys, with the environment variables that were not set.
	Skipped map[string][]string `json:"skipped,omitempty"`
	// Embedder is what turned texts into vectors for memory_vector; "" if that
	// was not run.
	Embedder string `json:"embedder,omitempty"`
	// Shard is the part of a run that was scored; "" for the whole run.
	Shard string `json:"shard,omitempty"`
	// Dialect is the name of the dialect that the answers' calls were read in;
	// "" for the mode's own.
	Dialect string `json:"dialect,omitempty"`
	// ReadAnswers are the ids of cases in which a planted wrong answer was given.
	ReadAnswers []string `json:"read_answers,omitempty"`
	// Server is what the model's server told about itself; "" if it told nothing.
	Server string `json:"server,omitempty"`
	// Idle says that nothing was asked when the run was continued, and how old its
	// answers are; "" if something was.
	Idle string `json:"asked_nothing,omitempty"`
	// Proxy is the host of the proxy that carried requests; "" if none did.
	Proxy string `json:"proxy,omitempty"`
	// CutOff counts the answers that the limit of tokens ended; nil if there
	// are none.
	CutOff *CutOff `json:"cut_off,omitempty"`
	// Overlooked counts the right answers that hold a call which was not read; nil
	// if there are none.
	Overlooked *Overlooked `json:"overlooked,omitempty"`
	// Finishes counts the answers that a filter refused or that ended for an
	// unknown reason, by "filtered: " or "unknown: " and the server's reason.
	Finishes map[string]int `json:"finishes,omitempty"`
}

// Options say how a score is computed. The zero Options score as the dataset's
// name suggests and leave infrastructure errors out.
type Options struct {
	// Layout groups the categories; nil for the dataset's own.
	Layout *Layout
	// Sizes are the dataset's numbers of cases per category; nil for the
	// layout's. They are the weights of categories if every case counts the
	// same, and say whether the score is over the whole dataset.
	Sizes map[string]int
	// AllowErrors counts an infrastructure error as a wrong answer, as upstream
	// does. Otherwise an error has no score: accuracies are over the answered
	// cases, and errors are reported separately.
	AllowErrors bool
}

// A Score is a run's result: overall, by group and by category.
type Score struct {
	Run
	// Layout is the name of the layout.
	Layout string `json:"layout"`
	// AllowErrors reports whether errors count as wrong.
	AllowErrors bool `json:"allow_errors,omitempty"`
	// Complete reports whether every case that counts was scored. Only then is
	// Overall the benchmark's.
	Complete bool `json:"complete"`
	// Coverage says which part of the dataset was scored; nil if all of it was.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Basis says which results the numbers are over.
	Basis *Basis `json:"basis,omitempty"`
	// Warnings are sentences about what the score is not; they are shown before
	// any of its numbers.
	Warnings []string `json:"warnings,omitempty"`
	// Overall is the layout's overall.
	Overall Part `json:"overall"`
	// Groups are the layout's groups that were at least partly run.
	Groups map[string]Part `json:"groups"`
	// Categories are the categories that were run, whether the layout has them
	// or not.
	Categories map[string]Part `json:"categories"`

	// Own is the layout of a user's own suite; nil for other layouts, which
	// Layout names.
	Own *Layout `json:"-"`
}

// Shape returns the layout that the score was computed with.
func (s *Score) Shape() *Layout {
	if s.Own != nil {
		return s.Own
	}
	return LayoutOf(s.Layout)
}

// New computes the score of a run from its tallies by category.
func New(run Run, tallies map[string]Tally, opt Options) (*Score, error) {
	l := opt.Layout
	if l == nil {
		l = LayoutOf(run.Dataset)
	}
	if opt.Sizes != nil {
		sized := *l
		sized.Sizes = opt.Sizes
		l = &sized
	}
	s := &Score{
		Run: run, Layout: l.Name, AllowErrors: opt.AllowErrors,
		Groups: map[string]Part{}, Categories: map[string]Part{},
	}
	if l.Name == OwnName {
		s.Own = l
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[name]
		if t.Correct < 0 || t.Errors < t.Unasked || t.Unasked < 0 || t.Correct > t.scored(opt.AllowErrors) {
			return nil, fmt.Errorf("category %.100q: %d right answers and %d errors do not fit %d cases", name, t.Correct, t.Errors, t.Total)
		}
		if t.Total > 0 {
			s.Categories[name] = opt.part(t, l.Sizes[name])
		}
	}
	// A category's weight is the number of the dataset's cases if every case counts the
	// same, however many were run.
	weighed := s.Accuracies()
	for name, a := range weighed {
		weighed[name] = Accuracy{Value: a.Value, Total: s.Categories[name].Size}
	}
	g := grouping{score: s, layout: l, tallies: tallies, upstream: l.Evaluate(weighed)}
	s.Overall = g.part(l.Overall)
	delete(s.Groups, l.Overall.Name)
	s.cover(l)
	if text := s.Data.Warning(); text != "" {
		s.Warnings = append(s.Warnings, text)
	}
	s.Warnings = append(s.Warnings, s.coverageWarnings()...)
	if c := s.CutOff; c != nil && 100*c.Answers > c.Of { // the score says more about the limit than about the model
		s.Warnings = append(s.Warnings, c.warning())
	}
	return s, nil
}

func (opt Options) part(t Tally, size int) Part {
	p := Part{Correct: t.Correct, Total: t.scored(opt.AllowErrors), Errors: t.Errors, Cases: t.Cases, Size: size}
	if p.Cases == 0 {
		p.Cases = t.Answered()
	}
	if p.Size == 0 {
		p.Size = p.Cases
	}
	if p.Total == 0 {
		p.NA = true
		return p
	}
	p.set(stat.Compose([]stat.Stratum{t.stratum(1, p.Total)}).Share(stat.Z95))
	p.Accuracy = float64(p.Correct) / float64(p.Total)
	return p
}

// Accuracies returns the categories' accuracies for a leaderboard Entry:
// upstream weights a category by its answers.
func (s *Score) Accuracies() map[string]Accuracy {
	out := make(map[string]Accuracy, len(s.Categories))
	for name, p := range s.Categories {
		if !p.NA {
			out[name] = Accuracy{Value: p.Accuracy, Total: p.Total}
		}
	}
	return out
}
