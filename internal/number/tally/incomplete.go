package tally

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Lack is a category for which a model has no score, with what is missing.
type Lack struct {
	Model    string `json:"model"`
	Category string `json:"category"`
	// Why gives the reason in a few words.
	Why string `json:"why"`
	// Cases are the ids of the cases without an answer that can be judged.
	Cases []string `json:"cases,omitempty"`
	// Causes are the reasons why answers could not be judged, each once.
	Causes []string `json:"causes,omitempty"`
}

// mostNamed is how many items of a list a text names; the JSON has all.
const mostNamed = 10

// Error returns the category and the reason, with each cause on its own line.
func (l *Lack) Error() string {
	text := fmt.Sprintf("%s, %s: %s", say.Plain(l.Model, 200), l.Category, l.Why)
	if len(l.Cases) > 0 {
		text += ": " + firstOf(l.Cases, mostNamed)
	}
	for _, cause := range l.Causes[:min(len(l.Causes), mostNamed)] {
		text += "\n    " + cause
	}
	if left := len(l.Causes) - mostNamed; left > 0 {
		text += fmt.Sprintf("\n    and %d more", left)
	}
	return text
}

// An IncompleteError names the categories that have no score. The report and
// the files written have the others.
type IncompleteError struct{ Lacks []Lack }

// Error returns a line for each category.
func (e *IncompleteError) Error() string {
	lines := []string{say.Count(len(e.Lacks), "category is incomplete and has no score:", "categories are incomplete and have no score:")}
	for i := range e.Lacks {
		lines = append(lines, "  "+e.Lacks[i].Error())
	}
	return strings.Join(lines, "\n")
}

// lack removes a category from the run and records why.
func (r *Run) lack(category string, err error) {
	var known *Lack
	if !errors.As(err, &known) {
		known = &Lack{Why: say.Printable(err.Error(), 1000)}
	}
	known.Model, known.Category = r.Model, category
	r.Lacks = append(r.Lacks, *known)
	r.Parts = slices.DeleteFunc(slices.Clone(r.Parts), func(p Part) bool { return p.Category.Name == category })
}

// unjudged removes the categories with error verdicts: something could not be
// asked, so there must be no score. If errors are allowed, such an answer is
// wrong, as it is upstream when an API does not answer. Errors that were recorded
// instead of an answer stay.
func (r *Run) unjudged(allowed bool) {
	for _, part := range slices.Clone(r.Parts) {
		l := &Lack{}
		for i := range part.Results {
			v := &part.Results[i]
			if v.Status != eval.Error || v.ErrorType == infrastructure+replay.Recorded {
				continue
			}
			if allowed {
				v.Status = eval.Fail
				continue
			}
			l.Cases = append(l.Cases, v.Case.ID)
			detail := v.Detail
			if detail == nil {
				detail = pyval.None
			}
			if cause := say.Printable(pyval.Text(detail), 600); !slices.Contains(l.Causes, cause) {
				l.Causes = append(l.Causes, cause)
			}
		}
		if len(l.Cases) > 0 {
			l.Why = fmt.Sprintf("%s be judged (--allow-errors counts them as wrong)", say.Count(len(l.Cases), "answer cannot", "answers cannot"))
			r.lack(part.Category.Name, l)
		}
	}
}
