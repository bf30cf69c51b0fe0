package evaluate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	text := fmt.Sprintf("%s, %s: %s", safe.Plain(l.Model, 200), l.Category, l.Why)
	if len(l.Cases) > 0 {
		text += ": " + listed(l.Cases)
	}
	for _, cause := range l.Causes[:min(len(l.Causes), mostNamed)] {
		text += "\n    " + cause
	}
	if left := len(l.Causes) - mostNamed; left > 0 {
		text += fmt.Sprintf("\n    and %d more", left)
	}
	return text
}

// listed joins the first names of a long list.
func listed(list []string) string {
	var out []string
	for _, item := range list[:min(mostNamed, len(list))] {
		out = append(out, safe.Printable(item, 300))
	}
	text := strings.Join(out, ", ")
	if left := len(list) - mostNamed; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// An IncompleteError names the categories that have no score. The report and
// the files written have the others.
type IncompleteError struct{ Lacks []Lack }

// Error returns a line for each category.
func (e *IncompleteError) Error() string {
	lines := []string{count.Of(len(e.Lacks), "category is incomplete and has no score:", "categories are incomplete and have no score:")}
	for i := range e.Lacks {
		lines = append(lines, "  "+e.Lacks[i].Error())
	}
	return strings.Join(lines, "\n")
}

// incomplete returns nil if every category has a score.
func (r *Report) incomplete() error {
	var all []Lack
	for _, m := range r.Models {
		all = append(all, m.Lacks...)
	}
	if len(all) == 0 {
		return nil
	}
	return &IncompleteError{all}
}

// lack removes a category from the model and records why.
func (m *Model) lack(category string, err error) {
	var known *Lack
	if !errors.As(err, &known) {
		known = &Lack{Why: safe.Printable(err.Error(), 1000)}
	}
	known.Model, known.Category = m.Name, category
	m.Lacks = append(m.Lacks, *known)
	m.Categories = slices.DeleteFunc(m.Categories, func(c *Category) bool { return c.Name == category })
}

// unjudged removes the categories with error verdicts: something could not be
// asked, so there must be no score. If errors are allowed, such an answer is
// wrong, as it is upstream when an API does not answer.
func (r *Report) unjudged(allowed bool) {
	for _, m := range r.Models {
		for _, c := range slices.Clone(m.Categories) {
			l := &Lack{}
			for i := range c.Answers {
				v := &c.Answers[i]
				if v.Status != eval.Error {
					continue
				}
				if allowed {
					v.Status = eval.Fail
					continue
				}
				l.Cases = append(l.Cases, v.Row.ID)
				if cause := safe.Printable(pyval.Text(orNone(v.Detail)), 600); !slices.Contains(l.Causes, cause) {
					l.Causes = append(l.Causes, cause)
				}
			}
			if len(l.Cases) > 0 {
				l.Why = fmt.Sprintf("%s be judged (--allow-errors counts them as wrong)", count.Of(len(l.Cases), "answer cannot", "answers cannot"))
				m.lack(c.Name, l)
			}
		}
	}
}

// stated checks a run's folder against its run.json: the run must be of this
// dataset, and a category that was run but has no file has lost its answers.
// The note says if there are more trials than are evaluated.
func (m *Model) stated(o Options) (note string, err error) {
	run, err := m.folder.Run()
	if err != nil || run == nil {
		return "", err
	}
	digest, err := o.Dataset.Digest()
	if err != nil {
		return "", err
	}
	if run.Trials > 1 {
		note = fmt.Sprintf("%s: only the first of the run's %d trials is evaluated; bfcl score uses all of them", m.folder.Dir, run.Trials)
	}
	if run.Digest != digest {
		return "", fmt.Errorf("%s was run on other cases: its dataset %.100q had digest %.12q, %.100q has %.12q; name the run's own dataset with --dataset and --data (or evaluate a copy of only its result folder)", m.folder.Dir, run.Dataset, run.Digest, o.Dataset.Name, digest)
	}
	if o.Categories != "" || o.Partial {
		return note, nil
	}
	for _, name := range run.Categories {
		if m.folder.Files[name] == "" {
			m.lack(name, &Lack{Why: "it was run but has no result file"})
		}
	}
	return note, nil
}
